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

// prepare is the hook that looks up the tool. It refuses unknown tools and invalid arguments.
func prepare(tools *toolset) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		switch t := tools.tool(c.name); {
		case t != nil && c.tool == nil:
			c.tool = t
		case c.tool == nil && !slices.Contains(config.ToolNames(), c.name):
			return refused(errorf(CodeInvalidInput, "there is no tool %s; there are %s", show(c.name), tools.names()))
		case t == nil || t != c.tool: // the configuration leaves it out; an added tool may have its name
			return refused(tools.without(c.name))
		}
		if err := c.tool.prepare(c); err != nil {
			return refused(err)
		}
		return next(ctx, c)
	}
}

type admission struct {
	judge  part.Judge
	guard  func(context.Context, config.Call) error
	redact *mask.Masker
	closed func() bool // reports whether the suite is closed
}

// admit is the hook that refuses a call if the suite is closed, the context has ended, or the rules, a person or the
// guard say no. A guard that panics refuses.
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

// decide asks the rules, then the guard. The context that it returns holds the call to what they saw.
func (a *admission) decide(ctx context.Context, c *call) (context.Context, error) {
	// Rules and guard see the decoded arguments, because the JSON may be ambiguous: two readers of a duplicate key may
	// differ.
	raw, err := asJSON(c.params)
	if err != nil {
		return ctx, err
	}
	judged, own := part.Call{}, ctx // the Ask callback may itself call tools
	preview := func(context.Context) (string, error) { return c.name + " " + show(string(raw)), nil }
	if c.tool.foresee != nil {
		f, err := c.tool.foresee(ctx, c.params)
		if err != nil {
			return ctx, err // the error is that of ctx
		}
		judged, preview, own = f.Call, f.previewed(c.name, a.closed), f.keep(ctx)
	}
	judged.ID, judged.Tool, judged.Args, judged.Effects = c.id, c.name, raw, c.tool.Effects()
	if err := ctx.Err(); err != nil {
		return ctx, err // ask only about calls that will be made
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

// asJSON returns the arguments in JSON: the decoded parameters of a built-in tool, the model's own text for an added
// one.
func asJSON(params any) (json.RawMessage, error) {
	if raw, ok := params.(json.RawMessage); ok {
		return raw, nil
	}
	return encode(params)
}

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

type askFunc = func(context.Context, config.Call) (config.Answer, error)

type askingKey struct{}

// oneQuestion returns an ask that asks one question at a time: a person sees a call and a host that a command wants to
// reach one after the other. A callback that calls tools does not wait for itself. The error is an *Error, also where
// ask panics.
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
			return answer, own // the preview failed, and so would the call
		}
		return answer, &Error{Code: CodeDenied, Message: quote.Short(quote.Inline(err.Error()), maxMessage), Err: err}
	}
	return answer, nil
}
