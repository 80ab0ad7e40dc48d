package search

import (
	"bytes"
	"context"
	"io"
)

// Spans is Lines for a multi-line pattern: it visits the lines of its matches and the lines around them. It holds the
// whole text, at most maxBytes; 0 is no limit. The error may be ErrTooLarge.
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
	if s.validate(data); s.stopped {
		return nil
	}
	var line Line // the last line, in which more matches may begin
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

func (s *Searcher) whole(ctx context.Context, f io.Reader, maxBytes int64) ([]byte, error) {
	if maxBytes > 0 {
		f = &bounded{f, maxBytes}
	}
	n, ended, err := s.begin(f, 0)
	if err != nil {
		return nil, err
	}
	kind := s.sniff(n)
	if kind.Binary {
		s.stopped = s.stops && kind.Likely != ""
		return nil, ErrBinary
	}
	if text := s.decoded(kind, n, f); text != nil {
		f, n, ended = text, 0, false
	}
	if ended {
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

// spans visits the lines of the matches in the buffer, and the lines around them.
func (c *scan) spans() error {
	data := c.s.buf
	lineFrom, lineTo := 0, 0 // the line of the last match
	visited := 0             // the end of the last line visited
	for start, end := range c.s.lines.Spans(data) {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if start >= lineTo && !(start == len(data) && lineTo > lineFrom && data[lineTo-1] != '\n') {
			lineFrom = lineTo + bytes.LastIndexByte(data[lineTo:start], '\n') + 1
			lineTo = lineEnd(data, start)
		}
		if lineFrom == lineTo {
			break // behind the final newline
		}
		if !c.showAfter(visited, lineFrom) || c.around.Before > 0 && lineFrom >= visited && !c.showBefore(lineFrom) {
			return nil
		}
		line := Line{Begins: 1, Lines: 1}
		if end > lineTo {
			line.Lines = 2 + bytes.Count(data[lineTo:end-1], newline)
		}
		for ; ; line = (Line{GoesOn: true}) {
			c.moveTo(lineFrom)
			if !c.showMatch(lineTo, line, start, end) {
				return nil
			}
			if end <= lineTo {
				break
			}
			lineFrom, lineTo = lineTo, lineEnd(data, lineTo)
		}
		visited = lineTo
	}
	c.showAfter(visited, len(data))
	return c.ctx.Err()
}

// showMatch visits the line up to limit as part of the match from start to end.
func (c *scan) showMatch(limit int, l Line, start, end int) bool {
	c.shown, c.after, c.earliest = c.number, c.around.After, limit
	l.Number, l.Text = c.number, withoutEnding(c.s.buf[c.at:limit])
	l.locate(start-c.at, end-c.at)
	return c.visit(l)
}
