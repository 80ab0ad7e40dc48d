package mcpgotools_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/examples/adapters/mcpgotools"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// connect gives a client of a server with the tools of a suite, over two pipes.
func connect(t *testing.T, suite *tools.Suite) *client.Client {
	t.Helper()
	s := server.NewMCPServer("test", "1")
	mcpgotools.Add(s, suite)
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	stdio := server.NewStdioServer(s)
	stdio.SetErrorLogger(log.New(io.Discard, "", 0))
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan bool)
	go func() { _ = stdio.Listen(ctx, fromClient, toClient); close(ended) }()
	c := client.NewClient(transport.NewIO(fromServer, toServer, io.NopCloser(strings.NewReader(""))))
	t.Cleanup(func() {
		c.Close()
		stop()
		fromClient.Close()
		<-ended
	})
	testkit.NoError(t, c.Start(t.Context()))
	if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil {
		t.Fatal(err)
	}
	return c
}

func call(ctx context.Context, c *client.Client, tool, args string, meta *mcp.Meta) (*mcp.CallToolResult, error) {
	return c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args), Meta: meta}})
}

func TestSteps(t *testing.T) {
	c := connect(t, adaptertest.Suite(t))
	for _, step := range adaptertest.Steps() {
		res, err := call(t.Context(), c, step.Tool, step.Args, nil)
		testkit.NoError(t, err)
		got := adaptertest.Answer{Text: res.Content[0].(mcp.TextContent).Text, IsError: res.IsError}
		for _, content := range res.Content[1:] {
			image := content.(mcp.ImageContent)
			data, err := base64.StdEncoding.DecodeString(image.Data)
			testkit.NoError(t, err)
			got.Images = append(got.Images, tools.Image{MIMEType: image.MIMEType, Data: data})
		}
		step.Check(t, got, true)
	}
}

// repeatable are the tools of which a second call changes nothing more.
var repeatable = map[string]bool{"read": true, "grep": true, "find": true, "ls": true, "write": true}

// What clients are told of the tools, and by which they ask a person first.
func TestList(t *testing.T) {
	suite := adaptertest.Suite(t)
	testkit.NoError(t, suite.Add(adaptertest.Rich(), looking{adaptertest.Rich()}))
	list, err := connect(t, suite).ListTools(t.Context(), mcp.ListToolsRequest{})
	testkit.NoError(t, err)
	if len(list.Tools) != len(suite.Tools()) {
		t.Errorf("%d tools, not %d", len(list.Tools), len(suite.Tools()))
	}
	for _, tool := range suite.Tools() {
		i := slices.IndexFunc(list.Tools, func(sent mcp.Tool) bool { return sent.Name == tool.Name() })
		if i < 0 || list.Tools[i].Description != tool.Description() {
			t.Fatalf("%s is not told as it is", tool.Name())
		}
		var sent struct{ InputSchema map[string]any }
		adaptertest.Decode([]byte(adaptertest.Encoded(list.Tools[i])), &sent)
		adaptertest.SameSchema(t, tool, sent.InputSchema)
		effects := tools.EffectsOf(tool)
		changes := effects.Writes || effects.Executes
		hints := list.Tools[i].Annotations
		if *hints.ReadOnlyHint == changes || *hints.DestructiveHint != changes || *hints.IdempotentHint != repeatable[tool.Name()] || *hints.OpenWorldHint != effects.Executes {
			t.Errorf("%s: %s", tool.Name(), adaptertest.Encoded(hints))
		}
		if want := map[string]string{"job": "Control job", "read": "Read file", "rich": "rich"}[tool.Name()]; want != "" && (hints.Title != want || list.Tools[i].Title != want) {
			t.Errorf("%s: titles %q and %q", tool.Name(), hints.Title, list.Tools[i].Title)
		}
	}
}

// A client that cancels a call ends the command.
func TestCancel(t *testing.T) {
	suite := adaptertest.Suite(t)
	c := connect(t, suite)
	adaptertest.Cancel(t, suite, func(ctx context.Context) error {
		_, err := call(ctx, c, "bash", adaptertest.Sleeper, nil)
		return err
	})
}

