package tools

import (
	"context"
	"slices"

	"github.com/spillway-go/spillway/config"
)

// prepare is the hook that refuses a call of a tool that the suite does not have, or one whose arguments are not valid.
func prepare(tools *toolset) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		switch {
		case c.tool == nil && slices.Contains(config.ToolNames(), c.name):
			return refused(tools.without(c.name))
		case c.tool == nil:
			return refused(errorf(CodeInvalidInput, "there is no tool %s; there are %s", show(c.name), tools.names()))
		case tools.tool(c.name) != Tool(c.tool): // left out; one that was added may have its name
			return refused(tools.without(c.name))
		}
		if err := c.tool.prepare(c); err != nil {
			return refused(err)
		}
		return next(ctx, c)
	}
}
