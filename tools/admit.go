package tools

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/redact"
)

// policy is what decides about calls before the guard is asked. Its zero value allows everything.
type policy struct {
	decide func(ctx context.Context, call config.Call, seen *foreseen) error
	reads  func() func(path string) (may, asked bool)
}

// rulesOf returns the policy of a configuration's rules. Without rules and anybody to ask it allows everything. rules.go
// replaces this function, which is the one of a build without that file: nothing is allowed there that somebody would
// be asked about.
var rulesOf = func(cfg config.Config) policy {
	if cfg.Ask == nil {
		return policy{}
	}
	return policy{decide: func(context.Context, config.Call, *foreseen) error {
		return errorf(CodeDenied, "this program was built without rules, and cannot ask about a call")
	}}
}

// mayRead returns what says whether a search may read a file, and whether somebody is asked about a call that names it;
// nil if it may read all.
func (p policy) mayRead() func(path string) (may, asked bool) {
	if p.reads == nil {
		return nil
	}
	return p.reads()
}

// admission is what decides whether a call may be made.
type admission struct {
	policy policy
	guard  func(context.Context, config.Call) error
	redact *redact.Redactor
	closed func() bool // the suite is
}

// admit is the hook that refuses a call if the suite or the context has ended, or if the rules, a person or the guard do
// not allow it. A guard that panics does not.
func admit(a admission) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		if a.closed() {
			return refused(errorf(CodeDenied, "the suite is closed"))
		}
		if a.policy.decide != nil || a.guard != nil {
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
	judged := config.Call{ID: c.id, Tool: c.name, Args: raw, Effects: c.tool.Effects()}
	judged.Preview = func(context.Context) (string, error) { return summary(judged), nil }
	seen, own := &foreseen{}, ctx // who is asked may make calls of his own
	if c.tool.foresee != nil {
		f, err := c.tool.foresee(ctx, c.params)
		if err != nil {
			return ctx, err // ctx has ended
		}
		judged.Paths, judged.Commands = f.uses, f.commands
		judged.Preview = f.previewed(c.name, a.closed)
		seen, own = &f.foreseen, f.keep(ctx)
	}
	if err := ctx.Err(); err != nil {
		return ctx, err // nobody is asked about a call that will not be made
	}
	preview := judged.Preview
	judged.Preview = func(ctx context.Context) (string, error) {
		text, err := preview(ctx)
		text, _ = a.redact.String(text)
		return text, err
	}
	if a.policy.decide != nil {
		if err := a.policy.decide(ctx, judged, seen); err != nil {
			return ctx, err
		}
	}
	return own, guarded(ctx, a.guard, judged)
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

// summary is a call in a line.
func summary(call config.Call) string { return call.Tool + " " + show(string(call.Args)) }
