package mcptools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fake is a tool of somebody else's.
type fake struct {
	name string
	call func(ctx context.Context, args json.RawMessage) (tools.Result, error)
}

func (f fake) Name() string            { return f.name }
func (f fake) Description() string     { return "does what it does" }
func (f fake) Schema() json.RawMessage { return json.RawMessage(`{"type":"object"}`) }
func (f fake) Call(ctx context.Context, args json.RawMessage) (tools.Result, error) {
	return f.call(ctx, args)
}

// connect gives a client of a server with the tools of a suite, in this process.
func connect(t *testing.T, suite *tools.Suite, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	return connectBy(t, "", suite, opts)
}

// connectBy gives a client that speaks a revision of the protocol; "" is the newest.
func connectBy(t *testing.T, revision string, suite *tools.Suite, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	mcptools.Add(server, suite, &mcptools.Options{Details: true})
	here, there := mcp.NewInMemoryTransports()
	ended := make(chan error, 1)
	go func() { ended <- server.Run(context.Background(), there) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts)
	session, err := client.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	require.NoError(t, err)
	t.Cleanup(func() {
		session.Close()
		if err := <-ended; !errors.Is(err, io.ErrClosedPipe) { // which the transport says if both close at once
			assert.NoError(t, err, "the server ended with")
		}
	})
	return session
}

// suiteOf is a suite with more tools, over a directory with a text file, a log and a
// picture.
func suiteOf(t *testing.T, added ...tools.Tool) *tools.Suite {
	t.Helper()
	suite := adaptertest.Suite(t)
	require.NoError(t, os.WriteFile(filepath.Join(suite.Workspace(), "notes.txt"), []byte("one\ntwo\nthree TODO\nfour\n"), 0o600))
	require.NoError(t, suite.Add(added...))
	return suite
}

// invoke makes a call with arguments as they stand.
func invoke(t *testing.T, session *mcp.ClientSession, tool, args string) *mcp.CallToolResult {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	require.NoError(t, err, "%s %s: %v", tool, args, err)
	assert.Nil(t, res.StructuredContent, "%s %s: structuredContent is %v; it is to be absent", tool, args, res.StructuredContent)
	return res
}

// textOf is the text of a result, which comes first.
func textOf(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	require.NotEmpty(t, res.Content, "the result has no content")
	text, ok := res.Content[0].(*mcp.TextContent)
	require.True(t, ok, "the first content is %T, not text", res.Content[0])
	return text.Text
}

func detailsOf(t *testing.T, res *mcp.CallToolResult) map[string]any {
	t.Helper()
	details, ok := res.Meta["details"].(map[string]any)
	require.True(t, ok, "_meta has no details: %v", res.Meta)
	return details
}

func TestList(t *testing.T) {
	suite := suiteOf(t, fake{name: "deploy"}, adaptertest.Rich())
	list, err := connect(t, suite, nil).ListTools(t.Context(), nil)
	require.NoError(t, err)
	var names []string
	for _, got := range list.Tools {
		names = append(names, got.Name)
		i := slices.IndexFunc(suite.Tools(), func(t tools.Tool) bool { return t.Name() == got.Name })
		if i < 0 {
			continue
		}
		want := suite.Tools()[i]
		assert.Equal(t, want.Description(), got.Description, got.Name)
		adaptertest.SameSchema(t, want, got.InputSchema)
	}
	slices.Sort(names)
	require.Equal(t, "bash deploy edit find grep job ls read rich write", strings.Join(names, " "))
}

// The manual says of every tool what clients are told.
func TestManualOfAnnotations(t *testing.T) {
	need.Part(t, "tools/patch")
	page := testkit.ReadFile(t, "../../../docs/mcp.md")
	suite := testkit.Must(t, newSuite, config.Config{Workspace: t.TempDir(), Tools: config.ToolNames()})
	t.Cleanup(func() { suite.Close() })
	alike := map[string][]string{} // names by hints
	for _, each := range suite.Tools() {
		tool, _ := mcptools.Tool(each, nil)
		a := tool.Annotations
		hints := fmt.Sprintf("%t | %t | %t | %t", a.ReadOnlyHint, *a.DestructiveHint, a.IdempotentHint, *a.OpenWorldHint)
		alike[hints] = append(alike[hints], tool.Name)
		assert.False(t, tool.Name == "apply_patch" && tool.Title != "Apply patch", "title %q", tool.Title) // the others: TestAnnotations
	}
	for hints, names := range alike {
		slices.Sort(names)
		assert.Contains(t, page, fmt.Sprintf("| %s | %s |\n", strings.Join(names, ", "), hints), "docs/mcp.md lacks")
	}
}

