package mcpgotools_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/internal/testkit"
)

// The tests of this file are of mcp-go's client, as it is by default, with the program spillway as its server.

// program builds spillway.
func program(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs bash")
	}
	binary := filepath.Join(t.TempDir(), "spillway")
	if out, err := exec.Command("go", "build", "-C", "../../spillway", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// serve starts the program as a server of HTTP. It returns its address and what clients send with each request.
func serve(t *testing.T, binary, dir string) (url string, headers map[string]string) {
	t.Helper()
	cmd := exec.Command(binary, "mcp", "-workspace", dir, "-http", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	testkit.NoError(t, err)
	testkit.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait() // which tells the signal
	})
	lines := bufio.NewScanner(stderr)
	read := func(before string) string {
		if !lines.Scan() || !strings.HasPrefix(lines.Text(), before) {
			t.Fatalf("the server said %q", lines.Text())
		}
		return strings.TrimPrefix(lines.Text(), before)
	}
	url = read("spillway: serving ")
	return url, map[string]string{"Authorization": read("spillway: clients need the header: Authorization: ")}
}

// A client lists, calls, hears of progress and cancels, over either transport and in the newest revision.
func TestClientOfProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program; older versions of mcp-go speak older revisions")
	}
	binary := program(t)
	for name, connect := range map[string]func(t *testing.T, dir string) *client.Client{
		"stdio": func(t *testing.T, dir string) *client.Client {
			return client.NewClient(transport.NewStdio(binary, nil, "mcp", "-workspace", dir))
		},
		"http": func(t *testing.T, dir string) *client.Client {
			url, headers := serve(t, binary, dir)
			c, err := client.NewStreamableHttpClient(url, transport.WithHTTPHeaders(headers))
			testkit.NoError(t, err)
			return c
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c := connect(t, dir)
			t.Cleanup(func() { c.Close() })
			clientTour(t, c, dir)
		})
	}
}

func clientTour(t *testing.T, c *client.Client, dir string) {
	t.Helper()
	testkit.NoError(t, c.Start(t.Context()))
	heard := make(chan string, 1000)
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		if message, ok := n.Params.AdditionalFields["message"].(string); ok && n.Method == "notifications/progress" {
			heard <- message
		}
	})
	hello, err := c.Initialize(t.Context(), mcp.InitializeRequest{})
	if err != nil || hello.ServerInfo.Name != "spillway" || hello.ProtocolVersion != "2026-07-28" {
		t.Fatalf("%+v, %v", hello, err)
	}
	list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil || len(list.Tools) < 8 {
		t.Fatalf("%+v, %v", list, err)
	}
	res, err := call(t.Context(), c, "bash", `{"command": "echo hello"}`, nil)
	if err != nil || res.IsError || res.Content[0].(mcp.TextContent).Text != "hello\n" {
		t.Fatalf("%+v, %v", res, err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := call(t.Context(), c, "bash", `{"command": "echo half way; until [ -e go-on ]; do sleep 0.05; done"}`, &mcp.Meta{ProgressToken: "p"})
		done <- err
	}()
	if message := <-heard; message != "half way" {
		t.Errorf("heard %q", message)
	}
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "go-on"), nil, 0o600))
	if err := <-done; err != nil {
		t.Error(err)
	}
	adaptertest.CancelIn(t, dir, func(ctx context.Context) error {
		_, err := call(ctx, c, "bash", adaptertest.Sleeper, nil)
		return err
	})
}
