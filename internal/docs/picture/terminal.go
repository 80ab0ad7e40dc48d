package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"github.com/creack/pty"
)

// inTerminal runs a command in a pseudo-terminal and returns what it printed.
func inTerminal(cmd *exec.Cmd, cols int) (string, error) {
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "NO_COLOR=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: uint16(cols)})
	if err != nil {
		return "", err
	}
	defer terminal.Close()
	printed, err := io.ReadAll(terminal)
	if errors.Is(err, syscall.EIO) {
		err = nil // so Linux says that the other end is closed
	}
	return string(printed), errors.Join(cmd.Wait(), err)
}
