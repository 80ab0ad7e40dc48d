package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// asNobody returns a command of the program that runs as a user without rights, in a workspace of its own.
func asNobody(t *testing.T, command string, args ...string) *exec.Cmd {
	t.Helper()
	ws, err := os.MkdirTemp("", "spillway-nobody-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(ws) })
	cmd := exec.Command(spillway(t), append([]string{command, "-workspace", ws}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+ws)
	if os.Geteuid() == 0 {
		for dir, mode := range map[string]os.FileMode{filepath.Dir(spillway(t)): 0o755, ws: 0o777} {
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
	session := connect(t, &mcp.CommandTransport{Command: asNobody(t, "mcp", flags...)}, nil)
	for _, want := range []string{"first\n", "second\n"} {
		if _, text := say(t, session, "bash", map[string]any{"command": "echo " + want}); text != want {
			t.Errorf("%q", text)
		}
	}
}

// Where no namespaces can be made, the error says why, who can change that, and how to go on.
func TestHostsRefused(t *testing.T) {
	t.Parallel()
	const script = `echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all "$@"`
	cmd := exec.Command("unshare", "-Ur", "sh", "-c", script, "sh",
		spillway(t), "mcp", "-workspace", t.TempDir(), "-sandbox", "auto", "-allow-host", "example.org")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "spillway: ") || strings.Contains(string(out), "amd64 and arm64 alone") {
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
