package terminal

import (
	"bytes"
	"io"
)

// Reader reads the text that a [Filter] makes of a raw output.
type Reader struct {
	filter *Filter
	raw    io.Reader
	chunk  []byte
	text   bytes.Buffer // not read yet
	err    error        // of raw
}

// NewReader returns a Reader of a raw output. nul stands for a NUL byte, as in [NewFilter].
func NewReader(raw io.Reader, nul string) *Reader {
	r := &Reader{raw: raw, chunk: make([]byte, emitSize)}
	r.filter = NewFilter(&r.text, nul)
	return r
}

// Read returns 0 and no error if a part of the raw output leaves no text: a line that is rewritten may be long, and
// the caller may want to stop.
func (r *Reader) Read(p []byte) (int, error) {
	if r.text.Len() > 0 || len(p) == 0 {
		return r.text.Read(p)
	}
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.raw.Read(r.chunk)
	r.filter.Write(r.chunk[:n])
	if err != nil {
		r.err = err
		r.filter.Close()
	}
	if r.text.Len() == 0 {
		return 0, r.err
	}
	return r.text.Read(p)
}

// Met returns what was met in the raw output so far.
func (r *Reader) Met() Met { return r.filter.Met() }
