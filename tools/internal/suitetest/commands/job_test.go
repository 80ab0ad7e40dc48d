package commands_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// TestBackgroundStates compares the state of a job with what its command did.
func TestBackgroundStates(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	const loop = "while :; do sleep 0.01; done"
	tests := []struct {
		name, command string
		call          tools.JobParams
		state         string
	}{
		{"success", "true; read x", tools.JobParams{Input: "\x04"}, suitetest.Exited(1)},
		{"failure", "read x; exit 9", tools.JobParams{Input: "\n"}, suitetest.Exited(9)},
		{"a signal of its own", "read x; kill -SEGV $$", tools.JobParams{Input: "\n"}, "ended by signal SIGSEGV (not sent by a call of job)"},
		{"interrupted", "exec sleep 300", tools.JobParams{Signal: "interrupt"}, "ended by signal SIGINT (sent by this call)"},
		{"interrupt heeded", "trap 'exit 7' INT; read x; echo set; " + loop, tools.JobParams{Signal: "interrupt"}, suitetest.Exited(7)},
		{"terminated", "exec sleep 300", tools.JobParams{Signal: "terminate"}, "ended by signal SIGTERM (sent by this call)"},
		{"killed", "trap '' TERM; " + loop, tools.JobParams{Signal: "kill"}, "ended by signal SIGKILL (sent by this call)"},
	}
	s := newSuite(t, config.Config{}, nil)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := test.call
			p.ID, p.WaitMs = started(t, s, test.command), long
			if strings.Contains(test.command, "echo set") {
				job(t, s, tools.JobParams{ID: p.ID, Input: "\n", Until: "set", WaitMs: long})
			}
			res := job(t, s, p)
			require.Equal(t, test.state, res.State)
			require.False(t, res.Running)
			none := ""
			if runtime.GOOS == "linux" && testkit.HasProc() || runtime.GOOS == "windows" {
				none = "None of its processes is left. "
			}
			require.Contains(t, res.Text, fmt.Sprintf("[Job %d %s. %sOutput: .clarvis/job-", p.ID, test.state, none))
			later := strings.ReplaceAll(test.state, "this call", "a call of job")
			require.Equal(t, later, job(t, s, tools.JobParams{ID: p.ID, Signal: "terminate"}).State, "it stays that")
		})
	}
}

// TestBackgroundCtrlC gives a job the character of Ctrl-C, with a terminal and without one.
func TestBackgroundCtrlC(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	for _, tty := range []bool{false, true} {
		p := tools.BashParams{Command: "echo ready; exec sleep 300", Background: true, TTY: tty, ReadyWhen: "ready", TimeoutMs: long}
		res, err := s.Bash(t.Context(), p)
		require.NoError(t, err)
		ended := job(t, s, tools.JobParams{ID: res.Job, Input: "\x03", WaitMs: long})
		require.Equal(t, "ended by signal SIGINT (sent by this call)", ended.State)
	}
	id := started(t, s, "read -r line; printf %s \"$line\" | od -c; exec cat")
	res := job(t, s, tools.JobParams{ID: id, Input: "a\x03\n", Until: "003", WaitMs: long})
	require.Regexp(t, `a +003`, res.Text, "among other text it is a character")
}

// TestBackgroundPlain has commands end before the call returns: they are no jobs.
func TestBackgroundPlain(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Jobs: config.Jobs{Settle: time.Hour}}, nil)
	res, err := s.Bash(t.Context(), tools.BashParams{Command: "echo hi; exit 3", Background: true})
	require.NoError(t, err)
	require.Equal(t, "hi\n\n"+exit.WithCode(3), res.Text)
	require.Zero(t, res.Job)
	require.Equal(t, "(no jobs)", job(t, s, tools.JobParams{}).Text)
	require.NoDirExists(t, filepath.Join(s.Workspace(), ".clarvis"))
	res, err = s.Bash(t.Context(), tools.BashParams{Command: "echo crashed; exit 1", Background: true, ReadyWhen: "listening"})
	require.NoError(t, err)
	require.Equal(t, "crashed\n\n[No line matched the pattern in ready_when before the end]\n\n"+exit.WithCode(1), res.Text)
}

