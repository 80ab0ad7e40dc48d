// Package mcptools provides a suite's tools to a server of the official MCP SDK, which
// makes the calls itself, with [Add].
//
//	server := mcp.NewServer(&mcp.Implementation{Name: "my-agent", Version: "1.0"}, nil)
//	mcptools.Add(server, suite, nil)
//	err := server.Run(ctx, &mcp.StdioTransport{})
package mcptools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/tools"
)

// Options say what a server tells its clients. Its zero value, and nil, tell what models need.
type Options struct {
	// Details puts the details of each result into its _meta.details, and the code of a failure into _meta.code, for
	// programs: some clients show them to the model. The results of [Connect] have them always.
	Details bool
	// AnswerWithin returns within which time a call is answered: a command that takes longer becomes a job
	// ([tools.WithAnswerBy]). 0 is no limit, and nil is none for any client. [AnswerWithin] knows the timeouts of clients.
	// The time for which a person is asked counts, as it does for clients. Other tools than bash, job and script take as
	// long as they take.
	AnswerWithin func(*mcp.CallToolRequest) time.Duration

	links bool         // results link to full outputs, which the server has as resources
	suite *tools.Suite // whose jobs are watched; nil if none are
}

// Add registers the suite's tools with a server, which calls them concurrently, and the files with full outputs as
// resources, to which results link. When a job ends, the session that started it gets a log message, if its client has
// set a level; that needs the capability logging, which servers of the SDK have unless ServerOptions say otherwise. Close the suite when the server has ended.
func Add(server *mcp.Server, suite *tools.Suite, opts *Options) {
	with := Options{}
	if opts != nil {
		with = *opts
	}
	with.links, with.suite = true, suite
	ForgetReaders(server, suite)
	addOutputs(server, suite)
	_ = answerAlive(server) // no error: the protocol has no such method
	for _, t := range suite.Tools() {
		server.AddTool(Tool(t, &with))
	}
}

// Tool returns a tool for [mcp.Server.AddTool], for callers that want to change its title
// or annotations first.
//
// A failure of the tool is a result with IsError. A call whose client cancels it or disconnects
// ends, with all that it started. If the client asks for it, a long call sends progress
// notifications: how many seconds it has run, and the last line of its output or how much was
// searched.
//
// Each session of a server that has several is a reader of its own ([tools.WithConversation]), and over HTTP without sessions,
// from protocol revision 2026-07-28, each client that sends a key ([ClientHeader]). One that sends none is nobody
// ([tools.WithConversation] with advice). The traceparent of a request is that of the events of its call.
//
// The ID of a call is that of its request if the transport calls [Identify], because the SDK does not
// tell a tool that id. Otherwise it is the progress token of the client, which most make that id; with
// the id of the session, or a hash of the key, and a slash in front where a server has several clients. Without a token,
// and for a client that is nobody, it is the suite's.
func Tool(t tools.Tool, opts *Options) (*mcp.Tool, mcp.ToolHandler) {
	title, hints := present(t)
	return &mcp.Tool{
		Meta:        sizeOf(t),
		Name:        t.Name(),
		Title:       title,
		Description: t.Description(),
		InputSchema: t.Schema(),
		Annotations: hints,
	}, handler(t, cmp.Or(opts, &Options{}))
}

// The text of a result that is longer than shownChars characters is replaced by Claude Code, unless the tool says under
// sizeKey that it may have more, maxShownChars at most (https://code.claude.com/docs/en/mcp).
const (
	sizeKey       = "anthropic/maxResultSizeChars"
	shownChars    = 50_000
	maxShownChars = 500_000
)

// sizeOf says how long the results of a tool are, if its limits are so high that a client would not show them.
func sizeOf(t tools.Tool) mcp.Meta {
	if own, ok := t.(tools.LibraryTool); ok && own.MaxResult() > shownChars {
		return mcp.Meta{sizeKey: min(own.MaxResult(), maxShownChars)}
	}
	return nil
}

// ForgetReaders makes the suite forget what was shown to a session once that has ended. [Add] calls
// it; servers to which tools are added with [Tool] need it too.
func ForgetReaders(server *mcp.Server, suite *tools.Suite) {
	var known sync.Map // the ids of sessions that a goroutine waits for
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if session, ok := req.GetSession().(*mcp.ServerSession); ok && session.ID() != "" {
				if _, waits := known.LoadOrStore(session.ID(), true); !waits {
					go func() {
						_ = session.Wait() // however it ended
						suite.Forget(session.ID())
						known.Delete(session.ID())
					}()
				}
			}
			return next(ctx, method, req)
		}
	})
}

