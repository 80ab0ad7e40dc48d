package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asNobody returns a command of the program that runs as a user without rights, in a workspace of its own.
func asNobody(t *testing.T, command string, args ...string) *exec.Cmd {
	t.Helper()
	ws, err := os.MkdirTemp("", "spillway-nobody-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(ws) })
	cmd := exec.Command(binary, append([]string{command, "-workspace", ws}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+ws)
	if os.Geteuid() == 0 {
		for dir, mode := range map[string]os.FileMode{filepath.Dir(binary): 0o755, ws: 0o777} {
			if err := os.Chmod(dir, mode); err != nil {
				t.Fatal(err)
			}
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return cmd
}

// The server, whose memory commands cannot read, gives commands a network of their own for a user who is not root, too.
func TestHostsWithoutRights(t *testing.T) {
	t.Parallel()
	flags := []string{"-sandbox", "auto", "-allow-host", "example.org"}
	if out, err := asNobody(t, "call", append(flags, "bash", `{"command":"true"}`)...).CombinedOutput(); err != nil {
		t.Skipf("no sandbox here for a user without rights: %s", out)
	}
	cmd := asNobody(t, "mcp", flags...)
	const requests = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bash","arguments":{"command":"echo first"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"bash","arguments":{"command":"echo second"}}}
`
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr, text strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stuck := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer stuck.Stop()
	io.WriteString(in, requests)
	answers := bufio.NewReader(out)
	for answered := 0; answered < 3 && err == nil; { // a client that is gone is answered for a moment only
		var line string
		line, err = answers.ReadString('\n')
		text.WriteString(line)
		if strings.Contains(line, `"id":`) {
			answered++
		}
	}
	in.Close()
	io.Copy(&text, answers)
	err = cmd.Wait()
	if text := text.String(); err != nil || !strings.Contains(text, `"first\n"`) || !strings.Contains(text, `"second\n"`) {
		t.Errorf("%v, %s\n%s", err, text, stderr.String())
	}
}

// Where no namespaces can be made, the error says why, who can change that, and how to go on.
func TestHostsRefused(t *testing.T) {
	t.Parallel()
	const script = `echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all "$@"`
	cmd := exec.Command("unshare", "-Ur", "sh", "-c", script, "sh",
		binary, "mcp", "-workspace", t.TempDir(), "-sandbox", "auto", "-allow-host", "example.org")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "spillway: ") {
		t.Skipf("no user namespaces here: %v, %s", err, out)
	}
	for _, want := range []string{
		"(user.max_user_namespaces is 0, ", "an administrator can change that",
		"Hosts by name need namespaces: without Bash.Hosts and Bash.PrivateHosts, Bash.Network lets commands reach every host",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s does not say %q", out, want)
		}
	}
}
