package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spillway-go/spillway/internal/exit"
)

// The tests of this file are made by the client of the Go SDK, over stdin and
// stdout and over HTTP.

// overEach runs a test over each transport, with a server of its own.
func overEach(t *testing.T, test func(t *testing.T, dir string, transport mcp.Transport)) {
	t.Run("stdio", func(t *testing.T) {
		dir := workspace(t)
		test(t, dir, &mcp.CommandTransport{Command: exec.Command(binary, "mcp", "-workspace", dir)})
	})
	t.Run("http", func(t *testing.T) {
		overHTTP(t, func(t *testing.T, _ *site, dir string, client func() mcp.Transport) { test(t, dir, client()) })
	})
}

// dial is Connect, and asks for the last revision with sessions if it is a transport of them.
func dial(ctx context.Context, client *mcp.Client, transport mcp.Transport) (*mcp.ClientSession, error) {
	if old, ok := transport.(inSession); ok {
		return client.Connect(ctx, old.Transport, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	}
	return client.Connect(ctx, transport, nil)
}

// connect connects a client until the end of the test.
func connect(t *testing.T, transport mcp.Transport, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	session, err := dial(t.Context(), mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts), transport)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the end of the session: %v", err)
		}
	})
	return session
}

// say calls a tool and gives the text of its result, which comes first.
func say(t *testing.T, session *mcp.ClientSession, tool string, args map[string]any) (*mcp.CallToolResult, string) {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil || len(res.Content) == 0 {
		t.Fatalf("%s %v: %+v, %v", tool, args, res, err)
	}
	text, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("the first content is %T, not text", res.Content[0])
	}
	return res, text.Text
}

func TestSDKTools(t *testing.T) {
	t.Parallel()
	needBash(t)
	overEach(t, func(t *testing.T, dir string, transport mcp.Transport) {
		session := connect(t, transport, nil)
		if got := session.InitializeResult(); got.ServerInfo.Name != "spillway" || got.ServerInfo.Version == "" || !strings.Contains(got.Instructions, dir) {
			t.Errorf("initialize: %+v, %q", got.ServerInfo, got.Instructions)
		}
		list, err := session.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != len(builtin(t)) {
			t.Fatalf("%d tools, %v", len(list.Tools), err)
		}
		for _, tool := range list.Tools {
			got := tool.Annotations
			if tool.Title == "" || tool.Title == tool.Name || got.Title != tool.Title {
				t.Errorf("%s: titles %q and %q", tool.Name, tool.Title, got.Title)
			}
			if want := hintsOf(tool.Name); want != (hints{got.ReadOnlyHint, got.IdempotentHint, *got.DestructiveHint, *got.OpenWorldHint}) {
				t.Errorf("%s: annotations %+v", tool.Name, got)
			}
		}
		calls := []struct {
			tool string
			args map[string]any
			text string
		}{
			{"read", map[string]any{"path": "notes.txt", "limit": 1}, "one\n\n[3 more lines in file. Use offset=2 to continue]"},
			{"bash", map[string]any{"command": "echo out; echo err >&2; exit 3"}, "out\nerr\n\n" + exit.WithCode(3)},
			{"grep", map[string]any{"pattern": "TODO"}, "notes.txt:3: three TODO\n\n[Skipped 1 binary file: dot.png. Use bash with grep -a to search it]"},
			{"find", map[string]any{"pattern": "*.txt"}, "notes.txt"},
			{"ls", nil, "dot.png\nnotes.txt"},
		}
		for _, c := range calls {
			if res, text := say(t, session, c.tool, c.args); res.IsError || text != c.text {
				t.Errorf("%s: isError %v, %q; want %q", c.tool, res.IsError, text, c.text)
			}
		}
		if res, text := say(t, session, "read", map[string]any{"path": "missing"}); !res.IsError || !strings.HasPrefix(text, "not_found: ") {
			t.Errorf("a missing file: isError %v, %q", res.IsError, text)
		}
		res, _ := say(t, session, "read", map[string]any{"path": "dot.png"})
		if img, ok := res.Content[len(res.Content)-1].(*mcp.ImageContent); !ok || img.MIMEType != "image/png" || !strings.HasPrefix(string(img.Data), "\x89PNG") {
			t.Errorf("a picture: %+v", res)
		}
	})
}

