package hint

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/glob"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Missed records what a glob that matches nothing would match if it were written differently.
type Missed struct {
	start    workspace.Path
	pattern  string
	glob     glob.Glob
	absolute bool
	wider    attempt   // at any depth
	part     attempt   // as part of a name
	folded   glob.Glob // the glob in lower case
	other    string    // a path that it matches in lower case
	outside  bool      // the glob matches paths relative to the workspace
	resolve  func(name string) (workspace.Path, error)
}

type attempt struct {
	pattern string // "" for none
	glob    glob.Glob
	met     bool // it matches something
}

func (a *attempt) look(dir, name string) {
	a.met = a.met || a.pattern != "" && a.glob.Match(dir, name)
}

// NewMissed returns a Missed for a glob of paths below start. resolve finds a path of the workspace.
func NewMissed(
	g glob.Glob, pattern string, start workspace.Path, resolve func(name string) (workspace.Path, error),
) *Missed {
	m := &Missed{start: start, pattern: pattern, glob: g, resolve: resolve}
	m.absolute = path.IsAbs(pattern) || filepath.IsAbs(pattern)
	try := func(pattern, compiled string) (a attempt) {
		if g, err := glob.Compile(compiled); err == nil {
			a.pattern, a.glob = pattern, g
		}
		return a
	}
	if g.Anchored() && !m.absolute && !strings.HasPrefix(pattern, "**") {
		wider := "**/" + strings.TrimPrefix(pattern, "./")
		m.wider = try(wider, wider)
	}
	if part := withWildcards(pattern); part != "" {
		m.part = try(part, start.Relative(part))
	}
	m.folded = g
	if folded := try(pattern, strings.ToLower(start.Relative(pattern))); folded.pattern != "" {
		m.folded = folded.glob
	}
	return m
}

// withWildcards returns a pattern for names that contain the last name of a pattern; "" if that has wildcards.
func withWildcards(pattern string) string {
	dir, name := path.Split(filepath.ToSlash(pattern))
	if name == "" || strings.ContainsAny(pattern, `*?[]{}\|`) {
		return ""
	}
	return dir + "*" + name + "*"
}

// Add records an entry that the glob does not match, by its path as patterns see it. shown returns its form in a list.
func (m *Missed) Add(dir, name string, shown func() string) {
	m.wider.look(dir, name)
	m.part.look(dir, name)
	folded := ""
	if m.glob.Anchored() {
		prefix := m.start.Prefix()
		m.outside = m.outside || prefix != "" && m.glob.Match(prefix+dir, name)
		folded = strings.ToLower(dir)
	}
	if m.other == "" && m.folded.Match(folded, strings.ToLower(name)) {
		m.other = shown()
	}
}

// Hint returns what to try, to follow a sentence; or "". argument is the name of the glob's argument.
func (m *Missed) Hint(argument string) string {
	link, rest := m.linked()
	switch {
	case link != "":
		link, rest = quote.Value(link), quote.Value(rest)
		return fmt.Sprintf(". %s is a symbolic link, which no search follows: set path=%s and %s=%s",
			link, link, argument, rest)
	case m.outside:
		return ". It is relative to path: try it without path"
	case m.wider.met:
		return ". Try " + quote.Value(m.wider.pattern)
	case m.other != "":
		return ". Case matters: there is " + quote.Value(m.other)
	case m.part.met:
		return ". The pattern is a whole name: try " + quote.Value(m.part.pattern)
	case m.absolute:
		return ". An absolute pattern must be below path: set path to search elsewhere"
	}
	return likeRegexp(m.pattern)
}

// linked returns the first link to a directory in the glob, and the rest of the glob; or "".
func (m *Missed) linked() (link, rest string) {
	at := m.start
	for rest = strings.TrimPrefix(m.start.Relative(m.pattern), "./"); ; {
		name, below, more := strings.Cut(rest, "/")
		if !more || below == "" || name == "" || name == ".." || strings.ContainsAny(name, `*?[{\`) {
			return "", ""
		}
		next, err := m.resolve(quote.Name(path.Join(at.Name, name)))
		if err != nil {
			return "", ""
		}
		info, err := next.Stat()
		if err != nil || !info.IsDir() {
			return "", ""
		}
		if next.Abs != filepath.Join(at.Abs, name) {
			if !strings.Contains(below, "/") {
				below = "./" + below // not a name at any depth
			}
			return next.Name, below
		}
		at, rest = next, below
	}
}
