package proc

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// openDir returns OpenDir, or opens Dir.
func (c *Command) openDir() (*os.File, error) {
	dir := c.OpenDir
	if dir == nil {
		// O_PATH does not require the directory to be readable.
		fd, err := unix.Open(c.Dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return nil, fmt.Errorf("%w %s: %w", ErrDir, c.Dir, err)
		}
		return os.NewFile(uintptr(fd), c.Dir), nil
	}
	var info unix.Stat_t
	err := unix.Fstat(int(dir.Fd()), &info)
	if err == nil && info.Nlink == 0 { // removed
		err = unix.ENOENT
	}
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrDir, c.Dir, err)
	}
	return dir, nil
}
