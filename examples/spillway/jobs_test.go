package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/tools"
)

// dialed is a client of a server. Its calls tell watch the last line of the output, if that
// is not nil.
type dialed struct {
	call  func(ctx context.Context, tool string, args map[string]any, watch func(line string)) (text string, failed bool, err error)
	close func() error
}

// dialPlain is a client that knows nothing but MCP.
func dialPlain(t *testing.T, transport mcp.Transport) dialed {
	t.Helper()
	lines := make(chan string, 10000)
	session, err := dial(t.Context(), mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { lines <- req.Params.Message }}), transport)
	if err != nil {
		t.Fatal(err)
	}
	return dialed{func(ctx context.Context, tool string, args map[string]any, watch func(string)) (string, bool, error) {
		params := &mcp.CallToolParams{Name: tool, Arguments: args}
		if watch != nil {
			params.SetProgressToken("token")
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			go func() {
				for {
					select {
					case line := <-lines:
						watch(line)
					case <-ctx.Done():
						return
					}
				}
			}()
		}
		res, err := session.CallTool(ctx, params)
		if err != nil {
			return "", false, err
		}
		return res.Content[0].(*mcp.TextContent).Text, res.IsError, nil
	}, session.Close}
}

// dialNear is what another suite is made of.
func dialNear(t *testing.T, transport mcp.Transport) dialed {
	t.Helper()
	list, session, err := mcptools.Connect(t.Context(), transport)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]tools.Tool{}
	for _, tool := range list {
		named[tool.Name()] = tool
	}
	return dialed{func(ctx context.Context, tool string, args map[string]any, watch func(string)) (string, bool, error) {
		encoded, err := json.Marshal(args)
		if err != nil {
			return "", false, err
		}
		if watch != nil {
			ctx = tools.WithProgress(ctx, func(u tools.Update) { watch(strings.TrimSuffix(u.Tail, "\n")) })
		}
		res, err := named[tool].Call(ctx, encoded)
		return res.Text, res.IsError, err
	}, session.Close}
}

// echoing is a job that goes on when it is told to, and answers what it reads. It leaves the pids of its shell and a child.
const echoing = `sleep 600 & echo $! > child; echo $$ > shell; echo ready; until [ -e go-on ]; do sleep 0.05; done; echo went on; while read line; do echo "got $line"; done; wait`

// A job is started, watched, given input, waited for in vain and ended, by either client over
// either transport. The end of the session ends those of a server that is the client's own;
// of one that others share, the end of the server.
func TestJobs(t *testing.T) {
	t.Parallel()
	needBash(t)
	for name, connect := range map[string]func(*testing.T, mcp.Transport) dialed{
		"plain": dialPlain, "Connect": dialNear,
		"session": func(t *testing.T, transport mcp.Transport) dialed { return dialPlain(t, inSession{transport}) },
	} {
		t.Run(name+" over stdio", func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			client := connect(t, &mcp.CommandTransport{Command: exec.Command(spillway(t), "mcp", "-workspace", dir)})
			jobsOf(t, client, dir)
			pids := startJob(t, client, dir, 2)
			if err := client.close(); err != nil {
				t.Error(err)
			}
			for _, pid := range pids {
				gone(t, pid)
			}
		})
		t.Run(name+" over HTTP", func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := startHTTP(t, dir)
			client := connect(t, s.transport())
			jobsOf(t, client, dir)
			pids := startJob(t, client, dir, 2)
			if err := client.close(); err != nil {
				t.Error(err)
			}
			other := connect(t, s.transport())
			write(t, filepath.Join(dir, "go-on"), nil)
			text, failed, err := other.call(t.Context(), "job", map[string]any{"id": 2, "input": "hello\n", "until": "got"}, nil)
			if err != nil || failed || !strings.HasPrefix(text, "ready\nwent on\ngot hello\n") { // all of it is new here
				t.Errorf("the job of a session that has ended: %q, %v", text, err)
			}
			if err := other.close(); err != nil {
				t.Error(err)
			}
			s.ends(syscall.SIGTERM)
			for _, pid := range pids {
				gone(t, pid)
			}
		})
	}
}

// startJob starts the echoing job, and gives the pids of what it is made of.
func startJob(t *testing.T, client dialed, dir string, id int) (pids []int) {
	t.Helper()
	text, failed, err := client.call(t.Context(), "bash", map[string]any{"command": echoing, "background": true, "ready_when": "ready"}, nil)
	if err != nil || failed || !strings.HasPrefix(text, "ready\n") || !strings.Contains(text, fmt.Sprintf("Job %d is running", id)) {
		t.Fatalf("the start: %q, %v", text, err)
	}
	return []int{pidIn(t, filepath.Join(dir, "shell")), pidIn(t, filepath.Join(dir, "child"))}
}

func jobsOf(t *testing.T, client dialed, dir string) {
	t.Helper()
	pids := startJob(t, client, dir, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	waited, lines := make(chan error, 1), make(chan string, 10000)
	go func() {
		text, _, err := client.call(ctx, "job", map[string]any{"id": 1, "until": "never", "wait_ms": 600000}, func(line string) { lines <- line })
		if err == nil {
			t.Errorf("the call that waits returned %q", text)
		}
		waited <- err
	}()
	write(t, filepath.Join(dir, "go-on"), nil)
	for line := range lines {
		if line == "went on" {
			break
		}
	}
	cancel()
	if err := <-waited; !errors.Is(err, context.Canceled) {
		t.Errorf("the call that waited ended with %v", err)
	}
	job := func(args map[string]any) string {
		t.Helper()
		text, failed, err := client.call(t.Context(), "job", args, nil)
		if err != nil || failed {
			t.Fatalf("%v: %q, %v", args, text, err)
		}
		return text
	}
	if text := job(nil); !strings.HasPrefix(text, "1: running, ") {
		t.Errorf("after the end of a call that waited for it: %q", text)
	}
	if text := job(map[string]any{"id": 1, "input": "hello\n", "until": "got"}); !strings.HasPrefix(text, "went on\ngot hello\n") {
		t.Errorf("what is new, and the answer to input: %q", text)
	}
	if text := job(map[string]any{"id": 1, "signal": "terminate"}); !strings.Contains(text, "Job 1 ended by signal SIGTERM (sent by this call)") {
		t.Errorf("the end: %q", text)
	}
	for _, pid := range pids {
		gone(t, pid)
	}
	for _, file := range []string{"shell", "child", "go-on"} { // the next one's will be others
		if err := os.Remove(filepath.Join(dir, file)); err != nil {
			t.Error(err)
		}
	}
}
