package commands_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// holders makes the FIFO "held" in dir. A command that opens it as descriptor 9, which its
// children inherit, holds it; none returns when all that did have ended.
func holders(t *testing.T, dir string) (none func()) {
	t.Helper()
	path := filepath.Join(dir, "held")
	require.NoError(t, unix.Mkfifo(path, 0o600))
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	require.NoError(t, err)
	f := os.NewFile(uintptr(fd), path)
	t.Cleanup(func() { f.Close() })
	return func() {
		t.Helper()
		f.SetReadDeadline(time.Now().Add(time.Minute))
		text, err := io.ReadAll(f)
		require.NoError(t, err, "a process is left")
		require.Contains(t, string(text), "held\n", "nothing held it")
	}
}

// crowd are processes that are hard to end, all of which hold "held".
const crowd = `exec 9>held; echo held >&9
	setsid -f sleep 300
	setsid -f sleep 300 >/dev/null 2>&1 </dev/null
	(trap '' TERM INT HUP; setsid sleep 300 & sleep 300; sleep 300) &
	bash -c 'kill -STOP $$; sleep 300' &
	echo crowd; `

// crowded starts a job that is a crowd.
func crowded(t *testing.T, s *tools.Suite, p tools.BashParams) int {
	t.Helper()
	p.Command, p.Background, p.ReadyWhen, p.TimeoutMs = crowd+p.Command, true, "crowd", long
	res, err := s.Bash(t.Context(), p)
	require.NoError(t, err)
	require.NotZero(t, res.Job, res.Text)
	return res.Job
}

// TestBackgroundStopLeavesNothing stops jobs in every way there is: no process outlives that.
func TestBackgroundStopLeavesNothing(t *testing.T) {
	t.Parallel()
	testkit.NeedProc(t)
	for name, stop := range map[string]func(s *tools.Suite, id int){
		"terminate": func(s *tools.Suite, id int) { job(t, s, tools.JobParams{ID: id, Signal: "terminate", WaitMs: long}) },
		"kill":      func(s *tools.Suite, id int) { job(t, s, tools.JobParams{ID: id, Signal: "kill", WaitMs: long}) },
		"Stop":      func(s *tools.Suite, id int) { require.NoError(t, s.Jobs()[0].Stop(t.Context())) },
		"Close":     func(s *tools.Suite, id int) { s.Close() },
	} {
		for shell, end := range map[string]string{"goes on": "sleep 300", "has ended": "exit 0"} {
			t.Run(name+", the shell "+shell, func(t *testing.T) {
				t.Parallel()
				s := newSuite(t, config.Config{}, nil)
				none := holders(t, s.Workspace())
				stop(s, crowded(t, s, tools.BashParams{Command: end}))
				require.False(t, s.Jobs()[0].State().Running)
				none()
			})
		}
	}
}

// TestBackgroundKilledElsewhere has a job killed by somebody else: that is not success, and
// what it has printed is not lost.
func TestBackgroundKilledElsewhere(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, "read x; echo working; printf 'at 40%%'; kill -KILL $$")
	res := job(t, s, tools.JobParams{ID: id, Input: "\n", WaitMs: long})
	require.True(t, strings.HasPrefix(res.Text, fmt.Sprintf("working\nat 40%%\n\n[Job %d ended by signal SIGKILL (not sent by a call of job). ", id)), res.Text)
	require.Equal(t, -1, res.ExitCode)
	require.Equal(t, "SIGKILL", res.Signal)
	require.Equal(t, int64(len("working\nat 40%")), res.NewBytes)

	id = started(t, s, "read x; sh -c 'echo child; kill -KILL $$'; code=$?; echo code $code; exit $code")
	res = job(t, s, tools.JobParams{ID: id, Input: "\n", WaitMs: long})
	require.Equal(t, suitetest.Exited(137), res.State, "its child was killed")
	require.Contains(t, res.Text, "child\n")
}

// TestBackgroundHeldPipe has a process that is none of the job's hold the job's output open:
// no call waits for it.
func TestBackgroundHeldPipe(t *testing.T) {
	t.Parallel()
	testkit.NeedProc(t)
	for _, end := range []string{"exec sleep 300", "exit 5"} {
		s := newSuite(t, config.Config{}, nil)
		up, err := s.Bash(t.Context(), tools.BashParams{Command: "echo $$ up; read x; " + end, Background: true, ReadyWhen: "up", TimeoutMs: long})
		require.NoError(t, err)
		pid, _, _ := strings.Cut(up.Text, " ")
		held, err := os.OpenFile("/proc/"+pid+"/fd/1", os.O_WRONLY, 0)
		require.NoError(t, err)
		defer held.Close()
		res := job(t, s, tools.JobParams{ID: up.Job, Input: "\n", WaitMs: 1})
		for res.State == "running" && end == "exit 5" {
			res = job(t, s, tools.JobParams{ID: up.Job, WaitMs: 1})
		}
		require.True(t, res.Running)
		res = job(t, s, tools.JobParams{ID: up.Job, Signal: "kill", WaitMs: long})
		require.False(t, res.Running, res.Text)
		require.Eventually(t, func() bool { // a process that another test starts has it until it runs its program
			_, err := held.WriteString("more")
			return err != nil
		}, time.Minute, time.Millisecond, "the pipe is closed")
	}
}

