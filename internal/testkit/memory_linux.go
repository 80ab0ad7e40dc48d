package testkit

import (
	"os"

	"golang.org/x/sys/unix"
)

// enoughMemory is what must be free in memory for the files of the packages that are tested at the same time. Their
// largest files are sparse.
const enoughMemory = 2 << 30

// InMemory has temporary files made in memory, where /dev/shm has room for them and programs in it can be run, unless
// TMPDIR says where. Tests make and remove some hundred thousand files: ext4 without a journal searches for an inode
// longer the more were removed in the last half minute, which took up to half of the processor time of a package. It is
// called before testing.M's Run.
func InMemory() {
	const dir = "/dev/shm"
	var fs unix.Statfs_t
	if os.Getenv("TMPDIR") != "" || unix.Statfs(dir, &fs) != nil || unix.Access(dir, unix.W_OK|unix.X_OK) != nil {
		return
	}
	if fs.Type == unix.TMPFS_MAGIC && fs.Flags&unix.ST_NOEXEC == 0 && fs.Bavail*uint64(fs.Bsize) >= enoughMemory {
		os.Setenv("TMPDIR", dir)
	}
}
