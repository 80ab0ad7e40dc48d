package mcptools

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/stretchr/testify/require"
)

// A client that never answers holds a call up no longer than the bound.
func TestPatience(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	tool := &mcp.Tool{Name: "asks", InputSchema: map[string]any{"type": "object"}}
	server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, asker := withAsker(ctx, req)
		asker.patience = time.Millisecond
		_, err := Ask(ctx, config.Call{Why: "no rule allows it", Preview: func(context.Context) (string, error) { return "", nil }})
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}, nil
	})
	here, there := mcp.NewInMemoryTransports()
	go server.Run(context.Background(), there)
	hang := func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		<-t.Context().Done()
		return nil, errors.New("too late")
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{ElicitationHandler: hang})
	session, err := client.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	require.NoError(t, err)
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "asks"})
	require.NoError(t, err)
	if got := res.Content[0].(*mcp.TextContent).Text; !strings.HasPrefix(got, "no rule allows it, and the user did not answer within 1ms") {
		t.Error(got)
	}
}
