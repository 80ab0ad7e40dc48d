package workspace

import (
	"errors"
	"io/fs"
	"strings"

	"golang.org/x/sys/windows"
)

// sameName reports whether two paths are the same except for the case of letters. In a directory
// that is set to be case-sensitive, a path may lead to the wrong one of two files, but it is
// confined all the same.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }

// isLocal reports whether the root of a volume is that of a drive, not of another machine or a
// device.
func isLocal(root string) bool { return len(root) == len(`C:\`) && root[1] == ':' }

// fileError returns err, or fs.ErrNotExist if err is about a name that no file can have, such as
// a?b.
func fileError(err error) error {
	if errors.Is(err, windows.ERROR_INVALID_NAME) {
		return fs.ErrNotExist
	}
	return err
}
