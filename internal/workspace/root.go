package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// root is a directory that may be read. It is opened when it is first needed,
// because the spill directory may not be there before.
type root struct {
	given string // absolute
	mu    sync.Mutex
	fs    *os.Root
	dir   string // given without links, if it could be found
	own   bool   // dir must not be a link
}

func newRoot(abs string) *root {
	r := &root{given: filepath.Clean(abs)}
	r.dir = r.given
	if dir, err := filepath.EvalSymlinks(abs); err == nil {
		r.dir = dir
	}
	return r
}

func (r *root) open() (*os.Root, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fs != nil {
		return r.fs, nil
	}
	before, err := os.Lstat(r.dir)
	if err == nil && r.own && !before.IsDir() {
		err = ErrEscape
	}
	if err != nil {
		return nil, err
	}
	fsys, err := os.OpenRoot(r.dir)
	if err != nil {
		return nil, err
	}
	if after, err := fsys.Stat("."); r.own && (err != nil || !os.SameFile(before, after)) {
		fsys.Close()
		return nil, ErrEscape
	}
	r.fs = fsys
	return fsys, nil
}

func (r *root) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fs != nil {
		r.fs.Close()
	}
}

// rel is an absolute path relative to the root, if it is inside of it.
func (r *root) rel(abs string) (string, bool) {
	for _, dir := range []string{r.dir, r.given} {
		if abs == dir {
			return ".", true
		}
		if rest, ok := strings.CutPrefix(abs, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator)); ok {
			return rest, true
		}
	}
	return "", false
}

// ErrNotRegular is the error for what is no regular file: a directory, a FIFO, a
// device or a socket. [KindError] says which.
var ErrNotRegular = errors.New("not a regular file")

// KindError is a path that is something else than what was asked for.
type KindError struct {
	Path string
	Mode fs.FileMode
	Err  error // ErrNotRegular or ErrNotDir
}

// ErrNotDir is the error for what is no directory.
var ErrNotDir = errors.New("not a directory")

func (e *KindError) Error() string {
	return fmt.Sprintf("%s is %s", e.Path, Kind(e.Mode))
}

func (e *KindError) Unwrap() error { return e.Err }

// Kind names what a mode is the mode of: "a directory", "a FIFO".
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

// Stat describes what the path leads to.
func (p Path) Stat() (fs.FileInfo, error) {
	fsys, err := p.root.open()
	if err != nil {
		return nil, err
	}
	return fsys.Stat(p.rel)
}

// OpenFile opens a regular file to read. Anything else is a [KindError], and is
// not touched: a writer that waits at a FIFO goes on waiting.
func (p Path) OpenFile() (*os.File, fs.FileInfo, error) {
	info, err := p.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &KindError{p.Name, info.Mode(), ErrNotRegular}
	}
	f, err := OpenIn(p.root.fs, p.rel)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = &KindError{p.Name, info.Mode(), ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// OpenIn opens a file below dir to read, without waiting if it is a FIFO after
// all.
func OpenIn(dir *os.Root, rel string) (*os.File, error) {
	return dir.OpenFile(rel, os.O_RDONLY|nonBlocking, 0)
}

// OpenDir opens a directory, to walk it. Anything else is a [KindError].
func (p Path) OpenDir() (*os.Root, error) {
	info, err := p.Stat()
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &KindError{p.Name, info.Mode(), ErrNotDir}
	}
	return p.root.fs.OpenRoot(p.rel)
}
