//go:build !linux

package walk

import (
	"context"
	"io"
	"io/fs"
	"os"
)

// fastTree exists only on Linux.
type fastTree struct{}

func openFast(*os.Root) *fastTree { return nil }

func (*fastTree) close() {}
func (*fastTree) openFile(path string) (io.ReadCloser, int64, error) {
	return nil, 0, fs.ErrInvalid
}
func (*fastTree) readDir(context.Context, string, func(string, fs.FileMode) error) error {
	return fs.ErrInvalid
}
