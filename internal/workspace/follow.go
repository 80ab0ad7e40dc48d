package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

type location struct {
	abs  string      // without links
	fs   *os.Root    // confines it, below the outermost root; nil if nothing exists there
	rel  string      // the path within fs
	info fs.FileInfo // what is there
}

// follow resolves the links of an absolute path. It does not look at what may not be read, and keeps such names
// unchanged. If a name does not exist, it returns the missing path together with the error.
func (w *Workspace) follow(abs string) (to location, err error) {
	var rest string
	to.abs, rest = splitVolume(abs)
	var look Look
	if w.look != nil {
		look = w.look()
	}
	var dir cursor
	defer dir.close()
	links := 0
	for todo := split(rest); len(todo) > 0; {
		next, up := filepath.Join(to.abs, todo[0]), todo[0] == ".."
		todo = todo[1:]
		r, rel := w.rootOf(next)
		if r != nil {
			next = filepath.Join(r.dir, rel) // next may be the path by which r was given
		}
		if up || r == nil || rel == "." {
			to = location{abs: next}
			continue
		}
		parent, name, info, err := dir.lookup(r, rel)
		if hidden := w.hides(look, next, info, err); hidden != nil {
			return location{}, hidden
		}
		switch {
		case err != nil:
			return w.missing(next, todo, look, err)
		case info.Mode()&fs.ModeSymlink == 0 && !info.IsDir() && len(todo) > 0 && todo[0] != "..":
			return w.missing(next, todo, look, syscall.ENOTDIR)
		case info.Mode()&fs.ModeSymlink == 0:
			to = location{next, dir.root, rel, info}
			continue
		}
		target, err := parent.Readlink(name)
		if err != nil {
			return location{}, err
		}
		if links++; links > maxLinks {
			return location{}, syscall.ELOOP
		}
		if target = withVolume(to.abs, target); filepath.IsAbs(target) {
			to.abs, target = splitVolume(target)
		}
		to = location{abs: to.abs}
		todo = append(split(target), todo...)
	}
	if to.fs != nil {
		return to, nil
	}
	r, rel := w.rootOf(to.abs)
	if r == nil {
		return to, ErrEscape
	}
	_, _, to.info, err = dir.lookup(r, rel)
	to.fs, to.rel = dir.root, rel
	return to, err
}

// missing returns the path of rest below at, which does not exist. It returns err if that is another error, or if rest
// goes up.
func (w *Workspace) missing(at string, rest []string, look Look, err error) (location, error) {
	at = filepath.Join(at, filepath.Join(rest...))
	if hidden := w.hides(look, at, nil, err); hidden != nil {
		return location{}, hidden
	}
	gone := errors.Is(err, fs.ErrNotExist) && err != error(syscall.ENOTDIR) // which is both on Windows
	if gone && !slices.Contains(rest, "..") {
		return location{abs: at}, err
	}
	return location{}, err
}

// shortPath is the length in bytes up to which follow looks up each name from the root: that costs less than keeping
// directories open.
const shortPath = 128

// cursor is the directory of the last name. It stays open, because otherwise each name of a path would cost as much as
// all names before it.
type cursor struct {
	in   *root // the root of the name
	root *os.Root

	fsys *os.Root
	rel  string   // its path in fsys
	dir  *os.Root // nil if it is fsys itself
}

// lookup describes what is at a path in a root, and returns the directory that has it under that name.
func (c *cursor) lookup(r *root, rel string) (parent *os.Root, name string, info fs.FileInfo, err error) {
	if c.in != r {
		if c.root, err = r.open(); err != nil {
			return nil, "", nil, err
		}
		c.in = r
	}
	parent, name = c.root, rel
	if len(rel) > shortPath {
		if parent, err = c.open(c.root, filepath.Dir(rel)); err != nil {
			return nil, "", nil, err
		}
		name = filepath.Base(rel)
	}
	info, err = parent.Lstat(name)
	return parent, name, info, err
}

// open moves the cursor to the directory rel of fsys, which is usually in the current one.
func (c *cursor) open(fsys *os.Root, rel string) (*os.Root, error) {
	if c.fsys == fsys && c.rel == rel {
		return c.current(), nil
	}
	next := cursor{in: c.in, root: c.root, fsys: fsys, rel: rel}
	var err error
	switch {
	case rel == ".":
	case c.fsys == fsys && c.rel == filepath.Dir(rel):
		next.dir, err = OpenRoot(c.current().OpenRoot, filepath.Base(rel))
	default:
		next.dir, err = OpenRoot(fsys.OpenRoot, rel)
	}
	if err != nil {
		return nil, err
	}
	c.close()
	*c = next
	return c.current(), nil
}

func (c *cursor) current() *os.Root {
	if c.dir == nil {
		return c.fsys
	}
	return c.dir
}

func (c *cursor) close() {
	if c.dir != nil {
		c.dir.Close()
	}
}
