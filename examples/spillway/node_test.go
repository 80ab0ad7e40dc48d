package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/spillway-go/spillway/internal/exit"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The tests of this file are made by clients that run in Node: the official
// TypeScript SDK and the command line of the inspector.

const (
	clients = "testdata/clients"
	// nodeVariable, set to "required", makes these tests fail where they cannot run. Set to "long", it also has clients
	// wait as long as they do by default.
	nodeVariable = "NODE_TESTS"
)

// needNode installs the clients, once for each package-lock.json.
func needNode(t *testing.T) {
	t.Helper()
	needBash(t)
	if testing.Short() {
		t.Skip("installs from npm")
	}
	if err := installClients(); err != nil {
		if os.Getenv(nodeVariable) != "" {
			t.Fatal(err)
		}
		t.Skipf("no clients in Node: %v", err)
	}
}

func installClients() error {
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			return err
		}
	}
	lock, err := os.ReadFile(filepath.Join(clients, "package-lock.json"))
	if err != nil {
		return err
	}
	stamp := filepath.Join(clients, "node_modules", ".installed")
	if done, err := os.ReadFile(stamp); err == nil && bytes.Equal(done, lock) {
		return nil
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	cmd.Dir = clients
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	return os.WriteFile(stamp, lock, 0o600)
}

// task is what client.mjs is told.
type task struct {
	SDK   string      `json:"sdk"`
	Stdio *launch     `json:"stdio,omitempty"`
	HTTP  *address    `json:"http,omitempty"`
	Dir   string      `json:"dir"`
	Calls []namedCall `json:"calls"`
	Many  int         `json:"many"`
	Wait  string      `json:"wait,omitempty"` // a command to call and wait for, and nothing else

	Outlast *outlast `json:"outlast,omitempty"` // a command that takes longer than the client waits, and nothing else
}

// outlast is a command, and how long the client waits for its result in milliseconds, or 0 for its default.
type outlast struct {
	Command string `json:"command"`
	Timeout int    `json:"timeout"`
}

type launch struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

type address struct {
	URL   string `json:"url"`
	Token string `json:"token"`
}

type namedCall struct {
	Name string         `json:"name"`
	Args map[string]any `json:"args"`
}

// findings are what client.mjs prints.
type findings struct {
	Revision     string // "" if the SDK does not tell
	Server       struct{ Name, Title, Version string }
	Instructions string
	Tools        []struct {
		Name, Title, Description string
		Annotations              map[string]any
		InputSchema              struct{ Type string }
	}
	Results, Many []result
	After         result
	Progress      []struct {
		Progress float64
		Message  string
	}
	Cancelled string
}

func (j task) command(t *testing.T) *exec.Cmd {
	t.Helper()
	data, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	return exec.Command("node", filepath.Join(clients, "client.mjs"), string(data))
}

