// Package listing bounds a list of lines while it is written.
package listing

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/spillway-go/spillway/truncation"
)

// List collects the results of a call, one line each. One goroutine adds items; others may call Progress and use
// Visited.
type List[T fmt.Stringer] struct {
	Visited atomic.Int64 // number of things examined for the list, whether they are in it or not

	mu    sync.Mutex // guards what Progress reads
	head  *Writer
	items []T // the items that fit, and one that did not
}

// New returns an empty list with these limits.
func New[T fmt.Stringer](maxLines, maxBytes int) *List[T] {
	return &List[T]{head: NewWriter(maxLines, maxBytes)}
}

// Grow allocates memory for n items, as far as they can fit.
func (l *List[T]) Grow(n int) { l.items = slices.Grow(l.items, min(n, l.head.maxLines)) }

// Add adds an item. It reports whether there is room for more.
func (l *List[T]) Add(item T) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	fits := !l.Full()
	if len(l.items) > 0 {
		l.head.WriteString("\n")
	}
	if fits {
		l.items = append(l.items, item)
	}
	l.head.WriteString(item.String())
	return !l.Full()
}

func (l *List[T]) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.head, l.items = NewWriter(l.head.maxLines, l.head.maxBytes), nil
	l.Visited.Store(0)
}

// Full reports whether some item did not fit. No further item will.
func (l *List[T]) Full() bool { return l.head.Full() }

// Items returns the items that fit, and the first one that did not.
func (l *List[T]) Items() []T { return l.items }

// Result returns the shown items, and their text. At least one is shown, if there are any.
func (l *List[T]) Result() (items []T, text truncation.Result) {
	text = l.head.Result()
	if text.OutputLines == 0 && len(l.items) > 0 {
		ShowCut(&text, l.items[0].String())
	}
	return l.items[:text.OutputLines], text
}

// Progress returns the text so far, and how much was visited for it.
func (l *List[T]) Progress() (text truncation.Result, visited int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.head.Result(), int(l.Visited.Load())
}

// ShowCut makes a list show a line that does not fit. The line is cut, so that later lines can be reached, and marked,
// so that part of a path is not taken for the path.
func ShowCut(list *truncation.Result, line string) {
	limits := truncation.Limits{Bytes: truncation.AtMost(list.MaxBytes)}
	one := truncation.Policy{Strategy: truncation.HeadChars, Limits: limits, Marker: "..."}.Truncate(line)
	ShowInstead(list, one)
	list.OutputLines, list.LastLinePartial = 1, one.Truncated
}

func ShowInstead(list *truncation.Result, one truncation.Result) {
	list.Text, list.FirstLineExceedsLimit = one.Text, false
	list.OutputLines, list.OutputBytes, list.OutputChars = one.OutputLines, one.OutputBytes, one.OutputChars
}

// Head returns the policy that keeps the first lines of a text, without a marker: a notice says so.
func Head(maxLines, maxBytes int) truncation.Policy {
	limits := truncation.Limits{Lines: truncation.AtMost(maxLines), Bytes: truncation.AtMost(maxBytes)}
	return truncation.Policy{Strategy: truncation.Head, Limits: limits, Unmarked: true}
}

// Writer bounds a text by Head, and knows when further text is not shown.
type Writer struct {
	*truncation.Writer
	maxLines, maxBytes int

	lines, bytes int  // written so far; a last line without a newline does not count yet
	open         bool // there is such a line
}

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

// Full reports whether too much was written, so that further text is not shown.
func (w *Writer) Full() bool {
	if w.open {
		return w.lines+1 > w.maxLines || w.bytes > w.maxBytes
	}
	return w.lines > w.maxLines || w.bytes-1 > w.maxBytes
}
