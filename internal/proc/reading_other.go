//go:build !linux

package proc

import "syscall"

// reading returns false: these systems do not tell what a process waits for.
func (t *tree) reading(*input) (r Reading, ok bool) { return r, false }

// unread returns true, as nobody asks.
func unread(syscall.RawConn) bool { return true }