// Clients ask a person before a call, or do not, by what is said of a tool.
func TestAnnotations(t *testing.T) {
	looks := mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true}
	acts := mcp.ToolAnnotations{}
	tests := []struct {
		tool, title string
		hints       mcp.ToolAnnotations
		destructive bool
		openWorld   bool
	}{
		{tool: "read", title: "Read file", hints: looks},
		{tool: "grep", title: "Search in files", hints: looks},
		{tool: "find", title: "Find files", hints: looks},
		{tool: "ls", title: "List directory", hints: looks},
		{tool: "write", title: "Write file", hints: mcp.ToolAnnotations{IdempotentHint: true}, destructive: true},
		{tool: "edit", title: "Edit file", hints: acts, destructive: true},
		{tool: "job", title: "Control job", hints: acts, destructive: true, openWorld: true},
		{tool: "bash", title: "Run command", hints: acts, destructive: true, openWorld: true},
		{tool: "deploy", title: "deploy", hints: acts, destructive: true, openWorld: true},
	}
	suite := suiteOf(t, fake{name: "deploy"})
	list, err := connect(t, suite, nil).ListTools(t.Context(), nil)
	require.NoError(t, err)
	for _, test := range tests {
		i := slices.IndexFunc(list.Tools, func(tool *mcp.Tool) bool { return tool.Name == test.tool })
		if i < 0 {
			t.Errorf("there is no %s", test.tool)
			continue
		}
		tool, want := list.Tools[i], test.hints
		want.Title, want.DestructiveHint, want.OpenWorldHint = test.title, &test.destructive, &test.openWorld
		if got := adaptertest.Encoded(tool.Annotations); tool.Title != test.title || got != adaptertest.Encoded(want) {
			t.Errorf("%s: title %q, annotations %s; want %q, %s", test.tool, tool.Title, got, test.title, adaptertest.Encoded(want))
		}
	}
}

func TestCalls(t *testing.T) {
	tests := []struct{ name, tool, args, text, detail string }{
		{"read", "read", `{"path": "notes.txt"}`, "one\ntwo\n", "totalLines"},
		{"read with texts for numbers", "read", `{"path": "notes.txt", "offset": "2", "limit": "1"}`, "two\n\n[2 more lines in file. Use offset=3 to continue]", "nextOffset"},
		{"read with an unknown key", "read", `{"path": "notes.txt", "purpose": "to know", "limit": null}`, "one\ntwo\n", "totalLines"},
		{"read with arguments encoded twice", "read", `"{\"path\": \"notes.txt\"}"`, "one\ntwo\n", "totalLines"},
		{"bash", "bash", `{"command": "echo out; echo err >&2; exit 3"}`, "out\nerr\n\n" + exit.WithCode(3), "exitCode"},
		{"grep", "grep", `{"pattern": "todo", "ignore_case": "true"}`, "notes.txt:3: three TODO", "matches"},
		{"find", "find", `{"pattern": "*.png"}`, "logo.png", ""},
		{"ls", "ls", `{}`, "logo.png\nnotes.txt\nserver.log", "totalEntries"},
		{"ls without arguments", "ls", `null`, "logo.png\nnotes.txt\nserver.log", "totalEntries"},
		{"a tool that was added", "echo", `{"say":"hello"}`, `{"say":"hello"}`, ""},
	}
	suite := suiteOf(t, fake{"echo", func(_ context.Context, args json.RawMessage) (tools.Result, error) {
		return tools.Result{Text: string(args)}, nil
	}})
	session := connect(t, suite, nil)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.tool == "bash" {
				needBash(t)
			}
			res := invoke(t, session, test.tool, test.args)
			if text := textOf(t, res); res.IsError || !strings.Contains(text, test.text) {
				t.Errorf("isError %v, text %q; want %q in it", res.IsError, text, test.text)
			}
			require.False(t, test.detail != "" && detailsOf(t, res)[test.detail] == nil, "details %v have no %s", detailsOf(t, res), test.detail)
		})
	}
}

