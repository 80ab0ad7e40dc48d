package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/args"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/redact"
	"github.com/spillway-go/spillway/truncation"
)

// spec describes a tool of the suite.
type spec struct {
	name        string
	description string // with the values of options as {Grep.Limit}
	effects     config.Effects
	strategy    truncation.Strategy // which part of a long output is shown
	maxBytes    int                 // of a result
}

// calls is what every call of a suite goes through.
type calls struct {
	cfg    *config.Config
	tools  toolset
	rules  *ruling          // nil where every call is made
	redact *redact.Redactor // nil where nothing is redacted
	stats  *stats
	made   *atomic.Int64 // calls that had no id

	running *atomic.Int64 // calls that have begun and not ended, if somebody looks at events
	closed  atomic.Bool   // the suite is
	outer   *calls        // those of the suite whose view this one is, or nil
}

// isClosed reports whether the suite is closed, or one that it is a view of.
func (c *calls) isClosed() bool { return c.closed.Load() || c.outer != nil && c.outer.isClosed() }

// outcome is what the method of a tool returns: a ReadResult, BashResult, ...
type outcome interface{ result() Result }

// binding makes a Tool of a method.
type binding[P any, R outcome] struct {
	spec
	calls  *calls
	schema json.RawMessage
	hidden []string // arguments that the schema does not have
	method func(context.Context, P) (R, error)
	sees   func(context.Context, P) *foresight
}

func bind[P any, R outcome](c *calls, tool spec, method func(context.Context, P) (R, error)) *binding[P, R] {
	expand := func(text string) string { return fill(text, *c.cfg) }
	tool.description = expand(tool.description)
	wait := patience
	if tool.effects.Executes {
		wait = commandPatience
	}
	return &binding[P, R]{spec: tool, calls: c, schema: args.Schema[P](expand), method: abandoned(wait, method)}
}

func (t *spec) Name() string            { return t.name }
func (t *spec) Description() string     { return t.description }
func (t *spec) Effects() config.Effects { return t.effects }

// leaveOut takes arguments out of the schema.
func (b *binding[P, R]) leaveOut(names ...string) {
	b.hidden = names
	b.schema = args.Schema[P](func(text string) string { return fill(text, *b.calls.cfg) }, names...)
}

func (b *binding[P, R]) Schema() json.RawMessage { return b.schema }

func (b *binding[P, R]) Call(ctx context.Context, raw json.RawMessage) (Result, error) {
	began := time.Now()
	var params P
	if err := b.decode(raw, &params); err != nil {
		return b.calls.refuse(ctx, b.name, made{b.name, b.calls.refused(raw), began}, err), nil
	}
	_, res, _ := b.do(ctx, params)
	return res, ended(ctx, res)
}

// decode decodes arguments of a model.
func (b *binding[P, R]) decode(raw json.RawMessage, params *P) (err error) {
	defer b.calls.recovered("the tool "+b.name, &err)
	if _, bad := args.Decode(b.name, raw, params, true, b.hidden...); bad != nil {
		return bad
	}
	return nil
}

// typed makes a call for a program.
func (b *binding[P, R]) typed(ctx context.Context, params P) (R, error) {
	r, _, err := b.do(ctx, params)
	return r, err
}

// do makes a call with its arguments in Go. The result is given typed, with the failure, and
// as the Result of the call.
func (b *binding[P, R]) do(ctx context.Context, params P) (r R, res Result, err error) {
	began := time.Now()
	ctx = b.calls.identified(ctx)
	call := made{b.name, b.calls.observed(params), began}
	r, res, err = b.outcome(ctx, params)
	res = failed(res, failure(err, ""))
	res.Tool = b.name
	b.calls.observe(ctx, call, res)
	if err == nil {
		delivered(ctx, r)
	}
	return r, res, err
}

// outcome makes a call and its result, without the failure, in which there are no secrets. A panic anywhere in that
// leaves nothing of what was gathered: it may have some.
func (b *binding[P, R]) outcome(ctx context.Context, params P) (r R, res Result, err error) {
	defer func() {
		if CodeOf(err) == CodeInternal {
			var none R
			r, res = none, Result{}
		}
	}()
	defer b.calls.recovered("the tool "+b.name, &err)
	if b.calls.tools.tool(b.name) != Tool(b) { // left out; one that was added may have its name
		err = b.calls.tools.without(b.name)
	} else if bad := args.Check(params); bad != nil {
		err = failure(bad, "")
	} else {
		err = b.calls.run(ctx, b, params, func(ctx context.Context) (err error) {
			r, err = b.method(ctx, params)
			return err
		})
	}
	if err == nil || !reflect.ValueOf(r).IsZero() {
		if r, ok := any(&r).(interface{ finish(spec) }); ok {
			r.finish(b.spec)
		}
		b.calls.hide(&r)
		res = r.result()
	}
	return r, res, b.calls.hideError(err)
}

// refuse returns the result of a call that was not made: of a tool, or of none.
func (c *calls) refuse(ctx context.Context, tool string, call made, err error) Result {
	res := failed(Result{}, failure(c.shownError(tool, err), ""))
	res.Tool = tool
	c.observe(c.identified(ctx), call, res)
	return res
}

// shownError is hideError for an error of no call.
func (c *calls) shownError(tool string, err error) (shown error) {
	defer c.recovered("the tool "+tool, &shown)
	return c.hideError(err)
}

// run makes every call of a tool in the suite, be it one of the suite's own or one that was
// added: the rules and the guard are asked about the arguments, and a panic becomes an error. The
// error is an [*Error].
func (c *calls) run(ctx context.Context, t Tool, params any, call func(context.Context) error) (err error) {
	defer c.recovered("the tool "+t.Name(), &err)
	c.redact.Refresh()
	ctx, err = c.admit(ctx, t, params)
	if err != nil {
		return err
	}
	err = call(c.hideProgress(ctx))
	if c.isClosed() && (errors.Is(err, fs.ErrClosed) || errors.Is(err, proc.ErrClosed)) {
		return errorf(CodeAborted, "the suite was closed")
	}
	if e := failure(err, ""); e != nil {
		return e
	}
	return nil
}

// ended returns the Go error of a call with that result: that of ctx, if it ended the call.
func ended(ctx context.Context, res Result) error {
	if res.Code == CodeAborted {
		return ctx.Err()
	}
	return nil
}

// failed returns the result of a call that gathered r and then failed. Without e it is r.
func failed(r Result, e *Error) Result {
	if e == nil {
		return r
	}
	text := e.Error()
	if r.Text != "" {
		text = notice.Paragraph(text, r.Text)
	}
	with := *e
	with.details = r.Details
	return Result{Text: text, IsError: true, Code: e.Code, Images: r.Images, Details: &with}
}

var errPanic = errors.New("panic")

// recovered, deferred, makes an error of a panic in what.
func recovered(what string, err *error) {
	if p := recover(); p != nil {
		*err = bug(what, fmt.Sprint(p))
	}
}

// recovered is the same for what a call of the suite runs. The error shows no secret, nor anything of a panic of what
// hides them.
func (c *calls) recovered(what string, err *error) {
	if p := recover(); p != nil {
		*err = bug(what, "a panic of which nothing can be shown")
		defer func() { _ = recover() }()
		said, _ := c.redact.String(fmt.Sprint(p))
		*err = bug(what, said)
	}
}

func bug(what, said string) *Error {
	return &Error{
		Code: CodeInternal, Message: fmt.Sprintf("a bug in %s: %s. Try something else", what, show(said)), Err: errPanic,
	}
}
