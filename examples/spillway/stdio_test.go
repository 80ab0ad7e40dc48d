package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// Requests that are piped in, with the end of the input right behind them, are
// answered; one that was cancelled is not.
func TestPipedRequests(t *testing.T) {
	t.Parallel()
	needBash(t)
	cmd := exec.Command(spillway(t), "mcp", "-workspace", t.TempDir())
	cmd.Stdin = strings.NewReader(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"bash","arguments":{"command":"sleep 600"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bash","arguments":{"command":"sleep 0.2; echo answer"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}`,
	}, "\n") + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if s := string(out); !strings.Contains(s, `"text":"answer\n"`) || strings.Contains(s, `"slow"`) {
		t.Errorf("printed:\n%s", s)
	}
}

// A client that gives a progress token hears of a running call.
func TestProgress(t *testing.T) {
	t.Parallel()
	needBash(t)
	cmd := exec.Command(spillway(t), "mcp", "-workspace", t.TempDir())
	cmd.Stdin = strings.NewReader(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bash","arguments":{"command":"echo half way; sleep 0.5"},"_meta":{"progressToken":"p"}}}`,
	}, "\n") + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if s := string(out); !strings.Contains(s, `"method":"notifications/progress"`) || !strings.Contains(s, `"message":"half way"`) {
		t.Errorf("printed:\n%s", s)
	}
}

// What is no message is answered, and the next message counts. The call that runs
// meanwhile is not ended.
func TestNoMessages(t *testing.T) {
	t.Parallel()
	needBash(t)
	tests := []struct {
		name, line string
		code       int
	}{
		{"text", `hello?`, -32700},
		{"half a message", `{"jsonrpc":"2.0","id":7,"method":`, -32700},
		{"two in one line", `{"jsonrpc":"2.0","id":7,"method":"ping"} {}`, -32700},
		{"not UTF-8", "\xff\xfe", -32700},
		{"an object", `{"hello":"there"}`, -32600},
		{"a number", `42`, -32600},
		{"an empty batch", `[]`, -32600},
		{"an id that is none", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600},
		{"too long", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"` + strings.Repeat("x", maxMessage) + `"}}`, -32600},
	}
	dir := t.TempDir()
	p := start(t, "-workspace", dir)
	p.initialize()
	p.send(50, "tools/call", callOf("bash", `{"command":"echo $$ > shell; until [ -e go-on ]; do sleep 0.05; done; echo done"}`))
	pidIn(t, filepath.Join(dir, "shell"))
	for i, test := range tests {
		p.forget("null")
		p.write(test.line)
		p.request(60+i, "ping", `{}`) // answered behind the line
		if m, _ := p.answer("null"); m.Error == nil || m.Error.Code != test.code || m.Error.Message == "" {
			t.Errorf("%s: answered %+v, want code %d", test.name, m.Error, test.code)
		}
	}
	p.write("\r\n \n") // empty lines are nothing
	write(t, filepath.Join(dir, "go-on"), nil)
	eventually(t, "the answer to the call", func() bool { _, ok := p.answered(50); return ok })
	if m, _ := p.answered(50); m.Error != nil || !strings.Contains(string(m.Result), "done") {
		t.Errorf("the call that ran meanwhile: %s, %+v", m.Result, m.Error)
	}
	p.hang()
	p.endsWell()
}

// A client that closes its end and reads nothing keeps no command alive; what it reads
// later is there.
func TestUnreadAnswers(t *testing.T) {
	t.Parallel()
	needBash(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "big.txt"), bytes.Repeat([]byte(strings.Repeat("x", 79)+"\n"), 300))
	cmd := exec.Command(spillway(t), "mcp", "-workspace", dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stuck := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer stuck.Stop()
	fmt.Fprintf(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":%s}
`, callOf("bash", `{"command":"sleep 600 & echo $! > background"}`))
	pid := pidIn(t, filepath.Join(dir, "background"))
	for i := range 20 { // more than a pipe holds
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`+"\n", 10+i, callOf("read", `{"path":"big.txt"}`))
	}
	in.Close()
	gone(t, pid)
	answers, err := io.ReadAll(out)
	if err != nil || cmd.Wait() != nil {
		t.Errorf("ended with %v, %v", err, cmd.ProcessState)
	}
	if n := strings.Count(string(answers), "\n"); n != 22 || !strings.HasSuffix(string(answers), "}\n") {
		t.Errorf("%d answers, the last ends in %q", n, answers[max(0, len(answers)-40):])
	}
}

// Two calls at once have the ids of their requests.
func TestIDs(t *testing.T) {
	t.Parallel()
	needBash(t)
	both := make(chan string, 2)
	suite, err := tools.New(config.Config{Workspace: t.TempDir(), Observe: func(_ context.Context, e config.Event) {
		both <- e.ID + " " + e.Text
	}}, all.Parts()...)
	if err != nil {
		t.Fatal(err)
	}
	defer suite.Close()
	in := strings.NewReader(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":1234567,"method":"tools/call","params":{"name":"bash","arguments":{"command":"echo alpha > alpha; until [ -e beta ]; do sleep 0.01; done; cat alpha"}}}`,
		`{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"bash","arguments":{"command":"echo beta > beta; until [ -e alpha ]; do sleep 0.01; done; cat beta"},"_meta":{"progressToken":"p"}}}`,
	}, "\n") + "\n")
	var out bytes.Buffer
	transport := newStdioTransport(io.NopCloser(in), &out, 0)
	if err := serve(t.Context(), suite, newServer(suite, nil, 0), transport); err != nil {
		t.Fatal(err)
	}
	got := []string{<-both, <-both}
	slices.Sort(got)
	if want := []string{"1234567 alpha\n", "b beta\n"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}
