package workspace

import (
	"os"
	"path/filepath"
)

const (
	openFlags = 0
	holdFlags = os.O_RDONLY
)

// OpenRoot opens a directory by os.OpenRoot or the method of an [os.Root]. A directory
// that os.OpenRoot opens by path cannot be renamed or removed while it is open, unlike
// one opened from its parent.
func OpenRoot(open func(name string) (*os.Root, error), name string) (*os.Root, error) {
	if !filepath.IsAbs(name) {
		return open(name)
	}
	if parent, err := open(filepath.Dir(name)); err == nil {
		defer parent.Close()
		if dir, err := parent.OpenRoot(filepath.Base(name)); err == nil {
			return dir, nil
		}
	}
	return open(name) // the root of a volume, or in a directory that may not be read
}
