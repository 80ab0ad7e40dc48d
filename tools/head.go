package tools

import (
	"bytes"

	"github.com/spillway-go/spillway/truncation"
)

// head keeps the first lines of a text, and leaves it to a notice to say so.
func head(maxLines, maxBytes int) truncation.Policy {
	limits := truncation.Limits{Lines: truncation.AtMost(maxLines), Bytes: truncation.AtMost(maxBytes)}
	return truncation.Policy{Strategy: truncation.Head, Limits: limits, Unmarked: true}
}

// headWriter bounds a text by that policy, and knows when it shows no more of it.
type headWriter struct {
	*truncation.Writer
	maxLines, maxBytes int

	lines, bytes int  // that were written; a last line without a newline does not count yet
	open         bool // there is such a line
}

func newHead(maxLines, maxBytes int) *headWriter {
	return &headWriter{Writer: head(maxLines, maxBytes).NewWriter(), maxLines: max(maxLines, 0), maxBytes: max(maxBytes, 0)}
}

func (w *headWriter) Write(p []byte) (int, error) {
	if len(p) > 0 {
		w.bytes += len(p)
		w.lines += bytes.Count(p, []byte("\n"))
		w.open = p[len(p)-1] != '\n'
	}
	return w.Writer.Write(p)
}

func (w *headWriter) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

// Full reports whether too much was written: what is written from now on is not shown.
func (w *headWriter) Full() bool {
	if w.open {
		return w.lines+1 > w.maxLines || w.bytes > w.maxBytes
	}
	return w.lines > w.maxLines || w.bytes-1 > w.maxBytes
}
