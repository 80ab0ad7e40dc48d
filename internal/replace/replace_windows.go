package replace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// mayWrite goes by the attribute of files that may only be read.
func mayWrite(_ *os.Root, _ string, info fs.FileInfo) error {
	if info.Mode()&0o200 == 0 {
		return fs.ErrPermission
	}
	return nil
}

// copyOwner does nothing: the owner of a file is who made it.
func copyOwner(*os.File, fs.FileInfo) error { return nil }

// syncDir does nothing: directories cannot be synced.
func syncDir(*os.Root) {}

const (
	// renameTries is how often a file is renamed that others have open, as those do who read
	// it, or look for viruses.
	renameTries = 100
	renamePause = 10 * time.Millisecond
)

// rename gives a file another name, in the place of what has it. It waits a second for those
// who have that open.
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
