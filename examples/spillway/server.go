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

// listTime is for how long clients may keep what the server says of itself and its tools, which never changes while it
// runs.
const listTime = time.Hour

// newServer makes an MCP server of a suite, with the options of the adapter. One that watches its client says how long
// that may be silent; for one that does not, silence is 0.
func newServer(suite *tools.Suite, opts *mcptools.Options, silence time.Duration) *mcp.Server {
	server := mcp.NewServer(
		&mcp.Implementation{Name: "spillway", Title: "Spillway", Version: version()},
		&mcp.ServerOptions{
			Instructions: fmt.Sprintf(instructions, suite.Workspace()),
			// The list of tools never changes. Log messages tell the end of jobs.
			Capabilities: &mcp.ServerCapabilities{
				Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{},
				//lint:ignore SA1019 most clients speak a protocol before 2026-07-28, which deprecates log messages
				Logging:      &mcp.LoggingCapabilities{},
				Experimental: mcptools.Handshake(silence),
			},
			SetCacheable: cacheable,
		})
	mcptools.Add(server, suite, opts)
	return server
}

// cacheable says for how long a client may keep a result, for itself: the next server at the same address may have
// another workspace and other limits. A full output may grow.
func cacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	c.CacheScope = "private"
	if _, output := req.(*mcp.ReadResourceRequest); !output {
		c.TTLMs = int(listTime.Milliseconds())
	}
}
