package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/spillway-go/spillway/internal/quote"
)

type callIDKey struct{}

// WithCallID returns a context for one call that a host knows by an id, such as the one that its model gave the call.
// The Call of a guard, the events and the updates of the call have it, and so have calls that a tool makes with the
// context of its own. Without one, or with "", the call has an id that no other such call of the suite has.
func WithCallID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, callIDKey{}, id)
}

func callID(ctx context.Context) string {
	id, _ := ctx.Value(callIDKey{}).(string)
	return id
}

// identified returns ctx with an id of the call, which begins. It ends with observe.
func (c *calls) identified(ctx context.Context) context.Context {
	if callID(ctx) == "" {
		ctx = WithCallID(ctx, "call-"+strconv.FormatInt(c.made.Add(1), 10))
	}
	if !c.watched() {
		return ctx
	}
	c.running.Add(1)
	return context.WithValue(ctx, insideKey{}, inside{id: callID(ctx), by: inner(ctx).id})
}

// watched reports whether somebody looks at events.
func (c *calls) watched() bool { return c.cfg.Observe != nil }

// ends returns how many calls run, before one of them ends now. It returns 0 if nobody looks at events.
func (c *calls) ends() int {
	if !c.watched() {
		return 0
	}
	return int(c.running.Add(-1)) + 1
}

// inside is the call in whose context another may be made, and the call that made it.
type inside struct{ id, by string }

type insideKey struct{}

// inner returns the innermost call that ctx is of. It is zero if nobody looks at events.
func inner(ctx context.Context) inside {
	in, _ := ctx.Value(insideKey{}).(inside)
	return in
}

// made is a call as events describe it.
type made struct {
	tool  string          // "" if the suite has none of the name that was called
	args  json.RawMessage // nil if there are none yet
	began time.Time
}

// arguments returns the arguments of a call in JSON: those of a built-in tool are its parameters, those of an
// added one the model's.
func arguments(params any) (json.RawMessage, error) {
	if raw, ok := params.(json.RawMessage); ok {
		return raw, nil
	}
	return encode(params)
}

// encode is json.Marshal that leaves & < > as they are: people read the arguments.
func encode(v any) (json.RawMessage, error) {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), err
}

// observed returns the arguments for an event, if somebody looks at events.
func (c *calls) observed(params any) json.RawMessage {
	if !c.watched() {
		return nil
	}
	if raw, ok := params.(json.RawMessage); ok {
		return encodable(raw, len(raw))
	}
	raw, _ := encode(params)
	return raw
}

// refused returns the arguments for the event of a call whose arguments could not be decoded, or whose tool is unknown.
func (c *calls) refused(sent json.RawMessage) json.RawMessage {
	if !c.watched() {
		return nil
	}
	return encodable(sent, maxRefused)
}

// maxRefused is how many bytes of such arguments an event has, and how many characters of what is not JSON.
const maxRefused = 4 << 10

// encodable returns arguments as they were sent if they are JSON of at most so many bytes, and nil if there are none.
// Of others it returns the beginning as a JSON string: an event with anything else cannot be encoded.
func encodable(sent json.RawMessage, maxBytes int) json.RawMessage {
	if len(bytes.TrimSpace(sent)) == 0 {
		return nil
	}
	if len(sent) <= maxBytes && json.Valid(sent) {
		return sent
	}
	text, _ := quote.Cut([]byte(sent), maxRefused, "...")
	raw, _ := encode(text) // no error: it is a string
	return raw
}
