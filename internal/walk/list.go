package walk

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/ignore"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Dirent is an entry of a directory.
type Dirent struct {
	Name string
	Type fs.FileMode // the type bits; a symbolic link is not followed
}

// Bounds on the listings that a walk, or a [Tree.Page], holds, in bytes. A directory with more entries is read again
// for the next ones.
const (
	// maxHeld bounds the listings of a directory and those above it: enough for 1.9 million names of ten bytes in one
	// directory. A program that lists the last page of a million names of 65 bytes, which is too much, takes 56 MiB in
	// all; with 32 MiB here it takes 48, and a quarter more time.
	maxHeld = 40 << 20
	// minHeld is the bound for a directory if those above it have used up maxHeld. There are at most 2,000 of these.
	minHeld = 32 << 10
)

// Page returns at most limit entries of a directory from offset on, in the order of compare, and the total number of
// entries. With an error it returns the entries read before. A page may have fewer entries if their names take too
// much memory.
func (t *Tree) Page(
	ctx context.Context, path string, compare func(a, b Dirent) int, offset, limit int,
) (page []Dirent, total int, err error) {
	l := listing{compare: compare, room: t.room}
	for {
		l.most = offset + limit
		err = l.read(ctx, t, path)
		if total == 0 {
			total = l.total
		}
		if n := len(l.order); offset < n || !l.more || err != nil {
			for _, at := range l.order[min(offset, n):] {
				page = append(page, l.entry(at))
			}
			return page, total, err
		}
		offset -= len(l.order)
	}
}

// listing is the first entries of a directory in an order. Each further read gives the next ones.
type listing struct {
	compare func(a, b Dirent) int
	most    int // the number of entries wanted; 0 means all
	room    int // the bytes that they may take

	names
	masked map[string]string // the shown form of names that are shown in part

	total int     // number of entries read, without those of earlier reads
	after *Dirent // the last entry of the earlier reads
	more  bool    // there are entries after the last one
	bound Dirent

	judged bool                 // hides is known
	hides  workspace.EntryHides // what is hidden in the directory

	rules      bool // there is an ignore file
	repository bool // there is a .git
}

// read reads the directory. After an error, the listing has what was read before.
func (l *listing) read(ctx context.Context, t *Tree, path string) error {
	if l.more {
		last := l.bound
		l.after = &last
		l.order, l.total, l.more = l.order[:0], 0, false
		l.compact()
	}
	err := t.ReadDir(ctx, path, func(name string, kind fs.FileMode) error {
		switch name { // names that decide about other entries, hidden or not
		case ".git":
			l.repository = true
		case ignore.FileName:
			l.rules = kind.IsRegular()
		}
		if l.hides != nil && l.hides(name, kind.IsDir()) {
			if l.after == nil {
				t.Hidden++
			}
			return ctx.Err() // slow patterns must not delay the end
		}
		if t.Shown != nil {
			if as := t.Shown(name); as != name {
				if l.masked == nil {
					l.masked = map[string]string{}
				}
				l.masked[strings.Clone(name)] = as
			}
		}
		l.add(Dirent{name, kind})
		if len(l.order) >= maxUnjudged || l.held > l.room {
			l.judge(t, path, false)
		}
		return l.shrink(ctx)
	})
	l.judge(t, path, err == nil)
	keep := len(l.order)
	if l.most > 0 {
		keep = min(keep, l.most)
	}
	if sorting := l.cut(ctx, keep); sorting != nil {
		err = sorting
	}
	return err
}

// maxUnjudged is how many entries wait until all names of the directory are known, among which may be a file that
// hides some of them. In a larger directory, that file is looked for. Nothing is cut before: see shrink.
const maxUnjudged = fewKept