// TestBackgroundShortWait waits for less time than a start may take: the command goes on.
func TestBackgroundShortWait(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	for range 10 {
		res, err := s.Bash(t.Context(), tools.BashParams{Command: "read x", Background: true, ReadyWhen: "never", TimeoutMs: 1})
		require.NoError(t, err)
		require.Contains(t, res.Text, "No line matched the pattern in ready_when within 1ms. Job ")
	}
}

// TestBackgroundLeft has a shell end before what it started, which holds no call up, is heard
// on, and can be stopped.
func TestBackgroundLeft(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, "(until [ -e go ]; do sleep 0.01; done; echo later; sleep 300) & echo bye; exit 4")
	var res tools.JobResult
	for res = job(t, s, tools.JobParams{ID: id, WaitMs: 10}); res.State == "running"; {
		res = job(t, s, tools.JobParams{ID: id, WaitMs: 10})
	}
	require.True(t, res.Running)
	require.Equal(t, 4, res.ExitCode)
	if len(res.BackgroundPids) > 0 { // where they can be found
		require.Regexp(t, `^shell exited with code 4, [12] process(es)? still running$`, res.State)
	} else {
		require.Equal(t, "shell exited with code 4, processes may still be running", res.State)
	}
	require.Contains(t, res.Text, "wait for them, read on or stop them. Output: ")
	reached(t, s, "go")
	res = job(t, s, tools.JobParams{ID: id, Until: "later", WaitMs: long})
	require.Equal(t, "later", res.Match.Text)
	res = job(t, s, tools.JobParams{ID: id, Signal: "terminate", WaitMs: long})
	require.Equal(t, suitetest.Exited(4), res.State)
}

// TestBackgroundOutput shows each line once, and a half one as such.
func TestBackgroundOutput(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, `read x; echo one; printf 'half'; read x; echo ' a line'; printf '\r10%%\r55%%'; read x; printf '\r99%%\ndone\n'; exec cat`)
	res := job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "half", WaitMs: long})
	require.True(t, strings.HasPrefix(res.Text,
		"one\nhalf\n\n[Line 3 matches. The job may wait for input. Job "), res.Text)
	require.Equal(t, int64(8), res.NewBytes)
	res = job(t, s, tools.JobParams{ID: id, WaitMs: 1})
	require.True(t, strings.HasPrefix(res.Text, "(no new output)\n\n[The job may wait for input: use job id="), res.Text)
	res = job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "55%", WaitMs: long})
	require.True(t, strings.HasPrefix(res.Text,
		" a line\n55%\n\n[Line 4 matches. The job may wait for input"), res.Text)
	res = job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "done", WaitMs: long})
	require.True(t, strings.HasPrefix(res.Text, "99%\ndone\n\n[Line 5 matches. Job "), res.Text)
	res = job(t, s, tools.JobParams{ID: id, Input: "done\n", Until: "done", WaitMs: long})
	require.Equal(t, 6, res.Match.Line, "a line that was shown does not count again")
	whole := call(t, s, "read", map[string]any{"path": res.OutputPath})
	require.Contains(t, whole.Text, "ready\none\nhalf a line\n", "the file has it while the job runs")
	found := call(t, s, "grep", map[string]any{"path": res.OutputPath, "pattern": "half"})
	require.Contains(t, found.Text, ":3: half a line")
}

// TestBackgroundUnfinished has a line match before it is whole, which is said, and once.
func TestBackgroundUnfinished(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, "read x; printf 'port 80'; read x; echo 80; read x; echo port 9090; exec cat")
	res := job(t, s, tools.JobParams{ID: id, Input: "\n", Until: `port \d+`, WaitMs: long})
	require.Contains(t, res.Text, "[Line 2 matches. The job may wait for input")
	res = job(t, s, tools.JobParams{ID: id, Input: "\n\n", Until: `port \d+`, WaitMs: long})
	require.True(t, strings.HasPrefix(res.Text, "80\nport 9090\n\n[Line 3 matches. "), res.Text)
}

