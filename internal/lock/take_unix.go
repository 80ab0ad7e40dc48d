//go:build unix

package lock

import (
	"os"
	"syscall"
)

// exclusive locks an open file, or returns ErrBusy.
func exclusive(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == syscall.EWOULDBLOCK {
		return ErrBusy
	}
	return err
}
