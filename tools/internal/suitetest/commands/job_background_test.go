package commands_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// running starts a call of a tool, and returns a channel that gets its result.
func running(ctx context.Context, s *tools.Suite, id, tool, args string) <-chan tools.Result {
	done := make(chan tools.Result, 1)
	go func() {
		res, _ := s.Call(tools.WithCallID(ctx, id), tool, json.RawMessage(args))
		done <- res
	}()
	return done
}

// exists waits for a file.
func exists(t *testing.T, s *tools.Suite, name string) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(s.Workspace(), name))
		return err == nil
	}, time.Minute, 5*time.Millisecond)
}

const waits = `{"command": "echo begun; touch up; until [ -e go ]; do sleep 0.01; done; echo late; exit 6"}`

// TestBackground moves a running command to the background: its call returns, and job reads on.
func TestBackground(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	printed := make(chan bool)
	var once sync.Once
	done := running(tools.WithProgress(t.Context(), func(u tools.Update) {
		if u.Tail == "begun\n" {
			once.Do(func() { close(printed) })
		}
	}), s, "one", "bash", waits)
	<-printed
	require.NoError(t, s.Background("one"))
	require.Len(t, s.Jobs(), 1, "when Background returns, it is a job")
	res := <-done
	require.False(t, res.IsError)
	require.Regexp(t, `^begun\n\n\[The user moved the command to the background, and it continues as a job\. `+
		`Job 1 is running\. Use job id=1 to wait for it, read on or stop it\. Output: \.clarvis/bash-\w+\.log\]$`, res.Text)
	require.EqualError(t, s.Background("one"), "denied: the command is job 1 already")
	reached(t, s, "go")
	end := job(t, s, tools.JobParams{ID: 1, WaitMs: long})
	require.Equal(t, suitetest.Exited(6), end.State)
	require.True(t, strings.HasPrefix(end.Text, "late\n\n[Job 1 exited"), end.Text)
	require.Equal(t, tools.CodeDenied, tools.CodeOf(s.Background("one")), "it was one")
}

// TestBackgroundRefused: each error has its code, and says what is the matter.
func TestBackgroundRefused(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	asked, answer := make(chan bool), make(chan bool)
	guard := func(ctx context.Context, c config.Call) error {
		if c.ID == "asked" || c.ID == "reads" {
			asked <- true
			<-answer
		}
		return nil
	}
	s := newSuite(t, config.Config{Guard: guard, Jobs: config.Jobs{Max: 1}}, map[string]string{"a": "x\n"})
	require.EqualError(t, s.Background("none"),
		"not_found: there is no running call none. It has ended, or has another id: see tools.WithCallID")
	for id, want := range map[string]string{
		"asked": "stale: the command of the call asked has not started yet. Try again when it runs",
		"reads": "invalid_input: the call reads is one of read: only a command of bash can go to the background",
	} {
		tool, args := "bash", `{"command": "true"}`
		if id == "reads" {
			tool, args = "read", `{"path": "a"}`
		}
		done := running(t.Context(), s, id, tool, args)
		<-asked
		require.EqualError(t, s.Background(id), want)
		answer <- true
		<-done
		require.Equal(t, tools.CodeNotFound, tools.CodeOf(s.Background(id)), "it has ended")
	}
	detached := running(t.Context(), s, "detached", "bash", `{"command": "touch det; exec sleep 300", "background": true, "ready_when": "never"}`)
	exists(t, s, "det")
	require.EqualError(t, s.Background("detached"), "denied: the command was started as a job already")
	full := running(t.Context(), s, "full", "bash", waits)
	exists(t, s, "up")
	require.ErrorContains(t, s.Background("full"), "denied: 1 job is running, the maximum.")
	reached(t, s, "go")
	require.True(t, strings.HasPrefix((<-full).Text, "begun\nlate\n"), "it goes on")
	require.NoError(t, s.Close())
	<-detached
	require.EqualError(t, s.Background("full"), "denied: the suite is closed")

	s = newSuite(t, config.Config{Tools: []string{"bash"}}, nil)
	require.EqualError(t, s.Background("none"), "denied: this suite has no jobs: for them it needs the tools bash and job")
}

