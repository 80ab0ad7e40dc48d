package jsoncut

import (
	"bufio"
	"errors"
	"io"
)

// maxIndent bounds the indentation of a line: a text of a million brackets must not get lines of a million spaces.
const maxIndent = 64

// errLarge is the error for a document that grows too much with a line for each value.
var errLarge = errors.New("with a line for each value it is too large")

// maxGrowth is by how much a document may grow with a line for each value; allowance is a size that is always allowed.
const maxGrowth, allowance = 6, 2 << 20

// Indent copies a document from r to w, with a line for each value. It holds one buffer, and does not check the
// document.
func Indent(w io.Writer, r io.Reader) error {
	in, out := bufio.NewReaderSize(r, 64<<10), &indenter{w: bufio.NewWriterSize(w, 64<<10)}
	for {
		c, err := in.ReadByte()
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			out.w.WriteByte('\n')
			return out.w.Flush()
		default:
			return err
		}
		out.read++
		if out.take(c); out.wrote > maxGrowth*out.read+allowance {
			return errLarge
		}
	}
}

type indenter struct {
	w           *bufio.Writer
	read, wrote int64
	depth       int
	opened      bool // the last byte opened a container
	inString    bool
	escaped     bool
}

func (d *indenter) take(c byte) {
	switch {
	case d.inString:
		switch {
		case d.escaped:
			d.escaped = false
		case c == '\\':
			d.escaped = true
		case c == '"':
			d.inString = false
		}
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		return
	case c == '}' || c == ']':
		if d.depth--; !d.opened {
			d.newline()
		}
		d.opened = false
	default:
		if d.opened {
			d.newline()
		}
		d.opened = c == '{' || c == '['
		if d.opened {
			d.depth++
		}
		d.inString = c == '"'
	}
	d.write(c)
	switch {
	case d.inString:
	case c == ',':
		d.newline()
	case c == ':':
		d.write(' ')
	}
}

func (d *indenter) write(c byte) {
	d.w.WriteByte(c) // Flush returns its error
	d.wrote++
}

func (d *indenter) newline() {
	d.write('\n')
	for range min(d.depth, maxIndent) {
		d.write(' ')
	}
}
