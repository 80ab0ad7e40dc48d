//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/examples/agent/loop"
)

// TestMain is the program itself where a test asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("AGENT_IS_MAIN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// Ctrl-C ends the program, the call and its processes.
func TestSignal(t *testing.T) {
	dir := t.TempDir()
	server := newAPI(t, [2]string{`{"type": "tool_use", "id": "toolu_1", "name": "bash",
		"input": {"command": "sleep 1000 & echo $! > tmp; mv tmp pid; wait"}}`, "tool_use"})
	program, err := os.Executable()
	require.NoError(t, err)
	var out, stderr bytes.Buffer
	cmd := exec.Command(program, "-workspace", dir, "Wait.")
	cmd.Env = append(os.Environ(), "AGENT_IS_MAIN=1", "ANTHROPIC_API_KEY=key", "ANTHROPIC_BASE_URL="+server.URL)
	cmd.Stdout, cmd.Stderr = &out, &stderr
	require.NoError(t, cmd.Start())
	pid := filepath.Join(dir, "pid")
	require.Eventually(t, func() bool { _, err := os.Stat(pid); return err == nil }, time.Minute, time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.Error(t, cmd.Wait())
	require.Equal(t, loop.ExitInterrupted, cmd.ProcessState.ExitCode(), "%s", &stderr)
	require.Equal(t, "agent: interrupted\n", stderr.String())
	require.Contains(t, out.String(), "  │ aborted: ")
	// Whoever waits for what the command left is not this program: it may be a zombie for a while.
	number, err := os.ReadFile(pid)
	require.NoError(t, err)
	if state, err := os.ReadFile("/proc/" + strings.TrimSpace(string(number)) + "/stat"); err == nil {
		require.Contains(t, string(state), ") Z ", "the process is still running")
	}
}
