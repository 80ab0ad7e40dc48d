package edit

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Map is what two texts may differ in and still be taken for the same.
type Map string

// The maps, in the order in which they are tried.
const (
	Exact       Map = ""
	LineEndings Map = "line endings"
	Trailing    Map = "white space at line ends"
	Unicode     Map = "Unicode punctuation, spaces and composition"
	Indentation Map = "indentation"
)

// A fold looks at what begins at a place of a text: its size, and what a map makes of it. same says that this
// is the text itself, of which any part is a place; what else there is, is whole or not at all.
type fold func(text []byte, at int) (size int, folded []byte, same bool)

// endings makes every line end in \n.
func (t *Text) endings(text []byte, at int) (size int, folded []byte, same bool) {
	if n := t.ending(text, at); n > 0 {
		return n, newline, false
	}
	next := bytes.IndexByte(text[at+1:], '\r')
	if next < 0 {
		next = len(text) - at - 1
	}
	return 1 + next, text[at : at+1+next], true
}

// trailing also leaves out the white space in front of that.
func (t *Text) trailing(text []byte, at int) (size int, folded []byte, same bool) {
	if n := t.ending(text, at); n > 0 {
		return n, newline, false
	}
	end := len(text)
	if t.end == '\r' {
		if i := bytes.IndexAny(text[at:], "\r\n"); i >= 0 {
			end = at + i
		}
	} else if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		if end = at + i; end > at && text[end-1] == '\r' {
			end--
		}
	}
	i := end
	for i > at && isBlank(text[i-1]) {
		i--
	}
	if i == at {
		return end - at, nil, false
	}
	return i - at, text[at:i], true
}

// unicode also gives characters one form of several.
func (t *Text) unicode(text []byte, at int) (size int, folded []byte, same bool) {
	if n := t.ending(text, at); n > 0 {
		return n, newline, false
	}
	i := at
	for i < len(text) && text[i] != '\r' {
		n := stable(text[i:])
		if n == 0 || i+n < len(text) && stable(text[i+n:]) == 0 { // what follows may change it
			break
		}
		i += n
	}
	if i > at {
		return i - at, text[at:i], true
	}
	size = max(1, norm.NFC.NextBoundary(text[at:], true))
	part := text[at : at+size]
	if !norm.NFC.IsNormal(part) {
		part = norm.NFC.Bytes(part)
	}
	if r, n := utf8.DecodeRune(part); r >= 0xa0 && plain(r) != "" {
		return size, append([]byte(plain(r)), part[n:]...), false
	}
	return size, part, false
}

// stable returns the length of the character that a text begins with, or 0 if the map may change it
// or what is in front of it. It knows only the most frequent ones.
func stable(text []byte) int {
	if text[0] < utf8.RuneSelf {
		return 1
	}
	r, n := utf8.DecodeRune(text)
	switch {
	case r > 0xa0 && r < 0x250, r >= 0x400 && r < 0x460, r > 0x3000 && r < 0x302a, r >= 0x3041 && r < 0x3097, r >= 0x30a1 && r < 0x30fb, r >= 0x4e00 && r < 0xa000, r >= 0xac00 && r < 0xd7a4,
		r > 0xff00 && r < 0xff9e:
		return n
	}
	return 0
}

// plain returns what is typed for a character, if that is another.
func plain(r rune) string {
	switch {
	case r >= 0x2018 && r <= 0x201b:
		return "'"
	case r >= 0x201c && r <= 0x201f:
		return `"`
	case r >= 0x2010 && r <= 0x2015, r == 0x2212:
		return "-"
	case r == 0x2026:
		return "..."
	case r == 0xa0, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f, r == 0x3000:
		return " "
	}
	return ""
}

var newline = []byte("\n")

// ending returns the length of the line ending at a place, or 0.
func (t *Text) ending(text []byte, at int) int {
	switch {
	case text[at] == t.end, text[at] == '\n':
		return 1
	case text[at] == '\r' && at+1 < len(text) && text[at+1] == '\n':
		return 2
	}
	return 0
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

// foldAll returns what a fold makes of a text.
func foldAll(f fold, text []byte) []byte {
	folded := make([]byte, 0, len(text)+1)
	for at := 0; at < len(text); {
		size, part, _ := f(text, at)
		folded = append(folded, part...)
		at += size
	}
	return folded
}

// cursor finds places of a folded text in the text, each behind the one before it.
type cursor struct {
	fold   fold
	text   []byte
	last   bool // of the places in the text that a place may be, the last: behind what the fold leaves out
	at     int  // in the text, what begins at folded and is the part
	folded int
	size   int
	part   []byte
	same   bool
}

// find returns the place in the text. ok is false for the inside of what the fold changed.
func (c *cursor) find(folded int) (at int, ok bool) {
	for {
		if c.size == 0 && c.at < len(c.text) {
			c.size, c.part, c.same = c.fold(c.text, c.at)
		}
		ahead := folded - c.folded
		switch {
		case c.size == 0: // the end, behind which there is only the newline that was added
			return c.at, true
		case ahead == 0 && (!c.last || len(c.part) > 0):
			return c.at, true
		case ahead < len(c.part):
			return c.at + ahead, c.same
		}
		c.at, c.folded, c.size = c.at+c.size, c.folded+len(c.part), 0
	}
}
