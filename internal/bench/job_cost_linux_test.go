package bench_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// step is what a command does, so many seconds after its stage began. The time is simulated.
type step struct {
	at int
	do string
}

// stage is what an agent does, what the command does then, and what the agent waits for.
type stage struct {
	input, signal string
	steps         []step
	until         string // "" is the end of the command
}

// every has a command do something so many times, in intervals of seconds.
func every(seconds, times int, do string) (list []step) {
	for i := range times {
		list = append(list, step{(i + 1) * seconds, strings.ReplaceAll(do, "#", fmt.Sprint(i+1))})
	}
	return list
}

var waits = []struct {
	name   string
	stages []stage // the first one starts the command
}{
	{"a server that is ready after 3 s", []stage{{steps: []step{{1, "echo loading"}, {3, "echo listening on :8080"}}, until: "listening"}}},
	{"a server whose port is taken, after 8 s", []stage{{steps: []step{{1, "echo loading"}, {8, "echo bind: address already in use; exit 1"}}, until: "listening"}}},
	{"tests of 90 s, with a failure after 40 s", []stage{{until: "^start"}, {steps: append(every(1, 39, "echo ok package#"), step{40, "echo FAIL package40"}), until: "FAIL"},
		{steps: append(every(1, 49, "echo ok package4#"), step{50, "exit 1"})}}},
	{"a prompt after 20 s", []stage{{steps: append(every(5, 3, "echo checking #"), step{20, "printf 'Continue? [y/N] '"}), until: `\[y/N\]`},
		{input: "y\n", steps: []step{{0, "read answer"}, {5, "echo done; exit 0"}}}}},
	{"a crash loop, every 10 s", []stage{{steps: []step{{0, "echo starting"}, {10, "echo 'crashed with code 1, restarting'"}}, until: "listening|crashed"}, {signal: "terminate"}}},
	{"a watcher: ready after 4 s, two changes of 8 s each", []stage{{steps: []step{{4, "echo watching"}}, until: "watching"},
		{steps: []step{{1, "echo building"}, {8, "echo 'error: x is not defined'"}}, until: "error|built"},
		{steps: []step{{1, "echo building"}, {8, "echo built"}}, until: "error|built"}}},
	{"a build of 10 minutes, a line every 5 s", []stage{{until: "^start"}, {steps: append(every(5, 119, "echo compiled part #"), step{600, "exit 0"})}}},
	{"a download of 2 minutes with its progress", []stage{{until: "^start"}, {steps: append(every(1, 119, `printf '\r%d MB of 120 MB' #`), step{120, "echo; exit 0"})}}},
	{"a REPL: an answer after 10 s, then its end", []stage{{steps: []step{{2, "printf '>>> '"}}, until: ">>> $"},
		{input: "f(x)\n", steps: []step{{0, "read line"}, {10, "echo 42; printf '>>> '"}}, until: "42"}, {input: "\x04", steps: []step{{0, "read line; exit 0"}}}}},
	{"5 minutes of silence, then the end", []stage{{until: "^start"}, {steps: []step{{300, "echo result; exit 0"}}}}},
}

var update = flag.Bool("update", false, "rewrite testdata/waiting.md and what docs/job.md says of it; read them before you commit them")

// TestWaitingCosts compares what it costs to wait for a command with job, and by looking at
// its file every five seconds. With job no situation takes more than two calls after the start.
// The table of testdata/waiting.md, and the sentence of docs/job.md about it, are what it finds.
func TestWaitingCosts(t *testing.T) {
	whole := !testkit.Race && !testing.Short()
	table := "| situation | calls with job | every 5 s |\n|---|---|---|\n"
	var all [2]cost
	for _, w := range waits {
		c := newCommand(t)
		waited := c.wait(t, w.stages)
		require.LessOrEqual(t, waited.calls, 3, w.name)
		polled := cost{}
		if whole {
			c = newCommand(t)
			polled = c.poll(t, w.stages)
		}
		t.Logf("%s: job %d tokens, every 5 s %d", w.name, waited.bytes/4, polled.bytes/4)
		table += fmt.Sprintf("| %s | %d | %d |\n", w.name, waited.calls, polled.calls)
		all[0].add(waited)
		all[1].add(polled)
	}
	t.Logf("together: job %d tokens, every 5 s %d", all[0].bytes/4, all[1].bytes/4)
	table += fmt.Sprintf("| together | %d | %d |\n", all[0].calls, all[1].calls)
	if whole {
		require.Len(t, waits, 10, "docs/job.md says ten")
		written(t, filepath.Join("testdata", "waiting.md"), table)
		written(t, filepath.Join("..", "..", "docs", "job.md"), fmt.Sprintf(waitingCosts, all[0].calls, all[1].calls))
	}
}

