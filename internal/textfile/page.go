package textfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"unicode/utf8"
)

// Span is a part of a file to read, in lines and characters counted from 1.
type Span struct {
	Line   int // the first line
	Column int // the first character of that line
	Lines  int // the maximum number of lines; 0 is no limit
}

// Sink takes the text of a page, several lines at a time. Once it is Full, which may be in the middle of a Write, the
// rest of the file is only counted.
type Sink interface {
	io.Writer
	Full() bool
}

// Stats is what ReadPage learned about a file.
type Stats struct {
	Lines        int   // of the whole file
	FinalNewline bool  // the last line ends with a newline
	Empty        bool  // the text has no byte
	SkippedChars int   // the characters before the page in its first line
	LineBytes    int64 // the length of that line in UTF-8, without its newline
	FirstRead    int   // the line at which reading began
}

// ErrChanged is the error for a file that is shorter than its index says.
var ErrChanged = errors.New("the file changed")

// ReadPage writes a span of the file to sink. It omits a CR before an LF.
//
// A file without an index is read to its end, and its index is returned. With an index, only the page is read, from the
// nearest mark before it; the error is ErrChanged if the file ends before the page does.
//
// Memory does not depend on the length of the file or its lines. The error may also be ctx's or the reader's; the page
// then holds what was read until then.
func (f File) ReadPage(ctx context.Context, span Span, sink Sink) (Stats, *Index, error) {
	p := pager{sink: sink, before: span.Line - 1, chars: span.Column - 1, lineEnd: -1, left: span.Lines}
	if p.left == 0 {
		p.left = math.MaxInt
	}
	at := mark{offset: f.begin}
	if f.index != nil {
		if m, ok := f.index.last(p.before, p.chars); ok {
			at = m
		}
	}
	p.firstRead = at.before + 1
	src := f.source(at.offset)
	defer chunks.Put(src.buf)
	index := &Index{}
	for {
		chunk, err := src.next()
		if len(chunk) > 0 {
			next := at.past(chunk, src.at-int64(len(src.rest)))
			p.add(at, next, chunk)
			at = next
		}
		if err == nil && f.info.Encoding != stateful { // its decoder can only start at the beginning
			index.add(at)
		}
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		full := p.full()
		switch known := f.index; {
		case known != nil && (full && p.lineEnd >= 0 || err == io.EOF && at.offset == known.end.offset):
			return p.stats(at, known), known, nil // the rest of the text does not matter
		case err == io.EOF && known == nil:
			index.close(at)
			return p.stats(at, index), index, nil
		case err != nil:
			if err == io.EOF {
				err = ErrChanged
			}
			index.close(at)
			return p.stats(at, index), nil, err
		case known != nil && full:
			// What is left to find is the end of the first line.
			if m, ok := known.last(p.before, math.MaxInt); ok && m.offset > at.offset {
				at, src.at, src.rest = m, m.offset, nil
			}
		}
	}
}

// close fills in what is known at the end.
func (x *Index) close(end mark) {
	x.end, x.lines = end, end.before
	x.final = end.text > 0 && end.text == end.line
	if end.text > end.line {
		x.lines++
	}
}

// pager finds a span in the chunks of a text.
type pager struct {
	sink    Sink
	before  int // newlines before the first line
	chars   int // characters before the page in its first line
	left    int // lines still to write
	started bool

	firstRead    int // the line at which reading began
	skippedChars int
	lineStart    int64 // the start of the first line, in the text
	lineEnd      int64 // its newline, or -1 if not found yet
}

func (p *pager) full() bool { return p.started && (p.left <= 0 || p.sink.Full()) }

// add takes the chunk between two marks. It passes lines on without the CR of a CRLF.
func (p *pager) add(from, to mark, chunk []byte) {
	if !p.started {
		if to.before < p.before || to.before == p.before && to.chars <= p.chars {
			return
		}
		chunk = p.start(from, chunk)
	}
	if p.lineEnd < 0 {
		if i := bytes.IndexByte(chunk, '\n'); i >= 0 {
			p.lineEnd = to.text - int64(len(chunk)-i)
		}
	}
	for len(chunk) > 0 && !p.full() {
		run := p.run(chunk)
		chunk = chunk[len(run):]
		for i := bytes.Index(run, crlf); i >= 0; i = bytes.Index(run, crlf) {
			p.sink.Write(run[:i])
			run = run[i+1:]
		}
		p.sink.Write(run)
	}
}

// runSize is the number of bytes that are passed on before checking whether the sink is full. Line by line, a page of
// short lines would take twice as long.
const runSize = 4 << 10

// run returns the beginning of a chunk to pass on at once: the whole lines left to show in its first runSize bytes, or
// else one longer line or a part of it.
func (p *pager) run(chunk []byte) []byte {
	run := chunk[:min(len(chunk), runSize)]
	run = run[:bytes.LastIndexByte(run, '\n')+1]
	if len(run) == 0 {
		run = chunk[:bytes.IndexByte(chunk, '\n')+1]
	}
	if len(run) == 0 {
		return chunk
	}
	n := bytes.Count(run, lf)
	for ; n > p.left; n-- {
		run = run[:bytes.LastIndexByte(run[:len(run)-1], '\n')+1]
	}
	p.left -= n
	return run
}

// start returns a chunk from the first character of the page on.
func (p *pager) start(from mark, chunk []byte) []byte {
	p.started = true
	rest, chars := chunk, from.chars
	p.lineStart = from.line
	for n := p.before - from.before; n > 0; n-- {
		rest, chars = rest[bytes.IndexByte(rest, '\n')+1:], 0
		p.lineStart = from.text + int64(len(chunk)-len(rest))
	}
	for chars < p.chars && rest[0] != '\n' {
		_, size := utf8.DecodeRune(rest)
		rest = rest[size:]
		chars++
	}
	if p.skippedChars = chars; chars < p.chars {
		p.left = 0 // the line has fewer
	}
	return rest
}

// stats returns what is known at a mark, for a text with an index.
func (p *pager) stats(at mark, x *Index) Stats {
	if !p.started && at.before == p.before { // the page starts at or after the end of the text
		p.skippedChars, p.lineStart = at.chars, at.line
	}
	if p.lineEnd < 0 {
		p.lineEnd = at.text
	}
	return Stats{x.lines, x.final, x.end.text == 0, p.skippedChars, p.lineEnd - p.lineStart, p.firstRead}
}

type full struct{}

func (full) Write(p []byte) (int, error) { return len(p), nil }
func (full) Full() bool                  { return true }
