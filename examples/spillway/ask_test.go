package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// With a rule, what no rule allows is asked about, and an answer for the session is remembered; reading is not asked about.
func TestAskOverMCP(t *testing.T) {
	t.Parallel()
	for name, transport := range map[string]func(t *testing.T, dir string) mcp.Transport{
		"stdio": func(t *testing.T, dir string) mcp.Transport {
			return &mcp.CommandTransport{Command: exec.Command(spillway(t), "mcp", "-workspace", dir, "-deny", "write(notes.txt)")}
		},
		"http": func(t *testing.T, dir string) mcp.Transport {
			return startHTTP(t, dir, "-deny", "write(notes.txt)").transport()
		},
	} {
		for _, revision := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
			t.Run(name+" "+revision, func(t *testing.T) {
				dir := workspace(t)
				var questions atomic.Int32
				opts := &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					questions.Add(1)
					answer := "session"
					if strings.Contains(req.Params.Message, "other.txt") {
						answer = "no"
					}
					return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": answer, "reason": "not this one"}}, nil
				}}
				client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts)
				session, err := client.Connect(t.Context(), transport(t, dir), &mcp.ClientSessionOptions{ProtocolVersion: revision})
				if err != nil {
					t.Fatal(err)
				}
				defer session.Close()
				for _, c := range []struct {
					tool, path string
					asked      int32
					want       string
				}{
					{"read", "notes.txt", 0, "one\ntwo\n"},
					{"write", "notes.txt", 0, "denied: "},
					{"write", "new.txt", 1, "Created new.txt"},
					{"write", "new.txt", 1, "Wrote new.txt"},
					{"write", "other.txt", 2, "denied: the user said no: not this one"},
				} {
					args := map[string]any{"path": c.path, "content": c.tool + c.path + c.want}
					if c.tool == "read" {
						delete(args, "content")
					}
					if _, text := say(t, session, c.tool, args); !strings.HasPrefix(text, c.want) || questions.Load() != c.asked {
						t.Errorf("%s %s after %d questions: %s", c.tool, c.path, questions.Load(), text)
					}
				}
				if _, err := os.Stat(filepath.Join(dir, "other.txt")); err == nil {
					t.Error("other.txt was written")
				}
			})
		}
	}
}

// A client that cannot ask is told which flag allows the call, and a server without rules asks nothing.
func TestAskWithoutElicitation(t *testing.T) {
	t.Parallel()
	dir := workspace(t)
	start := func(args ...string) *mcp.ClientSession {
		args = append([]string{"mcp", "-workspace", dir}, args...)
		return connect(t, &mcp.CommandTransport{Command: exec.Command(spillway(t), args...)}, nil)
	}
	write := map[string]any{"path": "it's.txt", "content": "x"}
	_, text := say(t, start("-allow", "read"), "write", write)
	const says = `and this MCP client cannot ask the user. The user can allow it by starting this program with -allow `
	if !strings.HasPrefix(text, "denied: ") || !strings.Contains(text, says+`'`) {
		t.Error(text)
	}
	_, flag, _ := strings.Cut(text, says)
	typed, err := exec.Command("sh", "-c", "printf %s "+flag).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-allow", string(typed)}, nil} {
		os.Remove(filepath.Join(dir, "it's.txt"))
		if _, text := say(t, start(args...), "write", write); !strings.HasPrefix(text, "Created it's.txt") {
			t.Errorf("%v: %s", args, text)
		}
	}
}
