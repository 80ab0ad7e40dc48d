package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/replace"
	"github.com/spillway-go/spillway/internal/workspace"
)

// applier restores what paths were before.
type applier struct {
	t     *Tracker
	ctx   context.Context
	root  *os.Root
	git   *gitReader
	stale func(name string, info fs.FileInfo) bool // reports whether the present file must stay
	modes map[string]fs.FileMode                   // of directories; set last, because they may forbid writing
	names map[inode]named                          // of files with several names: a name that is right already
	done  []operation
}

type named struct {
	path string
	Version
}

// operation is something that was done to a path, or tried.
type operation struct {
	Change
	removal bool
}

// apply restores all paths of the changes, or none. A path that is already right is left alone, so that a rewind that
// was interrupted can be repeated.
func (t *Tracker) apply(ctx context.Context, changes []Change) error {
	root, err := t.o.Root()
	if err != nil {
		return err
	}
	defer root.Close()
	a := applier{
		t: t, ctx: ctx, root: root, git: t.git(), stale: t.stale,
		modes: make(map[string]fs.FileMode), names: make(map[inode]named),
	}
	defer a.git.close()
	changed := make(map[string]bool)
	for _, c := range changes {
		changed[c.Path] = true
	}
	for _, e := range t.state {
		if e.stamp.several && !changed[e.path] {
			a.names[e.stamp.inode()] = named{e.path, e.version()}
		}
	}
	if err = a.changes(changes); err == nil {
		err = a.setModes()
	}
	if err != nil {
		err = errors.Join(err, a.undo())
	}
	return err
}

func (a *applier) changes(changes []Change) error {
	for _, c := range slices.Backward(changes) { // the content of a directory before the directory
		if c.After.Kind != c.Before.Kind && c.After.Kind != Absent {
			if err := a.operate(operation{c, true}); err != nil {
				return err
			}
		}
	}
	for _, c := range changes {
		if c.Before.Kind != Absent {
			if err := a.operate(operation{c, false}); err != nil {
				return err
			}
		}
	}
	return nil
}

// undo undoes everything, last first, so that each step finds at least the disk space that it had.
func (a *applier) undo() (err error) {
	back := *a
	back.ctx, back.done = context.WithoutCancel(a.ctx), nil
	back.stale = func(string, fs.FileInfo) bool { return false }
	for _, o := range slices.Backward(a.done) {
		removal := !o.removal && o.Before.Kind != o.After.Kind
		err = errors.Join(err, back.operate(operation{Change{Path: o.Path, Before: o.After, After: o.Before}, removal}))
	}
	return errors.Join(err, back.setModes())
}

func (a *applier) operate(o operation) error {
	if err := a.ctx.Err(); err != nil {
		return err
	}
	return a.do(o.Path, func(dir *os.Root, base string) error {
		info, err := dir.Lstat(base)
		switch {
		case absent(err):
			info = nil
		case err != nil:
			return err
		case a.stale(o.Path, info):
			return &StaleError{[]string{o.Path}}
		}
		a.done = append(a.done, o)
		if o.removal {
			return remove(dir, base, o.Change, info)
		}
		return a.restore(dir, base, o.Change, info)
	})
}

// do calls f in the directory of a path. It follows no links on the way, because looks do not either.
func (a *applier) do(name string, f func(dir *os.Root, base string) error) error {
	dir, err := a.enter(path.Dir(name))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer dir.Close()
	if err := f(dir, path.Base(name)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

var errLink = errors.New("a link, or something else, has taken the place of a directory above it")

// enter opens a directory of the workspace, and makes it writable for its owner until the end.
func (a *applier) enter(dir string) (*os.Root, error) {
	at, err := a.root.OpenRoot(".")
	if err != nil || dir == "." {
		return at, err
	}
	names := strings.Split(dir, "/")
	for i, name := range names {
		info, err := at.Lstat(name)
		if err == nil && !info.IsDir() {
			err = errLink
		}
		if err == nil && info.Mode()&0o700 != 0o700 {
			whole := strings.Join(names[:i+1], "/")
			if _, ok := a.modes[whole]; !ok {
				a.modes[whole] = info.Mode() & settable
			}
			err = at.Chmod(name, info.Mode()&settable|0o700)
		}
		var below *os.Root
		if err == nil {
			below, err = at.OpenRoot(name)
		}
		if err == nil {
			var now fs.FileInfo
			if now, err = below.Stat("."); err == nil && !os.SameFile(info, now) {
				err = errLink
			}
		}
		at.Close()
		if err != nil {
			if below != nil {
				below.Close()
			}
			return nil, err
		}
		at = below
	}
	return at, nil
}

// setModes gives directories their final modes, the inner ones first.
func (a *applier) setModes() (err error) {
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(a.modes))) {
		err = errors.Join(err, a.do(name, func(dir *os.Root, base string) error {
			info, err := dir.Lstat(base)
			if absent(err) || err == nil && (!info.IsDir() || info.Mode()&settable == a.modes[name]) {
				return nil
			}
			return errors.Join(err, dir.Chmod(base, a.modes[name]))
		}))
	}
	return err
}

