package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// root is a directory that may be read. It is opened on first use, because the spill directory may not exist before,
// and again if another directory has taken its place.
type root struct {
	given string // absolute
	dir   string // given without links, if it exists

	mu     sync.Mutex // never held during a system call, which may hang
	fs     *os.Root
	info   fs.FileInfo // of fs, whose inode cannot be reused while fs is open
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

// open returns the directory that is at r.dir now: a command may have removed and remade it since
// the last call. A link there is [ErrEscape], because it was made after newRoot and may lead
// anywhere.
func (r *root) open() (*os.Root, error) {
	now, err := os.Lstat(r.dir)
	if err == nil && now.Mode()&fs.ModeSymlink != 0 {
		err = ErrEscape
	}
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	fsys, was, closed := r.fs, r.info, r.closed
	r.mu.Unlock()
	switch {
	case closed:
		return nil, fs.ErrClosed
	case fsys == nil || !os.SameFile(now, was):
		return r.openSame(now)
	}
	return fsys, nil
}

// openSame opens the directory that was found. If another has taken its place, the error is ErrEscape.
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
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.closed {
			// Other calls may still use the old directory; the garbage collector closes it.
			r.fs, r.info = fsys, info
			return fsys, nil
		}
		err = fs.ErrClosed
	}
	fsys.Close()
	return nil, err
}

func (r *root) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.fs != nil {
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

// ErrNotRegular is the error for a directory, FIFO, device or socket in place of a regular file. [KindError] says
// which.
var ErrNotRegular = errors.New("not a regular file")

// KindError is the error for a path that is not of the requested kind.
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

// Kind names the kind of a file by its mode, such as "a directory".
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

// maxMoves is how often OpenFile tries again if something other than a link has replaced the file.
const maxMoves = 10

// OpenFile opens a regular file for reading. Anything else is a KindError and is not opened, so
// that a writer blocked on a FIFO stays blocked.
func (p Path) OpenFile() (f *os.File, info fs.FileInfo, err error) {
	for range maxMoves {
		if info, err = p.fs.Stat(p.rel); err != nil {
			return nil, nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, nil, &KindError{p.Name, info.Mode(), ErrNotRegular}
		}
		if f, info, err = OpenRegular(p.fs.OpenFile, p.rel); err != nil {
			return nil, nil, err
		}
		if err = p.unmoved(info); err == nil {
			return f, info, nil
		}
		f.Close()
		if !errors.Is(err, errMoved) {
			break
		}
	}
	return nil, nil, err
}

// An Opener is os.OpenFile, or the method of an [os.Root], which confines it.
type Opener func(name string, flag int, perm fs.FileMode) (*os.File, error)

// OpenRegular opens a regular file for reading. It checks the file after opening it, so that
// nothing can take its place in between, and does not block on a FIFO. Anything but a regular
// file is a KindError.
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

// openSame opens the regular file that was found. If another has taken its place, the error is a KindError.
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
	dir, err := OpenRoot(p.fs.OpenRoot, p.rel)
	if err != nil {
		return nil, err
	}
	info, err := dir.Stat(".")
	if err == nil {
		err = p.unmoved(info)
	}
	if err != nil {
		dir.Close()
		return nil, err
	}
	return dir, nil
}

func (p Path) checkDir() error {
	info, err := p.Stat()
	if err == nil && !info.IsDir() {
		err = &KindError{p.Name, info.Mode(), ErrNotDir}
	}
	return err
}

// HoldDir opens a directory for starting a process in it, by an absolute path that is not confined. If the process
// could not change to it, the error is fs.ErrPermission.
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

// HoldDir is like the function [HoldDir], but confined. Anything but a directory is a KindError.
func (p Path) HoldDir() (*os.File, error) {
	if err := p.checkDir(); err != nil {
		return nil, err
	}
	return holdDir(p.fs.OpenFile, p.rel)
}
