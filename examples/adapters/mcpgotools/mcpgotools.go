// Package mcpgotools provides a suite's tools to a server of mark3labs/mcp-go, which makes
// the calls itself, with [Add].
package mcpgotools

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/spillway-go/spillway/tools"
)

// Add registers the suite's tools with a server, which calls them concurrently, before the
// server serves. Close the suite when the server has ended. A server with
// WithInputSchemaValidation refuses "100" for 100, which a suite takes. What rules ask about
// is refused unless Config.Ask is set; there is no function here that asks the client, as
// mcptools.Ask does.
//
// The ID of a call is that of its request, with that of the session and a slash in front
// where there are several sessions.
func Add(s *server.MCPServer, suite *tools.Suite) {
	names := map[string]bool{}
	for _, t := range suite.Tools() {
		s.AddTool(Tool(t))
		names[t.Name()] = true
	}
	hooks := s.GetHooks()
	if hooks == nil {
		hooks = &server.Hooks{}
		server.WithHooks(hooks)(s)
	}
	hooks.AddBeforeCallTool(func(_ context.Context, id any, req *mcp.CallToolRequest) {
		if names[req.Params.Name] {
			setRequestID(req, id)
		}
	})
}

// Tool returns a tool for [server.MCPServer.AddTool], for callers that want to change its
// annotations first. The ID of a call is then the progress token of the client, if there is
// one: the SDK tells a tool no other.
//
// A failure of the tool is a result with IsError. A call that the client cancels ends with
// all that it started. If the client asks for it, a call that runs for long sends progress
// notifications: the seconds that it has run, and the last line of its output or how much
// was searched.
func Tool(t tools.Tool) (mcp.Tool, server.ToolHandlerFunc) {
	tool := mcp.NewToolWithRawSchema(t.Name(), t.Description(), t.Schema())
	effects := tools.EffectsOf(t)
	changes := effects.Writes || effects.Executes
	looks, repeatable := !changes, false
	tool.Title = t.Name()
	if own, ok := t.(tools.LibraryTool); ok {
		tool.Title, repeatable = own.Title(), own.Idempotent()
	}
	tool.Annotations = mcp.ToolAnnotation{
		Title: tool.Title, ReadOnlyHint: &looks, DestructiveHint: &changes, IdempotentHint: &repeatable, OpenWorldHint: &effects.Executes,
	}
	return tool, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args, err := json.Marshal(req.GetRawArguments())
		if err != nil {
			return nil, err
		}
		res, err := t.Call(identified(withProgress(ctx, req), req), args)
		if err != nil {
			return nil, err // the call was cancelled; nobody waits for what was gathered
		}
		return result(res), nil
	}
}

// requestID is where a hook puts the id of a request, for its tool.
const requestID = "spillway/request-id"

func setRequestID(req *mcp.CallToolRequest, id any) {
	if req.Params.Meta == nil {
		req.Params.Meta = &mcp.Meta{}
	}
	if req.Params.Meta.AdditionalFields == nil {
		req.Params.Meta.AdditionalFields = map[string]any{}
	}
	req.Params.Meta.AdditionalFields[requestID] = id
}

// maxID is how many bytes the id of a client's may have.
const maxID = 128

// identified gives a call the id of its request.
func identified(ctx context.Context, req mcp.CallToolRequest) context.Context {
	if req.Params.Meta == nil {
		return ctx
	}
	given := cmp.Or(req.Params.Meta.AdditionalFields[requestID], any(req.Params.Meta.ProgressToken))
	id, ok := given.(string)
	if !ok && given != nil {
		number, _ := json.Marshal(given) // no error: it came as JSON
		id = string(number)
	}
	if id == "" || len(id) > maxID {
		return ctx
	}
	if s := server.ClientSessionFromContext(ctx); s != nil && s.SessionID() != "stdio" {
		id = s.SessionID() + "/" + id
	}
	return tools.WithCallID(ctx, id)
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
