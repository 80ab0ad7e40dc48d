package glob

import (
	"slices"
	"strings"
)

// Filter is a list of globs that selects files. It is immutable.
type Filter struct {
	include, exclude []choice
}

type choice struct {
	pattern  string
	globs    globs
	readings []Reading // what it may mean if it matches nothing
	used     int       // how many of the readings apply as well
	also     bool      // it is the previous choice without the path of the searched directory
}

// CompileFilter compiles globs separated by commas outside braces. It selects a file that matches one of them, or any
// file if there are none, unless the file or a directory above it matches a glob that begins with "!", or has a name
// that is such a glob. "" selects every file. Excluding globs may include the path of the searched directory, which is
// "" or ends in a slash.
func CompileFilter(globs, path string) (Filter, error) {
	var f Filter
	if len(globs) > maxFilter {
		return f, &Error{globs, tooLong(globs, maxFilter)}
	}
	left := &room{maxAlternatives, maxExpanded}
	list := split(slashed(globs))
	for _, pattern := range list {
		pattern, not := strings.CutPrefix(pattern, "!")
		c, reason := choose(pattern, left)
		if reason != "" {
			return f, &Error{pattern, reason}
		}
		if !not {
			f.include = append(f.include, c)
			continue
		}
		f.exclude = append(f.exclude, c.literally())
		if rest := strings.TrimPrefix(pattern, path); rest != pattern && rest != "" {
			if c, reason = choose(rest, left); reason != "" {
				return f, &Error{pattern, reason}
			}
			c.pattern = pattern
			f.exclude = append(f.exclude, c.below())
		}
	}
	if len(list) > 1 && len(f.exclude) == 0 { // it may also be a name with commas
		whole := literally(escape(slashed(globs), "[{}*?"))
		name := Reading{How: Literally, Pattern: globs, globs: whole}
		f.include = append(f.include, choice{pattern: globs, readings: []Reading{name}})
	}
	return f, nil
}

func choose(pattern string, left *room) (c choice, reason string) {
	g, reason := compile(pattern, left)
	return choice{pattern: pattern, globs: globs{g}, readings: Readings(pattern)}, reason
}

// literally returns the choice with its brackets and braces standing for themselves, too.
func (c choice) literally() choice {
	if len(c.readings) > 0 && c.readings[0].How == Literally {
		c.used = 1
	}
	return c
}

// below returns the choice for paths below the searched directory.
func (c choice) below() choice {
	c = c.literally()
	c.also = true
	for _, r := range append(c.readings, Reading{globs: c.globs}) {
		for i := range r.globs {
			r.globs[i].name = false
		}
	}
	return c
}

// Match reports whether the file is selected. dir is its directory's relative path, which
// is "" or ends in a slash.
func (f Filter) Match(dir, name string) bool {
	return !f.Excludes(dir, name) && (len(f.include) == 0 || slices.ContainsFunc(f.include, func(c choice) bool {
		return c.meets(dir, name, globs.include)
	}))
}

// Excludes reports whether a glob that begins with "!" leaves out the file.
func (f Filter) Excludes(dir, name string) bool {
	return slices.ContainsFunc(f.exclude, func(c choice) bool { return c.meets(dir, name, globs.exclude) })
}

func (f Filter) Included() (list []string) {
	for _, c := range f.include {
		if len(c.globs) > 0 { // otherwise it is all of them as one name
			list = append(list, c.pattern)
		}
	}
	return list
}

// meets reports whether a file matches the globs, or one of the readings that apply as well.
func (c choice) meets(dir, name string, match func(globs, string, string) bool) bool {
	return match(c.globs, dir, name) ||
		slices.ContainsFunc(c.readings[:c.used], func(r Reading) bool { return match(r.globs, dir, name) })
}

