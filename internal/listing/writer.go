package listing

import (
	"bytes"

	"github.com/spillway-go/spillway/truncation"
)

// Head returns the policy that keeps the first lines of a text, without a marker: a notice says so.
func Head(maxLines, maxBytes int) truncation.Policy {
	limits := truncation.Limits{Lines: truncation.AtMost(maxLines), Bytes: truncation.AtMost(maxBytes)}
	return truncation.Policy{Strategy: truncation.Head, Limits: limits, Unmarked: true}
}

// Writer bounds a text by Head, and knows when it shows no more of it.
type Writer struct {
	*truncation.Writer
	maxLines, maxBytes int

	lines, bytes int  // that were written; a last line without a newline does not count yet
	open         bool // there is such a line
}

// NewWriter returns a Writer with these limits. A limit of 0 or less leaves no room.
func NewWriter(maxLines, maxBytes int) *Writer {
	w := Head(maxLines, maxBytes).NewWriter()
	return &Writer{Writer: w, maxLines: max(maxLines, 0), maxBytes: max(maxBytes, 0)}
}

func (w *Writer) Write(p []byte) (int, error) {
	if len(p) > 0 {
		w.bytes += len(p)
		w.lines += bytes.Count(p, []byte("\n"))
		w.open = p[len(p)-1] != '\n'
	}
	return w.Writer.Write(p)
}

func (w *Writer) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

// Full reports whether too much was written: what is written from now on is not shown.
func (w *Writer) Full() bool {
	if w.open {
		return w.lines+1 > w.maxLines || w.bytes > w.maxBytes
	}
	return w.lines > w.maxLines || w.bytes-1 > w.maxBytes
}
