package terminal

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// cell is one column of a line. The zero cell is blank: erased, or skipped by
// the cursor.
type cell struct {
	character rune  // 0 is blank, and shown as a space; wideRest belongs to the character before
	mark      int32 // the last of its zero-width characters, 1 + index into marks; 0 is none
}

// wideRest is in the second cell of a character that takes two.
const wideRest = -1

// mark is a zero-width character. The marks of a cell are a ring, in which the
// last one points to the first, so that adding to a cell's marks takes the
// same time however many it has.
type mark struct {
	character rune
	next      int32 // 1 + index into marks
}

// line is a line of cells with a cursor. The last cell is never blank.
type line struct {
	cells  []cell
	marks  []mark // including those of overwritten cells, until compact
	cursor int    // may be beyond the last cell

	// The operations that extended or erased since the line began, and the cells that they touched. A few bytes can
	// touch every cell, so this is bounded.
	operations, touched int
}

const (
	// workAhead is the number of cells that the operations on a line may always touch: all
	// of the longest line, 64 times.
	workAhead = 64 * maxLine
	// workEach is the number of cells that each operation, of three bytes or more, adds to
	// that: the width of a terminal.
	workEach = 256
)

// worked counts an operation that touched n cells.
func (l *line) worked(n int) {
	l.operations++
	l.touched += n
}

// overworked reports whether operations on the line have touched too many cells, so
// that it must end here, like a line that is too long.
func (l *line) overworked() bool { return l.touched > workAhead+workEach*l.operations }

// reset empties the line and keeps its memory.
func (l *line) reset() {
	l.cells = l.cells[:0]
	l.marks = l.marks[:0]
	l.cursor, l.operations, l.touched = 0, 0, 0
}

// put writes r at the cursor and moves the cursor behind it. A zero-width
// character is added to the cell before the cursor; in column 0, where there is
// none, it takes a cell, so that nothing of the text is lost.
func (l *line) put(r rune) {
	if l.cursor > 0 && zeroWidth(r) {
		l.extend(l.cursor)
		before := &l.cells[l.cursor-1]
		if before.character == wideRest {
			before = &l.cells[l.cursor-2]
		}
		l.attach(before, r)
		return
	}
	l.set(cell{character: r})
	if isWide(r) {
		l.set(cell{character: wideRest})
	}
}

// set sets the cell at the cursor and moves the cursor behind it. The other half of an overwritten wide character
// becomes blank.
func (l *line) set(c cell) {
	if c.character != wideRest {
		l.split(l.cursor)
	}
	l.split(l.cursor + 1)
	if l.cursor < len(l.cells) {
		l.cells[l.cursor] = c
	} else {
		l.extend(l.cursor)
		l.cells = append(l.cells, c)
	}
	l.cursor++
}

// split blanks the halves of a wide character if a column begins within it. At the end of the line it drops the second
// half, and the caller sets or drops the first.
func (l *line) split(column int) {
	if column <= 0 || column >= len(l.cells) || l.cells[column].character != wideRest {
		return
	}
	l.cells[column-1], l.cells[column] = cell{}, cell{}
	if column == len(l.cells)-1 {
		l.cells = l.cells[:column]
	}
}

// write puts each character of a text without control characters at the cursor.
func (l *line) write(text []byte) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		l.put(r)
		text = text[size:]
	}
}

// replaceASCII overwrites cells from the cursor on with the ASCII characters at the beginning of text, up to the end
// of the line, and returns their number. It is a fast put for progress bars, which replace a line by one of the same
// length.
func (l *line) replaceASCII(text []byte) int {
	if len(text) == 0 || l.cursor >= len(l.cells) || text[0] >= utf8.RuneSelf {
		return 0
	}
	if l.split(l.cursor); l.cursor == len(l.cells) {
		return 0 // it was half a character
	}
	cells := l.cells[l.cursor:]
	n := min(len(text), len(cells))
	for i, c := range text[:n] {
		if c >= utf8.RuneSelf {
			n = i
			break
		}
		cells[i] = cell{character: rune(c)}
	}
	l.cursor += n
	if n < len(cells) && cells[n].character == wideRest {
		cells[n] = cell{}
		if n == len(cells)-1 {
			l.cells = l.cells[:l.cursor]
		}
	}
	return n
}

