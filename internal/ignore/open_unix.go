//go:build unix

package ignore

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// openNoFollow opens path for reading unless it is a symbolic link, and does
// not wait for a writer if it is a pipe.
func openNoFollow(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	// FreeBSD says EMLINK, NetBSD EFTYPE, the others ELOOP.
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EMLINK) {
		return nil, fmt.Errorf("ignore: %s: %w", path, ErrNotRegular)
	}
	return f, err
}