// TestBackgroundLimits bounds what a call shows, and names the lines by their place in the
// file.
func TestBackgroundLimits(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Bash: config.Bash{MaxLines: 2}}, nil)
	id := started(t, s, "read x; seq 10; echo end; read x; seq 5; echo end; exec cat")
	res := job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "end", WaitMs: long})
	require.Regexp(t, `^10\nend\n\n\[Lines 2-10 of the output were left out before these\. Line 12 matches\. Job `, res.Text)
	require.True(t, res.Truncated)
	res = job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "^3$", WaitMs: long})
	require.Equal(t, 15, res.Match.Line, "the line need not be among those that are shown")
}

// TestBackgroundInput gives a job more than it reads, and more after the end.
func TestBackgroundInput(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Jobs: config.Jobs{Settle: time.Millisecond}}, nil)
	id := started(t, s, "until [ -e go ]; do sleep 0.01; done; wc -c")
	line := strings.Repeat("x", 30<<10)
	full := 0
	for range 20 {
		if _, err := s.Job(t.Context(), tools.JobParams{ID: id, Input: line}); err != nil {
			require.ErrorContains(t, err, "does not read its input")
			full++
		}
	}
	require.Positive(t, full)
	reached(t, s, "go")
	var err error
	for _, err = s.Job(t.Context(), tools.JobParams{ID: id, Input: "\x04"}); err != nil; {
		require.ErrorContains(t, err, "does not read its input")
		_, err = s.Job(t.Context(), tools.JobParams{ID: id, Input: "\x04"})
	}
	res := job(t, s, tools.JobParams{ID: id, WaitMs: long})
	require.Equal(t, suitetest.Exited(0), res.State)
	_, err = s.Job(t.Context(), tools.JobParams{ID: id, Input: "more"})
	require.EqualError(t, err, fmt.Sprintf("invalid_input: the input of job %d is closed. Its state: "+suitetest.Exited(0), id))
	data, err := os.ReadFile(filepath.Join(s.Workspace(), res.OutputPath))
	require.NoError(t, err)
	require.Contains(t, string(data), fmt.Sprint((20-full)*len(line)), "all that was taken was read")
}

// TestBackgroundOne speaks of one job in the singular.
func TestBackgroundOne(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Jobs: config.Jobs{Max: 1}}, nil)
	started(t, s, "read first")
	_, err := s.Bash(t.Context(), tools.BashParams{Command: "true", Background: true})
	require.EqualError(t, err, "denied: 1 job is running, the maximum. Stop it with job signal=terminate, or wait for it: 1 (echo ready; read first)")
	_, err = s.Job(t.Context(), tools.JobParams{ID: 9})
	require.EqualError(t, err, "not_found: there is no job 9. The only one is 1 (echo ready; read first)")
}

// TestBackgroundMax refuses one job too many, with the names of those that run.
func TestBackgroundMax(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Jobs: config.Jobs{Max: 2}, Bash: config.Bash{OnTimeout: config.OnTimeoutBackground}}, nil)
	started(t, s, "read first")
	id := started(t, s, "read second")
	_, err := s.Bash(t.Context(), tools.BashParams{Command: "true", Background: true})
	require.EqualError(t, err, "denied: 2 jobs are running, the maximum. Stop one with job signal=terminate, or wait for one: 1 (echo ready; read first), 2 (echo ready; read second)")
	_, err = s.Bash(t.Context(), tools.BashParams{Command: "read x; sleep 300", TimeoutMs: 20})
	require.Equal(t, tools.CodeTimeout, tools.CodeOf(err), "there is no room to go on")
	job(t, s, tools.JobParams{ID: id, Input: "\n", WaitMs: long})
	started(t, s, "read third")
	_, err = s.Job(t.Context(), tools.JobParams{ID: 9})
	require.EqualError(t, err, "not_found: there is no job 9. The jobs are 1 (echo ready; read first), 2 (echo ready; read second), 3 (echo ready; read third)")
	list := job(t, s, tools.JobParams{})
	require.Len(t, list.Jobs, 3)
	require.Regexp(t, `^1: running, for \d+s, 6B in \.clarvis/job-\w+\.log: echo ready; read first\n3: running, .*\n2: `+suitetest.Exited(0)+`, for `, list.Text)
}

