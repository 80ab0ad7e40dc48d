package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// inTerminal runs a command in a pseudo-terminal and returns what it printed.
func inTerminal(cmd *exec.Cmd, cols int) (string, error) {
	ours, theirs, err := openTerminal(cols)
	if err != nil {
		return "", err
	}
	defer ours.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "NO_COLOR=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		return "", err
	}
	printed, err := io.ReadAll(ours)
	if errors.Is(err, syscall.EIO) {
		err = nil // so Linux says that the other end is closed
	}
	return string(printed), errors.Join(cmd.Wait(), err)
}

// openTerminal opens both ends of a new pseudo-terminal.
func openTerminal(cols int) (ours, theirs *os.File, err error) {
	ours, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	fd := int(ours.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: uint16(cols)})
	}
	if err == nil {
		theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		ours.Close()
		return nil, nil, fmt.Errorf("pseudo-terminal: %w", err)
	}
	return ours, theirs, nil
}
