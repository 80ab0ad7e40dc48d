package search

import (
	"bytes"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/textfile"
)

// keptContext holds the beginnings of context lines that have left the buffer.
type keptContext struct {
	lines   []keptLine
	bytes   int
	dropped int  // number of the last line without room
	missing bool // one of these belongs before the line that is visited next
}

type keptLine struct {
	number int
	text   []byte
	cut    bool
}

// keptCost is the size of a kept line besides its text.
const keptCost = 64

// add keeps a line, and drops the first ones to stay within most lines and room bytes.
func (k *keptContext) add(line keptLine, most, room int) {
	k.lines = append(k.lines, line)
	k.bytes += len(line.text) + keptCost
	for ; len(k.lines) > most || k.bytes > room; k.lines = k.lines[1:] {
		if len(k.lines) <= most {
			k.dropped = k.lines[0].number
		}
		k.bytes -= len(k.lines[0].text) + keptCost
		k.lines[0] = keptLine{}
	}
}

func (k *keptContext) clear() { k.lines, k.bytes = nil, 0 }

func (k *keptContext) wasDropped() bool {
	missing := k.missing
	k.missing = false
	return missing
}

// head returns the part of a line to keep.
func (s *Searcher) head(line []byte) (text []byte, cut bool) {
	n := s.group.text()
	if len(line) <= n {
		return line, false
	}
	return line[:n-textfile.Unfinished(line[:n])], true
}

// keepContext copies the searched lines from a position on.
func (c *scan) keepContext(from int) {
	for from < c.done {
		next := lineEnd(c.s.buf[:c.done], from)
		c.moveTo(from)
		text, cut := c.s.head(withoutEnding(c.s.buf[from:next]))
		c.kept.add(keptLine{c.number, bytes.Clone(text), cut}, c.around.Before, c.s.group.bounds.window)
		from = next
	}
	c.earliest = c.done
}

// showKept shows the kept lines from number low on.
func (c *scan) showKept(low int) bool {
	c.kept.missing = c.kept.dropped > c.shown && c.kept.dropped >= low
	lines := c.kept.lines
	c.kept.clear()
	for _, line := range lines {
		if line.number < low || line.number <= c.shown {
			continue
		}
		c.shown = line.number
		if !c.visit(Line{Number: line.number, Text: line.text, Cut: line.cut, Dropped: c.kept.wasDropped()}) {
			return false
		}
	}
	return true
}

// long is a line that is searched in pieces.
type longLine struct {
	inside  bool // done is within it
	head    []byte
	before  int // characters of it that have left the buffer
	matched bool
}

// longPiece searches the read part of a long line, unless its end was read.
func (c *scan) longPiece() bool {
	c.s.inPieces = true
	from := c.done
	if !c.piece(c.end) {
		return false
	}
	c.done = c.end - c.s.group.bounds.overlap
	c.done -= textfile.Unfinished(c.s.buf[:c.done])
	c.long.before += utf8.RuneCount(c.s.buf[from:c.done])
	c.earliest = c.done
	return true
}

// piece searches part of a long line, up to limit.
func (c *scan) piece(limit int) bool {
	first := !c.long.inside
	if first {
		c.moveTo(c.done)
		head, _ := c.s.head(c.s.buf[c.done:limit])
		c.long = longLine{inside: true, head: bytes.Clone(head)}
		if from, left := c.back(c.done, c.around.Before); c.around.Before > 0 {
			if left == 0 {
				c.kept.clear()
			}
			c.keepContext(from)
			c.moveTo(c.done)
		}
	}
	if !c.long.matched {
		if _, _, ok := c.s.lines.Next(c.s.buf[:limit], c.done); ok {
			c.long.matched = true
			if !c.showKept(c.number - c.around.Before) {
				return false
			}
			c.shown, c.after = c.number, c.around.After
			l := Line{Number: c.number, Text: withoutEnding(c.s.buf[c.done:limit]), Before: c.long.before,
				Bytes:  limit - c.done, // at least
				Begins: 1, Lines: 1, Cut: c.s.buf[limit-1] != '\n' && !c.ended, Dropped: c.kept.wasDropped()}
			if l.shorten(c.s.lines, c.s.group.text()); !c.visit(l) {
				return false
			}
		}
	}
	c.done = limit
	c.earliest = limit
	return true
}

func (c *scan) endLong() bool {
	line := keptLine{c.number, c.long.head, true}
	matched := c.long.matched
	c.moveTo(c.done)
	c.long = longLine{}
	switch {
	case matched:
	case c.after > 0:
		c.after--
		c.shown = line.number
		return c.visit(Line{Number: line.number, Text: line.text, Cut: true})
	case c.around.Before > 0:
		c.kept.add(line, c.around.Before, c.s.group.bounds.window)
	}
	return true
}