func needBash(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs bash")
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		tool, args string
		code       tools.Code
	}{
		{"read", `{"path": "missing.txt"}`, tools.CodeNotFound},
		{"read", `{"path": "../outside.txt"}`, tools.CodePathEscape},
		{"read", `{"offset": 1}`, tools.CodeInvalidInput},
		{"read", `{"path": "notes.txt", "limit": "many"}`, tools.CodeInvalidInput},
		{"grep", `{"pattern": "("}`, tools.CodeInvalidInput},
		{"ls", `{"path": "notes.txt"}`, tools.CodeNotADirectory},
	}
	suite := suiteOf(t)
	session := connect(t, suite, nil)
	for _, test := range tests {
		t.Run(test.tool+test.args, func(t *testing.T) {
			res := invoke(t, session, test.tool, test.args)
			require.True(t, res.IsError, "isError %v, details %v; want %s", res.IsError, res.Meta["details"], test.code)
			require.Equal(t, string(test.code), detailsOf(t, res)["error"], "isError %v, details %v; want %s", res.IsError, res.Meta["details"], test.code)
			if text := textOf(t, res); !strings.HasPrefix(text, string(test.code)+": ") {
				t.Errorf("text %q does not begin with %s", text, test.code)
			}
		})
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "remove"}); err == nil || !strings.Contains(err.Error(), "remove") {
		t.Errorf("a tool that is not there: %v", err)
	}
}

func TestImage(t *testing.T) {
	t.Parallel()
	suite := suiteOf(t)
	res := invoke(t, connect(t, suite, nil), "read", `{"path": "logo.png"}`)
	if text := textOf(t, res); res.IsError || !strings.Contains(text, "4x3") {
		t.Errorf("isError %v, text %q", res.IsError, text)
	}
	require.Len(t, res.Content, 2)
	img, ok := res.Content[1].(*mcp.ImageContent)
	if !ok || img.MIMEType != "image/png" || !bytes.Equal(img.Data, adaptertest.PNG()) {
		t.Errorf("the second content is %+v, not the picture", res.Content[1])
	}
}

// A client that cancels a call ends it, and no other.
func TestCancel(t *testing.T) {
	running, ended := make(chan bool), make(chan error, 1)
	suite := suiteOf(t, fake{"wait", func(ctx context.Context, _ json.RawMessage) (tools.Result, error) {
		close(running)
		<-ctx.Done()
		ended <- ctx.Err()
		return tools.Result{}, ctx.Err()
	}})
	session := connect(t, suite, nil)
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "wait"})
		failed <- err
	}()
	<-running
	cancel()
	require.ErrorIs(t, <-failed, context.Canceled, "the client's call")
	require.ErrorIs(t, <-ended, context.Canceled, "the tool's context")
	if res := invoke(t, session, "ls", `{}`); res.IsError {
		t.Errorf("the next call: %s", textOf(t, res))
	}
}

// The command goes on only when the client has heard of it.
func TestProgress(t *testing.T) {
	t.Parallel()
	needBash(t)
	suite := suiteOf(t)
	goOn := filepath.Join(suite.Workspace(), "go-on")
	heard := make(chan *mcp.ProgressNotificationParams, 1000)
	session := connect(t, suite, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			heard <- req.Params
			assert.NoError(t, os.WriteFile(goOn, nil, 0o600))
		}})
	params := &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{
		"command": "echo one; echo half way; until [ -e go-on ]; do sleep 0.05; done"}}
	params.SetProgressToken("token")
	res, err := session.CallTool(t.Context(), params)
	if err != nil || res.IsError {
		t.Fatal(res, err)
	}
	if first := <-heard; first.ProgressToken != "token" || first.Message != "half way" || first.Progress <= 0 {
		t.Errorf("heard %+v", first)
	}
}

