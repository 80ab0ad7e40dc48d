package walk

import (
	"context"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/ignore"
)

// Dirent is an entry of a directory.
type Dirent struct {
	Name string
	Type fs.FileMode // the type bits; a symbolic link is not followed
}

// Bounds on the listings that a walk, or a [Tree.Page], holds, in bytes. A directory
// with more entries than there is room for is read again for those that come next.
const (
	// maxHeld is for all listings on the way down to where a walk is: room for
	// 1.9 million names of ten bytes in one directory. A program that lists the last page of a
	// million names of 65 bytes, which do not fit, takes 56 MiB in all. With 32 MiB here it
	// takes 48, and a quarter more time.
	maxHeld = 40 << 20
	// minHeld is for a directory where those above it have taken all of that. There
	// are 2,000 directories on a way at most.
	minHeld = 32 << 10
)

// Page returns the entries of a directory in the order of compare, at most limit of them
// from offset on, and its total number of entries. With an error it returns what could be
// read before. A page also has fewer than limit entries if their names need more memory
// than a listing may take.
func (t *Tree) Page(ctx context.Context, path string, compare func(a, b Dirent) int, offset, limit int) (page []Dirent, total int, err error) {
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

// listing is the entries of a directory that come first in an order, and when it is
// read again, those that come next.
type listing struct {
	compare func(a, b Dirent) int
	most    int // how many entries are wanted, 0 for all
	room    int // for how many bytes

	names
	total int     // entries met, without those that came before
	after *Dirent // the last entry of those before
	more  bool    // there are entries behind bound
	bound Dirent

	rules      bool // there is a file of rules
	repository bool // there is a .git
}

// read reads the directory. What was read before an error is in the listing.
func (l *listing) read(ctx context.Context, t *Tree, path string) error {
	if l.more {
		last := l.bound
		l.after = &last
	}
	l.order, l.total, l.more = l.order[:0], 0, false
	l.compact()
	err := t.ReadDir(ctx, path, func(name string, kind fs.FileMode) error {
		return l.add(ctx, Dirent{name, kind})
	})
	keep := len(l.order)
	if l.most > 0 {
		keep = min(keep, l.most)
	}
	if sorting := l.cut(ctx, keep); sorting != nil {
		err = sorting
	}
	return err
}

// add takes an entry, unless it was there before, or comes behind those for which
// there is room.
func (l *listing) add(ctx context.Context, e Dirent) error {
	switch e.Name {
	case ".git":
		l.repository = true
	case ignore.FileName:
		l.rules = e.Type.IsRegular()
	}
	if l.after != nil && l.compare(e, *l.after) <= 0 {
		return nil
	}
	l.total++
	if l.more && l.compare(e, l.bound) > 0 {
		return nil
	}
	l.names.add(e)
	keep := len(l.order) / 2
	switch {
	case l.held > l.room:
	case l.most > 0 && keep >= max(l.most, 2048):
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

func (l *listing) inOrder(a, b uint32) int { return l.compare(l.entry(a), l.entry(b)) }

// fewEntries is the number that is sorted in a few milliseconds.
const fewEntries = 10_000

// sort sorts the entries, both halves at once, or ends with the error of ctx. From then on
// all of them are the same, and what is left to do is little.
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
	for i := 0; len(left) > 0; i++ { // what right has not given yet is never overwritten
		from := &left
		if len(right) > 0 && l.inOrder(right[0], left[0]) < 0 {
			from = &right
		}
		l.order[i], *from = (*from)[0], (*from)[1:]
	}
	return nil
}

// ReadDir calls visit with the name and type bits of each entry of a directory, in no
// particular order, reading a part at a time. It ends with the first error: visit's, the
// directory's, or ctx's. A name may be overwritten when visit has returned.
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
