package testkit

import (
	"os"
	"os/exec"
	"testing"
)

// namespaceVariable says in the environment that OwnNamespace was called. It does not begin as the variables do that set
// options.
const namespaceVariable = "TEST_NAMESPACE"

// mayMount fails a test whose package mounts where others see it.
func mayMount(t testing.TB) {
	t.Helper()
	if os.Getenv(namespaceVariable) == "" {
		t.Fatal("TestMain does not call testkit.OwnNamespace")
	}
}

// SmallDisk returns a directory that is a file system of a size such as 64k until the test ends, or skips the test where
// it may not be mounted. What is open in it has to be closed by then: by a defer, or a Cleanup that comes later.
func SmallDisk(t testing.TB, size string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("mounting needs root")
	}
	mayMount(t)
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "mode=700,size="+size, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("mount: %s", out)
	}
	t.Cleanup(func() { exec.Command("umount", dir).Run() })
	return dir
}
