//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// endsAll has the end of a command's context end what it has started, too.
func endsAll(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
