//go:build unix

package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Ctrl-C ends a call, says so in words, and gives the exit code that shells have for it.
func TestInterrupt(t *testing.T) {
	needBash(t)
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt) // a signal that this program ignores would stay ignored
	defer signal.Stop(caught)
	dir := t.TempDir()
	fifo := filepath.Join(dir, "begun")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	call := exec.Command(spillway(t), "call", "bash", "echo begun; echo >begun; sleep 600")
	call.Dir, call.Stdout, call.Stderr = dir, &stdout, &stderr
	if err := call.Start(); err != nil {
		t.Fatal(err)
	}
	begun, err := os.OpenFile(fifo, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer begun.Close()
	if _, err := bufio.NewReader(begun).ReadString('\n'); err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if err := call.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = call.Wait() // what it is shows in the exit code
	if code := call.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d", code)
	}
	if want := "aborted: the call was cancelled and the command ended\n\nbegun\n"; stdout.String() != want || stderr.String() != "" {
		t.Errorf("%q, and %q to stderr; want %q", stdout.String(), stderr.String(), want)
	}
}
