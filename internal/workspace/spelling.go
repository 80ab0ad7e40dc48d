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

// Find is like [Workspace.Resolve], but also corrects what models get wrong in a path. A path
// that exists always wins. Otherwise Find strips surrounding spaces, quotes and backticks and a
// leading "@", expands "~" to the home directory, and accepts a name that differs from exactly
// one name in its directory only in the kind of its spaces, quotes and hyphens or in how its
// accents are composed. All of these are confined like the path itself.
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
	left := maxEntries // for all of them
	for _, other := range all {
		if q, ok := w.findAlike(other, &left); ok {
			return q, nil
		}
	}
	return p, err
}

// Missing reports whether an error says that a path does not exist.
func Missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// wrappers are pairs of characters that may surround a path.
var wrappers = []string{"``", `""`, "''", "“”", "‘’", "<>"}

// spellings returns corrections of a path that does not exist, each derived from the one before.
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

// trim removes spaces of all kinds at both ends, also those of zero width.
func trim(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' })
}

// maxEntries is how many names findAlike compares for one path that does not exist.
const maxEntries = 20_000

// maxParts is how many elements a path may have for findAlike, which resolves each of them from
// the root.
const maxParts = 100

// findAlike returns the one path that looks like name, if there is one. It reads up to *left
// directory entries and subtracts their number.
func (w *Workspace) findAlike(name string, left *int) (Path, bool) {
	r, rel := w.rootOf(w.abs(filepath.FromSlash(name)))
	if r == nil {
		return Path{}, false
	}
	parts := split(rel)
	if len(parts) > maxParts {
		return Path{}, false
	}
	at, err := w.Resolve(r.dir)
	for _, part := range parts {
		if err != nil {
			return Path{}, false
		}
		dir := at
		if at, err = w.Resolve(filepath.Join(dir.Abs, part)); Missing(err) {
			found, ok := dir.entryAlike(part, left)
			if !ok {
				return Path{}, false
			}
			at, err = w.Resolve(filepath.Join(dir.Abs, found))
		}
	}
	return at, err == nil
}

// entryAlike returns the one entry of a directory that looks like name.
func (p Path) entryAlike(name string, left *int) (found string, ok bool) {
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
	if *left <= 0 {
		return "", false // Readdirnames would return all entries
	}
	entries, _ := f.Readdirnames(*left)
	*left -= len(entries)
	name = appearance(name)
	for _, e := range entries {
		if appearance(e) != name {
			continue
		}
		if found != "" {
			return "", false // ambiguous
		}
		found = e
	}
	return found, found != ""
}

// appearance returns the same text for names that look the same.
func appearance(name string) string {
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
