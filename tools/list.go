package tools

import "github.com/spillway-go/spillway/truncation"

// listWriter bounds a list of lines.
type listWriter struct {
	head *truncation.HeadWriter
	n    int
}

func newListWriter(maxLines, maxBytes int) *listWriter {
	return &listWriter{head: truncation.NewHeadWriter(truncation.Limits{Lines: maxLines, Bytes: maxBytes})}
}

// line adds a line. It reports whether there is room for more.
func (w *listWriter) line(text string) bool {
	if w.n > 0 {
		w.head.WriteString("\n")
	}
	w.n++
	w.head.WriteString(text)
	return !w.head.Full()
}

// lines is the number of lines that were added.
func (w *listWriter) lines() int { return w.n }

func (w *listWriter) result() truncation.Result { return w.head.Result() }
