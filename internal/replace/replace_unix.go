//go:build unix

package replace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// mayWrite checks whether a file may be written. It does not open it, because a program that is open for writing
// cannot be started (ETXTBSY).
func mayWrite(dir *os.Root, name string, _ fs.FileInfo) error {
	d, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	return unix.Faccessat(int(d.Fd()), name, unix.W_OK, unix.AT_EACCESS|unix.AT_SYMLINK_NOFOLLOW)
}

// copyOwner gives a file the owner and the group of another, or returns errNotKept.
func copyOwner(f *os.File, of fs.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	have, ok := info.Sys().(*syscall.Stat_t)
	want, ok2 := of.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	uid, gid := -1, -1 // unchanged
	if have.Uid != want.Uid {
		uid = int(want.Uid)
	}
	if have.Gid != want.Gid {
		gid = int(want.Gid)
	}
	err = f.Chown(uid, gid)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) { // EINVAL: no such user in this container
		return errNotKept
	}
	return err
}

// syncDir makes the names in a directory durable. It ignores errors: the file has been replaced by then, and a power
// cut could only bring back the whole old one.
func syncDir(dir *os.Root) {
	if d, err := dir.Open("."); err == nil {
		d.Sync()
		d.Close()
	}
}

func rename(_ context.Context, dir *os.Root, from, to string) error { return dir.Rename(from, to) }
