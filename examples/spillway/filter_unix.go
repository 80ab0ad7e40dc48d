//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// endsAll has the end of a command's context end what the command has started, too, and returns what ends that once the
// command has ended. A process that has begun a session of its own is not found.
func endsAll(cmd *exec.Cmd) (endLeft func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	end := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Cancel = end
	return func() {
		if cmd.Process != nil {
			_ = end() // no other process gets the id of a group that has one left
		}
	}
}
