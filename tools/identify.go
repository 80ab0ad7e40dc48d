package tools

import (
	"context"
	"strconv"
	"sync/atomic"
)

type callIDKey struct{}

// WithCallID returns a context for one call that the host knows by an id, such as the one that its model gave it. The id
// appears in config.Call, in events and in updates, also in those of calls that a tool makes with its own context.
// Without an id, or with "", the suite gives the call one that is unique among its calls.
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
