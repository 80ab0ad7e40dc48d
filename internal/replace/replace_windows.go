package replace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// mayWrite checks the read-only attribute.
func mayWrite(_ *os.Root, _ string, info fs.FileInfo) error {
	if info.Mode()&0o200 == 0 {
		return fs.ErrPermission
	}
	return nil
}

// copyOwner does nothing, because the owner of a file is the user who made it.
func copyOwner(*os.File, fs.FileInfo) error { return nil }

// syncDir does nothing, because directories cannot be synced.
func syncDir(*os.Root) {}

const (
	// renameTries is the number of attempts to rename a file that other programs, such as virus scanners, have open.
	renameTries = 100
	renamePause = 10 * time.Millisecond
)

// rename replaces a file by another one. It waits up to a second if the file is open.
func rename(ctx context.Context, dir *os.Root, from, to string) (err error) {
	for range renameTries {
		err = dir.Rename(from, to)
		if !errors.Is(err, windows.ERROR_ACCESS_DENIED) && !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(renamePause):
		}
	}
	return err
}
