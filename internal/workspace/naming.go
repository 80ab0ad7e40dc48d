package workspace

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/spelling"
)

// Naming says what the path of a target may mean if it does not exist as written.
type Naming int

const (
	AsWritten Naming = iota // exactly what it says
	AsFound                 // what Find takes it for
	AsNew                   // what it says, unless Find takes it for something else
)

// TwinError is the error for a new file that would look like an existing one, or be in a directory that looks like
// one.
type TwinError struct {
	Like Path   // what exists
	Name string // what the path probably means: Like, or a file in it
}

func (e *TwinError) Error() string { return "it looks like " + e.Like.Name + ", which exists" }

// TargetAs is like [Workspace.Target], but corrects a path that does not exist as Find does, or refuses it with a
// [TwinError].
func (w *Workspace) TargetAs(name string, naming Naming) (Target, error) {
	if t, ok, err := w.targetOfURL(name, naming); ok {
		return t, err
	}
	t, err := w.Target(name)
	there := err == nil && t.Info != nil
	if there || naming == AsWritten || err != nil && !Missing(err) && !errors.Is(err, ErrEscape) {
		return t, err
	}
	if naming == AsNew && err == nil {
		return t, w.twin(name)
	}
	p, found := w.Find(name)
	switch {
	case naming == AsNew && p.Correction != nil && found == nil: // a path through a file, such as a.go:12 on Windows
		return t, &TwinError{p, p.Name}
	case naming == AsFound && p.Correction != nil && found == nil:
		t, err = w.Target(quote.Name(p.Name))
		t.Correction = p.Correction
	case errors.Is(found, ErrEscape), errors.Is(found, ErrHidden):
		return t, found
	}
	return t, err
}

// targetOfURL is TargetAs for the URL of a file, unless there is a directory named like its scheme.
func (w *Workspace) targetOfURL(name string, naming Naming) (t Target, ok bool, err error) {
	path := spelling.OfURL(name)
	if path == "" || naming == AsWritten {
		return t, false, nil
	}
	scheme, _, _ := strings.Cut(name, "/")
	if _, err := w.Resolve(scheme); err == nil {
		return t, false, nil
	}
	if t, err = w.TargetAs(quote.Name(path), naming); err == nil && t.Correction == nil {
		t.Correction = &Correction{name, spelling.Spelling{Name: path}}
	}
	return t, true, err
}

// twin returns the error for a missing path that would look like an existing one.
func (w *Workspace) twin(name string) error {
	if _, quoted := quote.Unquote(name); quoted {
		return nil
	}
	left := maxEntries
	as, err := w.reach(name, &left)
	switch {
	case errors.Is(err, ErrEscape): // through a link that looks like a directory of the path
		return err
	case err != nil:
		return nil
	}
	exact := as.names[:as.exact] // exists, so it is meant
	for _, s := range spelling.Of(name) {
		other, err := w.reach(s.Name, &left)
		elsewhere := other.at.fs != as.at.fs
		switch {
		case errors.Is(err, ErrEscape) && len(exact) == 0:
			return err
		case err != nil || elsewhere && len(exact) > 0:
		case elsewhere, len(other.names) > len(exact) && slices.Equal(other.names[:len(exact)], exact):
			return other.twin()
		}
	}
	if len(as.names) > len(exact) {
		return as.twin()
	}
	return nil
}

func (r reach) twin() error {
	return &TwinError{r.at, path.Join(append([]string{r.at.Name}, r.rest...)...)}
}
