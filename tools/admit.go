package tools

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"sync/atomic"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/redact"
	"github.com/spillway-go/spillway/internal/rules"
)

// admission is what decides whether a call may be made.
type admission struct {
	rules  *ruling // nil where every call is made
	ask    func(context.Context, config.Call) (config.Answer, error)
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
		if a.rules != nil || a.guard != nil {
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
	preview := judged.Preview
	judged.Preview = func(ctx context.Context) (string, error) {
		text, err := preview(ctx)
		text, _ = a.redact.String(text)
		return text, err
	}
	if a.rules != nil {
		if err := a.rules.decide(ctx, judged, seen, a.ask); err != nil {
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

// ruling is the rules of a suite, with those that answers have added.
type ruling struct {
	asking chan struct{} // holds a value while a call is asked about
	set    atomic.Pointer[rules.Set]
}

func newRuling(r config.Rules) *ruling {
	ru := &ruling{asking: make(chan struct{}, 1)}
	ru.set.Store(rules.New(r.Allow, r.Ask, r.Deny))
	return ru
}

// now returns the rules that hold now. Of no ruling they are nil.
func (r *ruling) now() *rules.Set {
	if r == nil {
		return nil
	}
	return r.set.Load()
}

// decide judges a call, and asks about it if the rules say so.
func (r *ruling) decide(ctx context.Context, call config.Call, seen *foreseen,
	ask func(context.Context, config.Call) (config.Answer, error)) error {
	judged := rules.Call{
		Tool: call.Tool, Paths: seen.paths, Line: seen.line, Place: seen.place,
		ReadOnly: seen.readOnly, Protected: seen.protected, Terminal: seen.terminal,
		ReadsOnly: seen.readsOnly || !call.Effects.Writes && !call.Effects.Executes,
	}
	verdict := r.set.Load().Judge(judged)
	if verdict.Decision == rules.Asked && ask != nil {
		select {
		case r.asking <- struct{}{}:
			defer func() { <-r.asking }()
		case <-ctx.Done():
			return failure(ctx.Err(), "")
		}
		verdict = r.set.Load().Judge(judged) // an answer that came meanwhile may hold for this call
	}
	switch {
	case verdict.Decision == rules.Allowed:
		return nil
	case verdict.Decision == rules.Denied:
		return errorf(CodeDenied, "%s. Do it without that, or ask the user", verdict.Why)
	case ask == nil:
		return errorf(CodeDenied, "%s, and nobody can be asked here. Do it without that, or ask the user", verdict.Why)
	}
	call.Why, call.Session = verdict.Why, verdict.Session
	answer, err := asked(ctx, ask, call)
	if err != nil {
		return err
	}
	switch answer.Decision {
	case config.Once:
		return nil
	case config.Session:
		r.set.Store(r.set.Load().And(verdict.Session...))
		return nil
	}
	if reason := strings.TrimSpace(answer.Reason); reason != "" {
		return errorf(CodeDenied, "the user said no: %s", quote.Short(quote.Inline(reason), maxMessage))
	}
	return errorf(CodeDenied, "the user said no. Do not try it in another way; ask what to do instead")
}

// asked asks about a call.
func asked(ctx context.Context, ask func(context.Context, config.Call) (config.Answer, error), call config.Call,
) (answer config.Answer, err error) {
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

// summary is a call in a line.
func summary(call config.Call) string { return call.Tool + " " + show(string(call.Args)) }

// empty reports whether there is no rule.
func empty(r config.Rules) bool { return len(r.Allow)+len(r.Ask)+len(r.Deny) == 0 }
