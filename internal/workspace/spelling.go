package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"

	"github.com/spillway-go/spillway/internal/quote"
	"golang.org/x/text/unicode/norm"
)

// Find is like [Workspace.Resolve], for a path as models write it. A path that exists
// always wins. Otherwise Find strips surrounding spaces, quotes and backticks and a
// leading "@", expands "~" to the home directory, and accepts a name that differs from
// exactly one name in its directory only in the kind of its spaces, quotes and hyphens or
// in how its accents are composed. All of these are confined like the path itself.
func (w *Workspace) Find(name string) (Path, error) {
	p, err := w.Resolve(name)
	if !Missing(err) {
		return p, err
	}
	if _, quoted := quote.Unquote(name); quoted {
		return p, err
	}
	all := append([]string{name}, spellings(name)...)
	for _, other := range all[1:] {
		if q, err := w.Resolve(other); !Missing(err) {
			return q, err
		}
	}
	most := mostEntries // for all of them
	for _, other := range all {
		if q, ok := w.alike(other, &most); ok {
			return q, nil
		}
	}
	return p, err
}

// Missing reports whether an error says that a path does not exist.
func Missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// wrappers are pairs of characters that paths are put in.
var wrappers = []string{"``", `""`, "''", "“”", "‘’", "<>"}

// spellings returns what a path may mean that does not exist as it is written, each
// derived from the one before it.
func spellings(name string) []string {
	var list []string
	add := func(other string) {
		if other != name && other != "" {
			name = other
			list = append(list, other)
		}
	}
	add(trim(name))
	for _, pair := range wrappers {
		runes := []rune(pair)
		if rest, ok := strings.CutPrefix(name, string(runes[0])); ok {
			if rest, ok = strings.CutSuffix(rest, string(runes[1])); ok {
				add(trim(rest))
			}
		}
	}
	add(strings.TrimPrefix(name, "@"))
	if rest, ok := strings.CutPrefix(name, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			add(home + rest)
		}
	}
	return list
}

// trim takes off spaces of all kinds, those without width too.
func trim(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' })
}

// mostEntries bounds how many names are compared with others for one path that does
// not exist.
const mostEntries = 20_000

// mostParts is the number of elements of a path over which none is taken for another.
// Each is resolved from the beginning.
const mostParts = 100

// alike finds the one path that is name but for signs that look the same.
func (w *Workspace) alike(name string, most *int) (Path, bool) {
	r, rel := w.rootOf(w.abs(filepath.FromSlash(name)))
	if r == nil {
		return Path{}, false
	}
	parts := split(rel)
	if len(parts) > mostParts {
		return Path{}, false
	}
	at, err := w.Resolve(r.dir)
	for _, part := range parts {
		if err != nil {
			return Path{}, false
		}
		dir := at
		if at, err = w.Resolve(filepath.Join(dir.Abs, part)); Missing(err) {
			found, ok := dir.entryLike(part, most)
			if !ok {
				return Path{}, false
			}
			at, err = w.Resolve(filepath.Join(dir.Abs, found))
		}
	}
	return at, err == nil
}

// entryLike returns the name of the one entry that looks as name does, among most.
func (p Path) entryLike(name string, most *int) (found string, ok bool) {
	dir, err := p.OpenDir()
	if err != nil {
		return "", false
	}
	defer dir.Close()
	f, err := dir.Open(".")
	if err != nil {
		return "", false
	}
	defer f.Close()
	if *most <= 0 {
		return "", false // to Readdirnames it would mean all
	}
	entries, _ := f.Readdirnames(*most)
	*most -= len(entries)
	name = look(name)
	for _, e := range entries {
		if look(e) != name {
			continue
		}
		if found != "" {
			return "", false // which of them is meant cannot be told
		}
		found = e
	}
	return found, found != ""
}

// look returns the same text for names that look the same.
func look(name string) string {
	return norm.NFC.String(trim(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Zs, r):
			return ' '
		case strings.ContainsRune("‘’‚‛′", r):
			return '\''
		case strings.ContainsRune("“”„‟″", r):
			return '"'
		case strings.ContainsRune("‐‑‒–—−", r):
			return '-'
		}
		return r
	}, name)))
}
