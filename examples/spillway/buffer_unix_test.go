//go:build unix

package main

import "syscall"

// smallBuffer makes a socket take little that is not read.
func smallBuffer(fd uintptr) error {
	return syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096)
}
