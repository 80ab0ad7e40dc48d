//go:build unix

package proc

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName returns the name of a signal, such as "SIGSEGV".
func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return s.String() // "signal 40": a real-time signal
}
