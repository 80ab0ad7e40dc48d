package commands_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// caller is a tool that makes calls as a script does: in a view for programs, as a reader of its own.
type caller struct {
	suite *tools.Suite
	calls func(ctx context.Context, view *tools.Suite) error
}

func (p *caller) Name() string            { return "program" }
func (p *caller) Description() string     { return "program" }
func (p *caller) Schema() json.RawMessage { return json.RawMessage(`{"type":"object"}`) }
func (p *caller) Call(ctx context.Context, _ json.RawMessage) (tools.Result, error) {
	view, err := p.suite.With(tools.View{Apart: true})
	if err != nil {
		return tools.Result{}, err
	}
	defer view.Close()
	err = p.calls(tools.WithConversation(ctx, "the program's own"), view)
	return tools.Result{Text: "done"}, err
}

// TestEndedInAProgram: the end of a job that a program started is told once to the model that called the program, unless
// the program has seen it.
func TestEndedInAProgram(t *testing.T) {
	need.Shell(t)
	t.Parallel()
	background := tools.BashParams{Command: "exec sleep 300", Background: true}
	for _, tt := range []struct {
		name    string
		seen    bool // the program is shown the end
		aborted bool // the call of the program ends without a result
		calls   func(ctx context.Context, view *tools.Suite, id int) error
	}{
		{name: "not seen", calls: func(context.Context, *tools.Suite, int) error { return nil }},
		{name: "seen in the result", seen: true, calls: func(ctx context.Context, view *tools.Suite, id int) error {
			_, err := view.Job(ctx, tools.JobParams{ID: id, Signal: "kill", WaitMs: long})
			return err
		}},
		{name: "seen in the list", seen: true, calls: func(ctx context.Context, view *tools.Suite, id int) error {
			end(t, view, id)
			_, err := view.Job(ctx, tools.JobParams{})
			return err
		}},
		{name: "seen, and lost with the call", aborted: true, calls: func(ctx context.Context, view *tools.Suite, id int) error {
			_, err := view.Job(ctx, tools.JobParams{ID: id, Signal: "kill", WaitMs: long})
			return err
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newSuite(t, config.Config{}, nil)
			ctx, cancel := context.WithCancel(tools.WithConversation(t.Context(), "model"))
			defer cancel()
			id := 0
			require.NoError(t, s.Add(&caller{s, func(inner context.Context, view *tools.Suite) error {
				started, err := view.Bash(inner, background)
				if err != nil {
					return err
				}
				id = started.Job
				err = tt.calls(inner, view, id)
				if tt.aborted {
					cancel()
					return inner.Err()
				}
				return err
			}}))
			res, err := s.Call(ctx, "program", nil)
			if tt.aborted {
				require.ErrorIs(t, err, context.Canceled)
			} else {
				require.NoError(t, err)
				require.Equal(t, "done", res.Text)
			}
			end(t, s, id)
			again := tools.WithConversation(t.Context(), "model")
			for i := range 2 {
				text := raw(t, again, s, "ls", `{}`).Text
				if i == 0 && !tt.seen {
					require.Regexp(t, fmt.Sprintf(`Job %d has ended`, id), text)
				} else {
					require.NotContains(t, text, "ended", "call %d", i)
				}
			}
			other := tools.WithConversation(t.Context(), "another model")
			require.Contains(t, raw(t, other, s, "ls", `{}`).Text, "has ended", "it called no program")
		})
	}
}
