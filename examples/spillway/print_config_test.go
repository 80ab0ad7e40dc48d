package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
)

// printedConfig returns what is printed for a client.
func printedConfig(t *testing.T, dir string, args ...string) (servers string, server entry, note string) {
	t.Helper()
	cmd := exec.Command(spillway(t), append([]string{"mcp"}, args...)...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	var all map[string]map[string]entry
	if err := json.Unmarshal(out, &all); err != nil || len(all) != 1 {
		t.Fatalf("%s: %v", out, err)
	}
	for servers = range all {
		server = all[servers]["spillway"]
	}
	return servers, server, stderr.String()
}

// What is printed starts this program with the flags given, from any directory.
func TestPrintConfig(t *testing.T) {
	t.Parallel()
	dir := workspace(t)
	here, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	program, err := filepath.EvalSymlinks(spillway(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ client, servers, kind, folder, file string }{
		{"claude", "mcpServers", "", here, ".mcp.json"},
		{"cursor", "mcpServers", "", "${workspaceFolder}", ".cursor/mcp.json"},
		{"vscode", "servers", "stdio", "${workspaceFolder}", ".vscode/mcp.json"},
		{"zed", "context_servers", "", here, "settings.json"},
		{"gemini", "mcpServers", "", here, ".gemini/settings.json"},
	} {
		t.Run(test.client, func(t *testing.T) {
			servers, server, note := printedConfig(t, dir, "-print-config", test.client)
			if servers != test.servers || server.Type != test.kind || server.Command != program ||
				!slices.Equal(server.Args, []string{"mcp", "-workspace", test.folder}) || !strings.Contains(note, test.file) {
				t.Errorf("%s: %+v, %s", servers, server, note)
			}
		})
	}
	write(t, filepath.Join(dir, "options.json"), []byte(`{"maxBytes": "2KB"}`))
	_, server, _ := printedConfig(t, dir, "-workspace", ".", "-config", "options.json", "-allow", "bash(git log *)", "-set", "Grep.Limit=20",
		"-read-only", "-details", "-silence", "10m", "-deny", "read(**/.env)", "-print-config", "claude")
	want := []string{"mcp", "-config", filepath.Join(here, "options.json"), "-workspace", here, "-allow", "bash(git log *)",
		"-set", "Grep.Limit=20", "-read-only=true", "-deny", "read(**/.env)", "-details", "-silence", "10m0s"}
	if !slices.Equal(server.Args, want) {
		t.Errorf("%q", server.Args)
	}
	_, text := say(t, connect(t, &mcp.CommandTransport{Command: exec.Command(server.Command, server.Args...)}, nil), "read", map[string]any{"path": "notes.txt"})
	if !strings.HasPrefix(text, "one\n") {
		t.Errorf("a server that was started so: %q", text)
	}
}

// Over HTTP, what is printed has a key of the client's own, and a place for the token, which is not printed.
func TestPrintConfigHTTP(t *testing.T) {
	t.Setenv(tokenVariable, "0123456789abcdef")
	keys := map[string]bool{}
	for _, client := range configuredNames() {
		if configured[client].toml {
			continue
		}
		_, server, note := printedConfig(t, t.TempDir(), "-print-config", client, "-http", "127.0.0.1:8080")
		kind := map[string]string{"claude": "http", "vscode": "http"}[client]
		if server.URL+server.HTTPURL != "http://127.0.0.1:8080/mcp" || server.Type != kind || server.Command != "" || server.Headers["Authorization"] != "Bearer TOKEN" ||
			!strings.Contains(note, "token in place of TOKEN") || strings.Contains(fmt.Sprint(server, note), os.Getenv(tokenVariable)) {
			t.Errorf("%s: %+v, %s", client, server, note)
		}
		keys[server.Headers["Spillway-Client"]] = true
	}
	if len(keys) != len(configuredNames())-1 || keys[""] {
		t.Errorf("the keys are %v", keys)
	}
}

// The form of Codex is TOML.
func TestPrintConfigTOML(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	printed := func(args ...string) string {
		cmd := exec.Command(spillway(t), append([]string{"mcp", "-print-config", "codex", "-workspace", "/a \"b\" <c>"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	program, err := filepath.EvalSymlinks(spillway(t))
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("[mcp_servers.spillway]\ncommand = %q\nargs = [\"mcp\",\"-workspace\",\"/a \\\"b\\\" <c>\",\"-set\",\"MaxBytes=7476\"]\n", program)
	if got := printed(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	got := printed("-http", "127.0.0.1:8080")
	if want := "[mcp_servers.spillway]\nurl = \"http://127.0.0.1:8080/mcp\"\nbearer_token_env_var = \"MCP_SERVER_TOKEN\"\nhttp_headers.Spillway-Client = \""; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// shownWhole is how many bytes and lines of a result the clients show, as docs/mcp.md has it; 0 is no limit. Codex shows
// bytes of JSON.
var shownWhole = map[string]struct{ bytes, lines int }{
	"claude": {50_000, 0}, "codex": {10_000, 0}, "gemini": {40_000, 0}, "qwen": {25_000, 1000},
}

// The largest results, with their notices, are below what a client shows: else it would be the notice that is cut
// (openai/codex#7906).
func TestPrintConfigLimits(t *testing.T) {
	t.Parallel()
	needBash(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "short.txt"), bytes.Repeat([]byte("x\n"), 20_000))
	write(t, filepath.Join(dir, "long.txt"), bytes.Repeat([]byte(strings.Repeat("line ", 20)+"\n"), 20_000))
	for i := range 1500 {
		write(t, filepath.Join(dir, fmt.Sprintf("file-%s-%d", strings.Repeat("n", 60), i)), nil)
	}
	for client, most := range shownWhole {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			var args []string
			if form := configured[client]; form.toml {
				args = append([]string{"mcp", "-workspace", dir}, form.limits(config.Config{})...)
			} else {
				_, server, _ := printedConfig(t, dir, "-print-config", client)
				args = server.Args
			}
			session := connect(t, &mcp.CommandTransport{Command: exec.Command(spillway(t), args...)}, nil)
			for _, call := range []struct {
				tool string
				args map[string]any
			}{
				{"read", map[string]any{"path": "short.txt"}}, {"read", map[string]any{"path": "long.txt"}},
				{"grep", map[string]any{"pattern": "x", "limit": 20_000}}, {"grep", map[string]any{"pattern": "line", "limit": 20_000}},
				{"find", map[string]any{"pattern": "file-*", "limit": 20_000}}, {"ls", map[string]any{"limit": 20_000}},
				{"bash", map[string]any{"command": "cat short.txt; exit 3"}}, {"bash", map[string]any{"command": "cat long.txt; sleep 600", "timeout_ms": 300}},
				{"bash", map[string]any{"command": "for i in 1 2 3 4 5 6 7 8 9; do echo ERROR: $i failed; cat long.txt; done"}},
			} {
				res, text := say(t, session, call.tool, call.args)
				for ms, ok := call.args["timeout_ms"].(int); ok && ms < 60_000 && strings.Contains(text, "(no output)"); ms *= 3 {
					call.args["timeout_ms"] = ms // until it is long enough for this machine
					res, text = say(t, session, call.tool, call.args)
				}
				size, lines := len(text), strings.Count(text, "\n")+1
				if client == "codex" {
					encoded, err := json.Marshal(res.Content)
					if err != nil {
						t.Fatal(err)
					}
					size = len(encoded)
				}
				if size > most.bytes || most.lines > 0 && lines > most.lines {
					t.Errorf("%s %v: %d bytes in %d lines", call.tool, call.args, size, lines)
				}
				if size < most.bytes/8 && lines < 900 {
					t.Errorf("%s %v has only %d bytes in %d lines, and shows nothing", call.tool, call.args, size, lines)
				}
			}
		})
	}
}
