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

// ErrHidden is the error for a path that is hidden, or leads through what is, whether something is there or not.
var ErrHidden = errors.New("the path is hidden from the tools")

// UnreadError is an [ErrHidden] for what is in a directory whose ignore file cannot be read: it may hide all of that.
type UnreadError struct {
	File string // the path of the ignore file, as it is shown
	Err  error
	// Unknown says that it cannot even be looked for: the error is that of the directory.
	Unknown bool
}

func (e *UnreadError) Error() string { return fmt.Sprintf("%s cannot be read (%v)", e.File, e.Err) }

func (e *UnreadError) Unwrap() error { return ErrHidden }

// Look says what is hidden, for one call.
type Look interface {
	// Hides returns ErrHidden or an UnreadError for a path, relative to the workspace, without links and in the form of
	// the system, if it is hidden, and nil if not. Patterns may be about directories alone.
	Hides(path string, isDir bool) error
	// In says what is hidden in a directory, relative to the workspace. names are those of all of its entries, which
	// tell whether there is an ignore file to look for; nil if they are not known.
	In(dir string, names iter.Seq[string]) (hides EntryHides, unread *UnreadError)
	// Rules reports whether something can be hidden besides what ignore files below the root of the workspace hide.
	Rules() bool
}

// EntryHides reports whether an entry of a directory is hidden, by its name. Nil hides none.
type EntryHides func(name string, isDir bool) bool

// Hide keeps what look says from being found, opened or changed. It must be called before there are other calls.
func (w *Workspace) Hide(look func() Look) { w.look = look }

// Hides reports whether something may be hidden.
func (w *Workspace) Hides() bool { return w.look != nil }

// HidesNow reports whether patterns of the host's or the ignore file at the root of the workspace can hide something.
// Ignore files below it are not looked for, which would take a walk of all.
func (w *Workspace) HidesNow() bool { return w.look != nil && w.look().Rules() }

// Hidden returns what reports whether an absolute path without links is hidden now, be there something or not.
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

// HiddenIn returns what says which entries of a directory below dir are hidden, as [Look.In] does; nil if none can be.
// It takes the path of the directory relative to dir and with slashes.
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

// hides returns ErrHidden or an UnreadError if a look, unless it is nil, hides an absolute path, at which info is, or
// nothing that can be looked at. Where the system lets nobody look, its error says more than that the ignore file there
// cannot be read.
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

// errMoved is the error for what is no longer what was opened: something has taken its place meanwhile.
var errMoved = errors.New("it was replaced while it was opened")

// unmoved returns an error unless what was opened by the path is what is there without links: a link may have taken the
// place of something since the path was found to be visible. It is errMoved if that may have been a new version of it.
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