// TestBackgroundKept keeps ended jobs until they were shown, and 64 at most.
func TestBackgroundKept(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Jobs: config.Jobs{Keep: time.Millisecond, Max: 100}}, nil)
	first := started(t, s, "exec cat")
	second := started(t, s, "exec cat")
	for _, j := range s.Jobs() {
		require.NoError(t, j.Stop(t.Context()))
	}
	require.Len(t, s.Jobs(), 2, "nobody has seen their end")
	job(t, s, tools.JobParams{ID: first})
	require.Eventually(t, func() bool { return len(s.Jobs()) == 1 }, time.Minute, time.Millisecond)
	require.Equal(t, second, s.Jobs()[0].State().Job)
	kill := "kill"
	for range 66 {
		res, err := s.Bash(t.Context(), tools.BashParams{Command: "echo $$; exec cat", Background: true, ReadyWhen: "^[0-9]", TimeoutMs: long})
		require.NoError(t, err)
		pid, _, _ := strings.Cut(res.Text, "\n")
		kill += " " + pid
	}
	jobs := s.Jobs()
	require.NoError(t, exec.Command("sh", "-c", kill).Run()) // all at once; a call of bash would show their ends
	for _, j := range jobs {
		require.NoError(t, j.Wait(t.Context()))
	}
	require.Len(t, s.Jobs(), 64)
	require.Equal(t, 68, s.Jobs()[63].State().Job)
}

// TestBackgroundOnTimeout makes jobs of commands at their timeout.
func TestBackgroundOnTimeout(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Bash: config.Bash{OnTimeout: config.OnTimeoutBackground}}, nil)
	res, err := s.Bash(t.Context(), tools.BashParams{Command: "until [ -e go ]; do sleep 0.01; done; echo late; exit 6", TimeoutMs: 300})
	require.NoError(t, err)
	require.Regexp(t, `^\(no new output\)\n\n\[The command ran longer than 300ms and continues as a job\. Job 1 is running\. .* Output: \.clarvis/bash-\w+\.log\]$`, res.Text)
	_, err = s.Job(t.Context(), tools.JobParams{ID: 1, Input: "x"})
	require.EqualError(t, err, "invalid_input: job 1 has no input: it was not started with background=true")
	reached(t, s, "go")
	end := job(t, s, tools.JobParams{ID: 1, WaitMs: long})
	require.Equal(t, suitetest.Exited(6), end.State)
	require.True(t, strings.HasPrefix(end.Text, "late\n\n[Job 1 exited"), end.Text)
	plain, err := s.Bash(t.Context(), tools.BashParams{Command: "echo hi; sleep 300 & exit 2", TimeoutMs: long})
	require.NoError(t, err)
	require.Zero(t, plain.Job)
	require.Equal(t, 2, plain.ExitCode)

	s = newSuite(t, config.Config{Bash: config.Bash{OnTimeout: config.OnTimeoutBackground}, Tools: []string{"bash"}}, nil)
	_, err = s.Bash(t.Context(), tools.BashParams{Command: "sleep 300", TimeoutMs: 20})
	require.Equal(t, tools.CodeTimeout, tools.CodeOf(err), "there are no jobs")
}

// TestBackgroundCancel: the end of a call that waits leaves the job alone, and loses nothing of
// its output. The end of the call that starts it ends it: nobody knows of it.
func TestBackgroundCancel(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, "read x; echo got it; exec sleep 300")
	ctx, cancel := context.WithCancel(t.Context())
	waiting := tools.WithProgress(ctx, func(u tools.Update) { cancel() })
	_, err := s.Job(waiting, tools.JobParams{ID: id, Input: "\n", Until: "never", WaitMs: long})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, fmt.Sprintf("aborted: the call was cancelled; job %d continues", id))
	res := job(t, s, tools.JobParams{ID: id, Until: "got", WaitMs: long})
	require.Equal(t, "running", res.State)
	require.True(t, strings.HasPrefix(res.Text, "got it\n"), res.Text)

	ctx, cancel = context.WithCancel(t.Context())
	waiting = tools.WithProgress(ctx, func(u tools.Update) { cancel() })
	_, err = s.Bash(waiting, tools.BashParams{Command: "sleep 300 & echo up; wait", Background: true, ReadyWhen: "never", TimeoutMs: long})
	require.Equal(t, tools.CodeAborted, tools.CodeOf(err))
	require.Len(t, s.Jobs(), 1)
}

