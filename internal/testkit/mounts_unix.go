//go:build unix

package testkit

import (
	"os"
	"path/filepath"
	"syscall"
)

// NoMounts keeps the tests of other packages from mounting anything until this process ends: bwrap fails to start a
// command if a mount vanishes while it binds the tree.
func NoMounts() { held = append(held, lockMounts(syscall.LOCK_SH)) }

var held []*os.File // open until the end

// mounting waits until no other test runs sandboxes, and keeps them waiting until it is done.
func mounting() (done func()) {
	f := lockMounts(syscall.LOCK_EX)
	return func() { f.Close() }
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
