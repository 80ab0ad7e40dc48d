//go:build unix

package main

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// Whoever starts the server at a terminal is told that it waits; a client, at a pipe, is told nothing (see endsWell).
func TestWaitsAtTerminal(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(spillway(t), "mcp", "-workspace", t.TempDir())
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	line, err := bufio.NewReader(terminal).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != waits {
		t.Errorf("%q, %v", line, err)
	}
	if _, err := terminal.Write([]byte{3}); err != nil { // Ctrl-C
		t.Fatal(err)
	}
	if cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("ended with %v", cmd.ProcessState)
	}
}
