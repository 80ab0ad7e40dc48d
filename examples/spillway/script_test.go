package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/tools"
)

// An MCP client has the tool script with -script, and without it not.
func TestScriptOverMCP(t *testing.T) {
	t.Parallel()
	dir := workspace(t)
	for _, flags := range [][]string{nil, {"-script"}} {
		args := append([]string{"mcp", "-workspace", dir}, flags...)
		list, session, err := mcptools.Connect(t.Context(), &mcp.CommandTransport{Command: exec.Command(spillway(t), args...)})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(list, func(t tools.Tool) bool { return t.Name() == "script" })
		if has := at >= 0; has != (flags != nil) {
			t.Fatalf("with %v, script is there: %t", flags, has)
		}
		if flags != nil {
			res, err := list[at].Call(t.Context(), json.RawMessage(`{"code": "return (await tools.read({path: 'notes.txt', limit: 1})).text"}`))
			if err != nil || strings.TrimSpace(res.Text) != "one" {
				t.Errorf("%v, %+v", err, res)
			}
		}
		session.Close()
	}
}

// spillway script runs a file, or stdin.
func TestScriptCommand(t *testing.T) {
	t.Parallel()
	dir := workspace(t)
	write(t, filepath.Join(dir, "a.js"), []byte("print((await tools.ls({})).names.includes('notes.txt'));\nreturn Object.keys(tools)[0]\n"))
	for _, test := range []struct {
		args        []string
		stdin, want string
		code        int
	}{
		{[]string{"script", "-workspace", dir, filepath.Join(dir, "a.js")}, "", "true\nread\n", 0},
		{[]string{"script", "-workspace", dir, "-"}, "return 1 + 1", "2\n", 0},
		{[]string{"call", "-workspace", dir, "script", "return 3"}, "", "3\n", 0},
		{[]string{"script", "-workspace", dir, "-"}, "nonsense(", "SyntaxError", exitFailure},
		{[]string{"script", "-workspace", dir, filepath.Join(dir, "none.js")}, "", "no such file", exitUsage},
		{[]string{"script"}, "", "give one file", exitUsage},
	} {
		cmd := exec.Command(spillway(t), test.args...)
		cmd.Stdin = strings.NewReader(test.stdin)
		out, _ := cmd.CombinedOutput()
		if !strings.Contains(string(out), test.want) || cmd.ProcessState.ExitCode() != test.code {
			t.Errorf("%v: code %d, %s", test.args, cmd.ProcessState.ExitCode(), out)
		}
	}
}
