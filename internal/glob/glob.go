// Package glob matches the paths of a tree against the globs of find and grep.
package glob

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// maxAlternatives is the number of patterns that the braces of one glob may
// stand for. doublestar tries them one by one: twenty times {a,a} takes 0.3 s a
// path.
const maxAlternatives = 1000

// Glob is a compiled pattern. Without a slash it is matched against the name of
// a path, at any depth; with one, against the whole path. It is immutable.
type Glob struct {
	pattern string
	name    bool   // without a slash
	dirs    bool   // ends in a slash: directories only
	suffix  string // of a pattern that is "*" and this, for speed
}

// Compile checks a pattern: *, **, ?, [class], {a,b} and \ to escape. A leading
// "./" or "/" is dropped.
func Compile(pattern string) (Glob, error) {
	g := Glob{pattern: pattern}
	for {
		rest := strings.TrimPrefix(strings.TrimPrefix(g.pattern, "./"), "/")
		if rest == g.pattern {
			break
		}
		g.pattern = rest
	}
	if rest := strings.TrimRight(g.pattern, "/"); rest != g.pattern {
		g.pattern, g.dirs = rest, true
	}
	if g.pattern == "" {
		return g, errors.New("it is empty")
	}
	if !doublestar.ValidatePattern(g.pattern) {
		return g, errors.New(fault(g.pattern))
	}
	if n := alternatives(g.pattern); n > maxAlternatives {
		return g, fmt.Errorf("its braces stand for more than %d patterns", maxAlternatives)
	}
	g.name = !strings.Contains(g.pattern, "/")
	if rest, ok := strings.CutPrefix(g.pattern, "*"); ok && g.name && !strings.ContainsAny(rest, `*?[]{}\`) {
		g.suffix = rest
	}
	return g, nil
}

// Dirs reports whether the glob asks for directories only.
func (g Glob) Dirs() bool { return g.dirs }

// Match reports whether the entry of that name matches, in a directory whose
// path is relative and, unless it is "", ends in a slash.
func (g Glob) Match(dir, name string) bool {
	if g.suffix != "" {
		return strings.HasSuffix(name, g.suffix)
	}
	if !g.name {
		name = dir + name
	}
	ok, err := doublestar.Match(g.pattern, name)
	return ok && err == nil
}

// matchPath is Match for a whole path.
func (g Glob) matchPath(p string) bool {
	dir, name := path.Split(p)
	return g.Match(dir, name)
}

// fault says what is wrong with a pattern that is not valid.
func fault(pattern string) string {
	class, braces := -1, []int{}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			if i++; i == len(pattern) {
				return "it ends in a backslash, which escapes nothing"
			}
		case class >= 0:
			if c == ']' && i > class+1 {
				class = -1
			}
		case c == '[':
			class = i
		case c == '{':
			braces = append(braces, i)
		case c == '}':
			if len(braces) == 0 {
				return fmt.Sprintf("the } at character %d closes nothing", i+1)
			}
			braces = braces[:len(braces)-1]
		}
	}
	switch {
	case class >= 0:
		return fmt.Sprintf("the [ at character %d is not closed", class+1)
	case len(braces) > 0:
		return fmt.Sprintf("the { at character %d is not closed", braces[0]+1)
	}
	return "a class in it is malformed"
}

// alternatives is the number of patterns that the braces of a valid pattern
// stand for, or something over maxAlternatives.
func alternatives(pattern string) int {
	type level struct{ done, current int } // alternatives before the last comma, and after
	stack := []level{{0, 1}}
	for i, class := 0, false; i < len(pattern); i++ {
		top := &stack[len(stack)-1]
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '{':
			stack = append(stack, level{0, 1})
		case c == ',' && len(stack) > 1:
			top.done, top.current = top.done+top.current, 1
		case c == '}' && len(stack) > 1:
			n := top.done + top.current
			stack = stack[:len(stack)-1]
			if top = &stack[len(stack)-1]; top.current <= maxAlternatives {
				top.current *= min(n, maxAlternatives+1)
			}
		}
	}
	return stack[0].current
}

// Filter is a list of globs that says which files are meant.
type Filter struct {
	include, exclude []Glob
}

// CompileFilter reads globs that commas divide, outside of braces. A file is
// meant if it matches one of them, or if there are none, and does not match any
// of those that begin with "!". "" means every file.
func CompileFilter(globs string) (Filter, error) {
	var f Filter
	for _, pattern := range split(globs) {
		not := strings.HasPrefix(pattern, "!")
		g, err := Compile(strings.TrimPrefix(pattern, "!"))
		if err != nil {
			return f, fmt.Errorf("%q: %w", pattern, err)
		}
		if not {
			f.exclude = append(f.exclude, g)
		} else {
			f.include = append(f.include, g)
		}
	}
	return f, nil
}

// Match reports whether the file of that name is meant, in a directory whose
// path is relative and, unless it is "", ends in a slash.
func (f Filter) Match(dir, name string) bool {
	for _, g := range f.exclude {
		if g.matchFile(dir, name) {
			return false
		}
	}
	for _, g := range f.include {
		if g.matchFile(dir, name) {
			return true
		}
	}
	return len(f.include) == 0
}

// matchFile is Match for a file. A glob for directories means what is in them.
func (g Glob) matchFile(dir, name string) bool {
	if !g.dirs {
		return g.Match(dir, name)
	}
	for p := strings.TrimSuffix(dir, "/"); p != "" && p != "."; p = path.Dir(p) {
		if g.matchPath(p) {
			return true
		}
	}
	return false
}

// split divides at commas that are in no braces or classes.
func split(globs string) []string {
	var list []string
	depth, start := 0, 0
	for i := 0; i < len(globs); i++ {
		switch {
		case globs[i] == ',' && depth == 0:
			list = append(list, globs[start:i])
			start = i + 1
		case globs[i] == '\\':
			i++
		case globs[i] == '{':
			depth++
		case globs[i] == '}':
			depth--
		}
	}
	list = append(list, globs[start:])
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}
