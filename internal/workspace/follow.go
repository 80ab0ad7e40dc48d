package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// follow resolves the links of an absolute path. It does not look at what may not be read, and
// takes such names as they are. If a name does not exist, it returns the missing path together
// with the error.
func (w *Workspace) follow(abs string) (string, error) {
	at, rest := splitVolume(abs)
	todo := split(rest)
	sees := w.newSight()
	var dir cursor
	defer dir.close()
	links := 0
	for len(todo) > 0 {
		next := filepath.Join(at, todo[0]) // goes up for ".."
		up := todo[0] == ".."
		todo = todo[1:]
		r, rel := w.rootOf(next)
		if up || r == nil || rel == "." {
			if at = next; r != nil {
				at = filepath.Join(r.dir, rel)
			}
			continue
		}
		fsys, err := r.open()
		if err != nil {
			return missing(next, todo, sees, err)
		}
		parent, name := fsys, rel
		if len(rel) > shortPath {
			if parent, err = dir.open(fsys, filepath.Dir(rel)); err != nil {
				return "", err
			}
			name = filepath.Base(rel)
		}
		info, err := parent.Lstat(name)
		if hidden := sees.hides(filepath.Join(r.dir, rel), info, err); hidden != nil {
			return "", hidden
		}
		if err != nil {
			return missing(filepath.Join(r.dir, rel), todo, sees, err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			if at = filepath.Join(r.dir, rel); !info.IsDir() && len(todo) > 0 && todo[0] != ".." {
				return missing(at, todo, sees, syscall.ENOTDIR)
			}
			continue
		}
		target, err := parent.Readlink(name)
		if err != nil {
			return "", err
		}
		links++
		if links > maxLinks {
			return "", syscall.ELOOP
		}
		if target = withVolume(at, target); filepath.IsAbs(target) {
			at, target = splitVolume(target)
		}
		todo = append(split(target), todo...)
	}
	return at, nil
}

// missing returns the path of rest below at, which does not exist, unless err is another error or
// rest goes up.
func missing(at string, rest []string, sees *sight, err error) (string, error) {
	if hidden := sees.hides(filepath.Join(at, filepath.Join(rest...)), nil, err); hidden != nil {
		return "", hidden
	}
	if errors.Is(err, fs.ErrNotExist) && !slices.Contains(rest, "..") {
		return filepath.Join(at, filepath.Join(rest...)), err
	}
	return "", err
}

// shortPath is the length in bytes up to which follow looks up each name from the root, which
// costs less than keeping directories open.
const shortPath = 128

// cursor is the directory of the name that was looked up last. It stays open, because otherwise
// each name of a path would cost as much as all those before it.
type cursor struct {
	fsys *os.Root
	rel  string   // its path in fsys
	dir  *os.Root // nil if it is fsys itself
}

// open moves the cursor to the directory rel of fsys, which is usually in the current one.
func (c *cursor) open(fsys *os.Root, rel string) (*os.Root, error) {
	if c.fsys == fsys && c.rel == rel {
		return c.current(), nil
	}
	next := cursor{fsys: fsys, rel: rel}
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
