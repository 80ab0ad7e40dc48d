package tools

import (
	"context"
	"strconv"
	"sync/atomic"
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

type insideKey struct{}

// identify is the hook that gives a call its id, and the id of the call in whose context it is made.
func identify(made *atomic.Int64) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		if c.id = callID(ctx); c.id == "" {
			c.id = "call-" + strconv.FormatInt(made.Add(1), 10)
			ctx = context.WithValue(ctx, callIDKey{}, c.id)
		}
		c.by, _ = ctx.Value(insideKey{}).(string)
		return next(context.WithValue(ctx, insideKey{}, c.id), c)
	}
}
