package testkit

import (
	"os"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// enoughMemory is what must be free in memory for the files of the packages that are tested at the same time. Their
// largest files are sparse.
const enoughMemory = 2 << 30

const memoryDir = "/dev/shm"

// InMemory has temporary files made in memory, where /dev/shm has room for them and programs in it can be run, unless
// TMPDIR says where. Tests make and remove some hundred thousand files: ext4 without a journal searches for an inode
// longer the more were removed in the last half minute, which took up to half of the processor time of a package. It is
// called before testing.M's Run.
func InMemory() {
	if os.Getenv("TMPDIR") == "" && memoryWorks() {
		os.Setenv("TMPDIR", memoryDir)
	}
}

// MemoryDir is the test's TempDir, but in memory, as InMemory has it. It is not for what a sandbox is to see, which has
// a /dev of its own.
func MemoryDir(t testing.TB) string {
	t.Helper()
	if os.Getenv("TMPDIR") != "" || !memoryWorks() {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memoryDir, "spillway-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("a file is left: %v", err)
		}
	})
	return dir
}

var memoryWorks = sync.OnceValue(func() bool {
	var fs unix.Statfs_t
	return unix.Statfs(memoryDir, &fs) == nil && unix.Access(memoryDir, unix.W_OK|unix.X_OK) == nil &&
		fs.Type == unix.TMPFS_MAGIC && fs.Flags&unix.ST_NOEXEC == 0 && fs.Bavail*uint64(fs.Bsize) >= enoughMemory
})
