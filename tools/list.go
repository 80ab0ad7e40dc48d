package tools

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

// listWriter bounds a list of lines.
type listWriter struct {
	mu   sync.Mutex // a snapshot is taken while lines are added
	head *truncation.Writer
	n    int
	top  string // the first line

	visited atomic.Int64 // what was looked at for the list, whether it is in it or not
}

func newListWriter(maxLines, maxBytes int) *listWriter {
	return &listWriter{head: newHead(maxLines, maxBytes)}
}

// newHead keeps the first lines of what is written to it.
func newHead(maxLines, maxBytes int) *truncation.Writer {
	return truncation.Policy{Strategy: truncation.Head, Limits: truncation.Limits{Lines: truncation.AtMost(maxLines), Bytes: truncation.AtMost(maxBytes)}, Unmarked: true}.NewWriter()
}

// line adds a line. It reports whether there is room for more.
func (w *listWriter) line(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.n > 0 {
		w.head.WriteString("\n")
	} else {
		w.top = text
	}
	w.n++
	w.head.WriteString(text)
	return !w.head.Full()
}

// full reports whether some line did not fit: no other one will.
func (w *listWriter) full() bool { return w.head.Full() }

// result is the list. It has at least one line, if there are any.
func (w *listWriter) result() truncation.Result {
	list := w.head.Result()
	if list.OutputLines == 0 && w.n > 0 {
		showCut(&list, w.top)
	}
	return list
}

// showCut makes a list of one line for which there is no room in it: cut, or what
// comes behind it could never be reached, and marked, or a part of a path would be
// taken for the path.
func showCut(list *truncation.Result, line string) {
	one := truncation.Policy{Strategy: truncation.HeadChars, Limits: truncation.Limits{Bytes: truncation.AtMost(list.MaxBytes)}, Marker: "..."}.Truncate(line)
	showInstead(list, one)
	list.OutputLines, list.LastLinePartial = 1, one.Truncated
}

// showInstead replaces what a list shows.
func showInstead(list *truncation.Result, one truncation.Result) {
	list.Text, list.OutputLines, list.OutputBytes, list.OutputChars = one.Text, one.OutputLines, one.OutputBytes, one.OutputChars
	list.FirstLineExceedsLimit = false
}

// names is those in the list, without the quotes that some have there, and whole.
func (w *listWriter) names(list truncation.Result) []string {
	if list.OutputLines == 0 {
		return nil
	}
	names := strings.Split(list.Text, "\n")
	if list.LastLinePartial {
		names = []string{w.top}
	}
	for i, name := range names {
		dir := strings.TrimSuffix(name, "/")
		if unquoted, ok := workspace.Unquote(dir); ok {
			names[i] = unquoted + name[len(dir):]
		}
	}
	return names
}

// snapshot is how far the list has come.
func (w *listWriter) snapshot() Update {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.head.Result()
	shown := truncation.Truncate(r.Text, truncation.Tail, progressLimits)
	return Update{Bytes: int64(r.TotalBytes), Lines: r.TotalLines, Visited: int(w.visited.Load()), Tail: shown.Text}
}

// endOf tells why a list ended: by the number of its items, by its size, or
// both. Where its size did, a higher limit is no help, and an offset is.
func endOf(list truncation.Result, limit, size notice.Notice, next int) []notice.Notice {
	if !list.Truncated {
		return []notice.Notice{limit}
	}
	return []notice.Notice{limit, size, notice.Continue(next)}
}

// ordered is what has an order.
type ordered[T any] interface{ compare(T) int }

// first finds the items that come first of all that are added. It holds no more
// than twice as many as are asked for, or a few thousand.
type first[T ordered[T]] struct {
	most  int
	total int // added
	items []T
	full  bool // the item at most-1 comes before whatever was left out
}

func (f *first[T]) add(item T) {
	f.total++
	if f.full && item.compare(f.items[f.most-1]) > 0 {
		return
	}
	if f.items = append(f.items, item); len(f.items) >= 2*max(f.most, 2048) {
		f.sorted()
	}
}

// sorted gives the items in their order.
func (f *first[T]) sorted() []T {
	slices.SortFunc(f.items, T.compare)
	if len(f.items) >= f.most {
		f.items, f.full = f.items[:f.most], f.most > 0
	}
	return f.items
}
