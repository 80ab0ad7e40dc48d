package job

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// long is how long a test waits for what happens at once on an idle machine.
const long = time.Minute

// newRegistry returns a registry whose jobs end with the test.
func newRegistry(t *testing.T, options Options) *Registry {
	need.Shell(t)
	options.Procs = proc.NewGroup()
	if options.MaxBytes == 0 {
		options.MaxBytes = 1 << 20
	}
	if options.Keep == 0 {
		options.Keep = time.Hour
	}
	r := New(options)
	t.Cleanup(func() {
		require.NoError(t, r.Procs.Close())
		r.Wait()
	})
	return r
}

// command returns a command that is to be a job.
func command(t *testing.T, script string) Command {
	policy := truncation.Policy{Strategy: truncation.Tail, Limits: truncation.Limits{Bytes: 1 << 10}}
	out := capture.New(capture.Options{
		Spill: spill.NewDir(t.TempDir()), Kind: "job", Policy: policy, Recent: policy, Name: filepath.Base, Open: os.Open,
	})
	return Command{
		Command: proc.Command{
			Script: script, Dir: t.TempDir(), Env: os.Environ(), Timeout: long, MaxOutput: 1 << 20, Output: out.Stdout(),
			Detached: true, Input: true,
		},
		Printed: out, Confined: part.Unconfined{}, Tracked: part.Untracked{},
	}
}

// endedHook calls a function when a command has ended.
type endedHook struct {
	part.Unconfined
	ended func()
}

func (h endedHook) Ended(bool) { h.ended() }

// started returns a job that has printed a line.
func started(t *testing.T, r *Registry, script string) *Job {
	t.Helper()
	j, err := r.Start(t.Context(), command(t, "echo ready; "+script))
	require.NoError(t, err)
	require.Equal(t, 1, j.Await(t.Context(), until(t, j, "ready")).Found.Line)
	_, ended := j.Settle(t.Context())
	require.False(t, ended)
	return j
}

// act gives a job input.
func act(t *testing.T, j *Job, input string) {
	t.Helper()
	_, err := j.Act(input, "")
	require.NoError(t, err)
}

// until waits for a line.
func until(t *testing.T, j *Job, pattern string) Until {
	m, err := match.Compile(pattern, match.Options{})
	require.NoError(t, err)
	return Until{Argument: "until", Search: j.Reader("").Search(m), Longest: long}
}

// There is room for as many jobs as may run, and errors name those there are.
func TestRoom(t *testing.T) {
	t.Parallel()
	r := newRegistry(t, Options{Max: 1})
	_, err := r.Find(1)
	require.EqualError(t, err, "there is no job 1, and no other job. bash with background=true starts one")
	first := started(t, r, "read x")
	_, err = r.Start(t.Context(), command(t, "true"))
	require.EqualError(t, err, "1 job is running, the maximum. Stop it with job signal=terminate, "+
		"or wait for it: 1 (echo ready; read x)")
	require.Equal(t, fault.Denied, err.(*fault.Error).Code)
	_, err = r.Find(9)
	require.EqualError(t, err, "there is no job 9. The only one is 1 (echo ready; read x)")
	require.Equal(t, fault.NotFound, err.(*fault.Error).Code)

	act(t, first, "\n")
	require.NoError(t, first.Wait(t.Context()))
	second := started(t, r, "read y")
	found, err := r.Find(2)
	require.NoError(t, err)
	require.Same(t, second, found)
	states, running := r.States()
	require.Equal(t, 1, running)
	require.Equal(t, []int{2, 1}, []int{states[0].Job, states[1].Job}, "those that run come first")
	require.Regexp(t, `^2: running, for \d+s, 6B in job-\w+\.log: echo ready; read y$`, states[0].String())
	_, err = r.Find(9)
	require.EqualError(t, err, "there is no job 9. The jobs are 1 (echo ready; read x), 2 (echo ready; read y)")
}

// What does not become a job gives its room back: a command that does not start, one that ends at once, one whose call
// was cancelled, and one that ends in time.
func TestRoomGivenBack(t *testing.T) {
	t.Parallel()
	r := newRegistry(t, Options{Max: 1})
	missing := command(t, "true")
	missing.Dir = filepath.Join(missing.Dir, "missing")
	_, err := r.Start(t.Context(), missing)
	require.ErrorIs(t, err, proc.ErrDir)

	j, err := r.Start(t.Context(), command(t, "exit 3"))
	require.NoError(t, err)
	j.Await(t.Context(), Until{Search: j.Reader("").Search(nil), Longest: long})
	end, ended := j.Settle(t.Context())
	require.True(t, ended)
	require.Equal(t, 3, end.ExitCode)

	ctx, cancel := context.WithCancel(t.Context())
	j, err = r.Start(ctx, command(t, "sleep 300 & wait"))
	require.NoError(t, err)
	cancel()
	end, ended = j.Settle(ctx)
	require.True(t, ended, "nobody knows of it")
	require.Equal(t, proc.Canceled, end.Reason)

	attached := command(t, "exit 4")
	attached.Detached = false
	j, err = r.Start(t.Context(), attached)
	require.NoError(t, err)
	j.AwaitTimeout(nil)
	end, ended = j.Settle(t.Context())
	require.True(t, ended)
	require.Equal(t, 4, end.ExitCode)
	require.Empty(t, r.List())
	started(t, r, "read x")
}

