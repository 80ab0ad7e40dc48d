package main

import (
	"os/exec"
	"strings"
	"testing"
)

// Requests that are piped in, with the end of the input right behind them, are
// answered; one that was cancelled is not.
func TestPipedRequests(t *testing.T) {
	needBash(t)
	cmd := exec.Command(binary, "-workspace", t.TempDir())
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
	needBash(t)
	cmd := exec.Command(binary, "-workspace", t.TempDir())
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
