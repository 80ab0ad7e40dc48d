package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// cell is a place of the screen. A wide character has the place behind it too,
// whose text is "" and whose width is 0.
type cell struct {
	text  string // a character and what combines with it
	width int
	style style
}

type style struct {
	color     string // "" is the terminal's own, "c1" one of the palette, or "#ff0000"
	bold, dim bool
}

// text is a row without its colours and the blanks at its end.
func text(row []cell) string {
	var b strings.Builder
	for _, c := range row {
		b.WriteString(c.text)
	}
	return strings.TrimRight(b.String(), " ")
}

// terminal knows what programs do that print in colour and write a line again. It
// has as many rows as it takes.
type terminal struct {
	cols     int
	rows     [][]cell
	row, col int
	style    style
}

// screen is what a terminal shows at the end of an output.
func screen(output string, cols int) [][]cell {
	t := &terminal{cols: cols, rows: [][]cell{nil}}
	for output != "" {
		if output[0] == 0x1b {
			output = t.escape(output[1:])
			continue
		}
		r, size := utf8.DecodeRuneInString(output)
		output = output[size:]
		t.put(r)
	}
	for len(t.rows) > 1 && text(t.rows[len(t.rows)-1]) == "" {
		t.rows = t.rows[:len(t.rows)-1]
	}
	return t.rows
}

func (t *terminal) put(r rune) {
	switch {
	case r == '\n':
		t.move(t.row+1, t.col)
		return
	case r == '\r':
		t.col = 0
		return
	case r == '\b':
		t.col = max(t.col-1, 0)
		return
	case r == '\t':
		t.col = min(t.col/8*8+8, t.cols-1)
		return
	case unicode.IsControl(r):
		return
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		if row := t.rows[t.row]; t.col > 0 && t.col <= len(row) {
			row[t.col-1].text += string(r)
		}
		return
	}
	w := 1
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		w = 2
	}
	if t.col+w > t.cols {
		t.move(t.row+1, 0)
	}
	t.set(cell{string(r), w, t.style})
	if w == 2 {
		t.set(cell{style: t.style})
	}
}

// set writes the place of the cursor, and moves that on.
func (t *terminal) set(c cell) {
	row := t.rows[t.row]
	for len(row) <= t.col {
		row = append(row, cell{text: " ", width: 1})
	}
	row[t.col] = c
	t.rows[t.row] = row
	t.col++
}

func (t *terminal) move(row, col int) {
	t.row, t.col = max(row, 0), min(max(col, 0), t.cols-1)
	for len(t.rows) <= t.row {
		t.rows = append(t.rows, nil)
	}
}

// escape takes in the sequence that s begins with, behind its ESC, and returns the
// rest.
func (t *terminal) escape(s string) string {
	switch {
	case strings.HasPrefix(s, "]"): // a title or a link
		end := strings.IndexAny(s, "\a\x1b")
		if end < 0 {
			return ""
		}
		return strings.TrimPrefix(s[end+1:], `\`)
	case strings.HasPrefix(s, "["):
		end := strings.IndexFunc(s[1:], func(r rune) bool { return r >= '@' && r <= '~' }) + 1
		if end == 0 {
			return ""
		}
		t.control(s[1:end], s[end])
		return s[end+1:]
	case strings.HasPrefix(s, "(") || strings.HasPrefix(s, ")"): // a set of characters
		return s[min(2, len(s)):]
	}
	return s[min(1, len(s)):]
}

// control does what a sequence with these parameters says, as far as it matters.
func (t *terminal) control(params string, final byte) {
	var list []int
	for p := range strings.SplitSeq(params, ";") {
		n, _ := strconv.Atoi(p)
		list = append(list, n)
	}
	n := max(list[0], 1)
	switch final {
	case 'm':
		t.graphics(list)
	case 'K':
		t.erase(list[0])
	case 'A':
		t.move(t.row-n, t.col)
	case 'B':
		t.move(t.row+n, t.col)
	case 'C':
		t.move(t.row, t.col+n)
	case 'D':
		t.move(t.row, t.col-n)
	case 'G':
		t.move(t.row, n-1)
	}
}

// erase clears from the cursor to the end of the row (0), from its start to the
// cursor (1), or all of it (2).
func (t *terminal) erase(what int) {
	row := t.rows[t.row]
	first, last := 0, len(row)
	switch what {
	case 0:
		first = min(t.col, len(row))
	case 1:
		last = min(t.col+1, len(row))
	}
	for i := first; i < last; i++ {
		row[i] = cell{text: " ", width: 1}
	}
}

// graphics sets the style.
func (t *terminal) graphics(list []int) {
	for i := 0; i < len(list); i++ {
		switch n := list[i]; {
		case n == 0:
			t.style = style{}
		case n == 1:
			t.style.bold = true
		case n == 2:
			t.style.dim = true
		case n == 22:
			t.style.bold, t.style.dim = false, false
		case n >= 30 && n <= 37:
			t.style.color = fmt.Sprint("c", n-30)
		case n >= 90 && n <= 97:
			t.style.color = fmt.Sprint("c", n-90+8)
		case n == 39:
			t.style.color = ""
		case n == 38 && i+4 < len(list) && list[i+1] == 2:
			t.style.color = fmt.Sprintf("#%02x%02x%02x", list[i+2]&255, list[i+3]&255, list[i+4]&255)
			i += 4
		case (n == 38 || n == 48) && i+2 < len(list) && list[i+1] == 5:
			if n == 38 && list[i+2] < 16 {
				t.style.color = fmt.Sprint("c", list[i+2])
			}
			i += 2
		case n == 48 && i+4 < len(list) && list[i+1] == 2:
			i += 4
		}
	}
}
