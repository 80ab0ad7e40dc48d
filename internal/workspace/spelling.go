package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode"

	"github.com/spillway-go/spillway/internal/quote"
	"golang.org/x/text/unicode/norm"
)

// Correction is what [Workspace.Find] has corrected in a path that does not exist as it was written.
type Correction struct {
	Written     string // the path as it was written
	First, Last int    // the lines that stood behind it, from 1; 0 if there were none. Last is also 0 behind one number
	OnlyLines   bool   // nothing but these was wrong
}

// Find is like [Workspace.Resolve], but also corrects what models get wrong in a path. A path
// that exists always wins, and one in C quotes is meant as it is. Otherwise Find strips surrounding
// spaces, quotes and backticks, a leading "@", and lines behind the path, as in "a.go:12"; it expands
// "~" to the home directory, takes backslashes for slashes or for what a shell makes of them, and
// accepts a name that differs from exactly one name in its directory only in the kind of its spaces,
// quotes and hyphens, in how its accents are composed, or in characters that nobody sees. All of
// these are confined like the path itself.
func (w *Workspace) Find(name string) (Path, error) {
	p, err := w.Resolve(name)
	switch _, quoted := quote.Unquote(name); {
	case errors.Is(err, ErrEscape): // as a.go:12 does on Windows, where it names a stream
		for _, s := range spellings(name) {
			if q, found := w.Resolve(s.name); found == nil && s.First > 0 {
				return s.correct(q, name), nil
			}
		}
		return p, err
	case !Missing(err) || quoted:
		return p, err
	}
	all := spellings(name)
	for _, s := range all {
		if q, err := w.Resolve(s.name); !Missing(err) {
			return s.correct(q, name), err
		}
	}
	left := maxEntries // for all of them
	for _, s := range append([]spelling{{name: name}}, all...) {
		if r, err := w.reach(s.name, &left); err == nil && len(r.rest) == 0 && !r.several {
			s.OnlyLines = false
			return s.correct(r.at, name), nil
		}
	}
	return p, err
}

// Missing reports whether an error says that a path does not exist.
func Missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// spelling is another way to write a path.
type spelling struct {
	name string
	Correction
}

// correct returns a path that was found by the spelling of what was written.
func (s spelling) correct(p Path, written string) Path {
	s.Written = written
	p.Correction = &s.Correction
	return p
}

// lineRange matches a path with lines of the file behind it, as compilers, grep
// and people write them: a.go:12, a.go:12:5, a.go:12-40, a.go#L12-L40.
var lineRange = regexp.MustCompile(`^(.+?)(?::|#L)([0-9]{1,9})(?:-L?([0-9]{1,9})|:[0-9]{1,9})?\s*$`)

// spellings returns corrections of a path that does not exist: those that take no lines from it first.
func spellings(name string) []spelling {
	var list []spelling
	add := func(s spelling) {
		same := func(o spelling) bool { return o.name == s.name }
		if s.name != "" && s.name != name && !slices.ContainsFunc(list, same) {
			list = append(list, s)
		}
	}
	whole := append([]string{name}, undressed(name)...)
	for _, other := range whole {
		add(spelling{name: other})
	}
	for i, other := range whole {
		m := lineRange.FindStringSubmatch(other)
		if m == nil {
			continue
		}
		var c Correction
		c.First, _ = strconv.Atoi(m[2])
		c.Last, _ = strconv.Atoi(m[3])
		if m[3] != "" {
			c.First, c.Last = max(min(c.First, c.Last), 1), max(c.First, c.Last, 1) // both ends are meant
		}
		c.First, c.OnlyLines = max(c.First, 1), i == 0
		add(spelling{m[1], c})
		c.OnlyLines = false
		for _, bare := range undressed(m[1]) {
			add(spelling{bare, c})
		}
	}
	return list
}

// Spellings returns other ways to write a path or a glob that names nothing, the most likely first.
func Spellings(name string) (list []string) {
	for _, s := range spellings(name) {
		list = append(list, s.name)
	}
	return list
}

// wrappers are pairs of characters that may surround a path.
var wrappers = []string{"``", `""`, "''", "“”", "‘’", "<>"}

// shellEscape matches a character that is escaped for a shell.
var shellEscape = regexp.MustCompile(`\\([^\pL\pN\\])`)

// undressed returns a path without what stands around it, each form derived from the one before, and then with other
// characters in place of its backslashes.
func undressed(name string) []string {
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
	if filepath.Separator != '\\' && strings.Contains(name, `\`) {
		list = append(list, shellEscape.ReplaceAllString(name, "$1"), strings.ReplaceAll(name, `\`, "/"))
	}
	return list
}

// trim removes spaces of all kinds at both ends, also those of zero width.
func trim(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' })
}

// maxEntries is how many names reach compares for one path that does not exist.
const maxEntries = 20_000

// maxParts is how many elements a path may have for reach, which resolves each of them from
// the root.
const maxParts = 100

// reach is how far a path leads, if a missing name stands for the one that looks like it.
type reach struct {
	at    Path     // the last that exists
	names []string // up to it, below the root, as they are
	rest  []string // behind it, as they are written
	exact int      // how many of names were written so; those behind them may stand for others

	several bool // the last of names is one of several that its name may stand for
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
			like := to.at.entriesAlike(part, left)
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

// entriesAlike returns the entries of a directory that look like a name which is not among them: two at most, since
// no more than one can be meant.
func (p Path) entriesAlike(name string, left *int) (found []string) {
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
	look := Appearance(name)
	for _, e := range entries {
		if e == name {
			return nil // a link to nothing
		}
		if Appearance(e) == look && len(found) < 2 {
			found = append(found, e)
		}
	}
	return found
}

// Appearance returns the same text for names that look the same.
func Appearance(name string) string {
	if isPlain(name) {
		return name
	}
	return norm.NFC.String(trim(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Zs, r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			return -1
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

// isPlain reports whether a name is ASCII without spaces at its ends, as most are: it looks like itself.
func isPlain(name string) bool {
	for i := range len(name) {
		if c := name[i]; c >= 0x80 || c <= ' ' && (i == 0 || i == len(name)-1) {
			return false
		}
	}
	return true
}
