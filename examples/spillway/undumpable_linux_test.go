package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user without rights, which root makes itself for the test.
const nobody = 65534

// A command reads neither the environment of the server nor its memory.
func TestUndumpable(t *testing.T) {
	t.Parallel()
	dir := filepath.Dir(spillway(t))
	if os.Geteuid() == 0 {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ws := t.TempDir()
	cmd := exec.Command(spillway(t), "mcp", "-workspace", "/")
	cmd.Env = append(os.Environ(), "DEPLOY_TOKEN=hidden-value", "SPILLWAY_SPILL_DIR="+filepath.Join(ws, "spill"))
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bash","arguments":{"command":"id -u; tr '\\0' '\\n' </proc/$PPID/environ; head -c 1 /proc/$PPID/maps; grep -c . /proc/$PPID/status"}}}
`)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if text := string(out); strings.Contains(text, "hidden-value") || strings.Count(text, "Permission denied") < 2 {
		t.Fatal(text)
	}
}
