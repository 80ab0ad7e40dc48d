//go:build !unix && !windows

package workspace

import (
	"context"
	"io/fs"
	"os"
)

// mayWrite goes by the mode.
func mayWrite(_ *os.Root, _ string, info fs.FileInfo) error {
	if info.Mode()&0o200 == 0 {
		return fs.ErrPermission
	}
	return nil
}

// severalNames cannot tell here.
func severalNames(*os.Root, string, fs.FileInfo) (bool, error) { return false, nil }

// copyOwner does nothing.
func copyOwner(*os.File, fs.FileInfo) error { return nil }

// syncDir does nothing.
func syncDir(*os.Root) {}

// rename gives a file another name, in the place of what has it.
func rename(_ context.Context, dir *os.Root, from, to string) error { return dir.Rename(from, to) }
