package checkpoint

import (
	"maps"
	"slices"
	"strings"
)

// joined adds removed and made entries to changes. A path in both is one change, and so is a file under a new name.
func joined(changes []Change, removed, made []entry) []Change {
	gone := make(map[string]Change, len(removed))
	for _, e := range removed {
		gone[e.path] = Change{Path: e.path, Before: e.version()}
	}
	names := make(map[stamp]string) // of removed entries
	for _, e := range removed {
		if kindOf(e.stamp.mode) == File {
			names[renamed(e.stamp)] = e.path
		}
	}
	for _, e := range made {
		c := Change{Path: e.path, After: e.version()}
		if before, ok := gone[e.path]; ok { // a directory replaced a file, or the other way round
			c.Before = before.Before
			delete(gone, e.path)
		} else if from, ok := names[renamed(e.stamp)]; ok && kindOf(e.stamp.mode) == File {
			if before, ok := gone[from]; ok && before.Before.same(c.After) {
				c.From = from
				delete(gone, from)
			}
		}
		changes = append(changes, c)
	}
	changes = slices.AppendSeq(changes, maps.Values(gone))
	slices.SortFunc(changes, byPath)
	return changes
}

// byPath orders changes so that what is in a directory follows it: "a", "a/b", "a-b".
func byPath(a, b Change) int {
	n := 0
	for n < min(len(a.Path), len(b.Path)) && a.Path[n] == b.Path[n] {
		n++
	}
	return rank(a.Path, n) - rank(b.Path, n)
}

// rank is how the byte of a path at n is ordered: its end first, then a slash.
func rank(path string, n int) int {
	switch {
	case n == len(path):
		return 0
	case path[n] == '/':
		return 1
	}
	return 2 + int(path[n])
}

// seen leaves out what was neither made nor removed, but was ignored or hidden before, or is now.
func (l *look) seen(changes []Change) []Change {
	return slices.DeleteFunc(changes, func(c Change) bool {
		return c.From == "" && c.Before.Kind == Absent && in(l.t.unseen, c.Path) ||
			c.After.Kind == Absent && in(l.unseen, c.Path)
	})
}

// in reports whether a set has a path or one of its parent directories.
func in(set map[string]bool, name string) bool {
	for len(set) > 0 && !set[name] {
		end := strings.LastIndexByte(name, '/')
		if end < 0 {
			return false
		}
		name = name[:end] // path.Dir would look at the whole of it each time: 10 seconds for 2,000 directories in each other
	}
	return len(set) > 0
}

// renamed returns the part of a stamp that renaming does not change.
func renamed(s stamp) stamp {
	s.ctime, s.several, s.racy = 0, false, false
	return s
}

// total merges consecutive steps into changes, in the order of paths. If a step does not continue where the previous
// one left a path, others have changed it in between.
func (t *Tracker) total(steps []Step) []Change {
	git := t.git()
	defer git.close()
	all := make(map[string]*Change)
	note := func(path string, before, after Version, by []string) {
		c := all[path]
		switch {
		case c == nil:
			c = &Change{Before: before}
			all[path] = c
		case !t.equal(c.After, before, git):
			c.add(Others)
		}
		c.After = after
		for _, id := range by {
			c.add(id)
		}
	}
	for _, s := range steps {
		for _, c := range s.Changes {
			t.copied(&c)
			if c.From != "" {
				note(c.From, c.After, Version{}, s.By)
			}
			note(c.Path, c.Before, c.After, s.By)
		}
	}
	var changes []Change
	for name, c := range all {
		if c.Path = name; !t.equal(c.Before, c.After, git) {
			changes = append(changes, *c)
		}
	}
	slices.SortFunc(changes, byPath)
	return changes
}

func (c *Change) add(by string) {
	if !slices.Contains(c.By, by) {
		c.By = append(c.By, by)
	}
}
