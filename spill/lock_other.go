//go:build !unix

package spill

import (
	"io/fs"
	"os"
)

const (
	noFollow = 0
	onlyDir  = ""
)

// lock does nothing here: Windows does not remove a file that is open.
func lock(*os.File) error { return nil }

// owned cannot tell here, where a directory's mode does not name its owner.
func owned(fs.FileInfo) bool { return true }
