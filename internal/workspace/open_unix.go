//go:build unix && !linux

package workspace

import "syscall"

// openFlags keep an open from waiting for the other end of a FIFO.
const openFlags = syscall.O_NONBLOCK