// TestBackgroundObserve is told of the start, the match and the end.
func TestBackgroundObserve(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	var mu sync.Mutex
	var heard []string
	ended := make(chan struct{})
	s := newSuite(t, config.Config{Observe: func(_ context.Context, e config.Event) {
		if e.Job == 0 {
			return
		}
		mu.Lock()
		heard = append(heard, fmt.Sprint(e.Tool, e.Job, " ", e.JobState, " ", e.BytesProduced))
		mu.Unlock()
		if strings.HasPrefix(e.JobState, "exited") {
			close(ended)
		}
	}}, nil)
	id := started(t, s, "read x; echo second; read x; exit 3")
	job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "second", WaitMs: long})
	job(t, s, tools.JobParams{ID: id, Input: "\n", WaitMs: long})
	<-ended
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, []string{"job1 started 6", "job1 matched 6", "job1 matched 13", "job1 " + suitetest.Exited(3) + " 13"}, heard)
	require.Equal(t, 2, s.Stats()["job"].Calls, "an event about a job is no call")
}

// TestBackgroundFlood has jobs print without end: each has a limit, and all together have
// one.
func TestBackgroundFlood(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Bash: config.Bash{MaxCaptureBytes: 1 << 20}}, nil)
	id := started(t, s, "read x; exec yes")
	res := job(t, s, tools.JobParams{ID: id, Input: "\n", WaitMs: long})
	require.Regexp(t, `^(ended by signal \w+ \(sent by the limit of 1MB of output\)|`+suitetest.Exited(1)+`)$`, res.State)
	require.LessOrEqual(t, res.Bytes, int64(1<<20))

	s = newSuite(t, config.Config{Spill: config.Spill{MaxTotalBytes: 1 << 20}}, nil)
	for range 4 {
		started(t, s, "until [ -e go ]; do sleep 0.01; done; yes; sleep 300")
	}
	reached(t, s, "go")
	var whole int64
	for _, j := range s.Jobs() {
		require.NoError(t, j.Wait(t.Context()))
		require.Equal(t, "ended by signal SIGKILL (sent by the limit of 1MB for the output of all jobs)", j.State().State)
		whole += j.State().Bytes
	}
	require.LessOrEqual(t, whole, int64(5<<20), "each may begin when another has ended")
}

// TestBackgroundWithoutFile has no room for the file: the end of the output is shown all the
// same.
func TestBackgroundWithoutFile(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, map[string]string{".clarvis": "a file"})
	res, err := s.Bash(t.Context(), tools.BashParams{Command: "echo up; read x; seq 5000", Background: true, ReadyWhen: "up", TimeoutMs: long})
	require.NoError(t, err)
	require.Contains(t, res.Text, "Output not saved: .clarvis is not a directory, or is a link to one]")
	end := job(t, s, tools.JobParams{ID: res.Job, Input: "\n", WaitMs: long})
	require.Contains(t, end.Text, "\n5000\n\n[Showing lines 3002-5001 of 5001. Full output not saved: ")
	require.Equal(t, suitetest.Exited(0), end.State)
}

// TestBackgroundSplit keeps the streams apart.
func TestBackgroundSplit(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Bash: config.Bash{SplitStreams: true, MaxLines: 4}}, nil)
	id := started(t, s, "read x; seq 10; echo bad >&2; read x; echo worse >&2; exec cat")
	res := job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "bad", WaitMs: long})
	require.Equal(t, "bad", res.Match.Text)
	res = job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "worse", WaitMs: long})
	require.Contains(t, res.Text, "stderr:\n")
	require.Contains(t, res.Text, "worse\n")
}

// TestBackgroundOff: without the tool job, bash is what it would be without jobs.
func TestBackgroundOff(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Tools: []string{"bash", "read"}}, nil)
	bash := s.Tools()[1]
	for _, word := range []string{"background", "ready_when", "tty", "job"} {
		require.NotContains(t, string(bash.Schema()), word)
		require.NotContains(t, bash.Description(), word)
	}
	res := call(t, s, "bash", map[string]any{"command": "true", "background": true})
	require.Equal(t, "invalid_input: this suite has no jobs: leave out background, ready_when and tty. Put & after the command to start it in the background", res.Text)
	require.Equal(t, "(no output)", call(t, s, "bash", map[string]any{"command": "true", "run_in_background": false}).Text)
	require.Empty(t, s.Jobs())
	s = newSuite(t, config.Config{Tools: []string{"job", "read"}}, nil)
	res = call(t, s, "job", map[string]any{})
	require.Equal(t, "denied: there are no jobs, because this suite does not have the tool bash", res.Text)
}

