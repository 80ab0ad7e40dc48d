package edit

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Map is a difference between two texts that a search ignores.
type Map string

// The maps, in the order in which they are tried.
const (
	Exact       Map = ""
	LineEndings Map = "line endings"
	Trailing    Map = "white space at line ends"
	Unicode     Map = "Unicode punctuation, spaces and composition"
	Indentation Map = "indentation"
	Loose       Map = Trailing + ", and in " + Unicode // all differences without meaning together
)

// A fold normalizes the part of a text at a place. It returns the size of that part and its normal form. If the two
// are the same, a match may begin or end inside the part; otherwise it must have all or nothing of it.
type fold func(text []byte, at int) (size int, folded []byte, same bool)

// endings turns every line ending into \n.
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

// trailing also removes the white space before line endings.
func (t *Text) trailing(text []byte, at int) (size int, folded []byte, same bool) {
	if n := t.ending(text, at); n > 0 {
		return n, newline, false
	}
	end := t.lineEnd(text, at)
	i := end
	for i > at && isBlank(text[i-1]) {
		i--
	}
	if i == at {
		return end - at, nil, false
	}
	return i - at, text[at:i], true
}

// lineEnd returns where the line of a place ends, without its ending. The place must not be in an ending.
func (t *Text) lineEnd(text []byte, at int) int {
	if t.end == '\r' {
		if i := bytes.IndexAny(text[at:], "\r\n"); i >= 0 {
			return at + i
		}
	} else if i := bytes.IndexByte(text[at:], '\n'); i > 0 && text[at+i-1] == '\r' {
		return at + i - 1
	} else if i >= 0 {
		return at + i
	}
	return len(text)
}

// unicode turns line endings into \n, and gives characters one form of several.
func (t *Text) unicode(text []byte, at int) (size int, folded []byte, same bool) {
	if n := t.ending(text, at); n > 0 {
		return n, newline, false
	}
	i := at
	for i < len(text) && text[i] != '\r' {
		n := stable(text[i:])
		if n == 0 || i+n < len(text) && stable(text[i+n:]) == 0 { // the next character may combine with it
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

// loose combines [Text.trailing] and [Text.unicode].
func (t *Text) loose(text []byte, at int) (size int, folded []byte, same bool) {
	if n := t.ending(text, at); n > 0 {
		return n, newline, false
	}
	end := t.lineEnd(text, at)
	i := end
	for i > at {
		r, n := utf8.DecodeLastRune(text[at:i])
		if r != '\t' && r != ' ' && plain(r) != " " {
			return t.unicode(text[:i], at)
		}
		i -= n
	}
	return end - at, nil, false
}

// frequent has the most frequent characters that [Text.unicode] does not change; nor do the characters that may
// precede them.
var frequent = &unicode.RangeTable{R16: []unicode.Range16{
	{0xa1, 0x24f, 1}, {0x400, 0x45f, 1}, // Latin, Cyrillic
	{0x3001, 0x3029, 1}, {0x3041, 0x3096, 1}, {0x30a1, 0x30fa, 1}, // Japanese
	{0x4e00, 0x9fff, 1}, {0xac00, 0xd7a3, 1}, {0xff01, 0xff9d, 1}, // Chinese, Korean, full width
}}

// stable returns the length of the character at the beginning of a text if it is ASCII or frequent, or else 0.
func stable(text []byte) int {
	if text[0] < utf8.RuneSelf {
		return 1
	}
	if r, n := utf8.DecodeRune(text); unicode.Is(frequent, r) {
		return n
	}
	return 0
}

// plain returns the ASCII form of a punctuation mark or space, or "".
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

// ending returns the length of the line ending at a place; 0 if there is none.
func (t *Text) ending(text []byte, at int) int {
	switch {
	case at == len(text):
		return 0
	case text[at] == '\r' && at+1 < len(text) && text[at+1] == '\n':
		return 2
	case text[at] == t.end, text[at] == '\n':
		return 1
	}
	return 0
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

func foldAll(f fold, text []byte) []byte {
	folded := make([]byte, 0, len(text)+1)
	for at := 0; at < len(text); {
		size, part, _ := f(text, at)
		folded = append(folded, part...)
		at += size
	}
	return folded
}

// cursor translates places in a folded text into places in the text, from left to right.
type cursor struct {
	fold   fold
	text   []byte
	last   bool // if several places fit, take the last: the one after what the fold removes
	at     int  // the current part: where it begins in the text
	folded int  // where it begins in the folded text
	size   int  // its size in the text
	part   []byte
	same   bool
}

// find returns the place in the text. ok is false for a place inside a part that the fold changed.
func (c *cursor) find(folded int) (at int, ok bool) {
	for {
		if c.size == 0 && c.at < len(c.text) {
			c.size, c.part, c.same = c.fold(c.text, c.at)
		}
		ahead := folded - c.folded
		switch {
		case c.size == 0: // at the end only the added newline follows
			return c.at, true
		case ahead == 0 && (!c.last || len(c.part) > 0):
			return c.at, true
		case ahead < len(c.part):
			return c.at + ahead, c.same
		}
		c.at, c.folded, c.size = c.at+c.size, c.folded+len(c.part), 0
	}
}
