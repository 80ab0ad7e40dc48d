//go:build !unix && !windows

package spill

import (
	"io/fs"
	"os"
)

const noWait = 0

// lock does nothing where it is not known how.
func lock(*os.File) error { return nil }

// owned cannot tell here, where a directory's mode does not name its owner.
func owned(fs.FileInfo) bool { return true }

func openDir(path string) (*os.Root, error) { return os.OpenRoot(path) }
