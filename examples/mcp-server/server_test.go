package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// connect gives a client of a server in this process.
func connect(t *testing.T, cfg config.Config) *mcp.ClientSession {
	t.Helper()
	suite, err := tools.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { suite.Close() })
	here, there := mcp.NewInMemoryTransports()
	ended := make(chan error, 1)
	go func() { ended <- serve(context.Background(), newServer(suite), there) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		if err := <-ended; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return session
}

// workspace is a directory with a text file and a picture.
func workspace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "notes.txt"), []byte("one\ntwo\nthree TODO\nfour\n"))
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "dot.png"), picture.Bytes())
	return dir
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// invoke makes a call with arguments as they stand.
func invoke(t *testing.T, session *mcp.ClientSession, tool, args string) *mcp.CallToolResult {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, args, err)
	}
	if res.StructuredContent != nil {
		t.Errorf("%s %s: structuredContent is %v; it is to be absent", tool, args, res.StructuredContent)
	}
	return res
}

// textOf is the text of a result, which comes first.
func textOf(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	if len(res.Content) == 0 {
		t.Fatal("the result has no content")
	}
	text, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("the first content is %T, not text", res.Content[0])
	}
	return text.Text
}

func detailsOf(t *testing.T, res *mcp.CallToolResult) map[string]any {
	t.Helper()
	details, ok := res.Meta["details"].(map[string]any)
	if !ok {
		t.Fatalf("_meta has no details: %v", res.Meta)
	}
	return details
}

func TestInitialize(t *testing.T) {
	dir := workspace(t)
	got := connect(t, config.Config{Workspace: dir}).InitializeResult()
	if got.ServerInfo.Name != "spillway" || got.ServerInfo.Version == "" {
		t.Errorf("server is %+v", got.ServerInfo)
	}
	if !strings.Contains(got.Instructions, dir) {
		t.Errorf("the instructions do not name the workspace: %s", got.Instructions)
	}
}

func TestListTools(t *testing.T) {
	suite, err := tools.New(config.Config{Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer suite.Close()
	list, err := connect(t, config.Config{Workspace: t.TempDir()}).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]*mcp.Tool{}
	for _, tool := range list.Tools {
		got[tool.Name] = tool
	}
	if len(got) != len(suite.Tools()) {
		t.Errorf("%d tools, but the suite has %d", len(got), len(suite.Tools()))
	}
	for _, want := range suite.Tools() {
		tool := got[want.Name()]
		if tool == nil {
			t.Errorf("there is no %s", want.Name())
			continue
		}
		if tool.Description != want.Description() {
			t.Errorf("%s: description %q, but that of the suite is %q", tool.Name, tool.Description, want.Description())
		}
		if schema := canonical(t, tool.InputSchema); schema != canonical(t, want.Schema()) {
			t.Errorf("%s: schema %s, but that of the suite is %s", tool.Name, schema, want.Schema())
		}
		checkHints(t, tool)
	}
}

func checkHints(t *testing.T, tool *mcp.Tool) {
	t.Helper()
	bash := tool.Name == "bash"
	hints := tool.Annotations
	if tool.Title == "" || tool.Title == tool.Name || hints.Title != tool.Title {
		t.Errorf("%s: titles %q and %q", tool.Name, tool.Title, hints.Title)
	}
	if hints.ReadOnlyHint == bash || *hints.DestructiveHint != bash || *hints.OpenWorldHint != bash {
		t.Errorf("%s: readOnly %v, destructive %v, openWorld %v", tool.Name, hints.ReadOnlyHint, *hints.DestructiveHint, *hints.OpenWorldHint)
	}
}

// canonical is JSON with its keys in order.
func canonical(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	if data, err = json.Marshal(tree); err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestReadOnly(t *testing.T) {
	session := connect(t, config.Config{Workspace: t.TempDir(), ReadOnly: true})
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Name == "bash" {
			t.Error("a read-only server lists bash")
		}
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "bash"}); err == nil || !strings.Contains(err.Error(), "bash") {
		t.Errorf("a call of a tool that is not there: %v", err)
	}
}

