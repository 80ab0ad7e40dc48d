// Package spelling knows the ways in which people and models write one name.
package spelling

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// lineRange matches a path with lines of the file behind it, as compilers, grep
// and people write them: a.go:12, a.go:12:5, a.go:12-40, a.go#L12-L40.
var lineRange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.+?)(?::|#L)([0-9]{1,9})(?:-L?([0-9]{1,9})|:[0-9]{1,9})?\s*$`)
})

type Spelling struct {
	Name        string
	First, Last int  // the lines behind the name, from 1; 0 for none. Last is also 0 after a single number
	OnlyLines   bool // only the lines are left out
}

// Of returns what a path or glob may mean that names nothing as written: without spaces, quotes, backticks or a "@"
// around it, with the home directory for "~", the path for the URL of a file, slashes or nothing for backslashes, and
// then without line numbers, as in "a.go:12".
func Of(name string) []Spelling {
	var list []Spelling
	add := func(s Spelling) {
		same := func(o Spelling) bool { return o.Name == s.Name }
		if s.Name != "" && s.Name != name && !slices.ContainsFunc(list, same) {
			list = append(list, s)
		}
	}
	whole := append([]string{name}, undressed(name)...)
	for _, other := range whole {
		add(Spelling{Name: other})
	}
	for i, other := range whole {
		m := lineRange().FindStringSubmatch(other)
		if m == nil {
			continue
		}
		s := Spelling{Name: m[1], OnlyLines: i == 0}
		s.First, _ = strconv.Atoi(m[2])
		s.Last, _ = strconv.Atoi(m[3])
		if m[3] != "" {
			s.First, s.Last = min(s.First, s.Last), max(s.First, s.Last, 1) // both ends are meant, in either order
		}
		s.First = max(s.First, 1) // there is no line 0: it stands for the beginning
		add(s)
		s.OnlyLines = false
		for _, s.Name = range undressed(m[1]) {
			add(s)
		}
	}
	return list
}

func WithoutLines(name string) string {
	if m := lineRange().FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

// wrappers are pairs of characters that may surround a path.
var wrappers = []string{"``", `""`, "''", "“”", "‘’", "<>"}

// shellEscape matches a character that is escaped for a shell.
var shellEscape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\([^\pL\pN\\])`) })

// undressed returns a path without what surrounds it, each form derived from the one before, and then with its
// backslashes replaced.
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
	add(OfURL(name))
	if rest, ok := strings.CutPrefix(name, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			add(home + rest)
		}
	}
	if filepath.Separator != '\\' && strings.Contains(name, `\`) {
		list = append(list, shellEscape().ReplaceAllString(name, "$1"), strings.ReplaceAll(name, `\`, "/"))
	}
	return list
}

// fileURL matches the URL of a file of this machine.
var fileURL = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^file:(?://(?:localhost)?)?(/(?:[^/].*)?)$`)
})

// OfURL returns the path in the URL of a file; "" for anything else.
func OfURL(name string) string {
	m := fileURL().FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	path, err := url.PathUnescape(m[1])
	if err != nil {
		return ""
	}
	if drive := strings.TrimPrefix(path, "/"); filepath.VolumeName(drive) != "" {
		return drive
	}
	return path
}

// trim removes spaces of all kinds at both ends, including those of zero width.
func trim(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' })
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

// isPlain reports whether a name is ASCII without spaces at its ends, as most are, so that Appearance returns it
// unchanged.
func isPlain(name string) bool {
	for i := range len(name) {
		if c := name[i]; c >= 0x80 || c <= ' ' && (i == 0 || i == len(name)-1) {
			return false
		}
	}
	return true
}
