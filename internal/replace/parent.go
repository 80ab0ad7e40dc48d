package replace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// maxNewDirs bounds the directories that are made for one file. Each takes a few system calls, and as many again if
// the file cannot be written and the directory is removed.
const maxNewDirs = 100

// parent is the directory of a target while the target is replaced.
type parent struct {
	dir   *os.Root
	above *os.Root // the deepest directory that existed before, possibly dir
	rel   string   // the path of dir in above
	made  []string // the paths in above of the directories that were made, each in the one before it
}

// openParent opens the directory of the target, and makes it if needed.
func (t Target) openParent(ctx context.Context) (*parent, error) {
	var missing []string
	rel := filepath.Dir(t.rel)
	dir, err := t.Enter(t.root, rel)
	for errors.Is(err, fs.ErrNotExist) && rel != "." {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(missing) == maxNewDirs {
			return nil, syscall.ENAMETOOLONG
		}
		missing = append(missing, filepath.Base(rel))
		rel = filepath.Dir(rel)
		dir, err = t.Enter(t.root, rel)
	}
	if err != nil {
		return nil, err
	}
	p := &parent{dir: dir, above: dir}
	for _, name := range slices.Backward(missing) {
		if err = ctx.Err(); err == nil {
			err = p.enter(t, name)
		}
		if err != nil {
			p.close(err)
			return nil, err
		}
	}
	return p, nil
}

// enter opens a directory on the way to a target, in the open one, and makes it if needed.
func (p *parent) enter(t Target, name string) error {
	rel := filepath.Join(p.rel, name)
	err := p.dir.Mkdir(name, 0o777) // less the umask
	if err == nil {
		p.made = append(p.made, rel)
		syncDir(p.dir)
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	dir, err := t.Enter(p.dir, name)
	if err != nil {
		return err
	}
	if p.dir != p.above {
		p.dir.Close()
	}
	p.dir, p.rel = dir, rel
	return nil
}

// close closes the directory. If err is not nil, it removes the directories that were made.
func (p *parent) close(err error) {
	if p.dir != p.above {
		p.dir.Close()
	}
	if err != nil {
		for _, rel := range slices.Backward(p.made) {
			p.above.Remove(rel) // fails if it is no longer empty
		}
	}
	p.above.Close()
}
