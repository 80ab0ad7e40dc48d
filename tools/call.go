package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/job"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/truncation"
)

// call is one call of a tool on its way through the hooks.
type call struct {
	tool    *bound          // nil until it is looked up, and if the suite has none of that name
	name    string          // that was asked for
	raw     json.RawMessage // the arguments as a model sent them; nil of a typed call
	params  any             // the arguments as the tool takes them; nil until they are decoded
	began   time.Time
	id, by  string // of the call itself, and of the one in whose context it was made; "" if there is none
	result  Result // once it has ended
	altered bool   // the host has changed its text

	running job.Caller // for those who look for it while it runs
}

// reply is what becomes of a call.
type reply struct {
	outcome outcome // what was gathered; nil if nothing was
	shown   *Shown  // how much of that is shown; nil as well
	err     *Error
	first   notice.Notice // begins the notices of a text that is not the outcome's own
	text    *string       // for the model, if the host has changed that
}

// refused returns the reply to a call that is not made.
func refused(err error) reply { return reply{err: failure(err, "")} }

// outcome is what the method of a tool returns: a *ReadResult, *BashResult, ...
type outcome interface {
	// result returns it as a Result without the name of a tool.
	result() Result
	// own returns what it shows, to change that; nil of a tool that sees to its text itself.
	own() *Shown
}

// addedOutcome is what a tool that was added has returned, bounded and without secrets.
type addedOutcome Result

func (o addedOutcome) result() Result {
	if o.IsError {
		o.Code = cmp.Or(o.Code, CodeIOError)
	}
	return Result(o)
}

func (addedOutcome) own() *Shown { return nil }

// result returns the reply as the Result of the call.
func (r reply) result(c *call) (res Result) {
	if r.outcome != nil {
		res = r.outcome.result()
	}
	if r.first != "" {
		res.Text, _ = notice.Begin(res.Text, r.first, 0)
	}
	res = failed(res, r.err)
	if r.text != nil {
		res.Text = *r.text
	}
	if c.tool != nil {
		res.Tool = c.tool.name
	}
	return res
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

// ended returns the Go error of a call with that result: that of ctx, if it ended the call.
func ended(ctx context.Context, res Result) error {
	if res.Code == CodeAborted {
		return ctx.Err()
	}
	return nil
}

// handler makes a call.
type handler func(context.Context, *call) reply

// hook is a part of the way of every call. It makes the rest of the way by next, or refuses the call.
type hook func(ctx context.Context, c *call, next handler) reply

// through returns what makes calls through the hooks, the first of which is the outermost.
func through(hooks ...hook) handler {
	way := func(ctx context.Context, c *call) reply { return c.tool.invoke(ctx, c.params) }
	for _, h := range slices.Backward(hooks) {
		next := way
		way = func(ctx context.Context, c *call) reply { return h(ctx, c, next) }
	}
	return way
}

// spec describes a tool.
type spec struct {
	name        string
	description string
	effects     config.Effects
	strategy    truncation.Strategy // which part of a long output is shown
	maxBytes    int                 // of a result
	leaveOut    []string            // arguments that the tool does not have in this suite
}

func (t *spec) Name() string        { return t.name }
func (t *spec) Description() string { return t.description }

// bound is a tool of a suite: one of its own, or one that was added.
type bound struct {
	spec
	schema   func() json.RawMessage // made when it is asked for, which a view for a program never is
	patience time.Duration          // that a call has after the end of its context; 0 to wait for the tool
	wraps    Tool                   // the one that was added; nil of the suite's own

	call    handler                                                   // makes a call through the hooks
	prepare func(*call) error                                         // decodes and checks the arguments
	invoke  func(ctx context.Context, params any) reply               // the last part of the way
	foresee func(ctx context.Context, params any) (*foresight, error) // what a call will do; nil if nothing is known
}

// Effects returns what the tool may do. One that was added is asked.
func (b *bound) Effects() config.Effects {
	if b.wraps != nil {
		return EffectsOf(b.wraps)
	}
	return b.effects
}

func (b *bound) Schema() json.RawMessage { return b.schema() }

func (b *bound) Call(ctx context.Context, raw json.RawMessage) (Result, error) {
	c := &call{tool: b, name: b.name, raw: raw, began: time.Now()}
	b.call(ctx, c)
	return c.result, ended(ctx, c.result)
}
