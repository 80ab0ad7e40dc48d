package commands_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// end ends a job from outside and returns when it has.
func end(t *testing.T, s *tools.Suite, id int) {
	t.Helper()
	for _, j := range s.Jobs() {
		if j.State().Job == id {
			require.NoError(t, j.Stop(t.Context()))
		}
	}
}

// stopped is how the end of a job is told that Stop ended: by SIGKILL if it did not get to run in time.
const stopped = `Job %d has ended by signal SIG(TERM|KILL) \(sent by the program\) (within 1|after \d+) s\. Use job id=%[1]d to read on`

// saysEnded checks that a text tells the end of a job, first of its notices.
func saysEnded(t *testing.T, id int, text string) {
	t.Helper()
	require.Regexp(t, `(^|\n\n)\[`+fmt.Sprintf(stopped, id)+`(\]$|\. )`, text)
}

func raw(t *testing.T, ctx context.Context, s *tools.Suite, tool, args string) tools.Result {
	t.Helper()
	res, err := s.Call(ctx, tool, json.RawMessage(args))
	require.NoError(t, err)
	return res
}

// TestEndedIsTold: the next result of any tool tells the end of a job, once for each reader; what it says works.
func TestEndedIsTold(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": "x\n", "b": "1\n2\n3\n"})
	ctx := t.Context()
	for _, tt := range []struct{ name, tool, args, text string }{
		{"no notice", "read", `{"path": "a"}`, "x\n\n["},
		{"before others", "read", `{"path": "b", "limit": 1}`, "1\n\n["},
		{"a failure", "read", `{"path": "none"}`, "not_found: "},
		{"a tool that is not there", "none", `{}`, "invalid_input: "},
		{"bad arguments", "read", `{"nonsense": 1}`, "invalid_input: "},
		{"the list of a directory", "ls", `{}`, ".clarvis/\na\nb\n\n["},
		{"bash with an exit code", "bash", `{"command": "echo hi; exit 3"}`, "hi\n\n" + exit.WithCode(3) + "\n\n["},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := started(t, s, "exec sleep 300")
			require.NotContains(t, raw(t, ctx, s, tt.tool, tt.args).Text, "has ended", "it runs")
			end(t, s, id)
			told := raw(t, ctx, s, tt.tool, tt.args).Text
			require.True(t, strings.HasPrefix(told, tt.text), told)
			saysEnded(t, id, told)
			require.NotContains(t, raw(t, ctx, s, tt.tool, tt.args).Text, "has ended", "once")
			other := tools.WithConversation(ctx, "other "+tt.name)
			saysEndedFor(t, id, raw(t, other, s, tt.tool, tt.args).Text)
			require.NotContains(t, raw(t, other, s, tt.tool, tt.args).Text, "ended", "once for each reader")
			require.Contains(t, raw(t, ctx, s, "job", fmt.Sprintf(`{"id": %d}`, id)).Text, "ended by signal SIG")
		})
	}
}

// saysEndedFor checks that a text tells the end of a job, perhaps with that of others.
func saysEndedFor(t *testing.T, id int, text string) {
	t.Helper()
	require.Regexp(t, fmt.Sprintf(`[Jj]ob %d (has )?ended|and \d+ more`, id), text)
}

// TestEndedOfSeveral: one sentence tells of several jobs.
func TestEndedOfSeveral(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	for range 7 {
		end(t, s, started(t, s, "exec sleep 300"))
	}
	text := raw(t, t.Context(), s, "ls", `{}`).Text
	require.Regexp(t, `\[Job 7 has ended`, text, "the others were told by the calls that started the next one")
	other := tools.WithConversation(t.Context(), "other")
	text = raw(t, other, s, "ls", `{}`).Text
	require.Regexp(t, `\[7 jobs have ended: job 1 ended by .*, job 5 ended by [^,]*, and 2 more\. Use job id=1 to read on in that one, `+
		`or job without an id to list all\]$`, text)
}