// judge removes the hidden entries among those read so far, once for a directory. all says that there are no others.
func (l *listing) judge(t *Tree, path string, all bool) {
	if l.judged || t.Hides == nil {
		return
	}
	l.judged = true
	var names iter.Seq[string]
	if all {
		names = func(yield func(string) bool) {
			for _, at := range l.order {
				if !yield(l.entry(at).Name) {
					return
				}
			}
		}
	}
	hides, unread := t.Hides(path, names)
	read := len(l.order)
	if l.hides = hides; hides != nil {
		l.order = slices.DeleteFunc(l.order, func(at uint32) bool {
			e := l.entry(at)
			return hides(e.Name, e.Type.IsDir())
		})
	}
	if removed := read - len(l.order); removed > 0 {
		l.total -= removed
		t.Hidden += removed
		l.compact()
	}
	if unread != nil {
		t.Unread = Unread{t.Unread.Dirs + 1, cmp.Or(t.Unread.First, unread)}
	}
}

// add adds an entry, unless an earlier read had it or it comes after the kept ones.
func (l *listing) add(e Dirent) {
	if l.after != nil && l.ordered(e, *l.after) <= 0 {
		return
	}
	l.total++
	if l.more && l.ordered(e, l.bound) > 0 {
		return
	}
	l.names.add(e)
}

// fewKept is how many entries are kept even if fewer are wanted, because otherwise they would be sorted again and
// again.
const fewKept = 2048

func (l *listing) shrink(ctx context.Context) error {
	keep := len(l.order) / 2
	switch {
	case l.held > l.room:
	case l.most > 0 && keep >= max(l.most, fewKept):
		keep = l.most
	default:
		return nil
	}
	err := l.cut(ctx, keep)
	l.compact()
	return err
}

// cut sorts the entries and keeps the first ones.
func (l *listing) cut(ctx context.Context, keep int) error {
	if err := l.sort(ctx); err != nil || keep == len(l.order) {
		return err
	}
	l.order = l.order[:keep]
	l.more, l.bound = true, l.entry(l.order[keep-1])
	l.bound.Name = strings.Clone(l.bound.Name)
	return nil
}

func (l *listing) inOrder(a, b uint32) int { return l.ordered(l.entry(a), l.entry(b)) }

// ordered orders two entries by the shown forms of their names.
func (l *listing) ordered(a, b Dirent) int {
	if len(l.masked) > 0 {
		if c := l.compare(Dirent{l.shown(a.Name), a.Type}, Dirent{l.shown(b.Name), b.Type}); c != 0 {
			return c
		}
	}
	return l.compare(a, b)
}

func (l *listing) shown(name string) string {
	if as, ok := l.masked[name]; ok {
		return as
	}
	return name
}

// fewEntries is how many entries can be sorted in a few milliseconds.
const fewEntries = 10_000

// sort sorts the entries, both halves in parallel. When ctx ends, all entries compare as equal, so that little is left
// to do, and it returns ctx's error.
func (l *listing) sort(ctx context.Context) error {
	if len(l.order) <= fewEntries {
		slices.SortFunc(l.order, l.inOrder)
		return nil
	}
	sortPart := func(part []uint32) {
		n, ended := 0, false
		slices.SortFunc(part, func(a, b uint32) int {
			n++
			if n%fewEntries == 0 {
				ended = ended || ctx.Err() != nil
			}
			if ended {
				return 0
			}
			return l.inOrder(a, b)
		})
	}
	half := len(l.order) / 2
	left, right := slices.Clone(l.order[:half]), l.order[half:]
	var sorting sync.WaitGroup
	sorting.Go(func() { sortPart(left) })
	sortPart(right)
	sorting.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := 0; len(left) > 0; i++ { // l.order[i] is never an entry that is still in right
		from := &left
		if len(right) > 0 && l.inOrder(right[0], left[0]) < 0 {
			from = &right
		}
		l.order[i], *from = (*from)[0], (*from)[1:]
	}
	return nil
}

// ReadDir calls visit with the name and type bits of each entry of a directory, in no particular order, and reads a
// part at a time. It ends with the first error: visit's, the directory's, or ctx's. A name is valid until visit
// returns.
func (t *Tree) ReadDir(ctx context.Context, path string, visit func(name string, kind fs.FileMode) error) error {
	if t.fast != nil {
		return t.fast.readDir(ctx, path, visit)
	}
	f, err := t.root.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := f.ReadDir(1024)
		for _, e := range entries {
			if err := visit(e.Name(), e.Type()); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
