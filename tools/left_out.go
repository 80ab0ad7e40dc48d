package tools

import (
	"context"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/told"
)

// leftOut is what a search left out.
type leftOut struct {
	notice.Skipped
	ignored told.Set     // what Skipped.Ignored counts
	stats   search.Stats // of grep, with the sets of files
	idle    told.Set     // what Skipped.Idle counts
}

// telling tells the reader of a call what a search of a path left out.
type telling struct {
	store        *told.Store
	reader, path string
	notes        *notes // of the call
}

func (s *searches) telling(ctx context.Context, path string) telling {
	return telling{s.told, readerOf(ctx), path, notesOf(ctx)}
}

// first reports whether the reader was not told of a set yet, and notes that it is now.
func (t telling) first(kind string, set told.Set) bool {
	m := told.Message{Reader: t.reader, Path: t.path, Kind: kind, Set: set}
	if t.reader == nobody {
		return true
	}
	if !t.store.First(m) {
		return false
	}
	t.notes.add(note{undo: func() { t.store.Drop(m) }, kept: true})
	return true
}

// part is one of those parts of what a search left out of which it tells once.
type part struct {
	kind  string
	set   told.Set
	count int
	said  *int // count, in the notice
	late  bool // only a search that came to its end tells of it
}

// parts returns the parts that are not empty, to be told by said.
func (l *leftOut) parts(said *notice.Skipped) []part {
	parts := []part{
		{"ignored", l.ignored, l.Ignored, &said.Ignored, true},
		{"large", l.stats.LargeSet, l.Large, &said.Large, false},
		{"undecodable", l.stats.NotUTF8Set, l.NotUTF8, &said.NotUTF8, false},
		{"idle", l.idle, l.Idle, &said.Idle, true},
		{"binary", l.stats.BinarySet, l.Binary, &said.Binary, true},
	}
	return slices.DeleteFunc(parts, func(p part) bool { return p.count == 0 })
}

// none returns the notice of a search that found nothing. It is always told of everything.
func (l *leftOut) none(t telling, ended bool) notice.Notice {
	for _, p := range l.parts(&notice.Skipped{}) {
		if ended {
			t.first(p.kind, p.set)
		}
	}
	return l.Skipped.Notice()
}

// found returns the notice of a search that found something. For the same set and path it tells once, as the model pays
// each time: of entries that git ignores, and of binary, large and undecodable files. What does not fit into room, in
// bytes, is told with a later call.
//
// A search that stopped at its limit (not whole) says that there is more. The ignored entries and binary files that it
// met are only some: its last page tells of all. What an aborted call says may not arrive, so it counts as not told.
func (l *leftOut) found(t telling, whole, aborted bool, room int) notice.Notice {
	said := l.Skipped
	said.Ignored, said.Large, said.NotUTF8, said.Binary, said.Idle = 0, 0, 0, 0, 0
	for _, p := range l.parts(&said) {
		if p.late && !whole {
			continue
		}
		*p.said = p.count
		if len(said.Notice()) > room || !aborted && !t.first(p.kind, p.set) {
			*p.said = 0
		}
	}
	return said.Notice()
}

// mostIgnored is the number of ignored entries that a notice names.
const mostIgnored = 3

// skip takes note of an entry that git ignores, at its path as arguments have it.
func (l *leftOut) skip(e entry) {
	l.Ignored++
	l.ignored.Add(e.name)
	if len(l.IgnoredFirst) < mostIgnored {
		l.IgnoredFirst = append(l.IgnoredFirst, e.String())
	}
}

// excludes takes note of globs that exclude nothing.
func (l *leftOut) excludes(idle []string) {
	l.Idle, l.idle = len(idle), told.SetOf(idle...)
	for _, glob := range idle {
		l.IdleFirst = append(l.IdleFirst, show("!"+glob))
	}
}

// refuse takes note of a file that rules do not let the call read, or not without asking.
func (l *leftOut) refuse(path string, asked bool) {
	l.Refused++
	if len(l.RefusedFirst) < mostIgnored {
		l.RefusedFirst = append(l.RefusedFirst, quote.Name(path))
	}
	if asked {
		if l.Asked++; l.Asked == 1 {
			l.AskedFirst = quote.Name(path)
		}
	}
}

// ignoredHits are the shown results that git ignores.
type ignoredHits struct {
	count int
	roots map[string]bool // what git ignores: the results, or directories that they are in
	first []string        // of these, as a list shows them
}

// mostHits is more than the names that a notice has room for, unless they are very short.
const mostHits = 40

// add adds a shown result that git ignores for its path up to root, or that it does not ignore if root is "".
func (h *ignoredHits) add(root string) {
	if root == "" {
		return
	}
	h.count++
	if h.roots[root] {
		return
	}
	if h.roots == nil {
		h.roots = map[string]bool{}
	}
	h.roots[root] = true
	if len(h.first) < mostHits {
		name, dir := strings.CutSuffix(root, "/")
		h.first = append(h.first, entry{name: name, dir: dir}.String())
	}
}

func (h *ignoredHits) notice() notice.Notice { return notice.IgnoredHits(h.first, len(h.roots)) }