// MayMatch reports whether the file would be selected if the globs meant all that they may mean.
func (f Filter) MayMatch(dir, name string) bool {
	return f.Match(dir, name) || slices.ContainsFunc(f.include, func(c choice) bool {
		return slices.ContainsFunc(c.readings, func(r Reading) bool { return r.include(dir, name) })
	})
}

// Watch matches files like a filter, and records which globs match nothing. It is for one goroutine.
type Watch struct {
	f                Filter
	include, exclude []noted
}

type noted struct {
	met      bool
	readings []bool // those that match something
}

func (f Filter) Watch() *Watch {
	w := &Watch{f, make([]noted, len(f.include)), make([]noted, len(f.exclude))}
	for i, c := range f.include {
		w.include[i].readings = make([]bool, len(c.readings))
	}
	for i, c := range f.exclude {
		w.exclude[i].readings = make([]bool, len(c.readings))
		w.exclude[i].met = c.globs.exclude(".git/", ".") // .git is never searched
	}
	return w
}

// Match is like [Filter.Match].
func (w *Watch) Match(dir, name string) bool {
	selected := len(w.f.include) == 0
	for i := range w.f.include {
		n, c := &w.include[i], &w.f.include[i]
		if !n.met || !selected {
			selected = n.look(c, dir, name, globs.include) || selected
		}
	}
	for i := range w.f.exclude {
		n, c := &w.exclude[i], &w.f.exclude[i]
		if !n.met || selected {
			selected = !n.look(c, dir, name, globs.exclude) && selected
		}
	}
	return selected
}

// look records what matches a file, and reports whether the choice does.
func (n *noted) look(c *choice, dir, name string, match func(globs, string, string) bool) (matches bool) {
	if match(c.globs, dir, name) {
		n.met = true
		return true
	}
	for i, r := range c.readings {
		if i >= c.used && (n.met || n.readings[i]) || !match(r.globs, dir, name) {
			continue
		}
		n.readings[i] = true
		matches = matches || i < c.used
	}
	return matches
}

// Pass records a directory that is not searched.
func (w *Watch) Pass(dir, name string) {
	for i := range w.f.exclude {
		w.exclude[i].look(&w.f.exclude[i], dir+name+"/", ".", globs.exclude)
	}
}

// Use is a glob of a filter with the meaning that was used.
type Use struct {
	Pattern string // the glob
	Exclude bool
	Reading
}

// Loosen returns the filter in which each glob that matched nothing has the meaning of the first of its readings that
// did. more is false if that is the same filter.
func (w *Watch) Loosen() (loose Filter, more bool) {
	loosen := func(list []choice, notes []noted) []choice {
		list = slices.Clone(list)
		for i, n := range notes {
			if n.met || slices.Contains(n.readings[:list[i].used], true) {
				continue
			}
			if at := slices.Index(n.readings, true); at >= 0 {
				list[i].used, more = at+1, true
			}
		}
		return list
	}
	return Filter{loosen(w.f.include, w.include), loosen(w.f.exclude, w.exclude)}, more
}

// Used returns the readings that matched what their globs, as written, do not.
func (w *Watch) Used() (list []Use) {
	add := func(choices []choice, notes []noted, exclude bool) {
		for i, n := range notes {
			if at := slices.Index(n.readings[:choices[i].used], true); at >= 0 {
				list = append(list, Use{choices[i].pattern, exclude, choices[i].readings[at]})
			}
		}
	}
	add(w.f.include, w.include, false)
	add(w.f.exclude, w.exclude, true)
	return list
}

// Idle returns the globs that have excluded nothing, without their "!".
func (w *Watch) Idle() (list []string) {
	for i, n := range w.exclude {
		used := n.met || slices.Contains(n.readings[:w.f.exclude[i].used], true)
		switch also := w.f.exclude[i].also; {
		case !also && !used:
			list = append(list, w.f.exclude[i].pattern)
		case also && used && len(list) > 0 && list[len(list)-1] == w.f.exclude[i].pattern:
			list = list[:len(list)-1]
		}
	}
	return list
}