func (l *line) extend(n int) {
	if n > len(l.cells) {
		l.worked(n - len(l.cells))
	}
	for len(l.cells) < n {
		l.cells = append(l.cells, cell{})
	}
}

func (l *line) attach(c *cell, r rune) {
	l.marks = append(l.marks, mark{character: r})
	added := int32(len(l.marks))
	if c.mark == 0 {
		l.marks[added-1].next = added
	} else {
		last := &l.marks[c.mark-1]
		l.marks[added-1].next = last.next
		last.next = added
	}
	c.mark = added
}

// compact drops the marks of cells that were overwritten or erased.
func (l *line) compact() {
	old := l.marks
	l.marks = make([]mark, 0, len(old))
	for i := range l.cells {
		c := &l.cells[i]
		last := c.mark
		c.mark = 0
		for at := last; at != 0; {
			at = old[at-1].next
			l.attach(c, old[at-1].character)
			if at == last {
				break
			}
		}
	}
}

// full reports whether the line has limit cells or is overworked, or, once it has
// limit marks, whether over half of these are in use.
func (l *line) full(limit int) bool {
	if len(l.cells) >= limit || l.overworked() {
		return true
	}
	if len(l.marks) < limit {
		return false
	}
	l.compact()
	return len(l.marks) > limit/2
}

// moveTo moves the cursor to the given column, but not left of column 0, nor right of
// the end of the text, maxColumn and the cursor's column, whichever is largest.
func (l *line) moveTo(column int) {
	l.cursor = min(max(0, column), max(len(l.cells), maxColumn, l.cursor))
}

// erase turns the cells [from, to) into blanks, and drops blanks at the end of the
// line. The cursor stays.
func (l *line) erase(from, to int) {
	if from >= len(l.cells) {
		return
	}
	l.split(from)
	l.split(to)
	if to < len(l.cells) {
		l.worked(to - from)
		clear(l.cells[from:to])
		return
	}
	end := from
	for end > 0 && l.cells[end-1] == (cell{}) {
		end--
	}
	l.worked(from - end)
	l.cells = l.cells[:end]
}

func (l *line) appendTo(b []byte) []byte {
	for _, c := range l.cells {
		switch {
		case c.character == 0:
			b = append(b, ' ')
		case c.character == wideRest:
		case c.character < utf8.RuneSelf:
			b = append(b, byte(c.character))
		default:
			b = utf8.AppendRune(b, c.character)
		}
		for at := c.mark; at != 0; {
			at = l.marks[at-1].next
			b = utf8.AppendRune(b, l.marks[at-1].character)
			if at == c.mark {
				break
			}
		}
	}
	return b
}

// isWide reports whether r takes two cells: Chinese, Japanese and Korean characters, and emoji.
func isWide(r rune) bool {
	switch {
	case r < 0x1100, 0x2500 <= r && r < 0x2600: // the search below takes ten times as long
		return r >= 0x25fd && r <= 0x25fe
	case 0x3400 <= r && r < 0x4dc0, 0x4e00 <= r && r < 0xa4c7, 0xac00 <= r && r < 0xd7a4:
		return true
	}
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

// zeroWidth reports whether r takes no cell of its own: combining marks and
// invisible format characters (joiners, variation selectors, direction marks).
// Soft hyphen, which terminals show, is below the first of them.
func zeroWidth(r rune) bool {
	switch {
	case r < 0x300,
		0x2500 <= r && r < 0x2600, // lines and blocks, what progress bars are made of
		0x3400 <= r && r < 0xa640, // Chinese characters
		0xac00 <= r && r < 0xd7b0, // Korean syllables
		r == utf8.RuneError:
		return false // the tables below take twelve times as long
	case 0x1160 <= r && r < 0x1200:
		return true // Korean vowels and finals, combined into a syllable
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf)
}
