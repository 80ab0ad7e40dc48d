//go:build !linux

package proc

import "syscall"

// reading returns false, because these systems do not tell what a process waits for.
func (t *tree) reading(*input) (r Reading, ok bool) { return r, false }

// unread returns true; its result is not used.
func unread(syscall.RawConn) bool { return true }
