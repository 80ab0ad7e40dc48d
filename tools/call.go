package tools

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/job"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/truncation"
)

// call is one call of a tool on its way through the hooks.
type call struct {
	tool    *suiteTool      // nil until it is looked up, and if the suite has none of that name
	name    string          // that was asked for
	raw     json.RawMessage // the arguments as a model sent them; nil of a typed call
	params  any             // the arguments as the tool takes them; nil until they are decoded
	began   time.Time
	id, by  string // of the call itself, and of the one in whose context it was made; "" if there is none
	result  Result // once it has ended
	altered bool   // the host has changed its text

	running job.Caller // for those who look for it while it runs
}

// most is how many bytes of output the result of the call may have. added is for a tool that is not the library's.
func (c *call) most(added int) int {
	if c.tool != nil && c.tool.maxBytes > 0 {
		return c.tool.maxBytes
	}
	return added
}

// reply is what becomes of a call.
type reply struct {
	gathered any     // what a tool of the suite has gathered, such as a *ReadResult; nil if that is nothing
	rest     Result  // of such a tool the images; all that one has returned that was added, bounded and without secrets
	shown    *Shown  // the text, and how much that is; nil if there is none
	err      *Error  // why the call failed
	text     *string // for the model, if the host has changed that
}

// refused returns the reply to a call that is not made.
func refused(err error) reply { return reply{err: failure(err, "")} }

// result returns the reply as the Result of the call.
func (r reply) result(c *call) Result {
	res := r.rest
	if r.gathered != nil {
		res.Details = reflect.ValueOf(r.gathered).Elem().Interface()
	}
	if r.shown != nil {
		res.Text = r.shown.Text
	}
	if r.err != nil {
		res = failed(res, r.err)
	}
	if r.text != nil {
		res.Text = *r.text
	}
	if c.tool != nil {
		res.Tool = c.tool.name
	}
	return res
}

// failed returns the result of a call that gathered r and then failed.
func failed(r Result, e *Error) Result {
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

// suiteTool is a tool of a suite: one of the library, or one that was added.
type suiteTool struct {
	spec
	schema func() json.RawMessage // made when it is asked for, which a view for a program never is
	wraps  Tool                   // the one that was added; nil of one of the library

	call    handler                                                   // makes a call through the hooks
	prepare func(*call) error                                         // decodes and checks the arguments
	invoke  func(ctx context.Context, params any) reply               // the last part of the way
	foresee func(ctx context.Context, params any) (*foresight, error) // what a call will do; nil if nothing is known
}

// Effects returns what the tool may do. One that was added is asked.
func (b *suiteTool) Effects() config.Effects {
	if b.wraps != nil {
		return EffectsOf(b.wraps)
	}
	return b.effects
}

func (b *suiteTool) Schema() json.RawMessage { return b.schema() }

func (b *suiteTool) Call(ctx context.Context, raw json.RawMessage) (Result, error) {
	c := &call{tool: b, name: b.name, raw: raw, began: time.Now()}
	b.call(ctx, c)
	return c.result, ended(ctx, c.result)
}
