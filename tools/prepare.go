package tools

import (
	"context"
	"slices"

	"github.com/spillway-go/spillway/config"
)

// prepare is the hook that looks up the tool, and refuses a call of one that the suite does not have, or whose arguments
// are not valid.
func prepare(tools *toolset) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		switch t := tools.tool(c.name); {
		case t != nil && c.tool == nil:
			c.tool = t
		case c.tool == nil && !slices.Contains(config.ToolNames(), c.name):
			return refused(errorf(CodeInvalidInput, "there is no tool %s; there are %s", show(c.name), tools.names()))
		case t == nil || t != c.tool: // left out; one that was added may have its name
			return refused(tools.without(c.name))
		}
		if err := c.tool.prepare(c); err != nil {
			return refused(err)
		}
		return next(ctx, c)
	}
}
