package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// ErrReadOnly is the error for a target where files may be read but not changed.
var ErrReadOnly = fmt.Errorf("the path may be read but not changed: %w", fs.ErrPermission)

// ErrOwn is the error for a target in the directory of [Workspace.AllowOwn].
var ErrOwn = fmt.Errorf("only the program itself writes there: %w", fs.ErrPermission)

// Target is the place of a file that may be changed, or created if it does not exist.
type Target struct {
	// Path contains no links below the workspace: Abs is where the file itself is, or will be. Opening it fails if
	// there is no file.
	Path
	// Info describes the file when the target was found. It is nil if there was none.
	Info fs.FileInfo

	noLinks bool // Enter follows none
}

// Target resolves a path like Resolve, but the path need not exist, and must be in the workspace or in a directory of
// Options.Writable. It follows links, even to a name that does not exist. The error is [ErrReadOnly] for a path
// elsewhere that may be read, [ErrOwn] for the directory of AllowOwn, a [ReadOnlyError] for a protected place, and
// [ErrEscape] for any other place, whether something exists there or not. Anything but a regular file is a
// [KindError]. Target creates nothing.
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
	return Target{p, info, len(w.protected) > 0 || w.look != nil}, err
}

// TargetIn returns the place of a file in an open directory. name is how errors name it. Protected and hidden files are
// no exception: a person may ask for what a model may not.
func TargetIn(dir *os.Root, base, name string) Target {
	return Target{Path: Path{Name: name, Abs: filepath.Join(dir.Name(), base), fs: dir, rel: base}}
}

// place sets p to where a path leads, and describes what is there; nil for nothing.
func (w *Workspace) place(p *Path, abs string) (fs.FileInfo, error) {
	at, err := w.follow(abs)
	if at.abs == "" {
		return nil, err
	}
	abs = at.abs
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
	if by := w.ProtectedBy(abs); by != "" {
		return nil, &ReadOnlyError{by}
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

func namesDir(name string) bool {
	_, last := filepath.Split(filepath.FromSlash(name))
	return last == "" || last == "." || last == ".."
}

// Prefix returns the beginning of the names in the directory: "", or its name and a slash.
func (p Path) Prefix() string {
	if p.Name == "." {
		return ""
	}
	return strings.TrimSuffix(p.Name, "/") + "/"
}

// Relative makes an absolute glob relative to the directory, if it is below it.
func (p Path) Relative(glob string) string {
	if rest, ok := Under(p.Abs, filepath.FromSlash(glob)); ok {
		return filepath.ToSlash(rest)
	}
	return glob
}
