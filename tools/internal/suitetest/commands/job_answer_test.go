package commands_test

import (
	"context"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// soon returns a context for a call that must be answered in a moment.
func soon(t *testing.T) context.Context {
	return tools.WithAnswerBy(t.Context(), time.Now().Add(300*time.Millisecond))
}

// over returns a context for a call that should have been answered.
func over(t *testing.T) context.Context {
	return tools.WithAnswerBy(t.Context(), time.Now().Add(-time.Hour))
}

// atOnce has calls whose time is over wait no longer.
var atOnce = config.Jobs{Settle: time.Millisecond}

// A command that its caller does not wait for goes on as a job, in time for the answer, as it does with
// OnTimeoutBackground at its timeout (anthropics/claude-code#52137, #63379: many MCP clients give up after 60 seconds,
// and the output is lost).
func TestAnswerBy(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	for name, ctx := range map[string]func(*testing.T) context.Context{"soon": soon, "over": over} {
		t.Run(name, func(t *testing.T) {
			s := newSuite(t, config.Config{Jobs: atOnce}, nil)
			res, err := s.Bash(ctx(t), tools.BashParams{Command: "until [ -e go ]; do sleep 0.01; done; echo late; exit 6", TimeoutMs: long})
			require.NoError(t, err)
			require.Regexp(t, `^\(no new output\)\n\n\[The command ran longer than \d+m?s and continues as a job\. Job 1 is running\. `+
				`Use job id=1 to wait for it, read on or stop it\. Output: \.clarvis/bash-\w+\.log\]$`, res.Text)
			reached(t, s, "go")
			end := job(t, s, tools.JobParams{ID: 1, WaitMs: long})
			require.Equal(t, suitetest.Exited(6), end.State)
		})
	}
}

// A command that ends before is like any other, and one that takes longer than its timeout ends then.
func TestAnswerByAfterTheEnd(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Jobs: config.Jobs{Settle: time.Hour}}, nil)
	for name, ctx := range map[string]context.Context{
		"later": tools.WithAnswerBy(t.Context(), time.Now().Add(time.Hour)), "over, but quick": over(t),
		"taken away": tools.WithAnswerBy(over(t), time.Time{}),
	} {
		res, err := s.Bash(ctx, tools.BashParams{Command: "echo hi; exit 2"})
		require.NoError(t, err, name)
		require.Equal(t, "hi\n\n"+exit.WithCode(2), res.Text, name)
		_, err = s.Bash(ctx, tools.BashParams{Command: "sleep 300", TimeoutMs: 20})
		require.Equal(t, tools.CodeTimeout, tools.CodeOf(err), name)
	}
	require.Empty(t, s.Jobs())
}

// Where no job can be made, the command goes on, and its call waits.
func TestAnswerByWithoutJobs(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	none := newSuite(t, config.Config{Tools: []string{"bash"}, Jobs: atOnce}, nil)
	full := newSuite(t, config.Config{Jobs: config.Jobs{Max: 1, Settle: time.Millisecond}}, nil)
	started(t, full, "exec sleep 300")
	for _, s := range []*tools.Suite{none, full} {
		done := running(over(t), s, "one", "bash", waits)
		exists(t, s, "up")
		reached(t, s, "go")
		require.Equal(t, "begun\nlate\n\n"+exit.WithCode(6), (<-done).Text)
	}
}

// A call that waits for a job is answered in time, and says how long it waited.
func TestAnswerByWaits(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Jobs: atOnce}, nil)
	id := started(t, s, "exec sleep 300")
	for _, p := range []tools.JobParams{{ID: id, WaitMs: long}, {ID: id, WaitMs: long, Until: "never"}, {ID: id}, {ID: id, Until: "never"}} {
		res, err := s.Job(soon(t), p)
		require.NoError(t, err)
		require.True(t, res.Running)
		said := ""
		if p.Until != "" {
			said = `No line matched the pattern in until within \d+m?s\. `
		}
		if p.WaitMs > 0 {
			said += `wait_ms was lowered to \d{1,3}, the maximum\. `
		}
		require.Regexp(t, `^\(no new output\)\n\n\[`+said+`Job 1 is running\. Output: [^]]*\]$`, res.Text)
	}
	res, err := s.Bash(soon(t), tools.BashParams{Command: "exec sleep 300", Background: true, ReadyWhen: "never", TimeoutMs: long})
	require.NoError(t, err)
	require.Regexp(t, `\[No line matched the pattern in ready_when within \d+m?s\. Job 2 is running`, res.Text)
}
