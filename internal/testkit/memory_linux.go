package testkit

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
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

// ownMemory starts this program again with -short, in a mount namespace where /var/tmp and a directory below /tmp for
// temporary files are in memory. It returns where that cannot be. A sandbox sees these directories, unlike memoryDir.
func ownMemory() {
	flag.Parse()
	own, err := os.Executable()
	if err != nil || !testing.Short() || os.Getenv("TMPDIR") != "" || strings.HasPrefix(own, "/var/tmp/") || !memoryWorks() {
		return
	}
	temp := filepath.Join(os.TempDir(), "spillway-test-memory")
	if os.MkdirAll(temp, 0o755) != nil {
		return
	}
	runtime.LockOSThread() // the namespace is the thread's until the program is started again
	if unix.Unshare(unix.CLONE_NEWNS) != nil {
		return
	}
	err = unix.Mount("none", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	for _, dir := range []string{temp, "/var/tmp"} {
		if err == nil {
			err = unix.Mount("spillway-test", dir, "tmpfs", unix.MS_NODEV, "mode=1777")
		}
	}
	if err == nil {
		os.Setenv("TMPDIR", temp)
	}
	_ = syscall.Exec(own, os.Args, os.Environ())
}

var memoryWorks = sync.OnceValue(func() bool {
	var fs unix.Statfs_t
	return unix.Statfs(memoryDir, &fs) == nil && unix.Access(memoryDir, unix.W_OK|unix.X_OK) == nil &&
		fs.Type == unix.TMPFS_MAGIC && fs.Flags&unix.ST_NOEXEC == 0 && fs.Bavail*uint64(fs.Bsize) >= enoughMemory
})
