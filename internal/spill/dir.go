package spill

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/lock"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Dir is a spill directory. It is safe for concurrent use. Several Dirs, even in different processes, may share one
// path.
type Dir struct {
	path  string
	base  string   // path itself, or a directory above it
	parts []string // the names that lead from base to path; none may be a link

	opening sync.Mutex // held while the directory is made and opened
	mu      sync.Mutex // never held during a system call, which may hang
	root    *os.Root
	closed  bool

	keeper   keeper
	newID    func() string
	shelving sync.Mutex // held by Shelve
}

// NewDir returns the spill directory at an absolute path. It creates and checks nothing: [Writer.Keep] reports
// problems with the directory.
func NewDir(path string) *Dir { return NewDirBelow(path, "") }

// NewDirBelow is NewDir for a directory below base, which must exist. A link between base and the directory also makes
// it unusable.
func NewDirBelow(base, rel string) *Dir {
	d := &Dir{path: filepath.Join(base, rel), base: filepath.Clean(base), newID: NewID}
	if rel != "" {
		d.parts = strings.Split(filepath.ToSlash(rel), "/")
	}
	return d
}

// Path returns the directory's absolute path.
func (d *Dir) Path() string { return d.path }

// Close closes the directory: no more files are created. Files being written stay open
// and can be kept. Close removes no file. It ends a running sweep, but waits at most a
// quarter of a second for a disk that does not answer.
func (d *Dir) Close() error {
	d.keeper.end()
	d.mu.Lock()
	d.closed = true
	root := d.root
	d.mu.Unlock()
	if root == nil {
		return nil
	}
	return d.forget(root)
}

// forget closes root, so that the next Open opens the directory anew, unless another call has done that already.
func (d *Dir) forget(root *os.Root) error {
	d.mu.Lock()
	if d.root == root {
		d.root = nil
	}
	d.mu.Unlock()
	return root.Close()
}

// createTries is how often a file is created if its name is taken, or a sweep may remove it before it is locked. On a
// busy machine with several concurrent sweeps, three were too few.
const createTries = 20

// create makes a new file, locked while it is open. base is its final name; until the file is complete, unfinished
// follows that name.
func (d *Dir) create(kind string) (f *os.File, base string, err error) {
	for range createTries {
		var root *os.Root
		if root, err = d.Open(); err != nil {
			return nil, "", err
		}
		base = kind + "-" + d.newID() + outputEnding
		f, err = createNew(root, base)
		switch {
		case err == nil:
			return f, base, nil
		case errors.Is(err, errTaken):
		case isGone(err):
			d.forget(root) // the directory was removed: make it again
		default:
			return nil, "", err
		}
	}
	return nil, "", err
}

// errTaken is the error for a name that another writer uses, or whose new file a sweep took for that of a dead writer.
// Another name will do.
var errTaken = errors.New("no name that was tried was free for a new file")

func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrClosed) }

// createNew makes and locks an unfinished file. While it exists, no other file for the same final name is made.
func createNew(root *os.Root, base string) (*os.File, error) {
	f, err := root.OpenFile(base+unfinished, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, errTaken
	}
	if err != nil {
		return nil, err
	}
	if err = lock.Take(root, base+unfinished, f); err != nil {
		err = fmt.Errorf("%w: %w", errTaken, err)
	} else if _, found := root.Lstat(base); found == nil {
		err = errTaken // the rename to base would replace it
	} else if !errors.Is(found, fs.ErrNotExist) {
		err = found
	}
	if err == nil {
		return f, nil
	}
	f.Close()
	root.Remove(base + unfinished)
	return nil, err
}

// Open returns the directory, which it makes if needed. If the open directory, or one above it, was moved away, it
// closes that one and opens the one at the path.
func (d *Dir) Open() (*os.Root, error) {
	d.opening.Lock()
	defer d.opening.Unlock()
	root, err := d.use(nil)
	if err != nil {
		return nil, err
	}
	if root != nil {
		if isAt(root, d.path) {
			return root, nil
		}
		d.forget(root) // a call that uses it opens the new one
	}
	if root, err = d.make(); err != nil {
		return nil, err
	}
	if _, err = d.use(root); err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// use makes root the open directory, unless it is nil, and returns the open directory, or nil.
func (d *Dir) use(root *os.Root) (*os.Root, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, fs.ErrClosed
	}
	if root != nil {
		d.root = root
	}
	return d.root, nil
}

