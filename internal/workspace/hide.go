package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
)

// ErrHidden is the error for a path that is hidden, or leads through something hidden, whether it exists or not.
var ErrHidden = errors.New("the path is hidden from the tools")

// UnreadError is an [ErrHidden] for everything in a directory whose ignore file cannot be read: that file may hide all
// of it.
type UnreadError struct {
	File string // the path of the ignore file, as shown
	Err  error
	// Unknown says that not even the directory can be searched for the file: Err is about the directory.
	Unknown bool
}

func (e *UnreadError) Error() string { return fmt.Sprintf("%s cannot be read (%v)", e.File, e.Err) }

func (e *UnreadError) Unwrap() error { return ErrHidden }

// Look says what is hidden, for one call.
type Look interface {
	// Hides returns ErrHidden or an UnreadError if a path is hidden, else nil. The path is relative to the workspace,
	// without links and in the form of the system. Some patterns apply only to directories.
	Hides(path string, isDir bool) error
	// In says what is hidden in a directory, relative to the workspace. names are all of its entries, among which may
	// be an ignore file; nil if they are not known.
	In(dir string, names iter.Seq[string]) (hides EntryHides, unread *UnreadError)
	// Rules reports whether anything can be hidden other than by ignore files below the root of the workspace.
	Rules() bool
}

// EntryHides reports whether an entry of a directory is hidden, by its name. Nil hides none.
type EntryHides func(name string, isDir bool) bool

// Hide keeps hidden paths from being found, opened or changed. It must be called before any other method.
func (w *Workspace) Hide(look func() Look) { w.look = look }

// Hides reports whether anything may be hidden.
func (w *Workspace) Hides() bool { return w.look != nil }

// HidesNow reports whether the host's patterns or the ignore file at the root of the workspace can hide something. It
// does not look for other ignore files, because that takes a walk of the whole workspace.
func (w *Workspace) HidesNow() bool { return w.look != nil && w.look().Rules() }

// Hidden returns a function that reports whether an absolute path without links is hidden now. The path need not
// exist.
func (w *Workspace) Hidden() func(abs string) bool {
	if w.look == nil {
		return func(string) bool { return false }
	}
	look := w.look()
	return func(abs string) bool {
		is, err := os.Lstat(abs)
		return w.hides(look, abs, is, err) != nil
	}
}

// HiddenIn returns a function that says which entries of a directory below dir are hidden, like [Look.In]; nil if none
// can be. It takes the path of the directory relative to dir, with slashes.
func (w *Workspace) HiddenIn(dir string) func(path string, names iter.Seq[string]) (EntryHides, *UnreadError) {
	if w.look == nil {
		return nil
	}
	if _, holds := Under(dir, w.dir); !holds && !Within(w.dir, dir) {
		return nil
	}
	look := w.look()
	return func(path string, names iter.Seq[string]) (EntryHides, *UnreadError) {
		abs := filepath.Join(dir, filepath.FromSlash(path))
		rel, below := Under(w.dir, abs)
		if !below && !sameName(w.dir, abs) {
			return nil, nil
		}
		return look.In(cmp.Or(rel, "."), names)
	}
}

// hiddenBeside is HiddenIn for the entries of dir itself.
func (w *Workspace) hiddenBeside(dir string) EntryHides {
	in := w.HiddenIn(dir)
	if in == nil {
		return nil
	}
	hides, _ := in(".", nil)
	return hides
}

// hides returns ErrHidden or an UnreadError if look, which may be nil, hides an absolute path. info describes what is
// there, if that can be examined. If the system refuses to let anyone look, its error is better than one about an
// unreadable ignore file.
func (w *Workspace) hides(look Look, abs string, info fs.FileInfo, err error) error {
	rel, inside := Under(w.dir, abs)
	switch {
	case look == nil || !inside:
		return nil
	case err == nil:
		return look.Hides(rel, info.IsDir())
	}
	hidden := cmp.Or(look.Hides(rel, true), look.Hides(rel, false))
	if _, unread := errors.AsType[*UnreadError](hidden); unread && errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return hidden
}

// errMoved is the error if something has taken the place of an opened file.
var errMoved = errors.New("it was replaced while it was opened")

// unmoved returns an error unless what was opened is at the path without links: a link may have replaced something
// since the path was found to be visible. It is errMoved if a new version of the file may have done that.
func (p Path) unmoved(opened fs.FileInfo) error {
	if p.ws == nil {
		return nil
	}
	switch now, err := p.ws.follow(p.Abs); {
	case errors.Is(err, fs.ErrClosed): // with the suite
		return err
	case err != nil || now.abs != p.Abs:
		return ErrHidden
	case !os.SameFile(now.info, opened):
		return errMoved
	}
	return nil
}
