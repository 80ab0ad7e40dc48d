package mcptools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// A client is answered before it gives up, as far as it is known when it does.
func TestAnswerWithin(t *testing.T) {
	nothing := func(context.Context, json.RawMessage) (tools.Result, error) { return tools.Result{}, nil }
	for name, want := range map[string]time.Duration{
		"": 50 * time.Second, "claude-ai": 50 * time.Second, "codex-mcp-client": 50 * time.Second, "cursor-vscode": 50 * time.Second,
		"claude-code": 0, "Visual Studio Code": 0, "spillway": 0, "gemini-cli-mcp-client": 590 * time.Second,
	} {
		for _, revision := range []string{"2025-06-18", "2026-07-28"} {
			t.Run(fmt.Sprint(name, " ", revision), func(t *testing.T) {
				var got time.Duration
				server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, nil)
				server.AddTool(mcptools.Tool(fake{"do", nothing}, &mcptools.Options{AnswerWithin: func(req *mcp.CallToolRequest) time.Duration {
					got = mcptools.AnswerWithin(req)
					return got
				}}))
				here, there := mcp.NewInMemoryTransports()
				served, err := server.Connect(t.Context(), there, nil)
				require.NoError(t, err)
				session, err := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, nil).Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: revision})
				require.NoError(t, err)
				defer func() { session.Close(); served.Wait() }()
				if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "do"}); err != nil || got != want {
					t.Errorf("answered within %v, want %v (%v)", got, want, err)
				}
			})
		}
	}
}

// A command of a client that would give up becomes a job, and the client can read on.
func TestAnsweredInTime(t *testing.T) {
	need.Shell(t)
	suite := suiteOf(t)
	server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, nil)
	mcptools.Add(server, suite, &mcptools.Options{AnswerWithin: func(*mcp.CallToolRequest) time.Duration { return time.Millisecond }})
	list, _, _ := connectTo(t, server)
	named := map[string]tools.Tool{}
	for _, tool := range list {
		named[tool.Name()] = tool
	}
	call := func(tool, args string) string {
		res, err := named[tool].Call(t.Context(), json.RawMessage(args))
		if err != nil || res.IsError {
			t.Errorf("%s: %+v, %v", tool, res, err)
		}
		return res.Text
	}
	require.Contains(t, call("bash", `{"command": "until [ -e go ]; do sleep 0.01; done; echo late"}`), "and continues as a job. Job 1 is running.")
	require.Contains(t, call("job", `{"id": 1, "wait_ms": 600000}`), "wait_ms was lowered to 1000, the maximum. Job 1 is running.")
	require.NoError(t, os.WriteFile(filepath.Join(suite.Workspace(), "go"), nil, 0o600))
	for !strings.Contains(call("job", `{"id": 1}`), "Job 1 exited with code 0") {
	}
}
