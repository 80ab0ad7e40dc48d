//go:build unix

package record

import (
	"fmt"
	"io/fs"
)

// private is an error for a file that other users can open.
func private(info fs.FileInfo) error {
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("other users can open it (mode %04o). Run chmod 600 on it", mode)
	}
	return nil
}