func (j task) run(t *testing.T) (r findings) {
	t.Helper()
	out, err := printed(j.command(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return r
}

// printed is what a command prints on stdout; stderr is in the error.
func printed(cmd *exec.Cmd) ([]byte, error) {
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w\n%s", err, exit.Stderr)
	}
	return out, err
}

// sdks are the generations of the SDK and their modes, with the revision that each speaks.
var sdks = map[string]string{"1": "", "2": "2025-11-25", "2 auto": "2026-07-28"}

func TestNode(t *testing.T) {
	needNode(t)
	for sdk, revision := range sdks {
		t.Run("SDK "+sdk, func(t *testing.T) {
			t.Run("stdio", func(t *testing.T) {
				dir := workspace(t)
				tour(t, task{SDK: sdk, Dir: dir, Stdio: &launch{binary, []string{"mcp", "-workspace", dir}}}, revision)
			})
			t.Run("http", func(t *testing.T) {
				dir := workspace(t)
				s := startHTTP(t, dir)
				tour(t, task{SDK: sdk, Dir: dir, HTTP: &address{s.url, s.token}}, revision)
			})
		})
	}
}

// tour has the client do all that a client does.
func tour(t *testing.T, j task, revision string) {
	want := []struct {
		call namedCall
		text string
	}{
		{namedCall{"read", map[string]any{"path": "notes.txt", "limit": "1"}}, "one\n\n[3 more lines in file. Use offset=2 to continue]"},
		{namedCall{"bash", map[string]any{"command": "echo out; echo err >&2; exit 3"}}, "out\nerr\n\n" + exit.WithCode(3)},
		{namedCall{"grep", map[string]any{"pattern": "TODO", "path": "notes.txt"}}, "notes.txt:3: three TODO"},
		{namedCall{"find", map[string]any{"pattern": "*.txt"}}, "notes.txt"},
		{namedCall{"ls", nil}, "dot.png\nnotes.txt"},
		{namedCall{"read", map[string]any{"path": "missing"}}, "not_found: "},
		{namedCall{"read", map[string]any{"path": "dot.png"}}, "3x2"},
	}
	for _, w := range want {
		j.Calls = append(j.Calls, w.call)
	}
	j.Many = 50
	got := j.run(t)
	if got.Revision != revision {
		t.Errorf("revision %q, not %q", got.Revision, revision)
	}
	if got.Server.Name != "spillway" || got.Server.Title != "Spillway" || got.Server.Version == "" || !strings.Contains(got.Instructions, j.Dir) {
		t.Errorf("server %+v, instructions %q", got.Server, got.Instructions)
	}
	checkNodeTools(t, got)
	for i, w := range want {
		r := got.Results[i]
		if !strings.Contains(r.Content[0].Text, w.text) || r.IsError != strings.HasPrefix(w.text, "not_found") {
			t.Errorf("%v: %+v", w.call, r)
		}
	}
	if r := got.Results[6]; len(r.Content) != 2 || r.Content[1].Type != "image" || r.Content[1].MIMEType != "image/png" || !strings.HasPrefix(r.Content[1].Data, "iVBOR") {
		t.Errorf("a picture: %+v", r)
	}
	for i, r := range got.Many {
		if r.IsError || r.Content[0].Text != fmt.Sprintf("call %d\n", i) {
			t.Errorf("call %d of many: %+v", i, r)
		}
	}
	if len(got.Many) != 50 {
		t.Errorf("%d results of 50 calls at once", len(got.Many))
	}
	if len(got.Progress) == 0 || got.Progress[0].Message != "half way" || got.Progress[0].Progress <= 0 {
		t.Errorf("progress: %+v", got.Progress)
	}
	if !strings.Contains(got.Cancelled, "changed my mind") || got.After.IsError || len(got.After.Content) == 0 {
		t.Errorf("the cancelled call: %q, the one after it: %+v", got.Cancelled, got.After)
	}
	gone(t, pidIn(t, filepath.Join(j.Dir, "shell")))
	gone(t, pidIn(t, filepath.Join(j.Dir, "child")))
}

func checkNodeTools(t *testing.T, got findings) {
	t.Helper()
	if want := len(builtin(t)); len(got.Tools) != want {
		t.Errorf("%d tools, want %d", len(got.Tools), want)
	}
	for _, tool := range got.Tools {
		h := hintsOf(tool.Name)
		want := map[string]any{"title": tool.Title, "readOnlyHint": h.readOnly, "idempotentHint": h.idempotent, "destructiveHint": h.destructive, "openWorldHint": h.openWorld}
		if fmt.Sprint(tool.Annotations) != fmt.Sprint(want) || tool.Title == "" || tool.Description == "" || tool.InputSchema.Type != "object" {
			t.Errorf("%+v; want annotations %v", tool, want)
		}
	}
}

func TestNodeClientKilled(t *testing.T) {
	needNode(t)
	dir := t.TempDir()
	killed(t, task{SDK: "1", Dir: dir, Stdio: &launch{binary, []string{"mcp", "-workspace", dir}}, Wait: serverAndSleeper}.command(t), dir)
}

// A client gets the result of a command that takes longer than it waits, and the rest from the job. By default that is
// so after a minute.
func TestNodeOutlasted(t *testing.T) {
	needNode(t)
	for sdk := range sdks {
		for name, test := range map[string]struct {
			args    []string
			timeout int
		}{"short": {[]string{"-answer-within", "1s"}, 20_000}, "default": {nil, 0}} {
			t.Run("SDK "+sdk+" "+name, func(t *testing.T) {
				t.Parallel()
				if name == "default" && os.Getenv(nodeVariable) != "long" {
					t.Skipf("takes a minute: %s=long runs it", nodeVariable)
				}
				dir := workspace(t)
				got := task{
					SDK: sdk, Dir: dir, Stdio: &launch{binary, append([]string{"mcp", "-workspace", dir}, test.args...)},
					Outlast: &outlast{outlasting, test.timeout},
				}.run(t)
				if len(got.Results) != 2 || !strings.Contains(got.Results[0].Content[0].Text, "s and continues as a job. Job 1 is running") ||
					!strings.HasPrefix(got.Results[1].Content[0].Text, "late\n") {
					t.Errorf("the command and its job: %+v", got.Results)
				}
			})
		}
	}
}

func TestNodeWrongToken(t *testing.T) {
	needNode(t)
	s := startHTTP(t, t.TempDir())
	for sdk := range sdks {
		if out, err := printed(task{SDK: sdk, HTTP: &address{s.url, "wrong"}}.command(t)); err == nil || !strings.Contains(err.Error(), "401") && !strings.Contains(err.Error(), "invalid token") {
			t.Errorf("SDK %s printed %s, %v", sdk, out, err)
		}
	}
}

func TestInspector(t *testing.T) {
	needNode(t)
	dir := workspace(t)
	s := startHTTP(t, dir)
	for name, target := range map[string][]string{
		"stdio": {binary, "mcp", "-workspace", dir},
		"http":  {s.url, "--transport", "http", "--header", "Authorization: Bearer " + s.token},
	} {
		t.Run(name, func(t *testing.T) {
			var list findings
			inspect(t, &list, target, "--method", "tools/list")
			checkNodeTools(t, list)
			var r result
			inspect(t, &r, target, "--method", "tools/call", "--tool-name", "read", "--tool-arg", "path=notes.txt", "--tool-arg", "limit=1")
			if r.IsError || r.Content[0].Text != "one\n\n[3 more lines in file. Use offset=2 to continue]" {
				t.Errorf("read: %+v", r)
			}
			inspect(t, &r, target, "--method", "tools/call", "--tool-name", "read", "--tool-arg", "path=missing")
			if !r.IsError || !strings.HasPrefix(r.Content[0].Text, "not_found: ") {
				t.Errorf("a missing file: %+v", r)
			}
		})
	}
}

// inspect runs the command line of the inspector.
func inspect(t *testing.T, into any, target []string, args ...string) {
	t.Helper()
	cmd := exec.Command("node", append(append([]string{"cli.js", "--cli"}, target...), args...)...)
	// It looks for its package.json from the current directory.
	cmd.Dir = filepath.Join(clients, "node_modules/@modelcontextprotocol/inspector-cli/build")
	out, err := printed(cmd)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