// TestEndedThatWasSeen: a reader that saw the end is not told of it, and others are.
func TestEndedThatWasSeen(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	other := tools.WithConversation(t.Context(), "other")
	id := started(t, s, "exec sleep 300")
	job(t, s, tools.JobParams{ID: id, Signal: "kill", WaitMs: long})
	require.NotContains(t, raw(t, t.Context(), s, "ls", `{}`).Text, "ended", "job showed it")
	require.Contains(t, raw(t, other, s, "ls", `{}`).Text, "has ended")
	id = started(t, s, "exec sleep 300")
	end(t, s, id)
	require.Contains(t, raw(t, t.Context(), s, "job", `{}`).Text, "ended by signal")
	require.NotContains(t, raw(t, t.Context(), s, "ls", `{}`).Text, "ended", "the list showed it")
}

// TestEndedIsNotTold: nobody is told who is no reader, or could not read on.
func TestEndedIsNotTold(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	apart, err := s.With(tools.View{Apart: true})
	require.NoError(t, err)
	without, err := s.With(tools.View{Tools: []string{"ls", "bash"}})
	require.NoError(t, err)
	view, err := s.With(tools.View{ReadOnly: false})
	require.NoError(t, err)
	ctx := t.Context()
	id := started(t, s, "exec sleep 300")
	end(t, s, id)
	require.NotContains(t, raw(t, ctx, apart, "ls", `{}`).Text, "ended", "a program reads it")
	require.NotContains(t, raw(t, ctx, without, "ls", `{}`).Text, "ended", "there is no job to read on with")
	require.NotContains(t, raw(t, tools.WithConversation(ctx, "", ""), s, "ls", `{}`).Text, "ended", "nobody")
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err = s.Call(ended, "ls", nil)
	require.Error(t, err)
	_, err = s.Read(ctx, tools.ReadParams{Path: "none"})
	require.NotContains(t, err.Error(), "ended", "a Go error is for the program")
	saysEnded(t, id, raw(t, ctx, view, "ls", `{}`).Text)
	require.NotContains(t, raw(t, ctx, s, "ls", `{}`).Text, "ended", "the view is for the same reader")
}

// TestEndedOnce: of calls at once, one tells.
func TestEndedOnce(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, "exec sleep 300")
	end(t, s, id)
	var told sync.Map
	var calls sync.WaitGroup
	for i := range 16 {
		calls.Go(func() {
			if res, _ := s.Call(t.Context(), "ls", nil); strings.Contains(res.Text, "has ended") {
				told.Store(i, true)
			}
		})
	}
	calls.Wait()
	n := 0
	told.Range(func(any, any) bool { n++; return true })
	require.Equal(t, 1, n)
}

// asks is a tool that calls another one with its own context.
type asks struct{ suite *tools.Suite }

func (a asks) Name() string            { return "asks" }
func (a asks) Description() string     { return "asks" }
func (a asks) Schema() json.RawMessage { return json.RawMessage(`{"type":"object"}`) }
func (a asks) Call(ctx context.Context, _ json.RawMessage) (tools.Result, error) {
	res, err := a.suite.Call(ctx, "ls", nil)
	if err == nil && strings.Contains(res.Text, "ended") {
		res.Text = "the inner call told it"
	}
	return tools.Result{Text: "asked: " + res.Text, IsError: true, Code: tools.CodeDenied}, err
}

// TestEndedInACall: a tool that calls others may drop what they show, so that its own result tells, also if it failed.
func TestEndedInACall(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	require.NoError(t, s.Add(asks{s}))
	id := started(t, s, "exec sleep 300")
	end(t, s, id)
	text := raw(t, t.Context(), s, "asks", `{}`).Text
	require.NotContains(t, text, "the inner call")
	saysEnded(t, id, text)
	require.NotContains(t, raw(t, t.Context(), s, "ls", `{}`).Text, "ended")
}
