package testkit

import (
	"os"
	"os/exec"
	"testing"
)

// SmallDisk returns a directory that is a file system of a size such as 64k until the test ends, or skips the test where
// it may not be mounted. What is open in it has to be closed by then: by a defer, or a Cleanup that comes later.
func SmallDisk(t testing.TB, size string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("mounting needs root")
	}
	dir := t.TempDir()
	Mounting()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "mode=700,size="+size, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("mount: %s", out)
	}
	t.Cleanup(func() { exec.Command("umount", dir).Run() })
	return dir
}
