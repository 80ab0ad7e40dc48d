package workspace

import (
	"errors"
	"io/fs"
	"strings"

	"golang.org/x/sys/windows"
)

// sameName reports whether two paths are the same except for case. In a case-sensitive directory a path may lead to
// the wrong one of two files, but it is still confined.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }

// isLocal reports whether the root of a volume is a drive, rather than another machine or a device.
func isLocal(root string) bool { return len(root) == len(`C:\`) && root[1] == ':' }

// fileError returns err, or fs.ErrNotExist if err is about a name that no file can have, such as
// a?b.
func fileError(err error) error {
	if errors.Is(err, windows.ERROR_INVALID_NAME) {
		return fs.ErrNotExist
	}
	return err
}
