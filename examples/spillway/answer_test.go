package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// outlasting is a command that lasts until a test writes the file go.
const outlasting = "until [ -e go ]; do sleep 0.05; done; echo late"

// A command that takes longer than the client waits becomes a job, over each transport.
func TestAnswerWithin(t *testing.T) {
	t.Parallel()
	needBash(t)
	for name, transport := range map[string]func(t *testing.T, dir string) mcp.Transport{
		"stdio": func(t *testing.T, dir string) mcp.Transport {
			return &mcp.CommandTransport{Command: exec.Command(spillway(t), "mcp", "-workspace", dir, "-answer-within", "1s")}
		},
		"http": func(t *testing.T, dir string) mcp.Transport {
			return startHTTP(t, dir, "-answer-within", "1s").transport()
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := workspace(t)
			session := connect(t, transport(t, dir), nil)
			if res, text := say(t, session, "bash", map[string]any{"command": outlasting}); res.IsError ||
				!strings.Contains(text, "[The command ran longer than 1s and continues as a job. Job 1 is running.") {
				t.Errorf("bash gave %q", text)
			}
			write(t, filepath.Join(dir, "go"), nil)
			eventually(t, "the end of the job", func() bool {
				_, text := say(t, session, "ls", nil)
				return strings.Contains(text, "Job 1 has ended: exited with code 0")
			})
		})
	}
}