// TestBackgroundAtTheEnd moves commands at the moment at which they end, several times at once and while their call is
// cancelled: each is either a job or not, as Background says, and nothing hangs.
func TestBackgroundAtTheEnd(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Jobs: config.Jobs{Max: 1000}}, nil)
	rounds := 60
	if testing.Short() {
		rounds = 20
	}
	for i := range rounds {
		id, name := fmt.Sprint("call ", i), fmt.Sprint("up", i)
		ctx, cancel := context.WithCancel(t.Context())
		before := len(s.Jobs())
		done := running(ctx, s, id, "bash", fmt.Sprintf(`{"command": "touch %s; sleep 0.0%d; echo end"}`, name, i%4))
		exists(t, s, name)
		var moved [3]error
		var calls sync.WaitGroup
		for n := range moved {
			calls.Go(func() { moved[n] = s.Background(id) })
		}
		if i%3 == 0 {
			calls.Go(cancel)
		}
		calls.Wait()
		res := <-done
		cancel()
		n := 0
		for _, err := range moved {
			if err == nil {
				n++
			} else {
				require.Contains(t, []config.Code{tools.CodeNotFound, tools.CodeDenied}, tools.CodeOf(err), err)
			}
		}
		require.LessOrEqual(t, n, 1, "one of several calls moves it")
		require.LessOrEqual(t, len(s.Jobs()), before+64)
		if i%3 != 0 {
			require.Equal(t, n == 1, strings.Contains(res.Text, "continues as a job"), res.Text)
			require.Equal(t, n == 1, res.Details.(tools.BashResult).Job > 0)
		}
	}
	for _, j := range s.Jobs() {
		require.NoError(t, j.Wait(t.Context()))
	}
}

// TestIdleTimeout ends a command that prints nothing, or makes it a job, and no other one.
func TestIdleTimeout(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	need.Shell(t)
	need.Proc(t)
	cfg := config.Config{Bash: config.Bash{IdleTimeout: 500 * time.Millisecond}}
	jobs := cfg
	jobs.Bash.OnTimeout = config.OnTimeoutBackground
	for name, test := range map[string]func(t *testing.T){
		"ends": func(t *testing.T) {
			s := newSuite(t, cfg, nil)
			require.Contains(t, toolOf(s, "bash").Description(), "prints more than 128MB, or prints nothing for 500ms. Processes")
			res, err := s.Call(t.Context(), "bash", json.RawMessage(`{"command": "echo begun; exec sleep 300"}`))
			require.NoError(t, err)
			require.Equal(t, tools.CodeTimeout, res.Code)
			require.Equal(t, "timeout: the command printed nothing for 500ms and was ended, with everything that it started. "+
				"Make it print what it does, as with an option like -v, or start it with background=true and wait for it with job"+
				"\n\nbegun", strings.TrimSpace(res.Text))
		},
		"prints": func(t *testing.T) {
			prints := call(t, newSuite(t, cfg, nil), "bash", map[string]any{"command": "for i in 1 2 3 4 5 6 7 8; do sleep 0.1; echo $i; done"})
			require.Contains(t, prints.Text, "8", "each line begins the time anew")
		},
		"a job": func(t *testing.T) {
			s := newSuite(t, cfg, nil)
			id := started(t, s, "read x; sleep 0.8; echo awake")
			awake := job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "awake", WaitMs: long})
			require.Equal(t, "awake", awake.Match.Text, "a job may be silent")
		},
		"becomes a job": func(t *testing.T) {
			s := newSuite(t, jobs, nil)
			became, err := s.Bash(t.Context(), tools.BashParams{Command: "echo begun; " + waitFor("go") + "; exit 6"})
			require.NoError(t, err)
			require.Regexp(t, `^begun\n\n\[The command printed nothing for 500ms and continues as a job\. Job 1 is running\. `, became.Text)
			reached(t, s, "go")
			require.Equal(t, suitetest.Exited(6), job(t, s, tools.JobParams{ID: 1, WaitMs: long}).State)
		},
		"cannot become a job": func(t *testing.T) {
			alone := jobs
			alone.Tools = []string{"bash"}
			_, err := newSuite(t, alone, nil).Bash(t.Context(), tools.BashParams{Command: "sleep 300"})
			require.ErrorContains(t, err, "timeout: the command printed nothing for 500ms and was ended")
			require.ErrorContains(t, err, "or start it with & and look at its output later", "there are no jobs")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

func toolOf(s *tools.Suite, name string) tools.Tool {
	for _, t := range s.Tools() {
		if t.Name() == name {
			return t
		}
	}
	return nil
}
