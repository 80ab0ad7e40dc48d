package main

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Each session is shown all that a job prints, whichever waits for it, and whichever has
// started it.
func TestHTTPReaders(t *testing.T) {
	t.Parallel()
	needBash(t)
	s := startHTTP(t, t.TempDir())
	first, other := connect(t, s.transport(), nil), connect(t, s.transport(), nil)
	say(t, first, "bash", map[string]any{"command": "echo up; read go; seq 3; read on; echo done", "background": true, "ready_when": "up"})
	shows := func(who string, session *mcp.ClientSession, args map[string]any, want string) {
		t.Helper()
		args["id"] = 1
		if _, text := say(t, session, "job", args); !strings.HasPrefix(text, want+"\n\n[") {
			t.Errorf("%s was shown %q, want %q", who, text, want)
		}
	}
	shows("the other", other, map[string]any{"input": "\n", "until": "3", "wait_ms": 60_000}, "up\n1\n2\n3")
	shows("the first", first, map[string]any{"until": "2", "wait_ms": 60_000}, "1\n2")
	shows("the first", first, map[string]any{"input": "\n", "wait_ms": 60_000}, "3\ndone")
	shows("the other", other, map[string]any{}, "done")
	shows("the other", other, map[string]any{}, "(no new output)")
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	shows("the first", first, map[string]any{}, "(no new output)")
	shows("a late one", connect(t, s.transport(), nil), map[string]any{}, "up\n1\n2\n3\ndone")
}
