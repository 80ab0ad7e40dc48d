// Package search finds the matching lines of a file, with the lines around them,
// in a stream: through one reused buffer, whatever the length of the file.
package search

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/textfile"
)

// ErrBinary is the error for a file that is not text.
var ErrBinary = errors.New("binary file")

// bufferSize is what is read at a time; most source files are shorter.
const bufferSize = 64 << 10

// maxLine is the length at which a line is no longer held whole: it is searched
// as if it were several lines, under one number.
const maxLine = 32 << 20

// Line is a line that is to be shown.
type Line struct {
	Number int    // from 1
	Text   []byte // without its terminator; valid during the visit only
	Match  bool   // it matches; if not, it is near one that does
}

// Visit is called with the lines to show, in order. It returns false to end the
// search.
type Visit func(Line) bool

// Searcher searches one file after another. It is not safe for concurrent use.
type Searcher struct {
	lines *match.Searcher
	buf   []byte
}

// New returns a searcher for the lines that m matches.
func New(m *match.Matcher) *Searcher {
	return &Searcher{lines: m.NewSearcher(), buf: make([]byte, bufferSize)}
}

// Lines visits the lines of f that match and, around each, up to context lines
// before and after it. The text is decoded as [textfile] does. size is f's length
// in bytes where it is known, else 0: it saves a read that finds the end of a
// small file. The error is ErrBinary, f's, or ctx's.
func (s *Searcher) Lines(ctx context.Context, f io.Reader, size int64, around int, visit Visit) error {
	n, ended, err := s.begin(f, size)
	if err != nil {
		return err
	}
	kind := textfile.Sniff(s.buf[:min(n, textfile.SniffLen)])
	if kind.Binary {
		return ErrBinary
	}
	scan := scan{s: s, ctx: ctx, r: f, end: n, ended: ended, around: around, visit: visit, number: 1}
	if kind.Encoding != textfile.UTF8 {
		scan.r = kind.Reader(io.MultiReader(bytes.NewReader(bytes.Clone(s.buf[:n])), f))
		scan.end, scan.ended = 0, false
	}
	return scan.run()
}

// begin reads the beginning of a file: what it is judged by, or all of it.
func (s *Searcher) begin(f io.Reader, size int64) (n int, ended bool, err error) {
	for n < textfile.SniffLen {
		got, err := f.Read(s.buf[n:])
		n += got
		switch {
		case err == io.EOF, err == nil && size > 0 && int64(n) == size:
			return n, true, nil
		case err != nil:
			return n, false, err
		}
	}
	return n, false, nil
}

// scan is the search of one file. buf[:end] is what is read, buf[:done] what is
// searched; number is that of the line that starts at the position at.
type scan struct {
	s      *Searcher
	ctx    context.Context
	r      io.Reader
	end    int
	done   int
	ended  bool
	around int
	visit  Visit
	at     int
	number int
	shown  int // number of the last line shown
	after  int // lines still to be shown after a match
}

func (c *scan) run() error {
	for {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		limit := c.end
		if !c.ended {
			limit = c.done + bytes.LastIndexByte(c.s.buf[c.done:c.end], '\n') + 1
			if c.end-c.done >= maxLine && limit == c.done {
				limit = c.end
			}
		}
		if limit > c.done && !c.lines(limit) {
			return nil
		}
		if c.ended {
			return nil
		}
		if err := c.fill(); err != nil {
			return err
		}
	}
}

// lines searches the whole lines up to limit.
func (c *scan) lines(limit int) bool {
	buf := c.s.buf[:limit]
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
		c.shown, c.after = c.number, c.around
		if !c.visit(Line{c.number, buf[start:end], true}) {
			return false
		}
		from = lineEnd(buf, end)
	}
	c.done = limit
	return true
}

// lineEnd is where the line after the one whose text ends at end starts.
func lineEnd(buf []byte, end int) int {
	if i := bytes.IndexByte(buf[end:], '\n'); i >= 0 {
		return end + i + 1
	}
	return len(buf)
}

// moveTo makes number that of the line at pos.
func (c *scan) moveTo(pos int) {
	c.number += bytes.Count(c.s.buf[c.at:pos], []byte{'\n'})
	c.at = pos
}

