package spill

import (
	"io/fs"
	"os"
	"syscall"
	"unsafe"
)

const noWait = 0

const (
	lockExclusive = 2 // LOCKFILE_EXCLUSIVE_LOCK
	lockAtOnce    = 1 // LOCKFILE_FAIL_IMMEDIATELY
	// lockedAt is the upper half of the offset of the byte that is locked. A lock keeps
	// others from reading and writing on Windows, so it lies where no file ends.
	lockedAt = 1 << 30
)

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

// lock takes the lock of an open file, at once or not at all: then it is errBusy. It ends when the file
// is closed, also by the end of the process. Without it a file that is being written could
// be removed, because os.Root opens files so that they can be.
func lock(f *os.File) error {
	at := syscall.Overlapped{OffsetHigh: lockedAt}
	ok, _, _ := lockFileEx.Call(f.Fd(), lockExclusive|lockAtOnce, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	if ok == 0 {
		return errBusy
	}
	return nil
}

// owned cannot tell here, where a directory's mode does not name its owner.
func owned(fs.FileInfo) bool { return true }
