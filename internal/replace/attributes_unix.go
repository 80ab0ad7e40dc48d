//go:build linux || darwin

package replace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/workspace"
)

// maxAttribute is the maximum size of an extended attribute, and of the list of their names, on Linux (xattr(7)).
// Larger ones are not copied elsewhere.
const maxAttribute = 64 << 10

// systemAttribute matches the names of attributes that belong to the system. They are copied if it allows that.
var systemAttribute = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(security|trusted|com\.apple)\.`)
})

// essential reports whether an attribute must be copied: an ACL must, and what users and programs have set.
func essential(attribute string) bool { return !systemAttribute().MatchString(attribute) }

// copyAttributes gives a file the extended attributes of the named file, which include the ACL on Linux, and removes
// those that it inherited from its directory. It returns errNotKept if the system does not allow that.
func copyAttributes(ctx context.Context, dir *os.Root, name string, to *os.File) error {
	from, _, err := workspace.OpenRegular(dir.OpenFile, name)
	if errors.Is(err, fs.ErrPermission) {
		return errNotKept // it may be written but not read
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

// notKept returns errNotKept for an error that refuses an attribute, and any other error, such as a full disk,
// unchanged.
func notKept(err error) error {
	for _, refused := range []error{fs.ErrPermission, errors.ErrUnsupported, unix.EINVAL, unix.ERANGE, unix.E2BIG} {
		if errors.Is(err, refused) {
			return errNotKept
		}
	}
	return err
}

func again(call func() (int, error)) (n int, err error) {
	for {
		if n, err = call(); err != unix.EINTR {
			return n, err
		}
	}
}
