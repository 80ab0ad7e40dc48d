//go:build unix

package testkit

import (
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// Sandboxing is for packages whose tests run sandboxes, and is called before testing.M's Run. It keeps the tests of other
// packages from mounting anything until this process ends: bwrap fails to start a command if a mount vanishes while it
// binds the tree. With -short the process gets mounts of its own instead, where it may, and files in memory.
func Sandboxing() {
	if os.Getenv(mountsHeld) == "" {
		holdMounts(syscall.LOCK_SH)
		ownMemory()
	}
}

// Mounting waits until the tests of other packages run no sandboxes, and keeps them waiting until this process ends.
func Mounting() { holdMounts(syscall.LOCK_EX) }

const mountsHeld = "TEST_MOUNTS_HELD"

var mounts struct {
	sync.Mutex
	held []*os.File // open until the end
}

// holdMounts does nothing in a process that has the lock already, or that was started by one.
func holdMounts(how int) {
	mounts.Lock()
	defer mounts.Unlock()
	if os.Getenv(mountsHeld) == "" {
		mounts.held = append(mounts.held, lockMounts(how))
		os.Setenv(mountsHeld, "1")
	}
}

// lockMounts returns nil where there is no such lock.
func lockMounts(how int) *os.File {
	name := filepath.Join(os.TempDir(), "spillway-test-mounts")
	f, err := os.Open(name)
	if err != nil {
		f, err = os.OpenFile(name, os.O_RDONLY|os.O_CREATE, 0o644)
	}
	if err != nil {
		return nil
	}
	_ = syscall.Flock(int(f.Fd()), how)
	return f
}
