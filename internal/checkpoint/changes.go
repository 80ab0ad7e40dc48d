package checkpoint

import (
	"maps"
	"slices"
	"strings"
)

// joined adds what was removed and made to changes: a path of both is one change, and so is a file that has another name.
func joined(changes []Change, removed, made []entry) []Change {
	gone := make(map[string]Change, len(removed))
	for _, e := range removed {
		gone[e.path] = Change{Path: e.path, Before: e.version()}
	}
	names := make(map[stamp]string) // of what was removed
	for _, e := range removed {
		if kindOf(e.stamp.mode) == File {
			names[renamed(e.stamp)] = e.path
		}
	}
	for _, e := range made {
		c := Change{Path: e.path, After: e.version()}
		if before, ok := gone[e.path]; ok { // a directory in place of a file, or the other way round
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
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes
}

// renamed is what of a stamp stays when a file is renamed.
func renamed(s stamp) stamp {
	s.ctime, s.several = 0, false
	return s
}

// total returns what a list of changes after each other comes to, in the order of the paths. by says who made the
// changes of a path.
func total(lists ...[]Change) []Change {
	all := make(map[string]Change)
	note := func(path string, before, after Version, by []string) {
		c, ok := all[path]
		if !ok {
			c = Change{Path: path, Before: before}
		}
		c.After = after
		for _, id := range by {
			if !slices.Contains(c.By, id) {
				c.By = append(c.By, id)
			}
		}
		all[path] = c
	}
	for _, list := range lists {
		for _, c := range list {
			if c.From != "" {
				note(c.From, c.After, Version{}, c.By)
			}
			note(c.Path, c.Before, c.After, c.By)
		}
	}
	var changes []Change
	for _, c := range all {
		if !c.Before.same(c.After) {
			changes = append(changes, c)
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes
}
