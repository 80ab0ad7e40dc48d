package workspace

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// ReadOnlyError is the error for a target in a directory or file of [Workspace.Protect].
type ReadOnlyError struct {
	Root string // that directory or file, in the form of Path.Name
}

func (e *ReadOnlyError) Error() string { return "the path is in " + e.Root + ", which is read-only" }

// Unwrap returns fs.ErrPermission.
func (e *ReadOnlyError) Unwrap() error { return fs.ErrPermission }

var (
	// ErrNotInside is the error for protecting what is nowhere that files may be changed.
	ErrNotInside = errors.New("it is outside of the workspace and of what else may be changed")
	// ErrHoldsRoot is the error for protecting all of a directory that may be changed.
	ErrHoldsRoot = errors.New("it is the workspace or another directory that may be changed, or holds one")
)

// protected is a directory or file without targets in it.
type protected struct {
	given string // absolute; may be or become a link
	dir   string // given without links, as first found
}

// Protect makes a directory or file, which need not exist, a place without targets. It must be called before other
// calls. The error is ErrNotInside, ErrHoldsRoot, or that of the file system.
func (w *Workspace) Protect(name string) error {
	p := protected{given: w.abs(filepath.FromSlash(name))}
	var err error
	if p.dir, err = withoutLinks(p.given); err != nil {
		return err
	}
	for _, r := range w.writable {
		if Within(p.dir, r.dir) {
			return ErrHoldsRoot
		}
	}
	given, _ := rootIn(p.given, w.writable)
	if real, _ := rootIn(p.dir, w.writable); given == nil && real == nil {
		return ErrNotInside
	}
	w.protected = append(w.protected, p)
	return nil
}

func withoutLinks(abs string) (string, error) {
	found, err := filepath.EvalSymlinks(abs)
	dir := filepath.Dir(abs)
	if !errors.Is(err, fs.ErrNotExist) || dir == abs {
		return found, err
	}
	if dir, err = withoutLinks(dir); err != nil {
		return "", err
	}
	return filepath.Join(dir, filepath.Base(abs)), nil
}

// Protected returns the arguments of Protect: absolute paths without the links of that time. linked says whether one
// of these links was where files may be changed.
func (w *Workspace) Protected() iter.Seq2[string, bool] {
	return func(yield func(dir string, linked bool) bool) {
		for _, p := range w.protected {
			r, rel := rootIn(p.given, w.writable)
			if !yield(p.dir, r != nil && !sameName(filepath.Join(r.dir, rel), p.dir)) {
				return
			}
		}
	}
}

// ProtectedNames returns all names of the protected places: as given, as shown, and where they lead.
func (w *Workspace) ProtectedNames() (names []string) {
	for dir := range w.Protected() {
		names = append(names, w.ProtectedBy(dir), w.Shown(dir), filepath.ToSlash(dir))
	}
	return names
}

// Protecting is ProtectedBy for a path with slashes, which may be relative to the workspace.
func (w *Workspace) Protecting(name string) string {
	if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
		name = filepath.Join(w.dir, name)
	}
	return w.ProtectedBy(name)
}

// ProtectedBy returns what protects an absolute path without links, in the form of Path.Name, or "". A directory is
// protected under all its names: where it was found first, and where its path leads now.
func (w *Workspace) ProtectedBy(abs string) string {
	for _, p := range w.protected {
		dirs := []string{p.dir}
		if now, _ := w.follow(p.given); now.abs != "" && now.abs != p.dir { // no link is in it, as in abs
			dirs = append(dirs, now.abs)
		}
		for _, dir := range dirs {
			if Within(dir, abs) || w.sameBeginning(dir, abs) {
				return w.name(p.given)
			}
		}
	}
	return ""
}

// sameBeginning reports whether a path begins with dir in another spelling that file systems take for the same name:
// other letters, accents composed differently, the short names of Windows. What exists is compared as files. If
// nothing exists yet, names that look the same count as the same.
func (w *Workspace) sameBeginning(dir, abs string) bool {
	r, rel := rootIn(dir, w.writable)
	other, at := rootIn(abs, w.writable)
	want, have := split(rel), split(at)
	if r == nil || r != other || len(have) < len(want) {
		return false
	}
	fsys, err := r.open()
	if err != nil {
		return false // nothing can be opened in it
	}
	for n := len(want); n > 0; n-- {
		is, err := fsys.Lstat(filepath.Join(want[:n]...))
		found, missing := fsys.Lstat(filepath.Join(have[:n]...))
		switch {
		case err == nil:
			return missing == nil && os.SameFile(is, found) && sameFolded(want[n:], have[n:])
		case missing == nil:
			return false // these are two names here
		}
	}
	return sameFolded(want, have)
}

// sameFolded reports whether each name may be the same as its counterpart.
func sameFolded(names, others []string) bool {
	for i, name := range names {
		if !strings.EqualFold(folded(name), folded(others[i])) {
			return false
		}
	}
	return true
}

// folded returns a name without what some file systems ignore: forms of Unicode, invisible characters (HFS+), dots and
// spaces at the end (Windows). strings.EqualFold handles letters.
func folded(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, norm.NFKC.String(name))
	return strings.TrimRight(name, ". ")
}

// errLink is the error for a link on the way to a target that was not there when the target was found.
var errLink = errors.New("a link has taken the place of a directory meanwhile")

// Enter opens a directory on the way to the target, by a path relative to parent, which is Confined or was opened
// below it. If anything in the workspace is protected, Enter follows no links: Abs has none, and a new one may lead to
// what is protected.
func (t Target) Enter(parent *os.Root, rel string) (*os.Root, error) {
	if !t.noLinks {
		return OpenRoot(parent.OpenRoot, rel)
	}
	dir, err := OpenRoot(parent.OpenRoot, ".")
	if rel == "." {
		return dir, err
	}
	for _, name := range split(rel) {
		if err != nil {
			return nil, err
		}
		above := dir
		dir, err = openNoLink(above, name)
		above.Close()
	}
	return dir, err
}

func openNoLink(parent *os.Root, name string) (*os.Root, error) {
	before, err := parent.Lstat(name)
	if err == nil && before.Mode()&fs.ModeSymlink != 0 {
		err = errLink
	}
	if err != nil {
		return nil, err
	}
	dir, err := OpenRoot(parent.OpenRoot, name)
	if err != nil {
		return nil, err
	}
	if after, err := dir.Stat("."); err != nil || !os.SameFile(before, after) {
		dir.Close()
		return nil, errLink
	}
	return dir, nil
}
