package search

import (
	"bytes"
	"context"
	"io"
)

// scan is the search of one file. buf[:end] is what is read, buf[:done] what is
// searched; number is that of the line that starts at the position at.
type scan struct {
	s      *Searcher
	ctx    context.Context // of one call of the Searcher, which the scan does not outlive
	r      io.Reader
	end    int
	done   int
	fresh  int // there is no newline between done and here
	ended  bool
	around Around
	visit  Visit
	at     int
	number int
	shown  int // number of the last line shown
	after  int // lines still to be shown after a match
	floor  int // where the first line starts that may be shown before a match
	kept   kept
	long   long
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

// search searches what was read, as far as lines are whole or too long to wait for.
func (c *scan) search() bool {
	fresh := max(c.fresh, c.done)
	c.fresh = c.end
	if c.long.inside {
		if i := bytes.IndexByte(c.s.buf[fresh:c.end], '\n'); i >= 0 {
			c.fresh = c.done
			return c.piece(fresh+i+1) && c.endLong()
		}
		if c.ended {
			return c.piece(c.end) && c.endLong()
		}
		return c.end-c.done < c.s.group.bounds.line || c.longPiece()
	}
	limit := c.end
	if !c.ended {
		limit = fresh + bytes.LastIndexByte(c.s.buf[fresh:c.end], '\n') + 1
		if limit == fresh {
			return c.end-c.done < c.s.group.bounds.line || c.longPiece()
		}
	}
	return c.lines(limit)
}

// manyMatches is the number of matches after which lines looks at the context.
const manyMatches = 1024

// lines searches the whole lines up to limit.
func (c *scan) lines(limit int) bool {
	buf := c.s.buf[:limit]
	c.s.validate(buf[c.done:])
	matches := 0
	for from := c.done; from < limit; {
		start, end, ok := c.s.lines.Next(buf, from)
		if !ok {
			if !c.showAfter(from, limit) {
				return false
			}
			break
		}
		if !c.showAfter(from, start) || !c.showBefore(start) {
			return false
		}
		c.moveTo(start)
		c.shown, c.after = c.number, c.around.After
		if !c.visit(Line{Number: c.number, Text: buf[start:end], Begins: 1, Lines: 1}) {
			return false
		}
		from = lineEnd(buf, end)
		c.floor = from
		matches++
		if matches%manyMatches == 0 && c.ctx.Err() != nil {
			break
		}
	}
	c.done = limit
	return true
}

// lineEnd returns where the line after the one whose text ends at end starts.
func lineEnd(buf []byte, end int) int {
	if i := bytes.IndexByte(buf[end:], '\n'); i >= 0 {
		return end + i + 1
	}
	return len(buf)
}

// moveTo makes number that of the line at pos.
func (c *scan) moveTo(pos int) {
	if pos < c.at {
		c.number -= bytes.Count(c.s.buf[pos:c.at], newline)
	} else {
		c.number += bytes.Count(c.s.buf[c.at:pos], newline)
	}
	c.at = pos
}

var newline = []byte{'\n'}

// showAfter shows what is due after the last match, from the line at from up to
// the one at limit.
func (c *scan) showAfter(from, limit int) bool {
	for ; c.after > 0 && from < limit; c.after-- {
		if !c.show(from, limit) {
			return false
		}
		from = c.floor
	}
	return true
}

// back returns the start of the line that is n lines before the one at pos, or of the first
// one that may be shown; left is how many lines that is too few.
func (c *scan) back(pos, n int) (start, left int) {
	for n > 0 && pos > c.floor {
		pos = c.floor + bytes.LastIndexByte(c.s.buf[c.floor:pos-1], '\n') + 1
		n--
	}
	return pos, n
}

// showBefore shows the lines before the match at start, as far as they are held and
// were not shown.
func (c *scan) showBefore(start int) bool {
	if c.around.Before == 0 {
		return true
	}
	first, left := c.back(start, c.around.Before)
	c.moveTo(first)
	if !c.showKept(c.number - left) {
		return false
	}
	for first < start {
		if !c.show(first, start) {
			return false
		}
		first = c.floor
	}
	return true
}

// show visits the line at from, which is not a match.
func (c *scan) show(from, limit int) bool {
	c.moveTo(from)
	next := lineEnd(c.s.buf[:limit], from)
	c.shown, c.floor = c.number, next
	return c.visit(Line{Number: c.number, Text: withoutEnding(c.s.buf[from:next]), Dropped: c.kept.wasDropped()})
}

func withoutEnding(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, newline), []byte{'\r'})
}

// fill reads more, and makes room for it if there is little.
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

// compact moves what is still needed to the front: what was not searched, and the
// lines that may be due before the next match.
func (c *scan) compact() {
	keep := c.done
	if !c.long.inside {
		keep = c.window()
	}
	c.moveTo(keep)
	c.end = copy(c.s.buf, c.s.buf[keep:c.end])
	c.done, c.at = c.done-keep, 0
	c.fresh, c.floor = max(c.fresh-keep, 0), max(c.floor-keep, 0)
}

// window returns the start of the context that stays in the buffer. What is too much for it
// goes into copies.
func (c *scan) window() int {
	from, left := c.back(c.done, c.around.Before)
	if left == 0 {
		c.kept.clear()
	}
	if c.done-from <= c.s.group.bounds.window {
		return from
	}
	c.retire(from)
	return c.done
}
