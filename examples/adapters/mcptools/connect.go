package mcptools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// Connect starts a session with the MCP server behind a transport, and returns its tools,
// for [tools.Suite.Add] or [tools.Bounded]. Through a pipe to a program on another machine
// they work there:
//
//	far := exec.Command("ssh", "host", "spillway", "mcp", "-workspace", "/src")
//	list, session, err := mcptools.Connect(ctx, &mcp.CommandTransport{Command: far})
//
// Text, images, details, errors with their codes, progress and the end of a context are
// passed on. A tool's effects are what the server says of it ([mcp.ToolAnnotations]): do
// not let a guard go by them where the server is not trusted. When the connection breaks,
// calls fail with [tools.CodeIOError], and a server of Spillway's ends what it runs within
// two seconds, or the longer [Silence] that it allows, even if nothing closes its input:
// pings promise it a message in every second and a half. The context is for Connect
// alone. Close the session when the tools are no longer used; [Differences] tells how the
// server's version differs.
func Connect(ctx context.Context, transport mcp.Transport) ([]tools.Tool, *mcp.ClientSession, error) {
	progress := &listeners{}
	client := mcp.NewClient(&mcp.Implementation{Name: "spillway", Version: cmp.Or(version(), "(devel)")}, &mcp.ClientOptions{
		ProgressNotificationHandler: progress.hear,
		Capabilities:                &mcp.ClientCapabilities{Experimental: Hello(0)},
	})
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return nil, nil, err
	}
	pulse := startPulse(session)
	var list []tools.Tool
	for t, err := range session.Tools(ctx, nil) {
		if err != nil {
			return nil, nil, errors.Join(err, session.Close())
		}
		schema, err := json.Marshal(t.InputSchema)
		if err != nil {
			return nil, nil, errors.Join(err, session.Close())
		}
		list = append(list, &farTool{t, schema, session, pulse, progress})
	}
	return list, session, nil
}

// farTool is a tool of an MCP server.
type farTool struct {
	tool     *mcp.Tool
	schema   json.RawMessage
	session  *mcp.ClientSession
	pulse    *pulse
	progress *listeners
}

func (f *farTool) Name() string            { return f.tool.Name }
func (f *farTool) Description() string     { return f.tool.Description }
func (f *farTool) Schema() json.RawMessage { return f.schema }

// HasNotices tells a suite that the text was bounded by one on the other side.
func (f *farTool) HasNotices() bool { return greetingOf(f.session).Protocol > 0 }

// Effects are those of the server's annotations. What it does not say is taken for yes, as
// the protocol has it.
func (f *farTool) Effects() config.Effects {
	hints := f.tool.Annotations
	if hints == nil {
		return config.Effects{Reads: true, Writes: true, Executes: true}
	}
	is := func(hint *bool) bool { return hint == nil || *hint }
	return config.Effects{
		Reads: true, Writes: !hints.ReadOnlyHint,
		Executes: !hints.ReadOnlyHint && is(hints.OpenWorldHint),
	}
}

func (f *farTool) Call(ctx context.Context, args json.RawMessage) (tools.Result, error) {
	params := &mcp.CallToolParams{Name: f.tool.Name, Arguments: args}
	if report := tools.Progress(ctx); report != nil {
		token, stop := f.progress.add(f.tool.Name, report)
		defer stop()
		params.SetProgressToken(token)
	}
	res, err := f.call(ctx, params)
	var refused *jsonrpc.Error
	switch {
	case err == nil:
		return near(res), nil
	case ctx.Err() != nil:
		return failure(tools.CodeAborted, "the call was cancelled"), ctx.Err()
	case errors.As(err, &refused):
		return failure(tools.CodeIOError, fmt.Sprintf("the server of this tool refused the call: %s. Another call may work", refused.Message)), nil
	}
	return failure(tools.CodeIOError, fmt.Sprintf("the connection to the server of this tool is broken (%v). %s; the call may have changed files. "+
		"Do not repeat it: no call works until the connection is restored. Say so", err, f.remains())), nil
}

// remains says what still runs on the other side of a connection that is broken.
func (f *farTool) remains() string {
	switch silence := Silence(f.session); {
	case silence == 0:
		return "What it started there may still run"
	case silence > ShortestSilence:
		return fmt.Sprintf("Commands and jobs there have been ended, or go on for %v at most", silence)
	default:
		return "Commands and jobs there have been ended"
	}
}

