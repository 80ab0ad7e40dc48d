package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// root is a directory that may be read. It is opened when it is first needed,
// because the spill directory may not be there before, and again when another
// directory has taken its place.
type root struct {
	given string // absolute
	dir   string // given without links, if it could be found

	mu     sync.Mutex // never held during a system call, which may not return
	fs     *os.Root
	info   fs.FileInfo // of fs, whose inode is not used again while that is open
	closed bool
}

func newRoot(abs string) *root {
	r := &root{given: filepath.Clean(abs)}
	r.dir = r.given
	if dir, err := filepath.EvalSymlinks(abs); err == nil {
		r.dir = dir
	}
	return r
}

// open returns the directory that is at r.dir now, which a command may have
// removed and made again since the last call. A link there is [ErrEscape]: dir had
// none in it, so whoever made the link decides where it leads.
func (r *root) open() (*os.Root, error) {
	now, err := os.Lstat(r.dir)
	if err == nil && now.Mode()&fs.ModeSymlink != 0 {
		err = ErrEscape
	}
	if err != nil {
		return nil, err
	}
	if fsys, err := r.current(now); fsys != nil || err != nil {
		return fsys, err
	}
	return r.openSame(now)
}

// openSame opens the directory that was found, unless another has taken its place since.
func (r *root) openSame(found fs.FileInfo) (*os.Root, error) {
	fsys, err := OpenRoot(os.OpenRoot, r.dir)
	if err != nil {
		return nil, err
	}
	info, err := fsys.Stat(".")
	if err == nil && !os.SameFile(found, info) {
		err = ErrEscape
	}
	if err == nil {
		err = r.use(fsys, info)
	}
	if err != nil {
		fsys.Close()
		return nil, err
	}
	return fsys, nil
}

// current returns the directory that is open, or nil if that is not the one found now.
func (r *root) current(now fs.FileInfo) (*os.Root, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return nil, fs.ErrClosed
	case r.fs == nil || !os.SameFile(now, r.info):
		return nil, nil
	}
	return r.fs, nil
}

// use makes a directory the one that is open.
func (r *root) use(fsys *os.Root, info fs.FileInfo) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return fs.ErrClosed
	}
	// Calls that run may still use the old one, which the garbage collector closes.
	r.fs, r.info = fsys, info
	return nil
}

func (r *root) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed = true; r.fs != nil {
		r.fs.Close()
	}
}

// rel returns an absolute path relative to the root, if it is inside of it.
func (r *root) rel(abs string) (string, bool) {
	for _, dir := range []string{r.dir, r.given} {
		if sameName(abs, dir) {
			return ".", true
		}
		if rel, ok := Under(dir, abs); ok {
			return rel, true
		}
	}
	return "", false
}

// ErrNotRegular is the error for a directory, a FIFO, a device or a socket in place of a
// regular file. [KindError] says which.
var ErrNotRegular = errors.New("not a regular file")

// KindError reports a path that is not of the requested kind.
type KindError struct {
	Path string
	Mode fs.FileMode
	Err  error // ErrNotRegular or ErrNotDir
}

// ErrNotDir is the error for anything but a directory.
var ErrNotDir = errors.New("not a directory")

func (e *KindError) Error() string {
	return fmt.Sprintf("%s is %s", e.Path, Kind(e.Mode))
}

func (e *KindError) Unwrap() error { return e.Err }

// Kind names the kind of file of a mode: "a directory", "a FIFO".
func Kind(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return "a file"
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a FIFO (named pipe)"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	}
	return "not a regular file"
}

// Stat describes the path's target.
func (p Path) Stat() (fs.FileInfo, error) {
	return p.fs.Stat(p.rel)
}

// OpenFile opens a regular file for reading. Anything else is a KindError, and is not
// touched: a writer that waits at a FIFO keeps waiting.
func (p Path) OpenFile() (*os.File, fs.FileInfo, error) {
	info, err := p.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &KindError{p.Name, info.Mode(), ErrNotRegular}
	}
	return OpenRegular(p.fs.OpenFile, p.rel)
}

// An Opener is os.OpenFile, or the method of an [os.Root], which confines it.
type Opener func(name string, flag int, perm fs.FileMode) (*os.File, error)

// OpenRegular opens a regular file for reading. It checks what was opened, so nothing can
// take the file's place in between, and does not block on a FIFO. Anything else is a
// KindError.
func OpenRegular(open Opener, name string) (*os.File, fs.FileInfo, error) {
	f, err := open(name, os.O_RDONLY|OpenFlags, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &KindError{name, info.Mode(), ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// OpenPlain is like [OpenRegular] below dir, for a name that must not itself be a link.
func OpenPlain(dir *os.Root, name string) (*os.File, fs.FileInfo, error) {
	before, err := dir.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, nil, &KindError{name, before.Mode(), ErrNotRegular}
	}
	return openSame(dir, name, before)
}

// openSame opens the regular file that was found, unless another has taken its place since.
func openSame(dir *os.Root, name string, before fs.FileInfo) (*os.File, fs.FileInfo, error) {
	f, after, err := OpenRegular(dir.OpenFile, name)
	if err == nil && !os.SameFile(before, after) {
		f.Close()
		return nil, nil, &KindError{name, after.Mode(), ErrNotRegular}
	}
	return f, after, err
}

// OpenDir opens a directory for walking. Anything else is a KindError.
func (p Path) OpenDir() (*os.Root, error) {
	if err := p.checkDir(); err != nil {
		return nil, err
	}
	return OpenRoot(p.fs.OpenRoot, p.rel)
}

// checkDir returns a KindError for anything but a directory.
func (p Path) checkDir() error {
	info, err := p.Stat()
	if err == nil && !info.IsDir() {
		err = &KindError{p.Name, info.Mode(), ErrNotDir}
	}
	return err
}

// HoldDir opens the directory of an absolute path, anywhere, in which to start a process. One
// that may not be entered is fs.ErrPermission.
func HoldDir(abs string) (*os.File, error) { return holdDir(os.OpenFile, abs) }

func holdDir(open Opener, name string) (*os.File, error) {
	f, err := open(name, os.O_RDONLY|holdFlags, 0)
	if err != nil {
		return nil, err
	}
	if err := mayEnter(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// HoldDir is the function of that name for this directory. Anything else is a KindError.
func (p Path) HoldDir() (*os.File, error) {
	if err := p.checkDir(); err != nil {
		return nil, err
	}
	return holdDir(p.fs.OpenFile, p.rel)
}
