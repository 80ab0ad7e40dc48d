package ignore

import "context"

// Apart returns rules for a tree independent of git: only those of content, at its top. The case of ASCII letters does
// not matter. Enter must be called with false. whole says whether all lines of content count; cut is Options.Cut.
func Apart(content []byte, cut func(file string, lines int)) (d *Dir, whole bool) {
	d = &Dir{tree: &workTree{ctx: context.Background(), fold: true, options: Options{Cut: cut}}}
	_, whole = d.add(content)
	return d, whole
}

// Empty reports whether no rule applies: there are no lines, or only comments, blank and malformed ones.
func (d *Dir) Empty() bool { return d.rules == nil }