// showAfter shows what is due after the last match, from the line at from up to
// the one at limit.
func (c *scan) showAfter(from, limit int) bool {
	for ; c.after > 0 && from < limit; c.after-- {
		if !c.show(from, limit) {
			return false
		}
		from = lineEnd(c.s.buf[:limit], from)
	}
	return true
}

// showBefore shows the lines before the match at start, as far as they are in
// the buffer and were not shown.
func (c *scan) showBefore(start int) bool {
	first := start
	for range c.around {
		if first == 0 {
			break
		}
		first = bytes.LastIndexByte(c.s.buf[:first-1], '\n') + 1
	}
	if first < c.at { // number is known from at on; count back
		c.number -= bytes.Count(c.s.buf[first:c.at], []byte{'\n'})
		c.at = first
	}
	for first < start {
		next := lineEnd(c.s.buf[:start], first)
		c.moveTo(first)
		if c.number > c.shown && !c.show(first, start) {
			return false
		}
		first = next
	}
	return true
}

// show visits the line at from, which is not a match.
func (c *scan) show(from, limit int) bool {
	c.moveTo(from)
	text := c.s.buf[from:limit]
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	c.shown = c.number
	return c.visit(Line{c.number, bytes.TrimSuffix(text, []byte{'\r'}), false})
}

// fill moves what is still needed to the front and reads more behind it.
func (c *scan) fill() error {
	keep := c.done // with the lines that may be due before the next match
	for range c.around {
		if keep == 0 {
			break
		}
		keep = bytes.LastIndexByte(c.s.buf[:keep-1], '\n') + 1
	}
	if keep > c.at {
		c.moveTo(keep)
	} else if keep < c.at {
		c.number -= bytes.Count(c.s.buf[keep:c.at], []byte{'\n'})
		c.at = keep
	}
	c.end = copy(c.s.buf, c.s.buf[keep:c.end])
	c.done, c.at = c.done-keep, 0
	if c.end > len(c.s.buf)/2 { // a long line, or much context
		bigger := make([]byte, 2*len(c.s.buf))
		copy(bigger, c.s.buf[:c.end])
		c.s.buf = bigger
	}
	n, err := c.r.Read(c.s.buf[c.end:])
	c.end += n
	if err == io.EOF {
		c.ended, err = true, nil
	}
	return err
}

// Spans visits the lines that matches of a multi-line pattern touch, in a text
// that is held whole. The arguments are those of Lines.
func (s *Searcher) Spans(ctx context.Context, f io.Reader, _ int64, around int, visit Visit) error {
	data, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	kind := textfile.Sniff(data[:min(len(data), textfile.SniffLen)])
	if kind.Binary {
		return ErrBinary
	}
	if kind.Encoding != textfile.UTF8 {
		if data, err = io.ReadAll(kind.Reader(bytes.NewReader(data))); err != nil {
			return err
		}
	}
	saved := s.buf
	defer func() { s.buf = saved }()
	s.buf = data
	c := scan{s: s, ctx: ctx, end: len(data), ended: true, around: around, visit: visit, number: 1}
	return c.spans()
}

func (c *scan) spans() error {
	data := c.s.buf
	from := 0 // the first line that was not shown as a match
	for search := 0; from < len(data); {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		start, end, ok := c.s.lines.NextSpan(data, search)
		if !ok {
			break
		}
		search = max(end, start+1)
		first := max(from, bytes.LastIndexByte(data[:start], '\n')+1)
		last := lineEnd(data, max(start, end-1))
		if first >= last {
			continue // on a line that is shown, or behind the final newline
		}
		if !c.showAfter(from, first) || !c.showBefore(first) || !c.showMatch(first, last) {
			return nil
		}
		from = last
	}
	c.showAfter(from, len(data))
	return nil
}

// showMatch shows the lines between two positions as matches.
func (c *scan) showMatch(first, last int) bool {
	for first < last {
		next := lineEnd(c.s.buf[:last], first)
		c.moveTo(first)
		c.shown, c.after = c.number, c.around
		text := bytes.TrimSuffix(c.s.buf[first:next], []byte{'\n'})
		if !c.visit(Line{c.number, bytes.TrimSuffix(text, []byte{'\r'}), true}) {
			return false
		}
		first = next
	}
	return true
}
