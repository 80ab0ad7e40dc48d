package mcpgotools_test

import (
	"context"
	"fmt"
	"log"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/examples/adapters/mcpgotools"
)

// A server with a suite's tools, and a client in the same process.
func Example() {
	suite, closeAll := adaptertest.Open()
	defer closeAll()
	s := server.NewMCPServer("my-agent", "1.0")
	mcpgotools.Add(s, suite)

	c, err := client.NewInProcessClient(s) // or server.ServeStdio(s)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	ctx := context.Background()
	if err := c.Start(ctx); err != nil {
		log.Fatal(err)
	}
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		log.Fatal(err)
	}
	res, err := c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{
		Name: "grep", Arguments: map[string]any{"pattern": "request 7$", "path": "server.log"},
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.IsError)
	fmt.Println(res.Content[0].(mcp.TextContent).Text)
	// Output:
	// false
	// server.log:13: info request 7
	// server.log:14: error request 7
}
