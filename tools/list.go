package tools

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/spillway-go/spillway/internal/ignore"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

// list is the results of a call, each of which prints as one line.
type list[T fmt.Stringer] struct {
	mu    sync.Mutex // a snapshot is taken while items are added
	head  *headWriter
	items []T // those for which there is room, and one that did not fit

	visited atomic.Int64 // what was looked at for the list, whether it is in it or not
}

func newList[T fmt.Stringer](maxLines, maxBytes int) *list[T] {
	return &list[T]{head: newHead(maxLines, maxBytes)}
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

// reset forgets all items.
func (l *list[T]) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.head, l.items = newHead(l.head.maxLines, l.head.maxBytes), nil
	l.visited.Store(0)
}

// full reports whether some item did not fit: no other one will.
func (l *list[T]) full() bool { return l.head.Full() }

// result returns the items that are shown, and their text. At least one is shown, if there are
// any.
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
	limits := truncation.Limits{Bytes: truncation.AtMost(list.MaxBytes)}
	one := truncation.Policy{Strategy: truncation.HeadChars, Limits: limits, Marker: "..."}.Truncate(line)
	showInstead(list, one)
	list.OutputLines, list.LastLinePartial = 1, one.Truncated
}

// showInstead replaces what a list shows.
func showInstead(list *truncation.Result, one truncation.Result) {
	list.Text, list.FirstLineExceedsLimit = one.Text, false
	list.OutputLines, list.OutputBytes, list.OutputChars = one.OutputLines, one.OutputBytes, one.OutputChars
}

// snapshot returns how far the list has come.
func (l *list[T]) snapshot() Update {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.head.Result()
	return Update{Bytes: int64(r.TotalBytes), Lines: r.TotalLines, Visited: int(l.visited.Load()),
		Tail: progressTail.Cut(r.Text)}
}

// entry is a file or a directory in a list.
type entry struct {
	name string
	dir  bool
	root string // what git ignores: its path, or that of a directory that it is in; "" if git does not
}

// String puts the slash behind the quotes: it belongs to the list, not to the name.
func (e entry) String() string { return quote.Name(e.name) + e.slash() }

func (e entry) slash() string {
	if e.dir {
		return "/"
	}
	return ""
}

// searched is a directory tree that grep or find searches.
type searched struct {
	*walk.Tree
	walk.Options
	paths  *paths
	prefix string // of the paths in it, to make them those that read takes
	spills string // the spill directory, if it is below; else ""
	left   *leftOut
}

// openTree returns a tree in which secrets in names decide nothing.
func (p *paths) openTree(dir *os.Root) *walk.Tree {
	t := walk.Open(dir)
	if p.redact != nil {
		t.Shown = p.masked
	}
	return t
}

// shownIn returns an entry below a prefix as patterns see it: with what is shown of its path. Its Path is the other
// one's with other bytes.
func (p *paths) shownIn(prefix, dir, name string) (shownDir, shownName string) {
	if p.redact == nil {
		return dir, name
	}
	path := p.masked(prefix + dir + name)[len(prefix):]
	return path[:len(dir)], path[len(dir):]
}

// openSearched opens a directory to search it, with what git ignores or without. Entries
// at which the search turns back, but would not if they were wanted, are added to left.
func (p *paths) openSearched(
	path workspace.Path, ignored bool, left *leftOut, wanted func(walk.Entry) bool,
) (*searched, error) {
	dir, err := path.OpenDir()
	if err != nil {
		return nil, err
	}
	t := &searched{Tree: p.openTree(dir), paths: p, prefix: path.Prefix(), left: left}
	spilled := p.isSpill(path) // its own rules ignore all of it, which is no news
	t.Options = walk.Options{All: ignored || spilled, Mark: !spilled, Ignored: func(e walk.Entry) {
		if wanted(e) && !t.isSpills(e) {
			left.skip(t.entry(e))
		}
	}}
	if spills, ok := workspace.Under(path.Abs, p.spills); ok {
		t.spills = filepath.ToSlash(spills)
	}
	return t, nil
}

// shown returns what is shown of an entry.
func (t *searched) shown(e walk.Entry) (dir, name string) {
	return t.paths.shownIn(t.prefix, e.Dir, e.Name)
}

// entry returns an entry as a list has it.
func (t *searched) entry(e walk.Entry) entry {
	return entry{t.prefix + e.Path(), e.Type.IsDir(), t.root(e.Path(), e.Ignored)}
}

// root returns the root of an entry, of whose path git ignores that much.
func (t *searched) root(path string, ignored int) string {
	if ignored == 0 {
		return ""
	}
	return t.prefix + (path + "/")[:ignored]
}

// skip takes note of what a walk left out.
func (t *searched) skip(stats walk.Stats) {
	t.left.Unreadable += stats.Unreadable
	t.left.Rules, t.left.RulesLines = stats.Cut, stats.FirstCut.Lines
	t.left.RulesFile = show(t.paths.shown(stats.FirstCut.File))
}

// isSpills reports whether an entry is the spill directory, and nothing else: one that
// was used for something before has no .gitignore that leaves out all of it.
func (t *searched) isSpills(e walk.Entry) bool {
	const everything = "*\n"
	if !e.Type.IsDir() || e.Path() != t.spills {
		return false
	}
	f, _, err := t.OpenFile(t.spills + "/" + ignore.FileName)
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, int64(len(everything)+1)))
	return err == nil && string(text) == everything
}

// namesOf returns the names of entries, as they are.
func namesOf(entries []entry) []string {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.name + e.slash()
	}
	return names
}

// conclude ends a search: it returns its error, or its result, which with the error of ctx is
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

// ending returns the text of a list that tells why it ended, by the number of its items, by
// its size, or both, and how to continue.
func ending(list truncation.Result, limit, size notice.Notice, next int, more ...notice.Notice) string {
	return notice.Append(list.Text, append([]notice.Notice{limit, size, notice.Continue(next)}, more...)...)
}
