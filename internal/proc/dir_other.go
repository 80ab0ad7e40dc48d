//go:build !linux

package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkDir tells a directory that is missing, or is not OpenDir any more: the system's
// own error for it would name the shell, or there would be none. A process cannot be
// started in an open directory here, so one that is replaced a moment later is not noticed.
func (c *Command) checkDir() error {
	info, err := os.Stat(c.Dir)
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	if err == nil && c.OpenDir != nil {
		if held, failed := c.OpenDir.Stat(); failed != nil || !os.SameFile(info, held) {
			err = fs.ErrNotExist
		}
	}
	if err != nil {
		return fmt.Errorf("%w %s: %w", ErrDir, c.Dir, err)
	}
	return nil
}
