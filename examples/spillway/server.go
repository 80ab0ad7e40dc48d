package main

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/tools"
)

const instructions = `These tools work in the directory %s; relative paths start there. ` +
	`Every output is bounded: where something was left out, the text ends in a notice in square brackets that says ` +
	`how to get the rest, by an offset, a limit or the file that holds the full output.`

// newServer makes an MCP server of a suite. Its results have _meta only with details, or
// for mcptools.Connect: some clients show that to the model. One that watches its client
// says how long that may be silent; for one that does not, silence is 0.
func newServer(suite *tools.Suite, details bool, silence time.Duration) *mcp.Server {
	server := mcp.NewServer(
		&mcp.Implementation{Name: "spillway", Title: "Spillway", Version: version()},
		&mcp.ServerOptions{
			Instructions: fmt.Sprintf(instructions, suite.Workspace()),
			// The list of tools never changes, and there are no log messages.
			Capabilities: &mcp.ServerCapabilities{
				Tools: &mcp.ToolCapabilities{}, Experimental: mcptools.Handshake(silence),
			},
		})
	mcptools.ForgetReaders(server, suite)
	for _, t := range suite.Tools() {
		tool, handle := mcptools.Tool(t)
		server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res, err := handle(ctx, req)
			if res != nil && !details && !mcptools.FromConnect(req) {
				res.Meta = nil
			}
			return res, err
		})
	}
	return server
}
