// Command agenttoolset serves the toolset of Anthropic's Go SDK over the Model Context Protocol, for the workspace that
// it is started in, calling it as the SDK's runner does.
package main

import (
	"context"
	"log"
	"runtime/debug"
	"strings"

	anthropic "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/tools/agenttoolset"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	tools := agenttoolset.BetaAgentToolset20260401(&agenttoolset.AgentToolContext{Workdir: "."})
	server := mcp.NewServer(&mcp.Implementation{Name: "agenttoolset", Version: version()}, nil)
	for _, t := range tools {
		tool := &mcp.Tool{Name: t.Name(), Description: t.Description(), InputSchema: t.InputSchema()}
		server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return call(ctx, t, req.Params.Arguments), nil
		})
	}
	err := server.Run(context.Background(), &mcp.StdioTransport{})
	agenttoolset.CloseAll(tools)
	if err != nil {
		log.Fatal(err)
	}
}

func call(ctx context.Context, t anthropic.BetaTool, args []byte) *mcp.CallToolResult {
	blocks, err := t.Execute(ctx, args)
	if err != nil {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}
	}
	var text strings.Builder
	for _, b := range blocks {
		if b.OfText != nil {
			text.WriteString(b.OfText.Text)
		}
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text.String()}}}
}

// version is that of the SDK.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "github.com/anthropics/anthropic-sdk-go/v2" {
				return m.Version
			}
		}
	}
	return "unknown"
}
