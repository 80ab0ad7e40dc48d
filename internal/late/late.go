// Package late abandons calls that do not end with their context.
package late

import (
	"context"
	"time"
)

// Patience is how long a call may go on after the end of its context, to deliver what it has gathered: less than the
// second within which every call must end.
const Patience = 500 * time.Millisecond

// Leave calls a method and returns when its context has ended, even if a system call has not: a file on a disk or
// network that does not answer cannot be closed, and a read of it cannot be interrupted. Leave still waits for
// patience. What the method finds after that is lost.
func Leave[R any](
	ctx context.Context, patience time.Duration, method func(context.Context) (R, error),
) (result R, err error) {
	if ctx.Done() == nil {
		return method(ctx)
	}
	type outcome struct {
		result R
		err    error
		panic  any
	}
	ended := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panic = recover()
			ended <- o
		}()
		o.result, o.err = method(ctx)
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
		return result, ctx.Err()
	}
}
