package tools

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/rules"
)

// foreseer is a tool that says before a call what the call would do.
type foreseer interface {
	// foresee fills in the paths, the commands and the preview of a call with these arguments. The context that it
	// returns is for the call: what then happens is what the preview has shown, or the call is stale.
	foresee(ctx context.Context, params any, call *config.Call) (context.Context, *foreseen)
}

// foreseen is what the rules judge of a call besides its arguments.
type foreseen struct {
	line      *commandline.Line // of a command; else nil
	place     func(dir, path string) (name string, ok bool)
	paths     []rules.Path // that the arguments name
	readsOnly bool         // the call changes nothing and runs nothing, although its tool may

	readOnly  []string // as in rules.Call, of a command
	protected func(name string) (root string)
	terminal  bool
}

// admit says whether a tool may be called now: neither the suite nor the context has ended, the rules and the guard
// allow it. A guard that panics does not. It returns the context for the call.
func (c *calls) admit(ctx context.Context, t Tool, params any) (_ context.Context, err error) {
	if c.isClosed() {
		return ctx, errorf(CodeDenied, "the suite is closed")
	}
	if c.rules != nil || c.cfg.Guard != nil {
		if ctx, err = c.decide(ctx, t, params); err != nil {
			return ctx, err
		}
	}
	if err := ctx.Err(); err != nil {
		return ctx, failure(err, "")
	}
	return ctx, nil
}

// decide asks the rules, and then the guard.
func (c *calls) decide(ctx context.Context, t Tool, params any) (context.Context, error) {
	// Both are shown what will be done, not what was sent: two readings of one JSON text may
	// differ, in keys that are given twice for example.
	raw, err := arguments(params)
	if err != nil {
		return ctx, failure(err, "")
	}
	call := config.Call{ID: callID(ctx), Tool: t.Name(), Args: raw, Effects: EffectsOf(t)}
	seen, own := &foreseen{}, ctx // who is asked may make calls of his own
	if f, ok := t.(foreseer); ok {
		own, seen = f.foresee(ctx, params, &call)
		if err := ctx.Err(); err != nil {
			return ctx, failure(err, "")
		}
	} else {
		call.Preview = func(context.Context) (string, error) { return summary(call), nil }
	}
	if preview := call.Preview; c.redact != nil {
		call.Preview = func(ctx context.Context) (string, error) {
			text, err := preview(ctx)
			text, _ = c.redact.String(text)
			return text, err
		}
	}
	if c.rules != nil {
		if err := c.rules.decide(ctx, call, seen, c.cfg.Ask); err != nil {
			return ctx, err
		}
	}
	return own, guarded(ctx, c.cfg.Guard, call)
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

// mayRead returns what reports whether the rules that hold now let a call read a file by its path, and of one that they
// do not, whether the user is asked about a call that names it. It returns nil if they let a call read every file.
func (r *ruling) mayRead() func(path string) (may, asked bool) {
	if r == nil {
		return nil
	}
	set := r.set.Load()
	if !set.LimitReads() {
		return nil
	}
	return func(path string) (may, asked bool) {
		judged := set.Reads(path).Decision
		return judged == rules.Allowed, judged == rules.Asked
	}
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
