package tools

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

// list is the results of a call, each of which prints as one line.
type list[T fmt.Stringer] struct {
	mu    sync.Mutex // a snapshot is taken while items are added
	head  *truncation.Writer
	items []T // those for which there is room, and one that did not fit

	visited atomic.Int64 // what was looked at for the list, whether it is in it or not
}

func newList[T fmt.Stringer](maxLines, maxBytes int) *list[T] {
	return &list[T]{head: newHead(maxLines, maxBytes)}
}

// newHead keeps the first lines of what is written to it.
func newHead(maxLines, maxBytes int) *truncation.Writer {
	return truncation.Policy{Strategy: truncation.Head, Limits: truncation.Limits{Lines: truncation.AtMost(maxLines), Bytes: truncation.AtMost(maxBytes)}, Unmarked: true}.NewWriter()
}

// add adds an item. It reports whether there is room for more.
func (l *list[T]) add(item T) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	fits := !l.full()
	if len(l.items) > 0 {
		l.head.WriteString("\n")
	}
	if fits {
		l.items = append(l.items, item)
	}
	l.head.WriteString(item.String())
	return !l.full()
}

// full reports whether some item did not fit: no other one will.
func (l *list[T]) full() bool { return l.head.Full() }

// result is what of the list is shown, and as text. It has at least one item, if there
// are any.
func (l *list[T]) result() (items []T, text truncation.Result) {
	text = l.head.Result()
	if text.OutputLines == 0 && len(l.items) > 0 {
		showCut(&text, l.items[0].String())
	}
	return l.items[:text.OutputLines], text
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

// snapshot is how far the list has come.
func (l *list[T]) snapshot() Update {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.head.Result()
	shown := truncation.Truncate(r.Text, truncation.Tail, progressLimits)
	return Update{Bytes: int64(r.TotalBytes), Lines: r.TotalLines, Visited: int(l.visited.Load()), Tail: shown.Text}
}

// entry is a file or a directory in a list.
type entry struct {
	name string
	dir  bool
}

func (e entry) String() string { return workspace.Quote(e.name) + e.slash() } // behind the quotes: it belongs to the list, not to the name

func (e entry) slash() string {
	if e.dir {
		return "/"
	}
	return ""
}

// openTree opens a directory to list it, or to walk it.
func openTree(path workspace.Path) (*walk.Tree, error) {
	dir, err := path.OpenDir()
	if err != nil {
		return nil, err
	}
	return walk.Open(dir), nil
}

// namesOf is the names of entries, as they are.
func namesOf(entries []entry) (names []string) {
	for _, e := range entries {
		names = append(names, e.name+e.slash())
	}
	return names
}

// conclude is the end of a search: its error, or its result, which with the error of ctx is
// what was found until then.
func conclude[R any](ctx context.Context, name string, err error, result func(whole bool) (R, error)) (R, error) {
	if err != nil && ctx.Err() == nil {
		var none R
		return none, failure(err, name)
	}
	res, err := result(ctx.Err() == nil)
	if err := cmp.Or(ctx.Err(), err); err != nil {
		return res, failure(err, name)
	}
	return res, nil
}

// ending is the text of a list that tells why it ended, by the number of its items, by
// its size, or both, and how to continue.
func ending(list truncation.Result, limit, size notice.Notice, next int, more ...notice.Notice) string {
	return notice.Append(list.Text, append([]notice.Notice{limit, size, notice.Continue(next)}, more...)...)
}
