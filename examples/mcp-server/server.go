package main

import (
	"fmt"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/tools"
)

const instructions = `These tools work in the directory %s; relative paths start there. ` +
	`Every output is bounded: where something was left out, the text ends in a notice in square brackets that says ` +
	`how to get the rest, by an offset, a limit or the file that holds the full output.`

// newServer makes an MCP server of a suite.
func newServer(suite *tools.Suite) *mcp.Server {
	server := mcp.NewServer(
		&mcp.Implementation{Name: "spillway", Title: "Spillway", Version: version()},
		&mcp.ServerOptions{
			Instructions: fmt.Sprintf(instructions, suite.Workspace()),
			// The list of tools never changes, and there are no log messages.
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		})
	mcptools.Add(server, suite)
	return server
}

// version is that of the build.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
