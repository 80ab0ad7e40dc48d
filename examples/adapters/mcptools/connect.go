package mcptools

import (
	"cmp"
	"context"
	"crypto/rand"
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
	"github.com/spillway-go/spillway/truncation"
)

// Connect starts a session with the MCP server behind a transport, and returns its tools,
// for [tools.Suite.Add] or [tools.Truncate]. Through a pipe to a program on another machine
// they work there:
//
//	far := exec.Command("ssh", "host", "spillway", "mcp", "-workspace", "/src")
//	list, session, err := mcptools.Connect(ctx, &mcp.CommandTransport{Command: far})
//
// The tools pass on text, images, details, errors with their codes, progress and the end of
// a context. A tool's effects are what the server claims ([mcp.ToolAnnotations]): a guard must
// not rely on them if the server is not trusted. When the connection breaks, calls fail with
// [tools.CodeIOError]. A Spillway server then ends what it runs within two seconds, or the
// longer [Silence] that it allows, even if nothing closes its input: the client's pings promise
// a message every second and a half. The context is for Connect alone. If it ends first,
// Connect returns, closes the connection and ends the command of [mcp.CommandTransport]. Close
// the session when the tools are no longer used. [Differences] returns how the server's version
// differs.
//
// If a server sends more than a client of its tools can need, Connect's session closes the
// connection or refuses the answer. That holds for 256 requests whose answers the server has
// not taken, a request of over 64 KiB or with a number beyond 2^53 as its id, an answer of over
// 500,000 JSON values, and a list of over 1,000 tools or 16 MiB. The SDK's transports refuse messages of over 16 MiB. Over HTTP
// ([mcp.StreamableClientTransport]) the SDK's own limits apply to requests and answers.
func Connect(ctx context.Context, transport mcp.Transport) ([]tools.Tool, *mcp.ClientSession, error) {
	type result struct {
		list    []tools.Tool
		session *mcp.ClientSession
		err     error
	}
	bounded, connected := &boundedTransport{Transport: transport, progress: &listeners{}}, make(chan result, 1)
	go func() {
		list, session, err := connect(ctx, bounded)
		connected <- result{list, session, err}
	}()
	select {
	case r := <-connected:
		return r.list, r.session, r.err
	case <-ctx.Done():
	}
	go func() {
		bounded.hangUp()
		if r := <-connected; r.session != nil {
			r.session.Close()
		}
	}()
	return nil, nil, ctx.Err()
}

// connect does what Connect does. A pipe that takes no more data may block it.
func connect(ctx context.Context, bounded *boundedTransport) ([]tools.Tool, *mcp.ClientSession, error) {
	self := &mcp.Implementation{Name: "spillway", Version: cmp.Or(version(), "(devel)")}
	client := mcp.NewClient(self, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			bounded.progress.notify(req.Params) // over HTTP
		},
		Capabilities: &mcp.ClientCapabilities{Experimental: Handshake(0)},
	})
	if err := mcp.AddSendingCustomMethod[*mcp.PingParams, *alive](client, aliveMethod); err != nil {
		return nil, nil, err
	}
	session, err := client.Connect(ctx, bounded, nil)
	if err != nil {
		bounded.hangUp()
		return nil, nil, err
	}
	keepalive, key := startKeepalive(session, bounded.hangUp), rand.Text()
	listed, err := listTools(ctx, session)
	var list []tools.Tool
	for _, t := range listed {
		schema, bad := json.Marshal(t.InputSchema)
		err = errors.Join(err, bad)
		list = append(list, &remoteTool{t, key, schema, session, keepalive, bounded.progress})
	}
	if err != nil {
		bounded.hangUp()
		return nil, nil, errors.Join(err, session.Close())
	}
	return list, session, nil
}

// remoteTool is a tool of an MCP server.
type remoteTool struct {
	tool      *mcp.Tool
	key       string // of this client
	schema    json.RawMessage
	session   *mcp.ClientSession
	keepalive *keepalive
	progress  *listeners
}

func (f *remoteTool) Name() string            { return f.tool.Name }
func (f *remoteTool) Description() string     { return f.tool.Description }
func (f *remoteTool) Schema() json.RawMessage { return f.schema }

// HasNotices tells a suite that the server's suite has bounded the text already.
func (f *remoteTool) HasNotices() bool { return handshakeOf(f.session).Protocol > 0 }

