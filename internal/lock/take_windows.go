package lock

import (
	"os"
	"syscall"
	"unsafe"
)

const (
	lockExclusive = 2 // LOCKFILE_EXCLUSIVE_LOCK
	lockAtOnce    = 1 // LOCKFILE_FAIL_IMMEDIATELY
	// lockedAt is the upper half of the offset of the locked byte. On Windows a lock keeps others from reading and
	// writing, so it is behind the end of any file.
	lockedAt = 1 << 30
)

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

// exclusive locks an open file, or returns ErrBusy.
func exclusive(f *os.File) error {
	at := syscall.Overlapped{OffsetHigh: lockedAt}
	ok, _, _ := lockFileEx.Call(f.Fd(), lockExclusive|lockAtOnce, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	if ok == 0 {
		return ErrBusy
	}
	return nil
}
