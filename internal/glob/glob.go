// Package glob matches the paths of a tree against the globs of find and grep.
package glob

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/spillway-go/spillway/internal/spelling"
)

// Bounds on globs, because each path is matched against everything that a glob expands to.
const (
	maxPattern      = 4096     // bytes: no path that it could match is longer
	maxAlternatives = 1000     // patterns that the braces of a glob may expand to
	maxExpanded     = 32 << 10 // bytes of these
	maxFilter       = 16 << 10 // bytes of the globs of a filter, whose braces have the bounds of one glob
)

// Glob is a compiled pattern. Without a slash it matches names, at any depth; with one, whole paths. It is immutable.
//
// Braces are expanded and paths split at slashes, and doublestar matches single names. So, as in gitignore and
// ripgrep, no class matches a slash, and "src/**" matches what is below src but not src itself.
type Glob struct {
	alternatives [][]segment
	name         bool // without a slash
	dirs         bool // ends in a slash: directories only
	alike        bool // matches names that look alike
	odd          bool // if alike: matches exactly where nothing looks different
}

// segment matches one name of a path.
type segment struct {
	pattern string
	kind    kind
	plain   string // the pattern with literal brackets, if that is matched as well; else ""
}

type kind int

const (
	wild    kind = iota // doublestar decides
	literal             // pattern is the name
	suffix              // the name ends in pattern, which is literal
	tree                // "**": any number of names
)

// Error reports a glob that is refused.
type Error struct {
	Pattern string
	Reason  string // what is wrong with it, and where
}

func (e *Error) Error() string { return fmt.Sprintf("glob %q: %s", e.Pattern, e.Reason) }

// Compile compiles a pattern of *, **, ?, [class], {a,b} and \ to escape, which on Windows is another slash. A leading
// "./" or "/" is dropped; a trailing "/" asks for directories. The error is an *Error.
func Compile(pattern string) (Glob, error) {
	g, reason := compile(slashed(pattern), &room{maxAlternatives, maxExpanded})
	if reason != "" {
		return Glob{}, &Error{pattern, reason}
	}
	return g, nil
}

// compile compiles a pattern if there is room for what its braces expand to. Otherwise it returns the reason.
func compile(pattern string, left *room) (g Glob, reason string) {
	if len(pattern) > maxPattern {
		return g, tooLong(pattern, maxPattern)
	}
	for {
		rest := strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
		if rest == pattern {
			break
		}
		pattern = rest
	}
	if rest := strings.TrimRight(pattern, "/"); rest != pattern {
		pattern, g.dirs = rest, true
	}
	if pattern == "" {
		return g, "it is empty"
	}
	if !doublestar.ValidatePattern(pattern) {
		return g, fault(pattern)
	}
	list := []string{pattern}
	if strings.Contains(pattern, "{") {
		list = left.expand(nil, "", pattern)
	}
	if left.patterns < 0 || left.bytes < 0 {
		return g, fmt.Sprintf("its braces stand for more than %d patterns, or %d bytes", maxAlternatives, maxExpanded)
	}
	g.name = !strings.Contains(pattern, "/")
	for _, p := range list {
		if p == "**" && g.name {
			p = "*" // at any depth, like every pattern without a slash
		}
		list := segments(p)
		for _, s := range list {
			if s.kind == literal && s.pattern == ".." {
				return g, "it goes up by .., and matches only what is below the directory that is searched"
			}
			if !doublestar.ValidatePattern(s.pattern) { // a class with a slash is divided there
				return g, "a class in it is malformed; write [[] for a bracket that stands for itself"
			}
		}
		g.alternatives = append(g.alternatives, list)
	}
	return g, ""
}

func tooLong(globs string, most int) string {
	return fmt.Sprintf("it is %d bytes long, and more than %d are not taken", len(globs), most)
}