// TestBackgroundHostDies kills a host, another run of this test, that has jobs of every kind:
// they end, and what they have printed is in their files.
func TestBackgroundHostDies(t *testing.T) {
	t.Parallel()
	const variable = "SPILLWAY_TEST_HOST_OF_JOBS"
	if dir := os.Getenv(variable); dir != "" {
		s := newSuite(t, config.Config{Workspace: dir, Bash: config.Bash{OnTimeout: config.OnTimeoutBackground}}, nil)
		crowded(t, s, tools.BashParams{Command: "sleep 300"})
		crowded(t, s, tools.BashParams{Command: "exit 0"})
		crowded(t, s, tools.BashParams{Command: "sleep 300", TTY: true})
		late, err := s.Bash(t.Context(), tools.BashParams{Command: crowd + "sleep 300", TimeoutMs: 500})
		require.NoError(t, err)
		if !strings.Contains(late.Text, "crowd") {
			job(t, s, tools.JobParams{ID: late.Job, Until: "crowd", WaitMs: long})
		}
		fmt.Println("ready")
		select {}
	}
	testkit.NeedProc(t)
	dir := t.TempDir()
	none := holders(t, dir)
	cmd := exec.Command(os.Args[0], "-test.run=^TestBackgroundHostDies$")
	cmd.Env = append(os.Environ(), variable+"="+dir)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, _ := bufio.NewReader(out).ReadString('\n')
	cmd.Process.Kill()
	cmd.Wait()
	require.Equal(t, "ready\n", line)
	none()
	files, err := filepath.Glob(filepath.Join(dir, ".clarvis", "*.log"))
	require.NoError(t, err)
	require.Len(t, files, 4)
	s := newSuite(t, config.Config{Workspace: dir}, nil)
	for _, path := range files {
		require.Contains(t, call(t, s, "read", map[string]any{"path": path}).Text, "crowd")
	}
}

// TestBackgroundMaxByDefault starts as many jobs as there may be, and one more.
func TestBackgroundMaxByDefault(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	for range 32 {
		started(t, s, "read x")
	}
	_, err := s.Bash(t.Context(), tools.BashParams{Command: "true", Background: true})
	require.ErrorContains(t, err, "denied: 32 jobs are running, the maximum. Stop one with job signal=terminate, or wait for one: 1 (echo ready; read x), 2 (")
	require.ErrorContains(t, err, ", 8 (echo ready; read x), and 24 more")
	list := job(t, s, tools.JobParams{})
	require.Len(t, list.Jobs, 32, "the list names them all")
	require.Contains(t, list.Text, "\n32: running, for ")
	for id := range 32 {
		job(t, s, tools.JobParams{ID: id + 1, Input: "\n", WaitMs: long})
	}
	require.Equal(t, 33, started(t, s, "read x"))
}

// TestBackgroundLeaksNothing starts and stops many jobs, in every way there is: no process,
// descriptor or goroutine is left.
func TestBackgroundLeaksNothing(t *testing.T) {
	testkit.NeedProc(t)
	descriptors := func() int {
		names, err := os.ReadDir("/proc/self/fd")
		require.NoError(t, err)
		return len(names)
	}
	warm := newSuite(t, config.Config{}, nil) // what a process has once is there
	started(t, warm, "read x")
	warm.Close()
	files, routines := descriptors(), runtime.NumGoroutine()

	s := newSuite(t, config.Config{}, nil)
	none := holders(t, s.Workspace())
	// In three rounds, eight callers at a time end every command in every way. The others are
	// there for the list to become too long.
	rounds := max(testkit.Some(12), 3)
	var running sync.WaitGroup
	for i := range 8 {
		running.Go(func() {
			for n := range rounds {
				res, err := s.Bash(t.Context(), tools.BashParams{Background: true, TTY: (i+n)%8 == 0, ReadyWhen: "held", TimeoutMs: long,
					Command: "exec 9>held; echo held | tee /dev/fd/9; " + []string{"sleep 300", "sleep 300 & sleep 300", "setsid -f sleep 300", "read x"}[(i+n)%4]})
				if err != nil || res.Job == 0 {
					t.Error(err, res.Text)
					return
				}
				stop := []tools.JobParams{{Signal: "kill"}, {Signal: "interrupt", WaitMs: 1}, {Input: "\n", WaitMs: 1}}[n%3]
				for stop.ID = res.Job; ; stop = (tools.JobParams{ID: res.Job, Signal: "kill", WaitMs: long}) {
					if end, err := s.Job(t.Context(), stop); err == nil && !end.Running {
						break
					}
				}
			}
		})
	}
	running.Wait()
	require.LessOrEqual(t, len(s.Jobs()), 64)
	require.NoError(t, s.Close())
	none()
	require.Eventually(t, func() bool { // in a goroutine; and the FIFO is open
		return descriptors() <= files+1 && runtime.NumGoroutine() <= routines+1
	}, time.Minute, 5*time.Millisecond, "there were %d descriptors and %d goroutines", files, routines)
}
