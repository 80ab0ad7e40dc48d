package programs

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
)

// Each program has at most 30 lines, and does what its comment says.
func TestPrograms(t *testing.T) {
	need.Build(t)
	need.Shell(t)
	bin := t.TempDir()
	files, err := filepath.Glob("*/main.go")
	require.NoError(t, err)
	require.Len(t, files, 4)
	for _, file := range files {
		_, err := testkit.Build(filepath.Dir(file), bin, "-ldflags=-s -w")
		require.NoError(t, err)
		require.LessOrEqual(t, strings.Count(testkit.ReadFile(t, file), "\n"), 30, file)
	}
	for _, tt := range []struct {
		program, tool, args, want string
		sandbox                   bool
	}{
		{"five", "read", `{"path": "notes.txt"}`, "first\n", false},
		{"five", "write", `{"path": "x", "content": "x"}`, "this suite does not have the tool write; it has read, bash, grep, find, ls", false},
		{"reviewer", "grep", `{"pattern": "first"}`, "notes.txt:1: first", false},
		{"reviewer", "read", `{"path": ".env"}`, "hidden", false},
		{"reviewer", "bash", `{"command": "ls"}`, "this suite does not have the tool bash", false},
		{"confined", "bash", `{"command": "git push origin"}`, "the rule deny bash(git push *) refuses git push origin", true},
		{"confined", "bash", `{"command": "echo postgres://app:u7Kq9vTz2LmX4@db/x; touch ../x"}`, "1 secret was redacted", true},
		{"everything", "bash", `{"command": "rm notes.txt"}`, "the rule deny bash(rm *) refuses rm notes.txt", false},
	} {
		t.Run(tt.program+" "+tt.tool, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"notes.txt": "first\nsecond\n", ".env": "KEY=first\n"} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
			}
			cmd := exec.Command(filepath.Join(bin, tt.program), tt.tool, tt.args)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "SPILLWAY_RULES_ALLOW=*", "SPILLWAY_RULES_DENY=bash(rm *)")
			said, err := cmd.CombinedOutput()
			if tt.sandbox && strings.Contains(string(said), "no sandbox works here") {
				need.Sandbox(t, errors.New(string(said)))
			}
			require.NoError(t, err, "%s", said)
			require.Contains(t, string(said), tt.want)
		})
	}
}
