package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// ErrOwn is the error for a target in the directory of [Workspace.AllowOwn].
var ErrOwn = fmt.Errorf("only the program itself writes there: %w", fs.ErrPermission)

// mostNewDirs is the number of directories that are made for one file. Each costs a few
// system calls, and as many again if the file cannot be written and they are removed.
const mostNewDirs = 100

// Target is a place for a file: one that exists, or one that can be made.
type Target struct {
	// Path has no links below the workspace: its Abs is where the file itself is, or
	// will be. What opens it fails as long as there is no file.
	Path
	// Info describes the file that was there when the target was found, or is nil if
	// there was none.
	Info fs.FileInfo

	temp string // the name of the temporary file beside it
}

// Temp returns the absolute path of the temporary file that a change of the target makes. A
// process that is killed meanwhile leaves it behind: [Workspace.RemoveTemp] is for that.
func (t Target) Temp() string { return filepath.Join(filepath.Dir(t.Abs), t.temp) }

// RemoveTemp removes the file that [Target.Temp] named, if it is there. Any other file is left
// alone, whatever the path says.
func (w *Workspace) RemoveTemp(path string) error {
	t, err := w.Target(path)
	if err != nil || t.Info == nil {
		return err
	}
	if !tempName.MatchString(filepath.Base(t.rel)) {
		return t.failed("remove", fs.ErrPermission)
	}
	return t.failed("remove", t.fs.Remove(t.rel))
}

// Target finds the place that a path means, as Resolve does, but the path need not
// exist. The place is in the workspace itself, or anywhere with Options.Outside; the
// other directories of Options.Roots may only be read. Links are followed, also to a name
// that is free. What leads elsewhere is [ErrEscape], whether something exists there
// or not; the directory of AllowOwn is [ErrOwn]; and what exists and is no regular file is
// a [KindError]. Nothing is made yet.
func (w *Workspace) Target(name string) (Target, error) {
	var info fs.FileInfo
	p, err := w.resolve(name, func(p *Path, abs string) (err error) {
		info, err = w.place(p, abs)
		if info == nil && err == nil && namesDir(name) {
			err = syscall.EISDIR
		}
		return err
	})
	if err == nil && info != nil && !info.Mode().IsRegular() {
		err = &KindError{p.Name, info.Mode(), ErrNotRegular}
	}
	return Target{p, info, newTempName()}, err
}

// place fills in where a path leads to, and returns what is there, or nil.
func (w *Workspace) place(p *Path, abs string) (fs.FileInfo, error) {
	writable := w.roots[:1]
	abs, err := w.follow(abs, writable)
	if err != nil && (abs == "" || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	r, rel := w.rootOf(abs, writable)
	if r == nil {
		return nil, ErrEscape
	}
	if w.own != nil {
		if _, own := w.own.rel(abs); own {
			return nil, ErrOwn
		}
	}
	fsys, err := r.open()
	if err != nil {
		return nil, err
	}
	p.fs, p.rel, p.Abs = fsys, rel, filepath.Join(r.dir, rel)
	info, err := fsys.Lstat(rel)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return info, err
}

// Lstat describes what is there now. Links that were not there when the target was found are
// not followed.
func (t Target) Lstat() (fs.FileInfo, error) {
	info, err := t.fs.Lstat(t.rel)
	return info, t.failed("lstat", err)
}

// namesDir reports whether a path can only be that of a directory, by how it ends.
func namesDir(name string) bool {
	_, last := filepath.Split(filepath.FromSlash(name))
	return last == "" || last == "." || last == ".."
}

// failed returns the error of an operation, with the path and without what the system calls
// behind it were about.
func (t Target) failed(op string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	} else if le, ok := errors.AsType[*os.LinkError](err); ok {
		err = le.Err
	}
	if kind, ok := errors.AsType[*KindError](err); ok {
		return &KindError{t.Name, kind.Mode, kind.Err}
	}
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: t.Name, Err: err}
}

// parent is the directory of a target while that is replaced.
type parent struct {
	dir   *os.Root
	above *os.Root // the deepest that was there before; dir itself if none was missing
	rel   string   // of dir, in above
	made  []string // directories in above that were not there, each in the one before it
}

// openParent opens the directory of the target, and makes it if it is missing.
func (t Target) openParent(ctx context.Context) (*parent, error) {
	var missing []string
	rel := filepath.Dir(t.rel)
	dir, err := OpenRoot(t.fs.OpenRoot, rel)
	for errors.Is(err, fs.ErrNotExist) && rel != "." {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(missing) == mostNewDirs {
			return nil, syscall.ENAMETOOLONG
		}
		missing = append(missing, filepath.Base(rel))
		rel = filepath.Dir(rel)
		dir, err = OpenRoot(t.fs.OpenRoot, rel)
	}
	if err != nil {
		return nil, err
	}
	p := &parent{dir: dir, above: dir}
	for _, name := range slices.Backward(missing) {
		if err = ctx.Err(); err == nil {
			err = p.enter(name)
		}
		if err != nil {
			p.close(err)
			return nil, err
		}
	}
	return p, nil
}

// enter goes on to a directory in the one that is open, and makes it if it is missing.
func (p *parent) enter(name string) error {
	rel := filepath.Join(p.rel, name)
	err := p.dir.Mkdir(name, 0o777) // the umask is taken from it
	if err == nil {
		p.made = append(p.made, rel)
		syncDir(p.dir)
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	dir, err := OpenRoot(p.dir.OpenRoot, name)
	if err != nil {
		return err
	}
	if p.dir != p.above {
		p.dir.Close()
	}
	p.dir, p.rel = dir, rel
	return nil
}

// close closes the directory. After an error, those that were made are removed.
func (p *parent) close(err error) {
	if p.dir != p.above {
		p.dir.Close()
	}
	if err != nil {
		for _, rel := range slices.Backward(p.made) {
			p.above.Remove(rel) // which fails if something was put there meanwhile
		}
	}
	p.above.Close()
}
