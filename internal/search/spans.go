package search

import (
	"bytes"
	"context"
	"io"

	"github.com/spillway-go/spillway/internal/textfile"
)

// Spans visits the lines that matches of a multi-line pattern touch, and those around
// them. It holds the whole text, of at most maxBytes, or of any size if that is 0. The other
// arguments are those of Lines. The error may be ErrTooLarge.
func (s *Searcher) Spans(ctx context.Context, f io.Reader, maxBytes int64, around Around, visit Visit) error {
	s.lines.Until(ctx)
	s.notUTF8 = false
	defer s.release()
	saved := s.buf
	data, err := s.whole(ctx, f, maxBytes)
	s.buf = saved
	if err != nil {
		return err
	}
	defer func() { s.buf = saved }()
	s.buf = data
	s.validate(data)
	var line Line // the last one: further matches may begin in it
	more := true
	c := scan{s: s, ctx: ctx, end: len(data), ended: true, around: around, number: 1, visit: func(l Line) bool {
		if l.Number == line.Number {
			line.Begins, line.Lines = line.Begins+1, l.Lines
			return true
		}
		before := line
		line = l
		more = before.Number == 0 || visit(before)
		return more
	}}
	if err = c.spans(); more && line.Number > 0 {
		visit(line)
	}
	return err
}

// whole reads and decodes a file.
func (s *Searcher) whole(ctx context.Context, f io.Reader, maxBytes int64) ([]byte, error) {
	if maxBytes > 0 {
		f = &bounded{f, maxBytes}
	}
	n, ended, err := s.begin(f, 0)
	if err != nil {
		return nil, err
	}
	kind := s.sniff(n)
	switch {
	case kind.Binary:
		return nil, ErrBinary
	case kind.Encoding != textfile.UTF8:
		f = kind.Reader(io.MultiReader(bytes.NewReader(bytes.Clone(s.buf[:n])), f))
		n = 0
	case ended:
		return s.buf[:n], nil
	}
	data := append(make([]byte, 0, 2*len(s.buf)), s.buf[:n]...)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			if err := s.reserve(ctx, 2*cap(data)); err != nil {
				return nil, err
			}
			data = append(make([]byte, 0, 2*cap(data)), data...)
		}
		n, err := f.Read(data[len(data):min(cap(data), len(data)+readSize)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// bounded is a reader that may not have more than left bytes.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p[:min(int64(len(p)), b.left+1)])
	b.left -= int64(n)
	if b.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}

func (c *scan) spans() error {
	data := c.s.buf
	lo, hi := 0, 0 // the line looked at last
	from := 0      // the end of the last line that was shown
	for start, end := range c.s.lines.Spans(data) {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if start >= hi && !(start == len(data) && hi > lo && data[hi-1] != '\n') {
			lo, hi = hi+bytes.LastIndexByte(data[hi:start], '\n')+1, lineEnd(data, start)
		}
		if lo == hi {
			break // behind the final newline
		}
		if !c.showAfter(from, lo) || lo >= from && !c.showBefore(lo) {
			return nil
		}
		if end <= hi {
			c.moveTo(lo)
			if !c.showMatch(hi, Line{Begins: 1, Lines: 1}, start, end) {
				return nil
			}
			from = hi
			continue
		}
		last := lineEnd(data, end-1)
		lines := bytes.Count(data[lo:last], newline)
		if data[last-1] != '\n' {
			lines++
		}
		for l := (Line{Begins: 1, Lines: lines}); lo < last; l = (Line{GoesOn: true}) {
			hi = lineEnd(data, lo)
			c.moveTo(lo)
			if !c.showMatch(hi, l, start, end) {
				return nil
			}
			if hi < last {
				lo = hi
				continue
			}
			break
		}
		from = last
	}
	c.showAfter(from, len(data))
	return c.ctx.Err()
}

// showMatch shows the line at hand, up to limit, as a part of the match from start to end.
func (c *scan) showMatch(limit int, l Line, start, end int) bool {
	c.shown, c.after, c.floor = c.number, c.around.After, limit
	l.Number, l.Text = c.number, withoutEnding(c.s.buf[c.at:limit])
	l.spans(c.at, start, end)
	return c.visit(l)
}
