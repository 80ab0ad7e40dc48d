package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/tools"
)

// Of fifty calls over one pipe, none waits for another: a command ends only when all others
// have their answers, large and small.
func TestFiftyAtOnce(t *testing.T) {
	t.Parallel()
	needBash(t)
	dir := workspace(t)
	write(t, filepath.Join(dir, "large.txt"), []byte(strings.Repeat(strings.Repeat("x", 99)+"\n", 1000)))
	list, session, err := mcptools.Connect(t.Context(), &mcp.CommandTransport{Command: exec.Command(spillway(t), "mcp", "-workspace", dir)})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	far := map[string]tools.Tool{}
	for _, tool := range list {
		far[tool.Name()] = tool
	}
	call := func(tool, args string) string {
		res, err := far[tool].Call(t.Context(), json.RawMessage(args))
		if err != nil || res.IsError {
			t.Errorf("%s %s: %v, %+v", tool, args, err, res)
		}
		return res.Text
	}
	long := make(chan string)
	go func() {
		long <- call("bash", `{"command": "touch running; until [ -e go-on ]; do sleep 0.05; done; echo done"}`)
	}()
	eventually(t, "the command", func() bool { _, err := os.Stat(filepath.Join(dir, "running")); return err == nil })
	var others sync.WaitGroup
	for i := range 49 {
		others.Go(func() {
			if i%2 == 0 {
				if text := call("read", `{"path": "large.txt"}`); len(text) < 30000 {
					t.Errorf("%d bytes of the large file", len(text))
				}
				return
			}
			if text, want := call("read", fmt.Sprintf(`{"path": "notes.txt", "offset": %d, "limit": 1}`, 1+i%2)), "two\n"; !strings.HasPrefix(text, want) {
				t.Errorf("read %q", text)
			}
		})
	}
	others.Wait()
	write(t, filepath.Join(dir, "go-on"), nil)
	if text := <-long; text != "done\n" {
		t.Errorf("the command printed %q", text)
	}
}
