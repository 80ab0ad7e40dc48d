//go:build unix && !linux

package workspace

import "syscall"

const (
	OpenFlags = syscall.O_NONBLOCK                       // as on Linux
	holdFlags = syscall.O_NONBLOCK | syscall.O_DIRECTORY // the directory must be readable
)