// remove removes what a change made at a path, if it is still that. A directory with uncovered content stays, unless
// it replaced something else.
func remove(dir *os.Root, base string, c Change, info fs.FileInfo) error {
	if info == nil || kindOf(info.Mode()) != c.After.Kind {
		return nil
	}
	err := dir.Remove(base)
	if err != nil && c.After.Kind == Dir && c.Before.Kind == Absent && !empty(dir, base) {
		return nil
	}
	return err
}

func empty(dir *os.Root, base string) bool {
	d, err := dir.Open(base)
	if err != nil {
		return false
	}
	defer d.Close()
	_, err = d.ReadDir(1)
	return err == io.EOF
}

func (a *applier) restore(dir *os.Root, base string, c Change, info fs.FileInfo) error {
	switch v := c.Before; v.Kind {
	case Link:
		if target, err := dir.Readlink(base); err == nil && target == v.Whole.value {
			return nil
		}
		return replaced(dir, base, func(name string) error { return dir.Symlink(v.Whole.value, name) })
	case Dir:
		a.modes[c.Path] = v.Mode
		if err := dir.Mkdir(base, 0o700); !errors.Is(err, fs.ErrExist) {
			return err
		}
		return nil
	case File:
		return a.restoreFile(dir, base, c, info)
	}
	return nil
}

// restoreFile is restore for a file. A file that still exists keeps its owner and attributes. A file with several
// names is made anew under each name that must be a different file, or linked to its former other name.
func (a *applier) restoreFile(dir *os.Root, base string, c Change, info fs.FileInfo) error {
	there := info != nil && info.Mode().IsRegular()
	now := stamp{}
	if there {
		now = stampOf(info)
	}
	same := !now.several || now.inode() == c.Before.linked // else another name of it may be outside of the workspace
	if there && same && c.After.Kind == File && c.Before.Whole == c.After.Whole {
		return dir.Chmod(base, c.Before.Mode)
	}
	if a.linked(dir, base, c) {
		return nil
	}
	data, err := a.t.content(c.Before, a.git)
	switch {
	case err != nil:
		return err
	case !there || now.several:
		err = replaced(dir, base, func(name string) error { return create(dir, name, data, c.Before.Mode) })
	default:
		err = a.replace(dir, base, c, info, data)
	}
	if err == nil && c.Before.linked != (inode{}) {
		a.names[c.Before.linked] = named{c.Path, c.Before}
	}
	return err
}

// replace changes the content and mode of a file. If the content is right already, it writes nothing: undoing an
// attempt that failed because the disk was full must not fail for the same reason.
func (a *applier) replace(dir *os.Root, base string, c Change, info fs.FileInfo, data []byte) error {
	if holds(dir, base, info, data) {
		return dir.Chmod(base, c.Before.Mode)
	}
	mode := info.Mode() & settable
	if mode&0o200 == 0 {
		if err := dir.Chmod(base, mode|0o200); err != nil {
			return err
		}
	}
	if err := a.t.o.Replace(a.ctx, workspace.TargetIn(dir, base, c.Path), data); err != nil {
		return err // the mode comes back as this is undone
	}
	return dir.Chmod(base, c.Before.Mode)
}

func holds(dir *os.Root, base string, info fs.FileInfo, data []byte) bool {
	if info.Size() != int64(len(data)) {
		return false
	}
	f, err := openRegular(dir, base)
	if err != nil {
		return false
	}
	defer f.Close()
	have, err := io.ReadAll(io.LimitReader(f, info.Size()))
	return err == nil && bytes.Equal(have, data)
}

// linked links a file to a former other name of it, if that exists and has the right content.
func (a *applier) linked(dir *os.Root, base string, c Change) bool {
	other, ok := a.names[c.Before.linked]
	if !ok || !other.same(c.Before) {
		return false
	}
	temp := replace.NewTemp()
	if a.root.Link(other.path, path.Join(path.Dir(c.Path), temp)) != nil {
		return false
	}
	if dir.Rename(temp, base) != nil {
		dir.Remove(temp)
		return false
	}
	dir.Remove(temp) // remains if both names were already one file
	return true
}

func create(dir *os.Root, name string, data []byte, mode fs.FileMode) error {
	f, err := dir.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close(), dir.Chmod(name, mode))
}