func TestSDKManyCalls(t *testing.T) {
	t.Parallel()
	needBash(t)
	overEach(t, func(t *testing.T, dir string, transport mcp.Transport) {
		session := connect(t, transport, nil)
		many := 50
		if testing.Short() {
			many = 20
		}
		var calls sync.WaitGroup
		for i := range many {
			calls.Go(func() {
				want := fmt.Sprintf("call %d\n", i)
				res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{"command": "echo " + want}})
				if err != nil || res.IsError || res.Content[0].(*mcp.TextContent).Text != want {
					t.Errorf("%s: %+v, %v", want, res, err)
				}
			})
		}
		calls.Wait()
	})
}

// The command ends only when the client has heard of it, and has had the answer to a
// call that it made later.
func TestSDKProgress(t *testing.T) {
	t.Parallel()
	needBash(t)
	overEach(t, func(t *testing.T, dir string, transport mcp.Transport) {
		heard := make(chan *mcp.ProgressNotificationParams, 10000)
		session := connect(t, transport, &mcp.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { heard <- req.Params }})
		done := make(chan *mcp.CallToolResult, 1)
		go func() {
			params := &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{"command": "echo one; echo half way; until [ -e go-on ]; do sleep 0.05; done; echo done"}}
			params.SetProgressToken("token")
			res, err := session.CallTool(t.Context(), params)
			if err != nil {
				t.Error(err)
			}
			done <- res
		}()
		for message := ""; message != "half way"; { // before it there may be the line in front, or none
			update := <-heard
			if message = update.Message; update.ProgressToken != "token" || update.Progress <= 0 {
				t.Fatalf("heard %+v", update)
			}
		}
		if _, text := say(t, session, "ls", nil); !strings.HasSuffix(text, "notes.txt") {
			t.Errorf("ls gave %q", text)
		}
		write(t, filepath.Join(dir, "go-on"), nil)
		if res := <-done; res != nil && res.Content[0].(*mcp.TextContent).Text != "one\nhalf way\ndone\n" {
			t.Errorf("bash gave %+v", res.Content[0])
		}
	})
}

func TestSDKCancel(t *testing.T) {
	t.Parallel()
	needBash(t)
	overEach(t, func(t *testing.T, dir string, transport mcp.Transport) {
		session := connect(t, transport, nil)
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{"command": sleeper}})
			failed <- err
		}()
		shell, child := pidIn(t, filepath.Join(dir, "shell")), pidIn(t, filepath.Join(dir, "child"))
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled call: %v", err)
		}
		gone(t, shell)
		gone(t, child)
		if res, text := say(t, session, "ls", nil); res.IsError {
			t.Errorf("the next call: %s", text)
		}
	})
}

const (
	// clientVariable makes this program a client that is in the middle of a call, in
	// the workspace that it names, and binaryVariable is the server's binary.
	clientVariable = "MCP_SERVER_TEST_CLIENT"
	binaryVariable = "MCP_SERVER_TEST_BINARY"
	// serverAndSleeper leaves the pid of the server in a file too.
	serverAndSleeper = "echo $PPID > server; " + sleeper
)

func waitingClient(dir string) int {
	cmd := exec.Command(os.Getenv(binaryVariable), "mcp", "-workspace", dir)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, nil)
	if err == nil {
		_, err = session.CallTool(context.Background(), &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{"command": serverAndSleeper}})
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// A client that is killed in the middle of a call leaves nothing behind.
func TestSDKClientKilled(t *testing.T) {
	t.Parallel()
	needBash(t)
	dir := t.TempDir()
	client := exec.Command(os.Args[0])
	client.Env = append(os.Environ(), clientVariable+"="+dir, binaryVariable+"="+binary)
	killed(t, client, dir)
}

// killed kills a client in the middle of a call of serverAndSleeper.
func killed(t *testing.T, client *exec.Cmd, dir string) {
	t.Helper()
	client.Stderr = os.Stderr
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	var pids []int
	defer client.Process.Kill()
	for _, file := range []string{"server", "shell", "child"} {
		pids = append(pids, pidIn(t, filepath.Join(dir, file)))
	}
	if err := client.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	client.Wait()
	for _, pid := range pids {
		gone(t, pid)
	}
}
