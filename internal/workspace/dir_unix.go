//go:build unix

package workspace

import "os"

// OpenRoot opens a directory by os.OpenRoot or the method of an [os.Root]. Alone, these
// would wait for the other end of a FIFO in its place: the ending makes the system refuse
// anything but a directory without opening it.
func OpenRoot(open func(name string) (*os.Root, error), name string) (*os.Root, error) {
	return open(name + "/.")
}
