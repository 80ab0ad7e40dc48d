//go:build unix

package workspace

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// OpenRoot opens a directory with os.OpenRoot or the method of an [os.Root]. These would wait at a FIFO for its other
// end. The "/." that OpenRoot adds makes the system refuse anything but a directory.
func OpenRoot(open func(name string) (*os.Root, error), name string) (*os.Root, error) {
	return open(name + "/.")
}

// mayEnter returns an error if this program may not change to a directory, which takes the same
// permission as looking up a name in it.
func mayEnter(dir *os.File) error {
	var info unix.Stat_t
	return unix.Fstatat(int(dir.Fd()), ".", &info, 0)
}

// SeveralNames reports whether a file has several hard links.
func SeveralNames(_ *os.Root, _ string, info fs.FileInfo) (bool, error) {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1, nil
}

// Owned reports whether a file belongs to the user that this process runs as.
func Owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}
