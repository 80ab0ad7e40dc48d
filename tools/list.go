package tools

import (
	"container/heap"
	"slices"

	"github.com/spillway-go/spillway/truncation"
)

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

// ordered is what has an order.
type ordered[T any] interface{ compare(T) int }

// first finds the items that come first of all that are added. It holds no more
// than most of them, as a heap whose top is the last.
type first[T ordered[T]] struct {
	most  int
	total int // added
	items []T
}

func (f *first[T]) Len() int           { return len(f.items) }
func (f *first[T]) Less(i, j int) bool { return f.items[i].compare(f.items[j]) > 0 }
func (f *first[T]) Swap(i, j int)      { f.items[i], f.items[j] = f.items[j], f.items[i] }
func (f *first[T]) Push(x any)         { f.items = append(f.items, x.(T)) }
func (f *first[T]) Pop() any           { panic("tools: nothing is taken from the heap") }

func (f *first[T]) add(item T) {
	f.total++
	if len(f.items) < f.most {
		heap.Push(f, item)
	} else if f.most > 0 && item.compare(f.items[0]) < 0 {
		f.items[0] = item
		heap.Fix(f, 0)
	}
}

// sorted gives the items in their order. Nothing may be added after it.
func (f *first[T]) sorted() []T {
	slices.SortFunc(f.items, T.compare)
	return f.items
}