func TestCalls(t *testing.T) {
	needBash(t)
	tests := []struct{ name, tool, args, text, detail string }{
		{"read", "read", `{"path": "notes.txt"}`, "one\ntwo\n", "totalLines"},
		{"read with texts for numbers", "read", `{"path": "notes.txt", "offset": "2", "limit": "1"}`, "two\n\n[2 more lines in file. Use offset=3 to continue]", "nextOffset"},
		{"read with an unknown key", "read", `{"path": "notes.txt", "purpose": "to know", "limit": null}`, "one\ntwo\n", "totalLines"},
		{"read with arguments encoded twice", "read", `"{\"path\": \"notes.txt\"}"`, "one\ntwo\n", "totalLines"},
		{"bash", "bash", `{"command": "echo out; echo err >&2; exit 3"}`, "out\nerr\n\nCommand exited with code 3", "exitCode"},
		{"grep", "grep", `{"pattern": "todo", "ignore_case": "true"}`, "notes.txt:3: three TODO", "matches"},
		{"find", "find", `{"pattern": "*.png"}`, "dot.png", ""},
		{"ls", "ls", `{}`, "dot.png\nnotes.txt", "totalEntries"},
		{"ls without arguments", "ls", `null`, "dot.png\nnotes.txt", "totalEntries"},
	}
	session := connect(t, config.Config{Workspace: workspace(t)})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			res := invoke(t, session, test.tool, test.args)
			if text := textOf(t, res); res.IsError || !strings.Contains(text, test.text) {
				t.Errorf("isError %v, text %q; want %q in it", res.IsError, text, test.text)
			}
			if details := detailsOf(t, res); test.detail != "" && details[test.detail] == nil {
				t.Errorf("details %v have no %s", details, test.detail)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		tool, args string
		code       tools.Code
	}{
		{"read", `{"path": "missing.txt"}`, tools.NotFound},
		{"read", `{"path": "../outside.txt"}`, tools.PathEscape},
		{"read", `{"offset": 1}`, tools.InvalidInput},
		{"read", `{"path": "notes.txt", "limit": "many"}`, tools.InvalidInput},
		{"grep", `{"pattern": "("}`, tools.InvalidInput},
		{"ls", `{"path": "notes.txt"}`, tools.NotADirectory},
	}
	session := connect(t, config.Config{Workspace: workspace(t)})
	for _, test := range tests {
		t.Run(test.tool+test.args, func(t *testing.T) {
			res := invoke(t, session, test.tool, test.args)
			if !res.IsError || detailsOf(t, res)["error"] != string(test.code) {
				t.Errorf("isError %v, details %v; want %s", res.IsError, res.Meta["details"], test.code)
			}
			if text := textOf(t, res); !strings.HasPrefix(text, string(test.code)+": ") {
				t.Errorf("text %q does not begin with %s", text, test.code)
			}
		})
	}
}

func TestImage(t *testing.T) {
	dir := workspace(t)
	res := invoke(t, connect(t, config.Config{Workspace: dir}), "read", `{"path": "dot.png"}`)
	if text := textOf(t, res); res.IsError || !strings.Contains(text, "3x2") {
		t.Errorf("isError %v, text %q", res.IsError, text)
	}
	if len(res.Content) != 2 {
		t.Fatalf("%d contents, want a text and an image", len(res.Content))
	}
	want, err := os.ReadFile(filepath.Join(dir, "dot.png"))
	if err != nil {
		t.Fatal(err)
	}
	img, ok := res.Content[1].(*mcp.ImageContent)
	if !ok || img.MIMEType != "image/png" || !bytes.Equal(img.Data, want) {
		t.Errorf("the second content is %+v, not the picture", res.Content[1])
	}
}

func TestConcurrentCalls(t *testing.T) {
	needBash(t)
	session := connect(t, config.Config{Workspace: workspace(t)})
	var calls sync.WaitGroup
	for i := range 20 {
		calls.Go(func() {
			want := fmt.Sprintf("call %d", i)
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{
				Name: "bash", Arguments: map[string]any{"command": "echo " + want}})
			if err != nil || res.IsError || textOf(t, res) != want+"\n" && textOf(t, res) != want {
				t.Errorf("%s: %+v, %v", want, res, err)
			}
		})
	}
	calls.Wait()
}

// The command ends only when a read that was called later has given its result.
func TestSlowCallHoldsNothingUp(t *testing.T) {
	needBash(t)
	dir := workspace(t)
	session := connect(t, config.Config{Workspace: dir})
	slow := make(chan *mcp.CallToolResult, 1)
	go func() {
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{
			"command": "echo $$ > pid; until [ -e go-on ]; do sleep 0.05; done; echo done"}})
		if err != nil {
			t.Error(err)
		}
		slow <- res
	}()
	pidIn(t, filepath.Join(dir, "pid"))
	if text := textOf(t, invoke(t, session, "read", `{"path": "notes.txt"}`)); !strings.HasPrefix(text, "one\n") {
		t.Errorf("read gave %q", text)
	}
	write(t, filepath.Join(dir, "go-on"), nil)
	if res := <-slow; res != nil && !strings.HasPrefix(textOf(t, res), "done") {
		t.Errorf("bash gave %q", textOf(t, res))
	}
}

func TestCancel(t *testing.T) {
	needBash(t)
	dir := workspace(t)
	session := connect(t, config.Config{Workspace: dir})
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{"command": sleeper}})
		failed <- err
	}()
	shell, child := pidIn(t, filepath.Join(dir, "shell")), pidIn(t, filepath.Join(dir, "child"))
	cancel()
	if err := <-failed; err == nil {
		t.Error("a cancelled call gave no error")
	}
	gone(t, shell)
	gone(t, child)
	if res := invoke(t, session, "ls", `{}`); res.IsError {
		t.Errorf("the next call: %s", textOf(t, res))
	}
}
