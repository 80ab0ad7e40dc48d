//go:build !unix && !windows

package workspace

import "os"

const (
	openFlags = 0
	holdFlags = os.O_RDONLY
)

// OpenRoot opens a directory by os.OpenRoot or the method of an [os.Root].
func OpenRoot(open func(name string) (*os.Root, error), name string) (*os.Root, error) {
	return open(name)
}
