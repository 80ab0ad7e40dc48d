package docs_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// sharedSection lists the fields that several results share.
func (all packages) sharedSection(t *testing.T) *strings.Builder {
	text := &strings.Builder{}
	text.WriteString("## Shared fields\n\n")
	listed := map[string]bool{}
	for _, r := range all.results() {
		for _, f := range r.fields() {
			if f.name != "" && all.shared(r, f) && !listed[f.name] {
				listed[f.name] = true
				text.WriteString(item(r.item(t, all, []field{f})))
			}
		}
	}
	text.WriteString("\n")
	return text
}

// shared reports whether most of the results with a field of that name say the same of it, and more than one does.
func (all packages) shared(in result, f field) bool {
	same := func(r result, g field) string { return r.in.print(g.typ) + " " + g.inJSON() + " " + g.short() }
	count := map[string]int{}
	for _, r := range all.results() {
		for _, other := range r.fields() {
			if other.name == f.name {
				count[same(r, other)]++
			}
		}
	}
	if len(strings.Fields(f.short())) < 5 || strings.HasPrefix(f.short(), "the same") { // as short as a reference, or one
		return false
	}
	n := count[same(in, f)]
	delete(count, same(in, f))
	return n > 1 && !slices.ContainsFunc(slices.Collect(maps.Values(count)), func(others int) bool { return others >= n })
}