// The command goes on only when the client has heard of it.
func TestProgress(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs bash")
	}
	suite := adaptertest.Suite(t)
	c := connect(t, suite)
	heard := make(chan mcp.JSONRPCNotification, 1000)
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		if n.Method == "notifications/progress" {
			heard <- n
			if err := os.WriteFile(filepath.Join(suite.Workspace(), "go-on"), nil, 0o600); err != nil {
				t.Error(err)
			}
		}
	})
	res, err := call(t.Context(), c, "bash", `{"command": "echo one; echo half way; until [ -e go-on ]; do sleep 0.05; done"}`, &mcp.Meta{ProgressToken: "token"})
	if err != nil || res.IsError {
		t.Fatal(res, err)
	}
	fields := (<-heard).Params.AdditionalFields
	if seconds, _ := fields["progress"].(float64); fields["progressToken"] != "token" || fields["message"] != "half way" || seconds <= 0 {
		t.Errorf("heard %v", fields)
	}
}

// Two requests at once: the calls have their ids, also beside a hook of the program's.
func TestIDs(t *testing.T) {
	hooks := &server.Hooks{}
	hooks.AddBeforeCallTool(func(context.Context, any, *mcp.CallToolRequest) {})
	for _, options := range [][]server.ServerOption{nil, {server.WithHooks(hooks)}} {
		adaptertest.Identified(t, true, func(ctx context.Context, suite *tools.Suite, both [2]adaptertest.Call) {
			s := server.NewMCPServer("test", "1", options...)
			mcpgotools.Add(s, suite)
			adaptertest.Both(both, func(call adaptertest.Call) {
				answer := s.HandleMessage(ctx, json.RawMessage(`{"jsonrpc": "2.0", "id": `+adaptertest.Encoded(call.ID)+
					`, "method": "tools/call", "params": {"name": "bash", "arguments": `+call.Args+`}}`))
				if _, ok := answer.(mcp.JSONRPCResponse); !ok {
					t.Errorf("%+v", answer)
				}
			})
		})
	}
}

// An id that is a number; one that is too long; one of several sessions; and a token, where no hook tells the id.
func TestIDKinds(t *testing.T) {
	for _, test := range []struct {
		id, meta, session string
		hook              bool
		want              string
	}{
		{`1234567`, `{}`, "", true, "1234567"},
		{`"a"`, `{"progressToken": "token"}`, "", true, "a"},
		{`"a"`, `{"progressToken": "token"}`, "", false, "token"},
		{`"a"`, `{}`, "", false, "call-1"},
		{`"a"`, `{}`, "stdio", true, "a"},
		{`"a"`, `{}`, "s1", true, "s1/a"},
		{`"` + strings.Repeat("x", 129) + `"`, `{}`, "", true, "call-1"},
	} {
		var ids []string
		suite, err := tools.New(config.Config{Workspace: t.TempDir(), Observe: func(_ context.Context, e config.Event) { ids = append(ids, e.ID) }}, all.Parts()...)
		testkit.NoError(t, err)
		defer suite.Close()
		s := server.NewMCPServer("test", "1")
		if test.hook {
			mcpgotools.Add(s, suite)
		} else {
			for _, tool := range suite.Tools() {
				s.AddTool(mcpgotools.Tool(tool))
			}
		}
		ctx := t.Context()
		if test.session != "" {
			ctx = s.WithContext(ctx, session(test.session))
		}
		s.HandleMessage(ctx, json.RawMessage(`{"jsonrpc": "2.0", "id": `+test.id+`, "method": "tools/call", "params": {"name": "ls", "_meta": `+test.meta+`}}`))
		if len(ids) != 1 || ids[0] != test.want {
			t.Errorf("%+v: the id is %v", test, ids)
		}
	}
}

// session is one of which only the id matters.
type session string

func (s session) SessionID() string                                   { return string(s) }
func (s session) Initialize()                                         {}
func (s session) Initialized() bool                                   { return true }
func (s session) NotificationChannel() chan<- mcp.JSONRPCNotification { return nil }

// looking is a tool without effects but reading, of which nobody knows that a second call does nothing more.
type looking struct{ tools.Tool }

func (looking) Effects() config.Effects { return config.Effects{Reads: true} }
func (looking) Name() string            { return "looks" }