// waitingCosts is what docs/job.md says.
const waitingCosts = "In [ten situations](../internal/bench/testdata/waiting.md), waiting takes %d calls with job. An agent that starts the\n" +
	"command with `&` and looks at new lines every five seconds makes %d.\n"

// written compares the section "waiting" of a page with what it should be.
func written(t *testing.T, page, want string) {
	if *update {
		require.NoError(t, section.Write(page, "waiting", want))
	}
	there, err := section.Read(page, "waiting")
	require.NoError(t, err)
	require.Equal(t, want, there, "%s: go -C internal/bench test -run TestWaitingCosts -update", page)
}

// cost is that of calls: how many, and the bytes of their arguments and results.
type cost struct{ calls, bytes int }

func (c *cost) add(d cost) { c.calls, c.bytes = c.calls+d.calls, c.bytes+d.bytes }

// command is a command that does each step when it is told to.
type command struct {
	cost
	s          *tools.Suite
	clock, ack *os.File
	acks       *bufio.Reader
}

const script = `exec 3<clock; echo start; while IFS= read -r step <&3; do eval "$step"; echo >ack; done`

func newCommand(t *testing.T) *command {
	s, err := tools.New(config.Config{Workspace: t.TempDir(), Jobs: config.Jobs{Settle: time.Millisecond}}, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	open := func(name string) *os.File {
		path := filepath.Join(s.Workspace(), name)
		require.NoError(t, unix.Mkfifo(path, 0o600))
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		require.NoError(t, err)
		t.Cleanup(func() { f.Close() })
		return f
	}
	require.NoError(t, os.WriteFile(filepath.Join(s.Workspace(), "serve"), []byte(script), 0o600))
	c := &command{s: s, clock: open("clock"), ack: open("ack")}
	c.acks = bufio.NewReader(c.ack)
	return c
}

// tell has the command do a step, and waits for that, unless it is the last.
func (c *command) tell(st step) {
	fmt.Fprintln(c.clock, st.do)
	if !strings.Contains(st.do, "exit ") {
		c.acks.ReadString('\n')
	}
}

// call makes a call and adds up what it costs. shown is the arguments as a model gives them.
func (c *command) call(t *testing.T, tool string, args map[string]any, shown string) tools.Result {
	data, err := json.Marshal(args)
	require.NoError(t, err)
	res, err := c.s.Call(t.Context(), tool, data)
	require.NoError(t, err)
	c.add(cost{1, max(len(data), len(shown)) + len(res.Text)})
	return res
}

// wait goes through the stages with job.
func (c *command) wait(t *testing.T, stages []stage) cost {
	for i, st := range stages {
		told := make(chan bool)
		go func() {
			defer close(told)
			for _, s := range st.steps {
				c.tell(s)
			}
		}()
		if i == 0 {
			c.call(t, "bash", map[string]any{"command": "bash serve", "background": true, "ready_when": st.until, "timeout_ms": 600_000}, "")
		} else {
			args := map[string]any{"id": 1, "wait_ms": 600_000}
			for name, value := range map[string]string{"until": st.until, "input": st.input, "signal": st.signal} {
				if value != "" {
					args[name] = value
				}
			}
			c.call(t, "job", args, "")
		}
		<-told
	}
	return c.cost
}

// poll goes through the stages with bash alone: it waits five seconds and shows the lines of the
// command's file that are new, with the exit code, which the command puts there, until what it
// waits for is there. The five seconds are simulated.
func (c *command) poll(t *testing.T, stages []stage) cost {
	const start = `mkfifo in; (exec 4<>in; bash serve <&4; echo "exit code $?") >out 2>&1 & echo $!`
	pid := strings.TrimSpace(strings.SplitN(c.call(t, "bash", map[string]any{"command": start}, "").Text, "\n", 2)[0])
	line := 1
	c.eventually(t, "start\n")
	for _, st := range stages {
		if st.input != "" {
			c.call(t, "bash", map[string]any{"command": fmt.Sprintf("printf %q >in", strings.ReplaceAll(st.input, "\x04", "\n"))}, "")
		}
		if st.signal != "" {
			c.call(t, "bash", map[string]any{"command": "kill " + pid + "; sleep 1; kill -0 " + pid}, "")
			continue
		}
		steps := st.steps
		if len(steps) == 0 { // the start is enough
			continue
		}
		for now := 5; ; now += 5 {
			for ; len(steps) > 0 && steps[0].at <= now; steps = steps[1:] {
				c.tell(steps[0])
			}
			if len(steps) == 0 && strings.Contains(st.steps[len(st.steps)-1].do, "exit ") {
				c.eventually(t, "exit code ")
			}
			look := fmt.Sprintf("sed -n '%d,$p' out", line)
			res := c.call(t, "bash", map[string]any{"command": look}, `{"command":"sleep 5; `+look+`"}`)
			data, err := os.ReadFile(filepath.Join(c.s.Workspace(), "out"))
			require.NoError(t, err)
			line = bytes.Count(data, []byte("\n")) + 1
			if strings.Contains(res.Text, "exit code ") || st.until != "" && regexp.MustCompile("(?m)"+st.until).MatchString(res.Text) {
				break
			}
			require.Less(t, now, 1000, res.Text)
		}
	}
	return c.cost
}

// eventually returns when the command's file has a text.
func (c *command) eventually(t *testing.T, text string) {
	require.Eventually(t, func() bool {
		data, _ := os.ReadFile(filepath.Join(c.s.Workspace(), "out"))
		return strings.Contains(string(data), text)
	}, time.Minute, time.Millisecond)
}

// BenchmarkWake measures the time from a line that a job is told to print, through a FIFO that
// it reads, to the return of the call that waits for that line.
func BenchmarkWake(b *testing.B) {
	s, err := tools.New(config.Config{Workspace: b.TempDir()}, all.Parts()...)
	need.Built(b, err)
	require.NoError(b, err)
	defer s.Close()
	path := filepath.Join(s.Workspace(), "lines")
	require.NoError(b, unix.Mkfifo(path, 0o600))
	lines, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(b, err)
	defer lines.Close()
	started, err := s.Bash(b.Context(), tools.BashParams{Command: "echo ready; exec cat lines", Background: true, ReadyWhen: "ready"})
	require.NoError(b, err)
	var took []time.Duration
	for n := 0; b.Loop(); n++ {
		said := make(chan time.Time, 1)
		time.AfterFunc(5*time.Millisecond, func() { // the call waits by then
			said <- time.Now()
			fmt.Fprintf(lines, "line %d.\n", n)
		})
		res, err := s.Job(b.Context(), tools.JobParams{ID: started.Job, Until: fmt.Sprintf(`line %d\.`, n), WaitMs: 60_000})
		took = append(took, time.Since(<-said))
		require.NoError(b, err)
		require.NotNil(b, res.Match)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "median-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// BenchmarkJobs measures what 32 jobs cost the program that has them, each of
func BenchmarkJobs(b *testing.B) {
	for name, script := range map[string]string{"silent": "sleep 300", "printing": "while sleep 0.01; do echo; done"} {
		b.Run(name, func(b *testing.B) {
			const jobs = 32
			s, err := tools.New(config.Config{Workspace: b.TempDir()}, all.Parts()...)
			need.Built(b, err)
			require.NoError(b, err)
			defer s.Close()
			before := held()
			for range jobs {
				_, err := s.Bash(b.Context(), tools.BashParams{Command: "echo ready; " + script, Background: true, ReadyWhen: "ready"})
				require.NoError(b, err)
			}
			began, used := time.Now(), processorTime()
			for b.Loop() {
				time.Sleep(time.Second)
			}
			b.ReportMetric(float64((processorTime()-used).Microseconds())/1000/time.Since(began).Seconds(), "cpu-ms/s")
			b.ReportMetric(float64(held()-before)/1024/jobs, "KiB/job")
			var lines int64
			for _, j := range s.Jobs() {
				lines += j.State().Bytes - int64(len("ready\n"))
			}
			b.ReportMetric(float64(lines)/time.Since(began).Seconds(), "lines/s")
		})
	}
}

// held is the memory that is in use, in bytes.
func held() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// processorTime is what this program has used, without its children.
func processorTime() time.Duration {
	var u unix.Rusage
	unix.Getrusage(unix.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
