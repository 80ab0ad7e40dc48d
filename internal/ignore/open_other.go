//go:build !unix

package ignore

import (
	"fmt"
	"os"
)

// openNoFollow opens path for reading unless it is a symbolic link. The link
// is looked for before and after: there is no way to open without following.
func openNoFollow(path string) (*os.File, error) {
	before, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("ignore: %s: %w", path, ErrNotRegular)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	after, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	if !os.SameFile(before, after) {
		f.Close()
		return nil, fmt.Errorf("ignore: %s: %w", path, ErrNotRegular)
	}
	return f, nil
}