// call returns at the end of ctx and of the connection, even if the pipe takes nothing.
func (f *farTool) call(ctx context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	type answer struct {
		res *mcp.CallToolResult
		err error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answered := make(chan answer, 1)
	go func() {
		res, err := f.session.CallTool(ctx, params)
		answered <- answer{res, err}
	}()
	select {
	case a := <-answered:
		return a.res, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-f.pulse.broken:
	}
	select {
	case a := <-answered: // it came before the end
		return a.res, a.err
	default:
		return nil, cmp.Or(f.pulse.why, io.EOF)
	}
}

func failure(code tools.Code, message string) tools.Result {
	return tools.Result{Text: string(code) + ": " + message, IsError: true, Code: code}
}

// near makes a tool's result of an MCP result: the reverse of result.
func near(res *mcp.CallToolResult) tools.Result {
	out := tools.Result{IsError: res.IsError}
	var texts []string
	for _, content := range res.Content {
		switch c := content.(type) {
		case *mcp.TextContent:
			texts = append(texts, c.Text)
		case *mcp.ImageContent:
			out.Images = append(out.Images, tools.Image{MIMEType: c.MIMEType, Data: c.Data})
		case *mcp.EmbeddedResource:
			texts = append(texts, resource(c.Resource))
		case *mcp.ResourceLink:
			texts = append(texts, c.URI)
		case *mcp.AudioContent:
			texts = append(texts, fmt.Sprintf("[%s, %d bytes, cannot be shown]", c.MIMEType, len(c.Data)))
		}
	}
	if len(res.Content) == 0 && res.StructuredContent != nil {
		if encoded, err := json.Marshal(res.StructuredContent); err == nil {
			texts = append(texts, string(encoded))
		}
	}
	out.Text = strings.Join(texts, "\n")
	out.Details = res.Meta["details"]
	if res.IsError {
		out.Code = codeOf(out)
	}
	return out
}

// resource is the text of a resource, or what it is.
func resource(r *mcp.ResourceContents) string {
	if r == nil {
		return ""
	}
	if r.Text != "" || len(r.Blob) == 0 {
		return r.Text
	}
	return fmt.Sprintf("[%s, %s, %d bytes, cannot be shown]", r.URI, r.MIMEType, len(r.Blob))
}

// codeOf finds the code of a failure, in its details or before its text; "" if the server
// is none of Spillway's.
func codeOf(res tools.Result) tools.Code {
	if details, ok := res.Details.(map[string]any); ok {
		if code, ok := details["error"].(string); ok {
			return tools.Code(code)
		}
	}
	code, _, ok := strings.Cut(res.Text, ": ")
	if !ok || strings.Trim(code, "abcdefghijklmnopqrstuvwxyz_") != "" {
		return ""
	}
	return tools.Code(code)
}

// listeners are the calls that are told of progress, by their tokens.
type listeners struct {
	last  atomic.Int64
	calls sync.Map // string to *listener
}

type listener struct {
	mu     sync.Mutex // held while report runs
	tool   string
	report func(tools.Update)
}

// add makes a token for a call. After stop has returned, report is not called.
func (l *listeners) add(tool string, report func(tools.Update)) (token string, stop func()) {
	token = strconv.FormatInt(l.last.Add(1), 10)
	call := &listener{tool: tool, report: report}
	l.calls.Store(token, call)
	return token, func() {
		l.calls.Delete(token)
		call.mu.Lock()
		defer call.mu.Unlock()
		call.report = nil
	}
}

// hear passes a notification to its call.
func (l *listeners) hear(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
	found, ok := l.calls.Load(req.Params.ProgressToken)
	if !ok {
		return
	}
	call := found.(*listener)
	call.mu.Lock()
	defer call.mu.Unlock()
	if call.report == nil {
		return
	}
	update := tools.Update{Tool: call.tool, Elapsed: time.Duration(req.Params.Progress * float64(time.Second))}
	if req.Params.Message != "" {
		update.Tail = req.Params.Message + "\n"
	}
	defer func() { _ = recover() }() // whoever watches a call must not end the program
	call.report(update)
}
