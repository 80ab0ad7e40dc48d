//go:build unix

package workspace

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// OpenRoot opens a directory by os.OpenRoot or the method of an [os.Root]. Alone, these
// would wait for the other end of a FIFO in its place: the ending makes the system refuse
// anything but a directory without opening it.
func OpenRoot(open func(name string) (*os.Root, error), name string) (*os.Root, error) {
	return open(name + "/.")
}

// mayEnter returns the error of entering a directory, for which looking up a name in it takes the
// same right.
func mayEnter(dir *os.File) error {
	var info unix.Stat_t
	return unix.Fstatat(int(dir.Fd()), ".", &info, 0)
}

// SeveralNames reports whether a file has hard links.
func SeveralNames(_ *os.Root, _ string, info fs.FileInfo) (bool, error) {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1, nil
}
