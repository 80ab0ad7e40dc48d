package find

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/glob"
	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/tree"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
)

// missed notes what a pattern without results would find if it were written differently.
type missed struct {
	pattern  string
	absolute bool
	hint     string    // a pattern to try
	wider    glob.Glob // what it means
	hasMore  bool      // it has results
	anchored bool      // the pattern is matched against whole paths
	folded   glob.Glob // the pattern in small letters
	other    string    // a path that it matches in small letters
	outside  bool      // the pattern matches paths relative to the workspace
	within   string    // the pattern as a part of a name, to try; "" if it has wildcards
	part     glob.Glob // what that means
	hasPart  bool      // it has results
}

func newMissed(g glob.Glob, pattern string, start workspace.Path) missed {
	m := missed{pattern: pattern, anchored: g.Anchored(), absolute: path.IsAbs(pattern) || filepath.IsAbs(pattern)}
	var err error
	if m.anchored && !m.absolute && !strings.HasPrefix(pattern, "**") {
		wider := "**/" + strings.TrimPrefix(pattern, "./")
		if m.wider, err = glob.Compile(wider); err == nil {
			m.hint = wider
		}
	}
	if part := withWildcards(pattern); part != "" {
		if m.part, err = glob.Compile(start.Relative(part)); err == nil {
			m.within = part
		}
	}
	if m.folded, err = glob.Compile(strings.ToLower(start.Relative(pattern))); err != nil {
		m.folded = g
	}
	return m
}

// withWildcards returns a pattern that matches the names in which the last name of a pattern stands; "" for one with
// wildcards.
func withWildcards(pattern string) string {
	dir, name := path.Split(filepath.ToSlash(pattern))
	if name == "" || strings.ContainsAny(pattern, `*?[]{}\`) {
		return ""
	}
	return dir + "*" + name + "*"
}

// add notes an entry that g does not match.
func (m *missed) add(t *tree.Tree, g matcher, e walk.Entry, shownDir, name string) {
	m.hasMore = m.hasMore || m.hint != "" && m.wider.Match(shownDir, name)
	m.hasPart = m.hasPart || m.within != "" && m.part.Match(shownDir, name)
	dir := ""
	if m.anchored {
		m.outside = m.outside || t.Prefix != "" && g.Match(t.Prefix+shownDir, name)
		dir = strings.ToLower(shownDir)
	}
	if m.other == "" && m.folded.Match(dir, strings.ToLower(name)) {
		m.other = t.Entry(e).String()
	}
}

func (m *missed) text() string {
	const text = notice.NoFiles
	switch {
	case m.outside:
		return text + ". It is relative to path: try it without path"
	case m.hasMore:
		return text + ". Try " + quote.Value(m.hint)
	case m.other != "":
		return text + ". Case matters: there is " + quote.Value(m.other)
	case m.hasPart:
		return text + ". The pattern is a whole name: try " + quote.Value(m.within)
	case m.absolute:
		return text + ". An absolute pattern must be below path: set path to search elsewhere"
	}
	return text + hint.LikeRegexp(m.pattern)
}