// Effects returns the effects in the server's annotations. As the protocol demands, an
// annotation that is missing means yes.
func (f *remoteTool) Effects() config.Effects {
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

func (f *remoteTool) Call(ctx context.Context, args json.RawMessage) (tools.Result, error) {
	params := &mcp.CallToolParams{Meta: mcp.Meta{ClientKey: f.key}, Name: f.tool.Name, Arguments: args}
	if report := tools.Progress(ctx); report != nil {
		token, stop := f.progress.add(f.tool.Name, report)
		defer stop()
		params.SetProgressToken(token)
	}
	res, err := f.call(ctx, params)
	var refused *jsonrpc.Error
	switch {
	case err == nil:
		return resultOf(res), nil
	case ctx.Err() != nil:
		return failure(tools.CodeAborted, "the call was cancelled"), ctx.Err()
	case errors.Is(err, errValues):
		return failure(tools.CodeIOError, errValues.Error()+". Ask for less"), nil
	case errors.As(err, &refused):
		return failure(tools.CodeIOError, fmt.Sprintf(
			"the server of this tool refused the call: %s. Another call may work", refused.Message)), nil
	}
	return failure(tools.CodeIOError, fmt.Sprintf(
		"the connection to the server of this tool is broken (%v). %s; the call may have changed files. "+
			"Do not repeat it: no call works until the connection is restored. Say so", err, f.remains())), nil
}

// remains says what still runs on the other side of a broken connection.
func (f *remoteTool) remains() string {
	switch silence := Silence(f.session); {
	case silence == 0:
		return "What it started there may still run"
	case silence > ShortestSilence:
		return fmt.Sprintf("Commands and jobs there have been ended, or go on for %v at most", silence)
	default:
		return "Commands and jobs there have been ended"
	}
}

// call returns when ctx or the connection ends, even if the pipe takes no more data.
func (f *remoteTool) call(ctx context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
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
	case <-f.keepalive.broken:
	}
	select {
	case a := <-answered: // the answer came before the end
		return a.res, a.err
	default:
		return nil, cmp.Or(f.keepalive.err, io.EOF)
	}
}

func failure(code tools.Code, message string) tools.Result {
	return tools.Result{Text: string(code) + ": " + message, IsError: true, Code: code}
}

// resultOf turns an MCP result into a tool's result: the reverse of result.
func resultOf(res *mcp.CallToolResult) tools.Result {
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
			texts = append(texts, fmt.Sprintf("[%s, %d bytes, cannot be shown]", short(c.MIMEType), len(c.Data)))
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
		out.Code = codeOf(res.Meta)
	}
	return out
}

// resource returns the text of a resource, or a description of it.
func resource(r *mcp.ResourceContents) string {
	if r == nil {
		return ""
	}
	if r.Text != "" || len(r.Blob) == 0 {
		return r.Text
	}
	return fmt.Sprintf("[%s, %s, %d bytes, cannot be shown]", short(r.URI), short(r.MIMEType), len(r.Blob))
}

// codeOf returns the code of a failure; "" if the server does not send it, which is not Spillway then.
func codeOf(meta mcp.Meta) tools.Code {
	code, ok := meta["code"].(string)
	if details, has := meta["details"].(map[string]any); !ok && has { // of a version that has it only there
		code, _ = details["error"].(string)
	}
	if len(code) > maxCode || strings.Trim(code, "abcdefghijklmnopqrstuvwxyz_") != "" {
		return ""
	}
	return tools.Code(code)
}

// maxCode is how many bytes the code of a failure may have.
const maxCode = 32

// listeners are the calls that receive progress, by their tokens.
type listeners struct {
	last  atomic.Int64
	calls sync.Map // string to listener
}

// listener is a call that receives progress. While its report function runs, only the latest
// update waits: a server may send more than anybody can look at.
type listener struct {
	tool    string
	waiting chan tools.Update // holds one
}

// progressTail is how much [tools.Update] shows of an output, with a newline after it.
var progressTail = truncation.Policy{
	Strategy: truncation.Tail, Limits: truncation.Limits{Lines: 20, Bytes: 4<<10 - 1}, Unmarked: true,
}

// add makes a token for a call. After stop has returned, report is not called.
func (l *listeners) add(tool string, report func(tools.Update)) (token string, stop func()) {
	token = strconv.FormatInt(l.last.Add(1), 10)
	call := listener{tool, make(chan tools.Update, 1)}
	l.calls.Store(token, call)
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer func() { _ = recover() }() // a panic in report must not end the program
		for {
			select {
			case update := <-call.waiting:
				report(update)
			case <-over:
				return
			}
		}
	}()
	return token, func() {
		l.calls.Delete(token)
		close(over)
		<-ended
	}
}

// elapsed returns so many seconds, of which a server may say anything, as a duration between 0 and a year.
func elapsed(seconds float64) time.Duration {
	const most = 365 * 24 * time.Hour
	return time.Duration(min(max(seconds, 0), most.Seconds()) * float64(time.Second))
}

// notify passes a notification to its call, without waiting.
func (l *listeners) notify(p *mcp.ProgressNotificationParams) {
	token, _ := p.ProgressToken.(string)
	found, ok := l.calls.Load(token)
	if !ok {
		return
	}
	call := found.(listener)
	update := tools.Update{Tool: call.tool, Elapsed: elapsed(p.Progress)}
	if p.Message != "" {
		update.Tail = progressTail.Cut(p.Message) + "\n"
	}
	select {
	case <-call.waiting:
	default:
	}
	call.waiting <- update // never blocks: nobody else sends
}
