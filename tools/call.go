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

type call struct {
	tool    *suiteTool      // nil before the lookup, and if the suite has no such tool
	name    string          // as called
	raw     json.RawMessage // the arguments as a model sent them; nil for a typed call
	params  any             // the decoded arguments; nil before that
	began   time.Time
	id, by  string // of this call, and of the call whose tool made it; "" if there is none
	result  Result // set when the call has ended
	altered bool   // the host's Filter changed the text

	running job.Caller // lets Suite.Background find the running call
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
	gathered any     // the typed result of a built-in tool, such as a *ReadResult; nil if it failed early
	rest     Result  // for a built-in tool, the images; for an added one, the whole result, bounded and redacted
	shown    *Shown  // the part that all results share; nil if there is no such result
	err      *Error  // why the call failed
	text     *string // the text for the model, if the host changed it
}

func refused(err error) reply { return reply{err: failure(err, "")} }

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

func failed(r Result, e *Error) Result {
	text := e.Error()
	if r.Text != "" {
		text = notice.Paragraph(text, r.Text)
	}
	with := *e
	with.details = r.Details
	return Result{Text: text, IsError: true, Code: e.Code, Images: r.Images, Details: &with}
}

// ended returns the Go error of the call: that of ctx, if it ended the call.
func ended(ctx context.Context, res Result) error {
	if res.Code == CodeAborted {
		return ctx.Err()
	}
	return nil
}

type handler func(context.Context, *call) reply

// hook is one step of every call. It calls next for the rest, or refuses the call.
type hook func(ctx context.Context, c *call, next handler) reply

// through returns the handler that runs the hooks, the first one outermost.
func through(hooks ...hook) handler {
	way := func(ctx context.Context, c *call) reply { return c.tool.invoke(ctx, c.params) }
	for _, h := range slices.Backward(hooks) {
		next := way
		way = func(ctx context.Context, c *call) reply { return h(ctx, c, next) }
	}
	return way
}

type spec struct {
	name        string
	description string
	effects     config.Effects
	strategy    truncation.Strategy // which part of a long output is shown
	maxBytes    int                 // limit of a result
	leaveOut    []string            // arguments that the tool does not take in this suite
}

func (t *spec) Name() string        { return t.name }
func (t *spec) Description() string { return t.description }

// suiteTool is a built-in or an added tool, as the suite calls it.
type suiteTool struct {
	spec
	schema func() json.RawMessage // lazy, because a program's view never needs it
	wraps  Tool                   // the added tool; nil for a built-in one

	call    handler                                                   // runs a call through the hooks
	prepare func(*call) error                                         // decodes and checks the arguments
	invoke  func(ctx context.Context, params any) reply               // the last step, behind the hooks
	foresee func(ctx context.Context, params any) (*foresight, error) // predicts what a call will do; nil if it cannot
}

// Effects returns what the tool may do. An added tool is asked.
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
