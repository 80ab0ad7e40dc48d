package tools

import (
	"context"
	"encoding/json"
	"strconv"
	"time"
)

type callIDKey struct{}

// WithCallID returns a context for one call that a host knows by an id, such as the one that its model gave the call.
// The Call of a guard, the events and the updates of the call have it. Without one, or with "", the call has an id that
// no other call of the suite has.
func WithCallID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, callIDKey{}, id)
}

func callID(ctx context.Context) string {
	id, _ := ctx.Value(callIDKey{}).(string)
	return id
}

// identified returns ctx with an id of the call.
func (c *calls) identified(ctx context.Context) context.Context {
	if callID(ctx) != "" {
		return ctx
	}
	return WithCallID(ctx, "call-"+strconv.FormatInt(c.made.Add(1), 10))
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
	return json.Marshal(params)
}

// observed returns the arguments for an event, if somebody looks at events.
func (c *calls) observed(params any) json.RawMessage {
	if c.cfg.Observe == nil {
		return nil
	}
	raw, _ := arguments(params)
	return raw
}
