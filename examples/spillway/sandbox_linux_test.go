package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
)

// TestWholeServer runs the recipe of docs/sandbox.md.
func TestWholeServer(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/sandbox.md")
	if err != nil {
		t.Fatal(err)
	}
	recipe := regexp.MustCompile("(?s)```sh\n(bwrap .*?)```").FindSubmatch(page)
	if recipe == nil {
		t.Fatal("docs/sandbox.md has no recipe")
	}
	// Not in /tmp, of which the recipe shows nothing.
	dir, err := os.MkdirTemp("/var/tmp", "spillway")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	inside := filepath.Join(dir, "workspace")
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(spillway(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := testkit.WriteProgram(filepath.Join(dir, "spillway"), program, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("bwrap", "--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true").CombinedOutput(); err != nil {
		if os.Getenv("SANDBOX_TESTS") == "required" {
			t.Fatalf("%v: %s", err, out)
		}
		t.Skipf("%v: %s", err, out)
	}
	cmd := exec.Command("sh", "-c", "PATH="+dir+":$PATH; exec "+string(recipe[1]))
	cmd.Dir = inside
	p := startAs(t, cmd)
	p.initialize()
	if r := p.call(3, "bash", `{"command": "echo hi > file; cat file; echo x > ../beside"}`); !strings.HasPrefix(r.Content[0].Text, "hi\n") ||
		!strings.Contains(r.Content[0].Text, "Read-only file system") {
		t.Errorf("bash: %q", r.Content[0].Text)
	}
	if r := p.call(4, "read", `{"path": "file"}`); r.Content[0].Text != "hi\n" {
		t.Errorf("read: %q", r.Content[0].Text)
	}
	p.hang()
	p.endsWell()
	if _, err := os.Stat(filepath.Join(dir, "beside")); err == nil {
		t.Error("a file outside was written")
	}
}

// TestSandboxFlag has -sandbox reach commands, and one that cannot be had end the program.
func TestSandboxFlag(t *testing.T) {
	t.Parallel()
	p := start(t, "-workspace", workspace(t), "-sandbox", "jail")
	if code := p.ends(); code != exitUsage || !strings.Contains(p.stderr.String(), "Bash.Sandbox") {
		t.Errorf("exit code %d, stderr %q", code, p.stderr.String())
	}
	p = start(t, "-workspace", workspace(t), "-sandbox", "auto", "-details")
	p.send(1, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	eventually(t, "an answer or an end", func() bool {
		if _, ok := p.answered(1); ok {
			return true
		}
		return len(p.exit) > 0
	})
	if len(p.exit) > 0 {
		p.ends()
		if os.Getenv("SANDBOX_TESTS") == "required" {
			t.Fatal(p.stderr.String())
		}
		t.Skip(p.stderr.String())
	}
	p.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	r := p.call(3, "bash", `{"command": "echo x > /usr/x"}`)
	if !strings.Contains(r.Content[0].Text, "[Sandboxed (") || r.Meta == nil || r.Meta.Details["sandbox"] == nil {
		t.Errorf("bash: %+v", r)
	}
	p.hang()
	p.endsWell()
}
