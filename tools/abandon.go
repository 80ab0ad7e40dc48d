package tools

import (
	"context"
	"time"

	"github.com/spillway-go/spillway/internal/late"
)

const (
	patience = late.Patience
	// commandPatience is longer, as the command is ended first. That takes 850 ms at most, if
	// something of it hangs in the kernel.
	commandPatience = 950 * time.Millisecond
)

// abandon is the hook that makes a call return when its context has ended. Tools of the caller's are waited for.
func abandon(ctx context.Context, c *call, next handler) reply {
	if c.tool.patience == 0 {
		return next(ctx, c)
	}
	rep, err := late.Leave(c.tool.patience, func(ctx context.Context, c *call) (reply, error) { return next(ctx, c), nil })(ctx, c)
	if err != nil {
		return refused(err)
	}
	return rep
}
