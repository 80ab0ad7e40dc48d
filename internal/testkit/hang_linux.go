package testkit

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Hang mounts a file system that never answers on a directory until the test ends, or
// skips the test where it may not.
func Hang(t testing.TB, dir string) {
	t.Helper()
	mayMount(t)
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skip("no FUSE: ", err)
	}
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=%d,group_id=%d", fd, os.Getuid(), os.Getgid())
	if err := unix.Mount("none", dir, "fuse", 0, options); err != nil {
		unix.Close(fd)
		t.Skip("mounting is refused: ", err)
	}
	t.Cleanup(func() {
		unix.Close(fd) // everything that waits fails
		unix.Unmount(dir, unix.MNT_DETACH)
	})
}
