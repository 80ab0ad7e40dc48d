package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"github.com/creack/pty"
)

// answer is a line that somebody types when a text was printed.
type answer struct{ after, line string }

// inTerminal runs a command in a pseudo-terminal, in which these lines are typed, and returns what it printed.
func inTerminal(cmd *exec.Cmd, cols int, typed ...answer) (string, error) {
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
	var printed []byte
	seen, chunk := 0, make([]byte, 4096)
	for {
		n, readErr := terminal.Read(chunk)
		printed = append(printed, chunk[:n]...)
		if len(typed) > 0 && strings.Contains(string(printed[seen:]), typed[0].after) {
			seen = len(printed)
			_, err = io.WriteString(terminal, typed[0].line+"\n")
			typed = typed[1:]
		}
		if err = errors.Join(err, readErr); err != nil {
			break
		}
	}
	switch {
	case !errors.Is(err, syscall.EIO) && !errors.Is(err, io.EOF): // so Linux says that the other end is closed
	case len(typed) > 0:
		err = fmt.Errorf("%q was never printed, and %q not typed", typed[0].after, typed[0].line)
	default:
		err = nil
	}
	return string(printed), errors.Join(cmd.Wait(), err)
}
