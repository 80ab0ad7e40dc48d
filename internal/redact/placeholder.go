package redact

import (
	"bytes"

	"github.com/spillway-go/spillway/internal/mask"
)

// layout says how the bytes of a secret stand in a text.
type layout struct {
	wide    int  // 0, or 1 for UTF-16LE, 2 for UTF-16BE
	escaped bool // a line may end with the characters \n
}

// fill masks secret: a placeholder stands in its first line, and spaces in the others. Ends of lines stay.
func (l layout) fill(secret []byte, kind string) {
	if l.wide > 0 {
		l.fillWide(secret, kind)
		return
	}
	first := l.lineEnd(secret)
	n := copy(secret[:first], mask.Placeholder(kind, first))
	l.blank(secret[n:first])
	l.blank(secret[first:])
}

// fillWide is fill for UTF-16. Half a unit may be left over where two forms overlap.
func (l layout) fillWide(secret []byte, kind string) {
	low, high := l.wide-1, 2-l.wide
	var narrow []byte
	for i := 0; i+low < len(secret); i += 2 {
		c := secret[i+low]
		if i+high < len(secret) && secret[i+high] != 0 {
			c = notASCII
		}
		narrow = append(narrow, c)
	}
	layout{escaped: l.escaped}.fill(narrow, kind)
	for i, c := range narrow {
		secret[2*i+low] = c
		if 2*i+high < len(secret) {
			secret[2*i+high] = 0
		}
	}
}

// lineEnd returns the length of the first line of text.
func (l layout) lineEnd(text []byte) int {
	n := len(text)
	if i := bytes.IndexAny(text, "\r\n"); i >= 0 {
		n = i
	}
	if i := bytes.Index(text[:n], []byte(`\`)); l.escaped && i >= 0 && isEscape(text, i) {
		n = i
	}
	return n
}

// blank writes spaces over text, but not over ends of lines.
func (l layout) blank(text []byte) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n' || c == '\r':
		case c == '\\' && l.escaped && isEscape(text, i):
			i++
		default:
			text[i] = ' '
		}
	}
}

// isEscape reports whether \n or \r stands at i.
func isEscape(text []byte, i int) bool {
	return i+1 < len(text) && (text[i+1] == 'n' || text[i+1] == 'r')
}
