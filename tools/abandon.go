package tools

import (
	"context"
	"time"
)

// How long a call may go on after the end of its context, to hand over what it has
// gathered: less than the second within which every call is to end.
const (
	patience = 500 * time.Millisecond
	// commandPatience is longer, as the command is ended first. That takes 850 ms at most, if
	// something of it hangs in the kernel.
	commandPatience = 950 * time.Millisecond
)

// abandon is the hook that makes a call return when its context has ended. Tools of the caller's are waited for.
func abandon(ctx context.Context, c *call, next handler) reply {
	if c.tool.patience == 0 {
		return next(ctx, c)
	}
	rep, err := abandoned(c.tool.patience, func(ctx context.Context, c *call) (reply, error) { return next(ctx, c), nil })(ctx, c)
	if err != nil {
		return refused(err)
	}
	return rep
}

// abandoned makes a method return when its context has ended, even if a system call
// has not: a file on a disk or in a network that does not answer cannot be closed, and
// a read of it cannot be ended. What the method finds after that is lost.
func abandoned[P, R any](
	patience time.Duration, method func(context.Context, P) (R, error),
) func(context.Context, P) (R, error) {
	type outcome struct {
		result R
		err    error
		panic  any
	}
	return func(ctx context.Context, p P) (R, error) {
		if ctx.Done() == nil {
			return method(ctx, p)
		}
		ended := make(chan outcome, 1)
		go func() {
			var o outcome
			defer func() {
				o.panic = recover()
				ended <- o
			}()
			o.result, o.err = method(ctx, p)
		}()
		late := make(chan struct{})
		defer context.AfterFunc(ctx, func() { time.AfterFunc(patience, func() { close(late) }) })()
		select {
		case o := <-ended:
			if o.panic != nil {
				panic(o.panic) // for the caller to recover
			}
			return o.result, o.err
		case <-late:
			var none R
			return none, ctx.Err()
		}
	}
}
