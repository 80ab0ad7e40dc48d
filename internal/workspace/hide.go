package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrHidden is the error for a path that is hidden, or leads through what is, whether something is there or not.
var ErrHidden = errors.New("the path is hidden from the tools")

// Look says what is hidden, for one call.
type Look interface {
	// Hides reports whether a path, relative to the workspace, without links and in the form of the system, is hidden.
	// Patterns may be about directories alone.
	Hides(path string, isDir bool) bool
	// Rules reports whether something can be hidden besides what ignore files below the root of the workspace hide.
	Rules() bool
}

// Hide keeps what look says from being found, opened or changed. It must be called before there are other calls.
func (w *Workspace) Hide(look func() Look) { w.look = look }

// Hides reports whether something may be hidden.
func (w *Workspace) Hides() bool { return w.look != nil }

// HidesNow reports whether patterns of the host's or the ignore file at the root of the workspace can hide something.
// Ignore files below it are not looked for, which would take a walk of all.
func (w *Workspace) HidesNow() bool { return w.look != nil && w.look().Rules() }

// Hidden reports whether an absolute path without links is hidden, be there something or not.
func (w *Workspace) Hidden(abs string) bool {
	if w.look == nil {
		return false
	}
	is, err := os.Lstat(abs)
	return w.newSight().hides(abs, is, err)
}

// HiddenIn returns what says whether a path below a directory, relative to it and with slashes, is hidden; nil if nothing
// can be.
func (w *Workspace) HiddenIn(dir string) func(path string, isDir bool) bool {
	if w.look == nil {
		return nil
	}
	if _, holds := Under(dir, w.dir); !holds && !Within(w.dir, dir) {
		return nil
	}
	s := w.newSight()
	if base, below := Under(w.dir, dir+separator); below || dir == w.dir { // without a new path for each entry
		return func(path string, isDir bool) bool { return s.look.Hides(base+filepath.FromSlash(path), isDir) }
	}
	return func(path string, isDir bool) bool {
		rel, inside := Under(w.dir, filepath.Join(dir, filepath.FromSlash(path)))
		return inside && s.look.Hides(rel, isDir)
	}
}

// sight is a look, as follow uses it. Nil sees everything.
type sight struct {
	dir  string
	look Look
}

func (w *Workspace) newSight() *sight {
	if w.look == nil {
		return nil
	}
	return &sight{w.dir, w.look()}
}

// hides reports whether an absolute path is hidden, at which info is, or nothing that can be looked at.
func (s *sight) hides(abs string, info fs.FileInfo, err error) bool {
	if s == nil {
		return false
	}
	rel, inside := Under(s.dir, abs)
	if !inside {
		return false
	}
	if err != nil {
		return s.look.Hides(rel, true) || s.look.Hides(rel, false)
	}
	return s.look.Hides(rel, info.IsDir())
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
	case err != nil || now != p.Abs:
		return ErrHidden
	}
	switch is, err := p.fs.Lstat(p.rel); {
	case errors.Is(err, fs.ErrClosed):
		return err
	case err != nil || !os.SameFile(is, opened):
		return errMoved
	}
	return nil
}
