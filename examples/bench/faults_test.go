package main

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// faults are what a suite may do wrong, with the cases that find it: these, and no other.
var faults = map[string]string{
	// edits
	"lf": "edits/crlf edits/patch", "mixed": "edits/mixed", "bom": "edits/bom", "bom-crlf": "edits/bom-crlf",
	"final": "edits/no-final-newline", "open": "edits/final-newline edits/every-place", "latin1": "edits/latin1", "utf16": "edits/utf16",
	"nul": "edits/zero-byte", "spaces": "edits/spaces", "composes": "edits/unicode", "expands": "edits/dollars",
	"pattern": "edits/pattern", "first": "edits/ambiguous", "appends": "edits/absent", "once": "edits/every-place",
	"keeps": "edits/deletion", "mode": "edits/mode", "replaces-link": "edits/symlink", "replaces": "edits/hard-link",
	"large": "edits/large", "remembers": "edits/stale-edit", "overwrites": "edits/stale-write", "adds-newline": "edits/write-new",
	"write-mode": "edits/write-mode", "write-link": "edits/write-link", "half": "edits/patch",
	// paging, and needles that need it
	"skips":       "paging/from-a-line paging/log paging/output paging/output-failed paging/spaced paging/wide paging/output-wide",
	"silent":      "paging/from-a-line paging/log paging/output paging/output-error paging/output-failed paging/output-wide paging/spaced paging/wide needles/middle",
	"trims":       "paging/spaced",
	"long":        "paging/long-line paging/output-long-line",
	"lost":        "paging/output paging/output-error paging/output-failed paging/output-long-line paging/output-wide needles/early needles/middle",
	"splits":      "paging/output-wide",
	"grep-capped": "paging/grep paging/grep-tree",
	"find-capped": "paging/find",
	"short":       "paging/short",
	"list-capped": "paging/list",
	// ignores
	"none": "ignores/plain-find ignores/plain-grep", "negated": "ignores/negated-find ignores/negated-grep",
	"nested": "ignores/nested-find ignores/nested-grep", "anchored": "ignores/anchored-find ignores/anchored-grep",
	"stars": "ignores/stars-find ignores/stars-grep", "parent": "ignores/excluded-parent-find ignores/excluded-parent-grep",
	"classes": "ignores/classes-find ignores/classes-grep", "exclude-file": "ignores/exclude-file-find ignores/exclude-file-grep",
	"tracked": "ignores/tracked-find ignores/tracked-grep",
	// hostile
	"binary": "hostile/nul-grep", "options": "hostile/name-option", "shallow": "hostile/deep", "invalid": "hostile/invalid-output",
}

// Each fault is found by the cases that are about it, and by no other of their families.
func TestFaults(t *testing.T) {
	covered := map[string]bool{}
	for fault, list := range faults {
		want := strings.Fields(list)
		slices.Sort(want)
		for _, name := range want {
			covered[name] = true
		}
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			var of []string
			for _, name := range want {
				of = append(of, "^"+path.Dir(name)+"/")
			}
			slices.Sort(of)
			cases := loaded(t, strings.Join(slices.Compact(of), "|"))
			cases = slices.DeleteFunc(cases, func(c *benchCase) bool { // it makes a thousand files
				return (c.Name == "paging/find" || c.Name == "paging/grep-tree" || c.Name == "paging/list") && !slices.Contains(want, c.Name)
			})
			names, why := failures(t, cases, newFake(fault))
			slices.Sort(names)
			require.Equal(t, want, names, why)
		})
	}
	for _, c := range loaded(t, `^(edits|paging|ignores|needles)/`) {
		require.True(t, covered[c.Name], "no fault is found by %s alone", c.Name)
	}
}
