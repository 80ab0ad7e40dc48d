package glob

import (
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/spelling"
)

// How says how a glob is read that matches nothing as written.
type How int

const (
	Literally How = iota // its brackets and braces may also stand for themselves
	Respelled            // Pattern is meant
	Alike                // it matches names that look like the ones it names
)

// Reading is another meaning that a glob may have.
type Reading struct {
	How     How
	Pattern string // the pattern to match
	globs
	not globs // for a list: what an entry must not match
}

// Readings returns the possible meanings of a glob that matches nothing, the most likely first.
func Readings(pattern string) (list []Reading) {
	pattern = slashed(pattern)
	add := func(how How, pattern string, globs globs) {
		if len(globs) > 0 {
			list = append(list, Reading{How: how, Pattern: pattern, globs: globs})
		}
	}
	if all := split(pattern); len(all) > 1 {
		if r, ok := listed(all); ok {
			list = append(list, r)
		}
	}
	if strings.ContainsAny(pattern, "[]{}") {
		add(Literally, pattern, literally(pattern))
	}
	alike := literally(spelling.Appearance(pattern))
	for _, s := range spelling.Of(pattern) {
		add(Respelled, s.Name, literally(s.Name))
		alike = append(alike, literally(spelling.Appearance(s.Name))...)
	}
	for i := range alike {
		alike[i].alike, alike[i].odd = true, spelling.Appearance(pattern) == pattern
	}
	add(Alike, pattern, alike)
	return list
}

// listed returns the reading of a pattern as globs separated by commas, as in a [Filter].
func listed(all []string) (Reading, bool) {
	r := Reading{How: Respelled}
	var use, not []string
	left := &room{maxAlternatives, maxExpanded}
	for _, pattern := range all {
		pattern, excludes := strings.CutPrefix(pattern, "!")
		g, reason := compile(pattern, left)
		switch {
		case reason != "":
			return r, false
		case excludes:
			r.not, not = append(r.not, g), append(not, pattern)
		default:
			r.globs, use = append(r.globs, g), append(use, pattern)
		}
	}
	r.Pattern = strings.Join(use, " or ")
	if len(not) > 0 {
		r.Pattern += " without " + strings.Join(not, " or ")
	}
	return r, len(use) > 0
}

// Match reports whether the entry matches. dir is its directory's relative path, which is "" or ends in a slash.
func (r Reading) Match(dir, name string) bool {
	return r.globs.Match(dir, name) && !r.not.exclude(dir, name)
}

// Dirs reports whether the reading asks for directories only.
func (r Reading) Dirs() bool { return r.globs[0].dirs }

// globs match an entry that matches one of them.
type globs []Glob

// Match reports whether the entry matches. dir is its directory's relative path, which is
// "" or ends in a slash.
func (list globs) Match(dir, name string) bool {
	return slices.ContainsFunc(list, func(g Glob) bool { return g.Match(dir, name) })
}

func (list globs) include(dir, name string) bool {
	return slices.ContainsFunc(list, func(g Glob) bool { return g.matchFile(dir, name) })
}

// exclude reports whether the globs leave out a file, or a directory that it is in.
func (list globs) exclude(dir, name string) bool {
	return slices.ContainsFunc(list, func(g Glob) bool { return g.matchFile(dir, name) || g.matchParent(dir) })
}

// literally returns the globs for a pattern whose brackets and braces may stand for themselves. It leaves out what
// cannot be compiled.
func literally(pattern string) (list globs) {
	patterns := []string{pattern, escape(pattern, "{}"), escape(pattern, "[{}")}
	for i, p := range patterns {
		if slices.Contains(patterns[:i], p) {
			continue
		}
		g, reason := compile(p, &room{maxAlternatives, maxExpanded})
		if reason != "" {
			continue
		}
		for _, segments := range g.alternatives {
			for i, s := range segments {
				if plain := escape(s.pattern, "["); plain != s.pattern {
					segments[i].plain = plain
				}
			}
		}
		list = append(list, g)
	}
	return list
}

// escape escapes some characters of a pattern, unless they are escaped already.
func escape(pattern, chars string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			b.WriteByte(c)
			i++
		case strings.IndexByte(chars, c) >= 0:
			b.WriteByte('\\')
		}
		b.WriteByte(pattern[i])
	}
	return b.String()
}
