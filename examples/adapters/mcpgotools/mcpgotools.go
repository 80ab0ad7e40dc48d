// Package mcpgotools provides a suite's tools to a server of mark3labs/mcp-go, which makes
// the calls itself, with [Add].
package mcpgotools

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/spillway-go/spillway/tools"
)

// Add registers the suite's tools with a server, which calls them concurrently. Close the
// suite when the server has ended. A server with WithInputSchemaValidation refuses "100"
// for 100, which a suite takes. What rules ask about is refused unless Config.Ask is set; there is no
// function here that asks the client, as mcptools.Ask does.
func Add(s *server.MCPServer, suite *tools.Suite) {
	for _, t := range suite.Tools() {
		s.AddTool(Tool(t))
	}
}

// Tool returns a tool for [server.MCPServer.AddTool], for callers that want to change its
// annotations first.
//
// A failure of the tool is a result with IsError. A call that the client cancels ends with
// all that it started. If the client asks for it, a call that runs for long sends progress
// notifications: the seconds that it has run, and the last line of its output or how much
// was searched.
func Tool(t tools.Tool) (mcp.Tool, server.ToolHandlerFunc) {
	tool := mcp.NewToolWithRawSchema(t.Name(), t.Description(), t.Schema())
	effects := tools.EffectsOf(t)
	changes := effects.Writes || effects.Executes
	looks := !changes
	tool.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &looks, DestructiveHint: &changes, IdempotentHint: &looks, OpenWorldHint: &effects.Executes}
	return tool, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args, err := json.Marshal(req.GetRawArguments())
		if err != nil {
			return nil, err
		}
		res, err := t.Call(withProgress(ctx, req), args)
		if err != nil {
			return nil, err // the call was cancelled; nobody waits for what was gathered
		}
		return result(res), nil
	}
}

// withProgress makes progress notifications of a call's updates, if the client asked for
// them.
func withProgress(ctx context.Context, req mcp.CallToolRequest) context.Context {
	s := server.ServerFromContext(ctx)
	if s == nil || req.Params.Meta == nil || req.Params.Meta.ProgressToken == nil {
		return ctx
	}
	return tools.WithProgress(ctx, func(u tools.Update) {
		message := strings.TrimRight(u.Tail, "\n")
		message = message[strings.LastIndexByte(message, '\n')+1:]
		if message == "" && u.Visited > 0 {
			message = fmt.Sprintf("%d files looked at", u.Visited)
		}
		// A client that does not listen is no reason to end the call.
		_ = s.SendNotificationToClient(ctx, "notifications/progress", map[string]any{
			"progressToken": req.Params.Meta.ProgressToken, "progress": u.Elapsed.Seconds(), "message": message,
		})
	})
}

// result makes an MCP result of a tool's.
func result(res tools.Result) *mcp.CallToolResult {
	out := &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(res.Text)}, IsError: res.IsError}
	for _, img := range res.Images {
		out.Content = append(out.Content, mcp.NewImageContent(base64.StdEncoding.EncodeToString(img.Data), img.MIMEType))
	}
	return out
}
