package tools

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
)

// prepare is the hook that looks up the tool, and refuses a call of one that the suite does not have, or whose arguments
// are not valid.
func prepare(tools *toolset) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		switch t := tools.tool(c.name); {
		case t != nil && c.tool == nil:
			c.tool = t
		case c.tool == nil && !slices.Contains(config.ToolNames(), c.name):
			return refused(errorf(CodeInvalidInput, "there is no tool %s; there are %s", show(c.name), tools.names()))
		case t == nil || t != c.tool: // left out; one that was added may have its name
			return refused(tools.without(c.name))
		}
		if err := c.tool.prepare(c); err != nil {
			return refused(err)
		}
		return next(ctx, c)
	}
}

// admission is what decides whether a call may be made.
type admission struct {
	judge  part.Judge
	guard  func(context.Context, config.Call) error
	redact *mask.Masker
	closed func() bool // the suite is
}

// admit is the hook that refuses a call if the suite or the context has ended, or if the rules, a person or the guard do
// not allow it. A guard that panics does not.
func admit(a admission) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		if a.closed() {
			return refused(errorf(CodeDenied, "the suite is closed"))
		}
		if a.judge != (part.AllowAll{}) || a.guard != nil {
			var err error
			if ctx, err = a.decide(ctx, c); err != nil {
				return refused(err)
			}
		}
		if err := ctx.Err(); err != nil {
			return refused(err)
		}
		rep := next(ctx, c)
		if rep.err != nil && a.closed() && (errors.Is(rep.err, fs.ErrClosed) || errors.Is(rep.err, proc.ErrClosed)) {
			rep.err = errorf(CodeAborted, "the suite was closed")
		}
		return rep
	}
}

// decide asks the rules, and then the guard. It returns the context for the call.
func (a *admission) decide(ctx context.Context, c *call) (context.Context, error) {
	// Both are shown what will be done, not what was sent: two readings of one JSON text may
	// differ, in keys that are given twice for example.
	raw, err := asJSON(c.params)
	if err != nil {
		return ctx, err
	}
	judged, own := part.Call{}, ctx // who is asked may make calls of his own
	preview := func(context.Context) (string, error) { return c.name + " " + show(string(raw)), nil }
	if c.tool.foresee != nil {
		f, err := c.tool.foresee(ctx, c.params)
		if err != nil {
			return ctx, err // ctx has ended
		}
		judged, preview, own = f.Call, f.previewed(c.name, a.closed), f.keep(ctx)
	}
	judged.ID, judged.Tool, judged.Args, judged.Effects = c.id, c.name, raw, c.tool.Effects()
	if err := ctx.Err(); err != nil {
		return ctx, err // nobody is asked about a call that will not be made
	}
	judged.Preview = func(ctx context.Context) (string, error) {
		text, err := preview(ctx)
		text, _ = a.redact.String(text)
		return text, err
	}
	if err := a.judge.Decide(ctx, judged); err != nil {
		return ctx, failure(err, "")
	}
	return own, guarded(ctx, a.guard, judged.Call)
}

// asJSON returns the arguments of a call in JSON: those of a built-in tool are its parameters, those of an added one the
// model's.
func asJSON(params any) (json.RawMessage, error) {
	if raw, ok := params.(json.RawMessage); ok {
		return raw, nil
	}
	return encode(params)
}

// guarded asks a guard, if there is one.
func guarded(ctx context.Context, guard func(context.Context, config.Call) error, call config.Call) (err error) {
	if guard == nil {
		return nil
	}
	defer recovered("the guard", &err)
	if err := guard(ctx, call); err != nil {
		return &Error{Code: CodeDenied, Message: show(err.Error()), Err: err}
	}
	return nil
}

// askFunc asks a person about a call.
type askFunc = func(context.Context, config.Call) (config.Answer, error)

type askingKey struct{}

// oneQuestion returns an ask that asks one question at a time: a person who is asked about a call, and about a host
// that another command wants to reach, sees them one after the other. Who is asked may make calls, which are asked about.
// Its error is an *Error, also where ask panics.
func oneQuestion(ask askFunc) askFunc {
	if ask == nil {
		return nil
	}
	asking := make(chan struct{}, 1)
	return func(ctx context.Context, call config.Call) (config.Answer, error) {
		if ctx.Value(askingKey{}) == nil {
			select {
			case asking <- struct{}{}:
				defer func() { <-asking }()
			case <-ctx.Done():
				return config.Answer{}, failure(ctx.Err(), "")
			}
		}
		return asked(context.WithValue(ctx, askingKey{}, true), ask, call)
	}
}

func asked(ctx context.Context, ask askFunc, call config.Call) (answer config.Answer, err error) {
	defer recovered("what asks the user", &err)
	if answer, err = ask(ctx, call); err != nil {
		if ctx.Err() != nil {
			return answer, failure(ctx.Err(), "")
		}
		if own, ok := errors.AsType[*Error](err); ok {
			return answer, own // that of the preview: the call would fail with it
		}
		return answer, &Error{Code: CodeDenied, Message: quote.Short(quote.Inline(err.Error()), maxMessage), Err: err}
	}
	return answer, nil
}
