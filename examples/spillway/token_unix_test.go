//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A token file that is a pipe with nothing in it does not make the program deaf to
// signals.
func TestTokenFileThatWaits(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(spillway(t), "mcp", "-workspace", t.TempDir(), "-http", "127.0.0.1:0", "-token-file", file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stuck := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer stuck.Stop()
	eventually(t, "a reader of the pipe", func() bool {
		pipe, err := os.OpenFile(file, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			t.Cleanup(func() { pipe.Close() })
		}
		return err == nil
	})
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if !strings.Contains(cmd.ProcessState.String(), os.Interrupt.String()) {
		t.Errorf("ended with %v, not by the signal", cmd.ProcessState)
	}
}
