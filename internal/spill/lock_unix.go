//go:build unix

package spill

import (
	"io/fs"
	"os"
	"syscall"
)

// noWait makes opening a FIFO not wait.
const noWait = syscall.O_NONBLOCK

// lock takes the lock of an open file, at once or not at all: then it is errBusy. It ends when the
// file is closed, also by the end of the process.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == syscall.EWOULDBLOCK {
		return errBusy
	}
	return err
}

// owned reports whether a file belongs to the user that this process runs as.
func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}
