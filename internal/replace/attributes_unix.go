//go:build linux || darwin

package replace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/workspace"
)

// maxAttribute is the number of bytes that an extended attribute may have to be copied, and
// the list of their names. On Linux neither can be larger (xattr(7)).
const maxAttribute = 64 << 10

// systemAttributes are the beginnings of the names of attributes that the system keeps for
// itself. They are copied if it allows that.
var systemAttributes = []string{"security.", "trusted.", "com.apple."}

// essential reports whether a file without the attribute would not be the same: an ACL is, and
// what users and programs have set.
func essential(attribute string) bool {
	for _, prefix := range systemAttributes {
		if strings.HasPrefix(attribute, prefix) {
			return false
		}
	}
	return true
}

// copyAttributes gives a file the extended attributes of the one of that name, which on
// Linux include its ACL, and removes those that only the directory gave it. It returns
// errNotKept if the system does not allow that.
func copyAttributes(ctx context.Context, dir *os.Root, name string, to *os.File) error {
	from, _, err := workspace.OpenRegular(dir.OpenFile, name)
	if errors.Is(err, fs.ErrPermission) {
		return errNotKept // it may be written, but not be read
	}
	if err != nil {
		return err
	}
	defer from.Close()
	buf := make([]byte, maxAttribute)
	wanted, err := attributes(from, buf)
	if err != nil {
		return notKept(err)
	}
	had, err := attributes(to, buf)
	if err != nil {
		return notKept(err)
	}
	for attribute := range had {
		if !wanted[attribute] && essential(attribute) {
			_, err := again(func() (int, error) { return 0, unix.Fremovexattr(int(to.Fd()), attribute) })
			if err != nil {
				return notKept(err)
			}
		}
	}
	for attribute := range wanted {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := copyAttribute(from, to, attribute, buf); err != nil && essential(attribute) {
			return notKept(err)
		}
	}
	return nil
}

func copyAttribute(from, to *os.File, attribute string, buf []byte) error {
	n, err := again(func() (int, error) { return unix.Fgetxattr(int(from.Fd()), attribute, buf) })
	if err != nil {
		return err
	}
	_, err = again(func() (int, error) { return 0, unix.Fsetxattr(int(to.Fd()), attribute, buf[:n], 0) })
	return err
}

// attributes returns the names of the attributes that a file has.
func attributes(f *os.File, buf []byte) (map[string]bool, error) {
	n, err := again(func() (int, error) { return unix.Flistxattr(int(f.Fd()), buf) })
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, nil // by the file system
	}
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for name := range strings.SplitSeq(string(buf[:n]), "\x00") {
		if name != "" {
			names[name] = true
		}
	}
	return names, nil
}

// notKept is errNotKept for an error that refuses an attribute. Any other, as for a full disk, it
// returns as it is.
func notKept(err error) error {
	for _, refused := range []error{fs.ErrPermission, errors.ErrUnsupported, unix.EINVAL, unix.ERANGE, unix.E2BIG} {
		if errors.Is(err, refused) {
			return errNotKept
		}
	}
	return err
}

// again repeats a system call as long as a signal interrupts it.
func again(call func() (int, error)) (n int, err error) {
	for {
		if n, err = call(); err != unix.EINTR {
			return n, err
		}
	}
}