// handler returns a function that calls a tool. It passes on the arguments as the client sent
// them: the suite takes "100" for 100, which a check against the schema would refuse.
func handler(t tools.Tool, opts *Options) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		from, err := clientOf(req)
		if err != nil {
			return nil, err
		}
		ctx = tools.WithCallID(from.reading(withTrace(withProgress(ctx, req), req)), from.callID(req))
		ctx, asker := withAsker(opts.answeredInTime(ctx, req), req)
		res, err := t.Call(ctx, req.Params.Arguments)
		if err != nil {
			return nil, err // the call was cancelled, and nobody waits for its result
		}
		if asker.pending != nil {
			return asker.pending, nil
		}
		logEnd(ctx, req.Session, opts.suite, res)
		out := result(res)
		if opts.links {
			out.Content = append(out.Content, link(req, res)...)
		}
		if !opts.Details && !FromConnect(req) {
			out.Meta = nil
		}
		return out, nil
	}
}

// maxID is how many bytes a client's id for a call may have.
const maxID = 128

// requestID is the header in which Identify puts the id of a request: a tool is told no more of a message.
const requestID = "Spillway-Request-Id"

// Identify hands on the id of a request to its tool. A transport of one's own over a pipe calls it
// with each message that its Connection has read.
func Identify(message jsonrpc.Message) {
	if req, ok := message.(*jsonrpc.Request); ok && req.ID.IsValid() && req.Extra == nil {
		req.Extra = &mcp.RequestExtra{Header: http.Header{requestID: {idText(req.ID.Raw())}}}
	}
}

// idText returns an id or a token, a string or a number.
func idText(id any) string {
	if text, ok := id.(string); ok || id == nil {
		return text
	}
	number, _ := json.Marshal(id) // no error: it came as JSON
	return string(number)
}

// callID returns the client's id for a call, "" if there is none that no other client can have.
func (c client) callID(req *mcp.CallToolRequest) string {
	id := idText(req.Params.GetProgressToken())
	if req.Extra != nil && !c.http {
		id = cmp.Or(req.Extra.Header.Get(requestID), id)
	}
	if id == "" || c.isNobody() {
		return ""
	}
	if c.id != "" {
		id = c.id + "/" + id
	}
	if len(id) > maxID {
		return ""
	}
	return id
}

// withTrace gives a call the place in a trace that its request has.
func withTrace(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	parent, _ := req.Params.Meta["traceparent"].(string)
	state, _ := req.Params.Meta["tracestate"].(string)
	return tools.WithTrace(ctx, parent, state)
}

// withProgress sends a call's updates as progress notifications, if the client asked for them.
func withProgress(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	token := req.Params.GetProgressToken()
	if token == nil {
		return ctx
	}
	return tools.WithProgress(ctx, func(u tools.Update) {
		message := strings.TrimRight(u.Tail, "\n")
		message = message[strings.LastIndexByte(message, '\n')+1:]
		if message == "" && u.Visited > 0 {
			message = fmt.Sprintf("%d files looked at", u.Visited)
		}
		// A client that does not listen is no reason to end the call.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token,
			Progress:      u.Elapsed.Seconds(),
			Message:       message,
		})
	})
}

// result converts a tool's result to an MCP result. The details go to _meta, because some clients
// show structuredContent to the model in place of the text: it would see only numbers.
func result(res tools.Result) *mcp.CallToolResult {
	out := &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: res.Text}},
		IsError: res.IsError,
	}
	for _, img := range res.Images {
		out.Content = append(out.Content, &mcp.ImageContent{Data: img.Data, MIMEType: img.MIMEType})
	}
	out.Meta = mcp.Meta{}
	if res.Details != nil {
		out.Meta["details"] = res.Details
	}
	if res.Code != "" {
		out.Meta["code"] = res.Code
	}
	return out
}

// present returns a tool's title, and the hints by which clients decide whether to ask a person
// first.
func present(t tools.Tool) (title string, hints *mcp.ToolAnnotations) {
	title = t.Name()
	own, ok := t.(tools.LibraryTool)
	if ok {
		title = own.Title()
	}
	effects := tools.EffectsOf(t)
	changes := effects.Writes || effects.Executes
	return title, &mcp.ToolAnnotations{
		Title: title, ReadOnlyHint: !changes, DestructiveHint: &changes,
		IdempotentHint: ok && own.Idempotent(), OpenWorldHint: &effects.Executes,
	}
}