// segments divides a pattern without braces.
func segments(pattern string) []segment {
	var list []segment
	for p := range strings.SplitSeq(pattern, "/") {
		if p == "" || p == "." {
			continue
		}
		s := segment{pattern: folded(p), kind: wild}
		rest, star := strings.CutPrefix(p, "*")
		switch {
		case p == "**":
			s.kind = tree
		case strings.ContainsAny(rest, `*?[{\`):
		case star:
			s = segment{pattern: rest, kind: suffix}
		default:
			s.kind = literal
		}
		if n := len(list); s.kind == tree && n > 0 && list[n-1].kind == tree {
			continue
		}
		list = append(list, s)
	}
	if n := len(list); n > 0 && list[n-1].kind == tree {
		list = append(list, segment{kind: suffix}) // what is below, not the directory itself
	}
	return list
}

func (s segment) match(name string) bool {
	switch s.kind {
	case literal:
		return sameName(name, s.pattern)
	case suffix:
		n := len(name) - len(s.pattern)
		return n >= 0 && sameName(name[n:], s.pattern)
	}
	name = folded(name)
	return doublestar.MatchUnvalidated(s.pattern, name) || s.plain != "" && doublestar.MatchUnvalidated(s.plain, name)
}

// Dirs reports whether the glob asks for directories only.
func (g Glob) Dirs() bool { return g.dirs }

// Anchored reports whether the glob is matched against the whole path.
func (g Glob) Anchored() bool { return !g.name }

// Names reports whether the glob names a directory, without wildcards, and matches only what is below it.
func (g Glob) Names(dir string) bool {
	for _, a := range g.alternatives {
		for name := range strings.SplitSeq(dir, "/") {
			if len(a) < 2 || a[0].kind != literal || !a[0].match(name) {
				return false
			}
			a = a[1:]
		}
	}
	return !g.name && !g.alike
}

// Match reports whether the entry matches. dir is its directory's relative path, which is
// "" or ends in a slash.
func (g Glob) Match(dir, name string) bool {
	if g.alike {
		d, n := spelling.Appearance(dir), spelling.Appearance(name)
		if g.odd && d == dir && n == name {
			return false
		}
		dir, name = d, n
	}
	for _, a := range g.alternatives {
		if g.name && len(a) == 1 && a[0].match(name) || !g.name && matchPath(a, dir+name) {
			return true
		}
	}
	return false
}

// matchPath reports whether the segments match all names of a path. If the names after a "**" do not match, it takes
// one more name and they are tried again. Only the last "**" has to: an earlier one could only shorten what the last
// one may take.
func matchPath(pattern []segment, p string) bool {
	next, at := 0, 0      // in pattern and in p
	star, starAt := -1, 0 // the last "**", and where the names behind it began
	for at < len(p) {
		name, _, _ := strings.Cut(p[at:], "/")
		switch {
		case next < len(pattern) && pattern[next].kind == tree:
			star, starAt = next, at
			next++
		case next < len(pattern) && pattern[next].match(name):
			next++
			at += len(name) + 1
		case star >= 0:
			name, _, _ = strings.Cut(p[starAt:], "/")
			starAt += len(name) + 1
			next, at = star+1, starAt
		default:
			return false
		}
	}
	return next == len(pattern)
}

// matchFile is Match for a file. A glob for directories means what is in them.
func (g Glob) matchFile(dir, name string) bool {
	if g.dirs {
		return g.matchParent(dir)
	}
	return g.Match(dir, name)
}

// matchParent reports whether a directory, or one above it, matches.
func (g Glob) matchParent(dir string) bool {
	for p := strings.TrimSuffix(dir, "/"); p != "" && p != "."; p = path.Dir(p) {
		if g.Match(path.Split(p)) {
			return true
		}
	}
	return false
}

// split splits at commas outside of braces and classes.
func split(globs string) []string {
	var list []string
	depth, start := 0, 0
	add := func(end int) {
		if glob := strings.TrimSpace(globs[start:end]); glob != "" {
			list = append(list, glob)
		}
		start = end + 1
	}
	for i, c := range marks(globs) {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth == 0:
			add(i)
		}
	}
	add(len(globs))
	return list
}
