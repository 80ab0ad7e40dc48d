package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"
)

// ErrReadOnly is the error for a target in what may be read but not changed.
var ErrReadOnly = fmt.Errorf("the path may be read but not changed: %w", fs.ErrPermission)

// ErrOwn is the error for a target in the directory of [Workspace.AllowOwn].
var ErrOwn = fmt.Errorf("only the program itself writes there: %w", fs.ErrPermission)

// Target is a place for a file: one that exists, or one that can be made.
type Target struct {
	// Path has no links below the workspace: its Abs is where the file itself is, or
	// will be. What opens it fails as long as there is no file.
	Path
	// Info describes the file that was there when the target was found, or is nil if
	// there was none.
	Info fs.FileInfo
}

// Target finds the place that a path means, as Resolve does, but the path need not
// exist. The place is in the workspace or in a directory of Options.Writable. Links are
// followed, also to a name that is free. What leads to another place that may be read is
// [ErrReadOnly], and what leads elsewhere [ErrEscape], whether something exists there or not;
// the directory of AllowOwn is [ErrOwn]; and what exists and is no regular file is a
// [KindError]. Nothing is made yet.
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
	return Target{p, info}, err
}

// place fills in where a path leads to, and returns what is there, or nil.
func (w *Workspace) place(p *Path, abs string) (fs.FileInfo, error) {
	abs, err := w.follow(abs)
	if err != nil && (abs == "" || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	if w.own != nil {
		if _, own := w.own.rel(abs); own {
			return nil, ErrOwn
		}
	}
	r, rel := rootIn(abs, w.writable)
	if r == nil {
		if r, _ = w.rootOf(abs); r != nil {
			return nil, ErrReadOnly
		}
		return nil, ErrEscape
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

// namesDir reports whether a path can only be that of a directory, by how it ends.
func namesDir(name string) bool {
	_, last := filepath.Split(filepath.FromSlash(name))
	return last == "" || last == "." || last == ".."
}
