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
)

// printedConfig returns what is printed for a client.
func printedConfig(t *testing.T, dir string, args ...string) (servers string, server entry, note string) {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"mcp"}, args...)...)
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
	program, err := filepath.EvalSymlinks(binary)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ client, servers, kind, folder, file string }{
		{"claude", "mcpServers", "", here, ".mcp.json"},
		{"cursor", "mcpServers", "", "${workspaceFolder}", ".cursor/mcp.json"},
		{"vscode", "servers", "stdio", "${workspaceFolder}", ".vscode/mcp.json"},
		{"zed", "context_servers", "", here, "settings.json"},
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
		_, server, note := printedConfig(t, t.TempDir(), "-print-config", client, "-http", "127.0.0.1:8080")
		kind := map[string]string{"claude": "http", "vscode": "http"}[client]
		if server.URL != "http://127.0.0.1:8080/mcp" || server.Type != kind || server.Command != "" || server.Headers["Authorization"] != "Bearer TOKEN" ||
			!strings.Contains(note, "token in place of TOKEN") || strings.Contains(fmt.Sprint(server, note), os.Getenv(tokenVariable)) {
			t.Errorf("%s: %+v, %s", client, server, note)
		}
		keys[server.Headers["Spillway-Client"]] = true
	}
	if len(keys) != len(configuredNames()) || keys[""] {
		t.Errorf("the keys are %v", keys)
	}
}
