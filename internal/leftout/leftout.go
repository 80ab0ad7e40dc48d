// Package leftout notes what a search left out, for the notice that says so.
package leftout

import (
	"slices"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/told"
)

// First notes that the reader of a call is told of a set of names of one kind, and reports whether that is the first
// time.
type First func(kind string, set told.Set) bool

// Notes are what a search left out. The zero value is empty.
type Notes struct {
	notice.Skipped
	Sets Sets
}

// Sets are the names of all that Skipped counts.
type Sets struct{ Ignored, Large, NotUTF8, Decoded, Binary, Idle, Outside told.Set }

// part is a part of what a search left out that readers are told of once.
type part struct {
	kind  string
	set   told.Set
	count int
	said  *int // count, in the notice
	late  bool // told only by a search that came to its end
}

// parts returns the parts that are not empty, to be told by said.
func (n *Notes) parts(said *notice.Skipped) []part {
	parts := []part{
		{"ignored", n.Sets.Ignored, n.Ignored, &said.Ignored, true},
		{"large", n.Sets.Large, n.Large, &said.Large, false},
		{"undecodable", n.Sets.NotUTF8, n.NotUTF8, &said.NotUTF8, false},
		{"decoded", n.Sets.Decoded, n.Decoded, &said.Decoded, false},
		{"idle", n.Sets.Idle, n.Idle, &said.Idle, true},
		{"outside", n.Sets.Outside, n.Outside, &said.Outside, false},
		{"binary", n.Sets.Binary, n.Binary, &said.Binary, true},
	}
	return slices.DeleteFunc(parts, func(p part) bool { return p.count == 0 })
}

// None returns the notice of a search that found nothing, which tells of everything each time.
func (n *Notes) None(first First, ended bool) notice.Notice {
	for _, p := range n.parts(&notice.Skipped{}) {
		if ended {
			first(p.kind, p.set)
		}
	}
	return n.Skipped.Notice()
}

// Found returns the notice of a search that found something. It tells of the same ignored entries and of the same
// binary, large and undecodable files once, because the model pays for each time. What does not fit into room, in
// bytes, is left to a later call.
//
// A search that stopped at its limit is not whole: it has met only some of the ignored entries and binary files, and
// its last page tells of all. What an aborted call says may not arrive, so it counts as not told.
func (n *Notes) Found(first First, whole, aborted bool, room int) notice.Notice {
	said := n.Skipped
	said.Ignored, said.Large, said.NotUTF8, said.Decoded, said.Binary, said.Idle, said.Outside = 0, 0, 0, 0, 0, 0, 0
	for _, p := range n.parts(&said) {
		if p.late && !whole {
			continue
		}
		*p.said = p.count
		if len(said.Notice()) > room || !aborted && !first(p.kind, p.set) {
			*p.said = 0
		}
	}
	return said.Notice()
}

// mostNamed is the number of entries that a notice names for one reason.
const mostNamed = 3

// Ignore notes an entry that git ignores, at its path as arguments have it, and as a list shows it.
func (n *Notes) Ignore(path, shown string) {
	n.Ignored++
	n.Sets.Ignored.Add(path)
	if len(n.IgnoredFirst) < mostNamed {
		n.IgnoredFirst = append(n.IgnoredFirst, shown)
	}
}

// IdleGlobs notes globs that exclude nothing, without their "!".
func (n *Notes) IdleGlobs(globs []string) {
	n.Idle, n.Sets.Idle = len(globs), told.SetOf(globs...)
	for _, glob := range globs {
		n.IdleFirst = append(n.IdleFirst, quote.Value("!"+glob))
	}
}

// Refuse notes a file that rules do not let the call read, or not without asking.
func (n *Notes) Refuse(path string, asked bool) {
	n.Refused++
	if len(n.RefusedFirst) < mostNamed {
		n.RefusedFirst = append(n.RefusedFirst, quote.Name(path))
	}
	if asked {
		if n.Asked++; n.Asked == 1 {
			n.AskedFirst = quote.Name(path)
		}
	}
}
