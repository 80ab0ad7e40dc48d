// Package leftout records what a search left out, for the notice about it.
package leftout

import (
	"slices"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/told"
)

// First records that the reader of a call is told about a set of names of one kind, and reports whether that is the
// first time.
type First func(kind string, set told.Set) bool

// Notes records what a search left out. The zero value is empty.
type Notes struct {
	notice.Skipped
	Sets Sets
}

// Sets has the names of everything that Skipped counts.
type Sets struct{ Ignored, Large, NotUTF8, Decoded, Binary, Idle, Outside told.Set }

// part is something left out that readers are told about once.
type part struct {
	kind  string
	set   told.Set
	count int
	said  *int // the count in the notice
	late  bool // told only by a search that completed
}

// parts returns the parts that are not empty, with counts in said.
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

// None returns the notice for a search that found nothing, which tells everything each time.
func (n *Notes) None(first First, ended bool) notice.Notice {
	for _, p := range n.parts(&notice.Skipped{}) {
		if ended {
			first(p.kind, p.set)
		}
	}
	return n.Skipped.Notice()
}

// Found returns the notice for a search that found something. It tells about the same ignored entries and the same
// binary, large and undecodable files once, because the model pays each time. What does not fit into room, in bytes,
// is left to a later call.
//
// A search that stopped at its limit is not whole: it has met only some of the ignored entries and binary files, and
// its last page tells about all. The result of an aborted call may not arrive, so it counts as not told.
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

const mostNamed = 3

// Ignore records an entry that git ignores, at its path as in arguments, and as a list shows it.
func (n *Notes) Ignore(path, shown string) {
	n.Ignored++
	n.Sets.Ignored.Add(path)
	if len(n.IgnoredFirst) < mostNamed {
		n.IgnoredFirst = append(n.IgnoredFirst, shown)
	}
}

// IdleGlobs records globs that exclude nothing, without their "!".
func (n *Notes) IdleGlobs(globs []string) {
	n.Idle, n.Sets.Idle = len(globs), told.SetOf(globs...)
	for _, glob := range globs {
		n.IdleFirst = append(n.IdleFirst, quote.Value("!"+glob))
	}
}

// Refuse records a file that rules do not let the call read, or not without asking.
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
