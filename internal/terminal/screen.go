package terminal

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// keptBytes is how much finished text a Screen keeps back in case the cursor moves up to it: the first frame of what is
// drawn again, of 40 lines with bars of block characters. Each chunk costs a copy of so much.
const keptBytes = 8 << 10

// Screen is a [Filter] that also moves the cursor between lines: what a program draws again in place, such as the
// progress of several downloads, becomes what it left behind. The last 200 lines, or 8 KiB of them where the cursor has
// not moved between lines yet, can still be changed, and are kept back until they scroll off, or until Flush or Close.
// What was passed on is final. Lines may take 32 Ki cells together, so that a Screen usually holds 8 KiB, and 1 MiB at
// most.
//
// The screen is one of [Rows] lines that are as wide as needed. Clearing it keeps what it showed the first time, and
// erases what was drawn since from then on; the alternate screen is one that is cleared before and kept after.
//
// A newline need not end a line of the text: see Over.
type Screen struct {
	*Filter
	tail tail
}

// NewScreen returns a Screen that writes to w.
func NewScreen(w io.Writer) *Screen {
	s := &Screen{tail: tail{w: w}}
	s.Filter = NewFilter(&s.tail)
	s.rows = &rows{tail: &s.tail}
	return s
}

// Flush passes on all lines but the last one. Of lines that are drawn again later, those that differ are passed on
// again then.
func (s *Screen) Flush() error {
	s.showRows()
	s.emit()
	if s.err == nil {
		s.err = s.tail.flush()
	}
	s.tail.held = nil // there may be many, that wait
	return s.err
}

// Close passes on all that is kept back, as Filter.Close does.
func (s *Screen) Close() error {
	s.Filter.Close()
	return s.Flush()
}

// Held returns a copy of all that is kept back, as Close would pass it on. It changes nothing.
func (s *Screen) Held() []byte {
	text := append(bytes.Clone(s.tail.held), s.buffer[:s.start]...)
	if s.rows.active {
		return s.rows.appendTo(text, s.Filter)
	}
	return append(text, s.Pending()...)
}

// Over returns the number of newlines of the raw output that ended no line of the text, because the line was drawn
// again or erased, as of the last Flush. It is negative if the cursor has left more lines blank.
func (s *Screen) Over() int { return s.rows.newlines - s.rows.ended }

// tail passes text on, but for the end of it.
type tail struct {
	w    io.Writer
	held []byte
}

// Write keeps back the last keptBytes of the text, from the beginning of a line on.
func (t *tail) Write(text []byte) (int, error) {
	if len(text) < 2*keptBytes {
		t.held = append(t.held, text...)
		if len(t.held) < 4*keptBytes {
			return len(text), nil
		}
		n := beforeKept(t.held)
		_, err := t.pass(t.held[:n])
		t.held = t.held[:copy(t.held, t.held[n:])]
		return len(text), err
	}
	if err := t.flush(); err != nil {
		return 0, err
	}
	n := beforeKept(text)
	if _, err := t.pass(text[:n]); err != nil {
		return 0, err
	}
	t.held = append(t.held, text[n:]...)
	return len(text), nil
}

// beforeKept returns the length of what stands before the end that is kept back.
func beforeKept(text []byte) int {
	n := len(text) - keptBytes
	if line := bytes.LastIndexByte(text[:n], '\n') + 1; line > 0 {
		return line
	}
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

func (t *tail) pass(text []byte) (n int, err error) {
	if n, err = t.w.Write(text); err == nil && n < len(text) {
		err = io.ErrShortWrite
	}
	return n, err
}

func (t *tail) flush() error {
	if len(t.held) == 0 {
		return nil
	}
	_, err := t.pass(t.held)
	t.held = t.held[:0]
	return err
}

// take passes on all but the last lines, which it returns: so many at most, of keptBytes at most. The result is valid
// until the next Write.
func (t *tail) take(lines int) (last []byte, err error) {
	from := len(t.held)
	for n := 0; n < lines && from > 0 && t.held[from-1] == '\n'; n++ {
		begin := bytes.LastIndexByte(t.held[:from-1], '\n') + 1
		if len(t.held)-begin > keptBytes {
			break
		}
		from = begin
	}
	last = bytes.Clone(t.held[from:])
	t.held = t.held[:from]
	return last, t.flush()
}
