package workspace

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/spelling"
)

// Find is like [Workspace.Resolve], but also corrects common mistakes of models. A path that exists always wins, and a
// path in C quotes is exact. Otherwise Find strips surrounding spaces, quotes and backticks, a leading "@", and lines
// behind the path, as in "a.go:12"; it expands "~" to the home directory, takes the URL of a file for its path, takes
// backslashes for slashes or for escapes of a shell, and accepts a name that differs from exactly one name in its
// directory only in the kind of its spaces, quotes and hyphens, in how its accents are composed, or in invisible
// characters. All of these are confined like the path itself.
func (w *Workspace) Find(name string) (Path, error) {
	p, err := w.resolve(name, w.find)
	if err == nil {
		return p, nil
	}
	switch _, quoted := quote.Unquote(name); {
	case quoted:
		return p, err
	case errors.Is(err, ErrEscape): // as for a.go:12 and file:///C:/a.go on Windows, where they name a stream
		for _, s := range spelling.Of(name) {
			switch q, found := w.Resolve(s.Name); {
			case found == nil || errors.Is(found, ErrHidden):
				return corrected(q, s, name), found
			case Missing(found):
				err = found
			}
		}
		return p, err
	case !Missing(err):
		return p, err
	}
	all := spelling.Of(name)
	for _, s := range all {
		if q, err := w.Resolve(s.Name); !Missing(err) {
			return corrected(q, s, name), err
		}
	}
	left := maxEntries // for all of them
	for _, s := range append([]spelling.Spelling{{Name: name}}, all...) {
		if r, err := w.reach(s.Name, &left); err == nil && len(r.rest) == 0 && !r.several {
			s.OnlyLines = false
			return corrected(r.at, s, name), nil
		}
	}
	return p, err
}

// Missing reports whether an error says that a path does not exist.
func Missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// Correction is what [Workspace.Find] has corrected in a path that does not exist as written.
type Correction struct {
	Written string // the path as written
	spelling.Spelling
}

func corrected(p Path, s spelling.Spelling, written string) Path {
	p.Correction = &Correction{written, s}
	return p
}

// maxEntries bounds the names that reach compares for one missing path.
const maxEntries = 20_000

// maxParts bounds the elements of a path for reach, which resolves each of them from the root.
const maxParts = 100

// reach is how far a path leads if a missing name may stand for the one that looks like it.
type reach struct {
	at    Path     // the last existing path
	names []string // of at, below the root, as they are
	rest  []string // names behind at, as written
	exact int      // how many of names were written exactly so; later ones may stand for others

	several bool // the last name was one of several that look alike
}

// reach follows a path. It reads up to *left directory entries and subtracts their number.
func (w *Workspace) reach(name string, left *int) (to reach, err error) {
	r, rel := w.rootOf(w.abs(filepath.FromSlash(quote.UnquotePath(name))))
	if r == nil {
		return to, ErrEscape
	}
	if to.rest = split(rel); rel == "." {
		to.rest = nil
	}
	if len(to.rest) > maxParts {
		return to, fs.ErrNotExist
	}
	if to.at, err = w.resolveAs(r.dir); err != nil {
		return to, err
	}
	for at := r.dir; len(to.rest) > 0; to.rest = to.rest[1:] {
		part := to.rest[0]
		next, err := w.resolveAs(filepath.Join(at, part))
		if Missing(err) {
			like := to.at.entriesAlike(part, left, w.hiddenBeside(to.at.Abs))
			if len(like) == 0 {
				return to, nil
			}
			part, to.several = like[0], len(like) > 1
			next, err = w.resolveAs(filepath.Join(at, part))
		} else if to.exact == len(to.names) {
			to.exact++
		}
		if err != nil {
			return to, err
		}
		at, to.at, to.names = filepath.Join(at, part), next, append(to.names, part)
		if to.several {
			to.rest = to.rest[1:]
			return to, nil
		}
	}
	return to, nil
}

// resolveAs is Resolve for an absolute path that is not in quotes, whatever it begins with.
func (w *Workspace) resolveAs(abs string) (Path, error) {
	p := Path{Name: w.name(abs)}
	err := w.find(&p, abs)
	return p, fileError(err)
}

// entriesAlike returns the visible entries of a directory that look like a name that is not among them. It returns at
// most two, because with more than one none is meant.
func (p Path) entriesAlike(name string, left *int, hidden EntryHides) (found []string) {
	dir, err := p.OpenDir()
	if err != nil {
		return nil
	}
	defer dir.Close()
	f, err := dir.Open(".")
	if err != nil {
		return nil
	}
	defer f.Close()
	if *left <= 0 {
		return nil // Readdirnames would return all entries
	}
	entries, _ := f.Readdirnames(*left)
	*left -= len(entries)
	look := spelling.Appearance(name)
	for _, e := range entries {
		if e == name {
			return nil // a link to nothing
		}
		if spelling.Appearance(e) == look && len(found) < 2 && (hidden == nil || !hidden(e, false) && !hidden(e, true)) {
			found = append(found, e)
		}
	}
	return found
}