func (d *Dir) make() (*os.Root, error) {
	if len(d.parts) == 0 {
		if err := os.MkdirAll(filepath.Dir(d.path), 0o755); err != nil {
			return nil, err
		}
		if err := mkdir(os.Mkdir, d.path, 0o700); err != nil {
			return nil, err
		}
	}
	root, err := d.enter(true)
	if err != nil {
		return nil, err
	}
	if err := gitIgnore(root); err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

func mkdir(make func(name string, perm fs.FileMode) error, name string, perm fs.FileMode) error {
	if err := make(name, perm); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// enter opens the directory, part by part. With create, it makes missing parts.
func (d *Dir) enter(create bool) (*os.Root, error) {
	if len(d.parts) == 0 {
		return OpenOwn(d.path)
	}
	root, err := openDir(os.Lstat, os.OpenRoot, d.base, false)
	for i, name := range d.parts {
		if err != nil {
			return nil, err
		}
		above, perm, last := root, fs.FileMode(0o755), i == len(d.parts)-1
		if last {
			perm = 0o700
		}
		if create {
			err = mkdir(above.Mkdir, name, perm)
		}
		if err == nil {
			root, err = openDir(above.Lstat, above.OpenRoot, name, last)
		}
		above.Close()
	}
	return root, err
}

// OpenKept opens a file of the directory for reading, by a name from this package. The file must be this user's own
// and not a link. It makes nothing. The error for another name is fs.ErrInvalid.
func (d *Dir) OpenKept(name string) (*os.File, fs.FileInfo, error) {
	if !isOwn(name) {
		return nil, nil, fs.ErrInvalid
	}
	root, err := d.enter(false)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	f, info, err := workspace.OpenPlain(root, name)
	if err == nil && !workspace.Owned(info) {
		f.Close()
		return nil, nil, fs.ErrPermission
	}
	return f, info, err
}

func isAt(root *os.Root, path string) bool {
	mine, err := root.Stat(".")
	if err != nil {
		return false
	}
	found, err := os.Lstat(path)
	return err == nil && os.SameFile(mine, found)
}

// gitIgnore makes git ignore a directory that holds only files with names of this package. One with other uses stays
// visible.
func gitIgnore(root *os.Root) error {
	own, err := onlySpills(root, maxListed)
	if !own || err != nil {
		return err
	}
	ignore, err := root.OpenFile(".gitignore", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // another process did it
	}
	if err != nil {
		return err
	}
	_, err = ignore.WriteString("*\n")
	if failed := ignore.Close(); err == nil {
		err = failed
	}
	if err != nil {
		root.Remove(".gitignore") // an empty one would stay
	}
	return err
}

// onlySpills reports whether all files of a directory have names of this package; false if there are more than most.
func onlySpills(root *os.Root, most int) (bool, error) {
	dir, err := root.Open(".")
	if err != nil {
		return false, err
	}
	defer dir.Close()
	for range most / listBatch {
		names, err := dir.Readdirnames(listBatch)
		for _, n := range names {
			if n != LockName && !isOwn(n) {
				return false, nil
			}
		}
		if err == io.EOF {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// An opener is os.OpenRoot, or the method of an [os.Root].
type opener = func(name string) (*os.Root, error)

// OpenOwn opens a directory that is not a link and belongs to this user.
func OpenOwn(path string) (*os.Root, error) {
	return openDir(os.Lstat, os.OpenRoot, path, true)
}

// openDir opens a directory that is not a link and, if asked, belongs to this user, with functions of the system or of
// the directory above it.
func openDir(
	lstat func(string) (fs.FileInfo, error), open opener, name string, own bool,
) (*os.Root, error) {
	before, err := lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, fmt.Errorf("%s is not a directory, or is a link to one", filepath.Base(name))
	}
	if own && !workspace.Owned(before) {
		return nil, fmt.Errorf("%s belongs to another user", filepath.Base(name))
	}
	return openSame(open, name, before)
}

// openSame opens a directory that was examined before, unless another one, or a link, has taken its place.
func openSame(open opener, name string, before fs.FileInfo) (*os.Root, error) {
	root, err := workspace.OpenRoot(open, name)
	if err != nil {
		return nil, err
	}
	if after, err := root.Stat("."); err != nil || !os.SameFile(before, after) {
		root.Close()
		return nil, fmt.Errorf("%s was replaced while it was opened", filepath.Base(name))
	}
	return root, nil
}
