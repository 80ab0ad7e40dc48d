package terminal

import (
	"bytes"
	"io"
)

// keptBytes is how much finished text a Screen keeps back in case the cursor moves up to it: a first frame of 40 lines
// with bars of block characters. Once 32 KiB are finished, all but the last keptBytes are passed on.
const keptBytes = 8 << 10

// Screen is a [Filter] that also moves the cursor between lines: when a program redraws lines in place, such as the
// progress of several downloads, only their last state remains. The last 200 lines, or 8 KiB of them before the cursor
// first moves between lines, can still be changed, and are kept back until they scroll off, or until Flush or Close.
// What was passed on is final. Lines may take 32 Ki cells together, so that a Screen usually holds 8 KiB, and 1 MiB at
// most.
//
// The screen has [Rows] lines that are as wide as needed. Clearing it the first time keeps what it showed, and later
// erases what was drawn since; the alternate screen counts as cleared before and kept after.
//
// A newline need not end a line of the text: see Over.
type Screen struct{ Filter }

// NewScreen returns a Screen that writes to w. nul is as in [NewFilter].
func NewScreen(w io.Writer, nul string) *Screen {
	s := &Screen{*NewFilter(w, nul)}
	s.rows = new(rows)
	return s
}

// Flush passes on all lines but the last one. If such lines are drawn again later, those that differ are passed on
// again then.
func (s *Screen) Flush() error {
	if s.dirty && s.inRows() {
		s.showRows()
	}
	s.release(s.start)
	s.buffer = bytes.Clone(s.buffer) // many screens may be waiting
	return s.err
}

// Held returns a copy of everything kept back, as Close would pass it on. It changes nothing.
func (s *Screen) Held() []byte {
	text := bytes.Clone(s.buffer[:s.start])
	if s.inRows() {
		s.rows.store(&s.Filter)
		text, _ = appendRows(text, s.rows.all[:s.rows.last()+1], true)
		s.rows.load(&s.Filter, s.rows.at, s.line.cursor)
		return text
	}
	return append(text, s.Pending()...)
}

// Over returns the number of newlines of the raw output that ended no line of the text, because the line was drawn
// again or erased, as of the last Flush. It is negative if the cursor has left more lines blank.
func (s *Screen) Over() int { return s.rows.newlines - s.rows.ended }