// A command becomes a job when its timeout is over, if there is room for it.
func TestTimeout(t *testing.T) {
	t.Parallel()
	r := newRegistry(t, Options{Max: 1})
	for _, room := range []bool{true, false} {
		c := command(t, "sleep 300")
		c.Detached, c.Overruns, c.Timeout, c.StartTimeout = false, true, time.Nanosecond, long
		j, err := r.Start(t.Context(), c)
		require.NoError(t, err)
		j.AwaitTimeout(nil)
		end, ended := j.Settle(t.Context())
		require.Equal(t, room, !ended)
		if !room {
			require.Equal(t, proc.TimedOut, end.Reason)
		}
	}
	require.Len(t, r.List(), 1)
}

// The job whose output would not fit beside that of the others is ended, and says so.
func TestOutputOfAll(t *testing.T) {
	t.Parallel()
	r := newRegistry(t, Options{Max: 2, MaxBytes: 20})
	quiet := started(t, r, "read x")
	loud := started(t, r, "echo 123456789; sleep 300")
	require.NoError(t, loud.Wait(t.Context()))
	require.Equal(t, "ended by signal SIGKILL (sent by the limit of 20B for the output of all jobs)", loud.State().State)
	require.Equal(t, "running", quiet.State().State)
	more := started(t, r, "echo 1234567; read x") // as an ended job does not count
	require.Equal(t, 2, more.Await(t.Context(), until(t, more, "1234567")).Found.Line)
}

// Ended jobs are forgotten a while after their end was shown.
func TestKeep(t *testing.T) {
	t.Parallel()
	r := newRegistry(t, Options{Max: 2, Keep: time.Nanosecond})
	first, second := started(t, r, "read x"), started(t, r, "read x")
	require.NoError(t, first.Stop(t.Context()))
	require.NoError(t, second.Stop(t.Context()))
	require.Equal(t, "ended by signal SIGTERM (sent by the program)", first.State().State)
	require.Len(t, r.List(), 2, "nobody has seen their end")
	shown, err := first.Show(t.Context(), first.Reader("a"), Call{Lines: 20})
	require.NoError(t, err)
	require.Equal(t, "ready\n", shown.Streams[0].Text)
	require.False(t, shown.State.Running)
	require.Equal(t, []*Job{second}, r.List())
}

// Whoever watches is told of the start, of each line that was found, and of the end before Wait returns. A panic
// ends no job.
func TestObserve(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var heard []string
	r := newRegistry(t, Options{Max: 1, Observe: func(_ context.Context, e config.Event) {
		if strings.HasPrefix(e.JobState, "exited") {
			time.Sleep(20 * time.Millisecond) // so that a Wait that does not wait for it returns before
		}
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, fmt.Sprintf("%s %s %s%d %s %d", e.ID, e.TraceParent, e.Tool, e.Job, e.JobState,
			e.BytesProduced))
		panic("seen")
	}})
	c := command(t, "echo ready; read x")
	c.Event = func() config.Event { return config.Event{ID: "call", TraceParent: "trace"} }
	restored := false
	c.Confined = endedHook{ended: func() { restored = true }}
	j, err := r.Start(t.Context(), c)
	require.NoError(t, err)
	end := j.Await(t.Context(), until(t, j, "ready"))
	_, ended := j.Settle(t.Context())
	require.False(t, ended)
	_, err = j.Show(t.Context(), j.Reader(""), Call{Awaited: end, Lines: 20})
	require.NoError(t, err)
	act(t, j, "\n")
	r.Wait()
	require.True(t, restored)
	require.Equal(t, []string{
		"call trace job1 started 6", "call trace job1 matched 6", "call trace job1 exited with code 0 6",
	}, heard)
}

// A call that ends while it reads what others have seen takes nothing from the next one.
func TestReaderCanceled(t *testing.T) {
	t.Parallel()
	r := newRegistry(t, Options{Max: 1})
	j := started(t, r, "read x")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := j.Show(ctx, j.Reader("a"), Call{Lines: 20})
	require.ErrorIs(t, err, context.Canceled)
	require.EqualError(t, j.Cancelled(err), "the call was cancelled; job 1 continues")
	require.ErrorIs(t, j.Cancelled(err), context.Canceled)
	shown, err := j.Show(t.Context(), j.Reader("a"), Call{Lines: 20})
	require.NoError(t, err)
	require.Equal(t, "ready\n", shown.Streams[0].Text)
}

// A reader that was forgotten begins with the whole output again; the others go on.
func TestForget(t *testing.T) {
	t.Parallel()
	r := newRegistry(t, Options{Max: 1})
	j := started(t, r, "read x")
	show := func(reader string) int64 {
		shown, err := j.Show(t.Context(), j.Reader(reader), Call{Lines: 20})
		require.NoError(t, err)
		return shown.NewBytes
	}
	require.Equal(t, []int64{6, 6, 0}, []int64{show("a"), show("b"), show("a")})
	r.Forget("a")
	require.Equal(t, []int64{6, 0}, []int64{show("a"), show("b")})
}

// Where there are no jobs, there is nothing to list, to forget and to wait for.
func TestNone(t *testing.T) {
	t.Parallel()
	var r *Registry
	require.Empty(t, r.List())
	r.Forget("a")
	r.Wait()
}
