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
	// 600,000 names of ten bytes in one directory. With half of that the last page of a million
	// names takes 72 MiB instead of 112, and three times as long.
	maxHeld = 48 << 20
	// minHeld is for a directory where those above it have taken all of that. There
	// are 2,000 directories on a way at most.
	minHeld = 32 << 10
	// direntBytes is what an entry takes beside its name: itself, in a slice that
	// grows, and what the system's record of it adds.
	direntBytes = 64
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
		if n := len(l.entries); offset < n || !l.more || err != nil {
			return l.entries[min(offset, n):], total, err
		}
		offset -= len(l.entries)
	}
}

// listing is the entries of a directory that come first in an order, and when it is
// read again, those that come next.
type listing struct {
	compare func(a, b Dirent) int
	most    int // how many entries are wanted, 0 for all
	room    int // for how many bytes

	entries []Dirent
	total   int     // entries met, without those that came before
	held    int     // bytes
	after   *Dirent // the last entry of those before
	more    bool    // there are entries behind bound
	bound   Dirent

	rules      bool // there is a file of rules
	repository bool // there is a .git
}

// read reads the directory. What was read before an error is in the listing.
func (l *listing) read(ctx context.Context, t *Tree, path string) error {
	if n := len(l.entries); n > 0 {
		l.after = &l.entries[n-1]
	}
	l.entries, l.total, l.held, l.more = nil, 0, 0, false
	err := t.ReadDir(ctx, path, func(name string, kind fs.FileMode) error {
		return l.add(ctx, Dirent{name, kind})
	})
	keep := len(l.entries)
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
	if l.after != nil || l.more {
		e.Name = strings.Clone(e.Name) // those that were read together share their memory
	}
	l.entries = append(l.entries, e)
	l.held += len(e.Name) + direntBytes
	switch half := len(l.entries) / 2; {
	case l.held > l.room:
		return l.cut(ctx, half)
	case l.most > 0 && half >= max(l.most, 2048):
		return l.cut(ctx, l.most)
	}
	return nil
}

// cut sorts the entries and keeps the first ones.
func (l *listing) cut(ctx context.Context, keep int) error {
	if err := sortEntries(ctx, l.entries, l.compare); err != nil || keep == len(l.entries) {
		return err
	}
	first := !l.more && l.after == nil
	l.entries = slices.Clone(l.entries[:keep])
	l.held, l.more, l.bound = 0, true, l.entries[keep-1]
	for i := range l.entries {
		if first {
			l.entries[i].Name = strings.Clone(l.entries[i].Name)
		}
		l.held += len(l.entries[i].Name) + direntBytes
	}
	return nil
}

// fewEntries is the number that is sorted in a few milliseconds.
const fewEntries = 10_000

// sortEntries sorts, both halves at once, or ends with the error of ctx. From then on all
// entries are the same, and what is left to do is little.
func sortEntries(ctx context.Context, entries []Dirent, compare func(a, b Dirent) int) error {
	if len(entries) <= fewEntries {
		slices.SortFunc(entries, compare)
		return nil
	}
	sortPart := func(part []Dirent) {
		n, ended := 0, false
		slices.SortFunc(part, func(a, b Dirent) int {
			if n++; n%fewEntries == 0 {
				ended = ended || ctx.Err() != nil
			}
			if ended {
				return 0
			}
			return compare(a, b)
		})
	}
	left, right := slices.Clone(entries[:len(entries)/2]), entries[len(entries)/2:]
	var sorting sync.WaitGroup
	sorting.Go(func() { sortPart(left) })
	sortPart(right)
	sorting.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := 0; len(left) > 0; i++ { // what right has not given yet is never overwritten
		from := &left
		if len(right) > 0 && compare(right[0], left[0]) < 0 {
			from = &right
		}
		entries[i], *from = (*from)[0], (*from)[1:]
	}
	return nil
}

// ReadDir calls visit with the name and type bits of each entry of a directory, in no
// particular order, reading a part at a time. It ends with the first error: visit's, the
// directory's, or ctx's.
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
