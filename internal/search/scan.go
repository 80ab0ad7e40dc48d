package search

import (
	"bytes"
	"context"
	"io"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/textfile"
)

// scan is the search of one file. buf[:end] has been read, buf[:done] has been searched, and line number begins at the
// position at.
type scan struct {
	s        *Searcher
	ctx      context.Context // of one call; the scan does not outlive it
	r        io.Reader
	end      int
	done     int
	unbroken int // buf[done:unbroken] has no newline
	ended    bool
	around   Around
	visit    Visit
	at       int
	number   int
	shown    int // number of the last line shown
	after    int // lines still to be shown after a match
	earliest int // the start of the first line that may still be shown
	kept     keptContext
	long     longLine
}

func (c *scan) run() error {
	for {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if !c.search() {
			return nil
		}
		if c.ended && c.done == c.end {
			return c.ctx.Err()
		}
		if !c.ended {
			if err := c.fill(); err != nil {
				return err
			}
		}
	}
}

// search searches the whole lines that were read, and parts of lines that are too long to hold.
func (c *scan) search() bool {
	from := max(c.unbroken, c.done)
	c.unbroken = c.end
	if c.long.inside {
		if i := bytes.IndexByte(c.s.buf[from:c.end], '\n'); i >= 0 {
			c.unbroken = c.done
			return c.piece(from+i+1) && c.endLong()
		}
		if c.ended {
			return c.piece(c.end) && c.endLong()
		}
		return c.end-c.done < c.s.group.bounds.line || c.longPiece()
	}
	limit := c.end
	if !c.ended {
		limit = from + bytes.LastIndexByte(c.s.buf[from:c.end], '\n') + 1
		if limit == from {
			return c.end-c.done < c.s.group.bounds.line || c.longPiece()
		}
	}
	return c.lines(limit)
}

// manyMatches is after how many matches lines checks the context.
const manyMatches = 1024

func (c *scan) lines(limit int) bool {
	buf := c.s.buf[:limit]
	if c.s.validate(buf[c.done:]); c.s.stopped {
		return false
	}
	matches := 0
	for from := c.done; from < limit; {
		start, end, ok := c.s.lines.Next(buf, from)
		if !ok {
			if c.after > 0 && !c.showAfter(from, limit) {
				return false
			}
			break
		}
		if c.after > 0 && !c.showAfter(from, start) || c.around.Before > 0 && !c.showBefore(start) {
			return false
		}
		c.moveTo(start)
		c.shown, c.after = c.number, c.around.After
		if !c.visit(Line{Number: c.number, Text: buf[start:end], Begins: 1, Lines: 1}) {
			return false
		}
		from = lineEnd(buf, end)
		c.earliest = from
		matches++
		if matches%manyMatches == 0 && c.ctx.Err() != nil {
			break
		}
	}
	c.done = limit
	return true
}

// lineEnd returns the start of the next line, given the end of a line's text.
func lineEnd(buf []byte, end int) int {
	if i := bytes.IndexByte(buf[end:], '\n'); i >= 0 {
		return end + i + 1
	}
	return len(buf)
}

// moveTo sets number to that of the line at pos.
func (c *scan) moveTo(pos int) {
	if pos < c.at {
		c.number -= bytes.Count(c.s.buf[pos:c.at], newline)
	} else {
		c.number += bytes.Count(c.s.buf[c.at:pos], newline)
	}
	c.at = pos
}

var newline = []byte{'\n'}

// showAfter visits the context after the last match, from the line at from up to the one at limit.
func (c *scan) showAfter(from, limit int) bool {
	for ; c.after > 0 && from < limit; c.after-- {
		if !c.show(from, limit) {
			return false
		}
		from = c.earliest
	}
	return true
}

// back returns the start of the line n lines before the one at pos. If that may not be shown, it returns the earliest
// that may, and how many lines are missing.
func (c *scan) back(pos, n int) (start, left int) {
	for n > 0 && pos > c.earliest {
		pos = c.earliest + bytes.LastIndexByte(c.s.buf[c.earliest:pos-1], '\n') + 1
		n--
	}
	return pos, n
}

// showBefore visits the context before the match at start that is in the buffer and was not visited.
func (c *scan) showBefore(start int) bool {
	first, left := c.back(start, c.around.Before)
	c.moveTo(first)
	if !c.showKept(c.number - left) {
		return false
	}
	for first < start {
		if !c.show(first, start) {
			return false
		}
		first = c.earliest
	}
	return true
}

// show visits the line at from, which has no match.
func (c *scan) show(from, limit int) bool {
	c.moveTo(from)
	next := lineEnd(c.s.buf[:limit], from)
	c.shown, c.earliest = c.number, next
	return c.visit(Line{Number: c.number, Text: withoutEnding(c.s.buf[from:next]), Dropped: c.kept.wasDropped()})
}

func withoutEnding(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, newline), []byte{'\r'})
}

// fill reads more, after making room if there is little.
func (c *scan) fill() error {
	if c.end > len(c.s.buf)/2 {
		c.compact()
	}
	if c.end > len(c.s.buf)/2 && len(c.s.buf) < c.s.group.bounds.buffer { // a long line, or much context
		if err := c.s.grow(c.ctx, c.end); err != nil {
			return err
		}
	}
	n, err := c.r.Read(c.s.buf[c.end:min(len(c.s.buf), c.end+readSize)])
	c.end += n
	if err == io.EOF {
		c.ended, err = true, nil
	}
	return err
}

// compact moves what is still needed to the front: unsearched text, and context for the next match.
func (c *scan) compact() {
	keep := c.done
	if !c.long.inside {
		keep = c.window()
	}
	c.moveTo(keep)
	c.end = copy(c.s.buf, c.s.buf[keep:c.end])
	c.done, c.at = c.done-keep, 0
	c.unbroken, c.earliest = max(c.unbroken-keep, 0), max(c.earliest-keep, 0)
}

// window returns the start of the context that stays in the buffer. It copies context that does not fit.
func (c *scan) window() int {
	from, left := c.back(c.done, c.around.Before)
	if left == 0 {
		c.kept.clear()
	}
	if c.done-from <= c.s.group.bounds.window {
		return from
	}
	c.keepContext(from)
	return c.done
}

// sniff determines the encoding of a file from its first n bytes, in the buffer. If these are valid UTF-8 and not all
// ASCII, it is UTF-8, whatever the query says.
func (s *Searcher) sniff(n int) textfile.Info {
	head := s.buf[:min(n, textfile.SniffLen)]
	if s.encoding != "" {
		return textfile.SniffAs(head, s.encoding)
	}
	encoding := s.group.query.Encoding
	whole := head[:len(head)-textfile.Unfinished(head)]
	if encoding != "" && utf8.Valid(whole) && utf8.RuneCount(whole) < len(whole) {
		encoding = ""
	}
	return textfile.SniffAs(head, encoding)
}

// validate checks that whole lines are valid UTF-8, if the pattern is not ASCII.
func (s *Searcher) validate(lines []byte) {
	if s.group.query.NonASCII && !s.notUTF8 {
		s.notUTF8 = !s.isValid(lines)
		s.stopped = s.notUTF8 && s.stops
	}
}