// A client hears of a job that it waits for. When it cancels that, the job goes on, and the
// next call shows what the cancelled one would have shown.
func TestWaitForJob(t *testing.T) {
	t.Parallel()
	needBash(t)
	ended := make(chan config.Event, 100)
	suite := testkit.Must(t, newSuite, config.Config{Workspace: t.TempDir(), Observe: func(_ context.Context, e config.Event) { ended <- e }})
	defer suite.Close()
	ctx, cancel := context.WithCancel(t.Context())
	heard := make(chan *mcp.ProgressNotificationParams, 1000)
	session := connect(t, suite, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			heard <- req.Params
			if req.Params.Message == "half way" {
				cancel()
			}
		}})
	invoke(t, session, "bash", `{"command": "echo up; read go; echo half way; read -t 60 on; echo done $on", "background": true, "ready_when": "up"}`)
	params := &mcp.CallToolParams{Name: "job", Arguments: json.RawMessage(`{"id": 1, "input": "\n", "wait_ms": 60000}`)}
	params.SetProgressToken("token")
	if res, err := session.CallTool(ctx, params); !errors.Is(err, context.Canceled) {
		t.Fatal(res, err)
	}
	if first := <-heard; first.ProgressToken != "token" || first.Progress <= 0 {
		t.Errorf("heard %+v", first)
	}
	for e := range ended { // the events of the job itself have its number
		if e.Tool == "job" && e.Job == 0 {
			assert.Equal(t, tools.CodeAborted, e.Code, "the cancelled call ended so: %+v", e)
			break
		}
	}
	res := invoke(t, session, "job", `{"id": 1, "input": "well\n", "wait_ms": 60000}`)
	if text := textOf(t, res); !strings.HasPrefix(text, "half way\ndone well\n\n[Job 1 exited with code 0. ") {
		t.Errorf("the next call shows %q", text)
	}
}

// Two calls at once have the tokens of the client as their ids.
func TestIDs(t *testing.T) {
	adaptertest.Identified(t, true, func(ctx context.Context, suite *tools.Suite, both [2]adaptertest.Call) {
		report := tools.Progress(ctx)
		session := connect(t, suite, &mcp.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
				report(tools.Update{ID: fmt.Sprint(req.Params.ProgressToken), Tail: req.Params.Message})
			}})
		adaptertest.Both(both, func(call adaptertest.Call) {
			params := &mcp.CallToolParams{Name: "bash", Arguments: json.RawMessage(call.Args)}
			params.SetProgressToken(call.ID)
			if res, err := session.CallTool(t.Context(), params); err != nil || res.IsError {
				t.Error(res, err)
			}
		})
	})
}

// A call without a token that can be its id has one of the suite's.
func TestIDKinds(t *testing.T) {
	for _, token := range []any{nil, strings.Repeat("x", 129), 12, ""} {
		var ids []string
		suite := testkit.Must(t, newSuite, config.Config{Workspace: t.TempDir(), Observe: func(_ context.Context, e config.Event) { ids = append(ids, e.ID) }})
		defer suite.Close()
		params := &mcp.CallToolParams{Name: "ls"}
		if token != nil {
			params.SetProgressToken(token)
		}
		if _, err := connect(t, suite, nil).CallTool(t.Context(), params); err != nil {
			t.Fatal(err)
		}
		want := "call-1"
		if token == 12 {
			want = "12"
		}
		if len(ids) != 1 || ids[0] != want {
			t.Errorf("token %v: the id of the call is %v, not %s", token, ids, want)
		}
	}
}

// identifying is a transport of a program's own.
type identifying struct{ mcp.Transport }

func (t identifying) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return identifyingConn{c}, err
}

type identifyingConn struct{ mcp.Connection }

func (c identifyingConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	mcptools.Identify(message)
	return message, err
}

// The id of a request comes before a token.
func TestIdentify(t *testing.T) {
	ids := make(chan string, 1)
	suite := testkit.Must(t, newSuite, config.Config{Workspace: t.TempDir(), Observe: func(_ context.Context, e config.Event) { ids <- e.ID }})
	defer suite.Close()
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	mcptools.Add(server, suite, nil)
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), identifying{there}, nil); err != nil {
		t.Fatal(err)
	}
	client, err := here.Connect(t.Context())
	require.NoError(t, err)
	defer client.Close()
	for _, message := range []string{
		`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}`,
		`{"jsonrpc": "2.0", "method": "notifications/initialized"}`,
		`{"jsonrpc": "2.0", "id": "the request's", "method": "tools/call", "params": {"name": "ls", "_meta": {"progressToken": "token"}}}`,
	} {
		decoded, err := jsonrpc.DecodeMessage([]byte(message))
		require.NoError(t, err)
		require.NoError(t, client.Write(t.Context(), decoded))
		if strings.Contains(message, `"initialize"`) {
			if _, err := client.Read(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	require.Equal(t, "the request's", <-ids)
}

// newSuite returns a suite with all parts.
func newSuite(cfg config.Config) (*tools.Suite, error) { return tools.New(cfg, all.Parts()...) }
