package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/patch"
)

// serve serves a suite over standard input and output, as the bench starts it.
func serve(name string) error {
	server := mcp.NewServer(&mcp.Implementation{Name: name, Version: built()}, nil)
	switch name {
	case "spillway":
		suite, err := tools.New(config.Config{Tools: config.ToolNames()}, patch.Part())
		if err != nil {
			return err
		}
		defer suite.Close()
		mcptools.Add(server, suite, nil)
	case "plain":
		addPlain(server)
	default:
		return fmt.Errorf("there is no suite %q to serve", name)
	}
	return server.Run(context.Background(), &mcp.StdioTransport{})
}

// built is the commit that the program is of.
func built() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value[:min(len(s.Value), 12)]
		}
	}
	return "of this tree"
}

// addPlain adds what an agent has that has no suite: whole files, whole outputs.
func addPlain(server *mcp.Server) {
	type file struct {
		Path string `json:"path"`
	}
	type command struct {
		Command string `json:"command"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "read", Description: "Reads a file."},
		func(_ context.Context, _ *mcp.CallToolRequest, f file) (*mcp.CallToolResult, any, error) {
			data, err := os.ReadFile(filepath.Clean(f.Path))
			return text(string(data)), nil, err
		})
	mcp.AddTool(server, &mcp.Tool{Name: "bash", Description: "Runs a command."},
		func(ctx context.Context, _ *mcp.CallToolRequest, c command) (*mcp.CallToolResult, any, error) {
			out, err := exec.CommandContext(ctx, "bash", "-c", c.Command).CombinedOutput()
			res := text(string(out))
			var exit *exec.ExitError
			if res.IsError = err != nil; errors.As(err, &exit) {
				err = nil // the output says what failed
			}
			return res, nil, err
		})
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

// jsonText is a value as it stands in a file.
func jsonText(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", " ")
	return append(data, '\n'), err
}