func TestBackgroundArguments(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	for _, test := range []struct{ tool, args, want string }{
		{"bash", `{"command":"true","ready_when":"x"}`, "invalid_input: ready_when and tty are for jobs: set background=true as well, or leave them out"},
		{"bash", `{"command":"true","background":true,"ready_when":"("}`, "invalid_input: ready_when is not valid: missing closing ) in (. Give an RE2 pattern for a line"},
		{"job", `{"until":"x"}`, "invalid_input: id is missing: it says which job is meant. Without arguments job lists them"},
		{"job", `{"id":1}`, "not_found: there is no job 1, and no other job. bash with background=true starts one"},
		{"job", `{"id":1,"until":"("}`, "invalid_input: until is not valid: missing closing ) in (. Give an RE2 pattern for a line"},
		{"job", `{"id":1,"until":"` + strings.Repeat("x", 33<<10) + `"}`, "invalid_input: until is not valid: the pattern has 33792 bytes, over the limit of 32768"},
		{"job", `{"id":1,"signal":"SIGTERM"}`, "not_found: there is no job 1, and no other job"},
		{"job", `{"id":1,"signal":"SIGFOO"}`, "invalid_input: signal must be one of interrupt, terminate, kill, but it is SIGFOO"},
		{"job", `{"id":-1}`, "invalid_input: id must be 1 or more"},
	} {
		res, err := s.Call(t.Context(), test.tool, json.RawMessage(test.args))
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(res.Text, test.want), res.Text)
		require.True(t, res.IsError)
	}
	for _, args := range []string{`{"command":"echo up; exec cat","run_in_background":true,"wait_for":"up"}`, `{"command":"echo up; exec cat","blocking":false,"ready_when":"up"}`} {
		res, err := s.Call(t.Context(), "bash", json.RawMessage(args))
		require.NoError(t, err)
		require.Contains(t, res.Text, "is running", args)
	}
	res, err := s.Call(t.Context(), "job", json.RawMessage(`{"bash_id":"1","stdin":"hello\n","until":"hello","timeout_ms":60000}`))
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(res.Text, "hello\n"), res.Text)
}

// TestBackgroundClose ends jobs, and a call that waits for one.
func TestBackgroundClose(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, "sleep 300; sleep 300")
	ctx := tools.WithProgress(t.Context(), func(u tools.Update) { s.Close() })
	s.Job(ctx, tools.JobParams{ID: id, WaitMs: long})
	j := s.Jobs()[0]
	require.NoError(t, j.Wait(t.Context()))
	require.Equal(t, "ended by signal SIGTERM (sent by the end of the suite)", j.State().State)
	_, err := s.Job(t.Context(), tools.JobParams{ID: id})
	require.Equal(t, tools.CodeDenied, tools.CodeOf(err))
}

// The details of a list of jobs have no state of one.
func TestJobDetails(t *testing.T) {
	t.Parallel()
	list, err := json.Marshal(tools.JobResult{Shown: tools.Shown{Text: "(no jobs)"}, Jobs: []tools.JobState{{Job: 2}}})
	require.NoError(t, err)
	one, err := json.Marshal(tools.JobResult{JobState: tools.JobState{Job: 2, State: suitetest.Exited(0)}, NewBytes: 7})
	require.NoError(t, err)
	var listed, shown map[string]any
	require.NoError(t, json.Unmarshal(list, &listed))
	require.NoError(t, json.Unmarshal(one, &shown))
	for _, key := range []string{"job", "state", "running", "exitCode", "bytes", "ageMs"} {
		require.NotContains(t, listed, key)
		require.Contains(t, shown, key)
	}
	require.Len(t, listed["jobs"], 1)
	require.EqualValues(t, 7, shown["newBytes"])
	require.Contains(t, shown, "truncated")
}
