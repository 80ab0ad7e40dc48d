// Package jsoncut cuts a JSON document to what a model must see of it: the ends of each array, and values that are
// unlike the rest or report a failure. The result is JSON as well, so that a program can still parse it; strings in
// brackets say what is left out, and where:
//
//	{
//	 "items": [{"name": "a"}, {"name": "b"}, "[478 left out: $.items[2..479]]", {"name": "z"}],
//	 "[2 keys left out]": "kind, metadata"
//	}
//
// Keys stay in their order, and numbers as they are written. A [Scanner] keeps what may be shown in bounded memory,
// whatever the size of the document.
package jsoncut

import (
	"math"
	"sort"
	"strings"
)

// Room is the space for a document.
type Room struct{ Lines, Bytes int }

// A Document is a complete JSON document, as far as it is kept.
type Document struct {
	// OneLine reports that the whole document is on one line.
	OneLine bool
	root    *node
	size    int // values that can be shown
}

// A Cut is part of a document, as JSON.
type Cut struct {
	Text  string
	Bytes int // size of the document's keys and values in it
	// Left names the largest part that is left out and has its own place, such as $.items[2..479]; it may be "".
	Left string
	// Line is where that part begins, from 1: in the text or, if OneLine is set, in a copy with a line for each value.
	Line int
	// Column is where the part begins in that line, in characters from 1. It is 0 if the part ends within the first
	// longLine characters, or if OneLine is set.
	Column int
}

// longLine is how many characters of a line may have to be read to see a part: a page of read has room for many times
// that.
const longLine = 2000

// Document returns the document if everything written is one, perhaps with space around it.
func (s *Scanner) Document() (d *Document, ok bool) {
	if s.state != done {
		return nil, false
	}
	o := order{root: s.root}
	o.sort()
	return &Document{OneLine: !s.several, root: s.root, size: o.next}, true
}

// Cut returns as much of the document as fits: text in UTF-8, and JSON unless not even an empty container fits.
func (d *Document) Cut(r Room) Cut {
	fits := func(c Cut) bool { return len(c.Text) <= r.Bytes && strings.Count(c.Text, "\n") < r.Lines }
	best, found := Cut{}, false
	try := func(n int) bool {
		c := d.first(n, false)
		if !fits(c) {
			c = d.first(n, r.Lines < math.MaxInt && len(c.Text) <= 2*r.Bytes)
		}
		if !fits(c) {
			return false
		}
		best, found = c, true
		return true
	}
	most := 8
	for most < d.size && try(most) {
		most *= 2
	}
	most = min(most, d.size)
	at := sort.Search(most+1, func(n int) bool { return !try(n) })
	if at > 0 {
		try(at - 1)
	}
	if found {
		return best
	}
	if empty := (Cut{Text: brackets[d.root.kind]}); fits(empty) {
		return empty
	}
	return Cut{}
}

// first returns the document with its n most important values.
func (d *Document) first(n int, flat bool) Cut {
	p := printer{n: n, flat: flat, several: !d.OneLine}
	text := p.value(d.root, 0)
	return Cut{Text: text, Bytes: p.bytes, Left: p.left.path, Line: p.left.line, Column: p.left.column}
}
