package workspace

import (
	"errors"
	"io/fs"
	"strings"

	"golang.org/x/sys/windows"
)

// sameName reports whether two paths are the same but for the case of letters, which
// Windows disregards. In a directory that is set to tell A from a, the wrong one of two names may
// be taken, and the path is confined all the same.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }

// isLocal reports whether the root of a volume is that of a drive, and not of another machine
// or a device.
func isLocal(root string) bool { return len(root) == len(`C:\`) && root[1] == ':' }

// known returns fs.ErrNotExist for a name that no file can have, as a?b.
func known(err error) error {
	if errors.Is(err, windows.ERROR_INVALID_NAME) {
		return fs.ErrNotExist
	}
	return err
}
