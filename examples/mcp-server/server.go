package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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
	for _, t := range suite.Tools() {
		title, hints := present(t.Name())
		server.AddTool(&mcp.Tool{
			Name:        t.Name(),
			Title:       title,
			Description: t.Description(),
			InputSchema: t.Schema(),
			Annotations: hints,
		}, handler(t))
	}
	return server
}

// handler makes calls of a tool. The arguments stay as the client sent them: the
// suite takes "100" for 100, which a check against the schema would refuse.
func handler(t tools.Tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res, err := t.Call(withProgress(ctx, req), req.Params.Arguments)
		if err != nil {
			return nil, err // the call was cancelled; nobody waits for what was gathered
		}
		return convert(res), nil
	}
}

// withProgress makes progress notifications of a call's updates, if the client asked
// for them: the seconds that it has run, and the last line of its output.
func withProgress(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	token := req.Params.GetProgressToken()
	if token == nil {
		return ctx
	}
	return tools.WithProgress(ctx, func(u tools.Update) {
		tail := strings.TrimRight(u.Tail, "\n")
		// A client that does not listen is no reason to end the call.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token,
			Progress:      u.Elapsed.Seconds(),
			Message:       tail[strings.LastIndexByte(tail, '\n')+1:],
		})
	})
}

// convert makes an MCP result of a tool's. The details go to _meta: some clients show
// a model structuredContent in place of the text; it would see numbers only.
func convert(res tools.Result) *mcp.CallToolResult {
	out := &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: res.Text}},
		IsError: res.IsError,
	}
	for _, img := range res.Images {
		out.Content = append(out.Content, &mcp.ImageContent{Data: img.Data, MIMEType: img.MIMEType})
	}
	if res.Details != nil {
		out.Meta = mcp.Meta{"details": res.Details}
	}
	return out
}

// present gives what clients show of a tool, and what they go by when they
// decide whether to ask a person first.
func present(name string) (title string, hints *mcp.ToolAnnotations) {
	yes, no := true, false
	readOnly := map[string]string{"read": "Read file", "grep": "Search in files", "find": "Find files", "ls": "List directory"}
	if title, ok := readOnly[name]; ok {
		return title, &mcp.ToolAnnotations{Title: title, ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no}
	}
	title = name
	if name == "bash" {
		title = "Run command"
	}
	return title, &mcp.ToolAnnotations{Title: title, DestructiveHint: &yes, OpenWorldHint: &yes}
}

// version is that of the build.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
