package find

import (
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/listing"
	"github.com/spillway-go/spillway/internal/tree"
	"github.com/spillway-go/spillway/internal/walk"
)

// results lists what a search finds, in one order or another.
type results interface {
	// add adds a result in a tree. The error is fs.SkipAll if further ones do not matter.
	add(in *tree.Tree, e walk.Entry) error
	none() bool
	end() tally
}

// tally is how far a search has come.
type tally struct {
	seen  int  // results found, including those before the offset
	more  bool // there is a result behind the limit
	ended bool // the search ended early, because the list is full
}

func (t *tally) none() bool { return t.seen == 0 }

type inOrder struct {
	tally
	list          *listing.List[tree.Entry]
	offset, limit int
}

func (r *inOrder) add(in *tree.Tree, e walk.Entry) error {
	if r.seen == r.offset+r.limit {
		r.more, r.ended = true, true
		return fs.SkipAll
	}
	r.seen++
	if r.seen <= r.offset {
		return nil
	}
	// The first result is shown even if it does not fit. Then the next one tells whether there is more.
	if r.list.Full() || !r.list.Add(in.Entry(e)) && r.seen > r.offset+1 {
		r.ended = true
		return fs.SkipAll
	}
	return nil
}

func (r *inOrder) end() tally { return r.tally }

// maxByTime bounds the results that are held to sort them by time. Nobody looks for older ones.
const maxByTime = 10_000

// byTime lists results by the time of their last change, the latest first.
type byTime struct {
	tally
	list   *listing.List[tree.Entry]
	offset int
	most   int // how many to show, including those before the offset
	newest []changed
}

type changed struct {
	tree.Entry
	when time.Time
}

// compare orders results by time, the latest first, and then by path.
func (a changed) compare(b changed) int {
	if c := b.when.Compare(a.when); c != 0 {
		return c
	}
	return strings.Compare(a.Path, b.Path)
}

func (r *byTime) add(in *tree.Tree, e walk.Entry) error {
	info, err := in.Lstat(e.Path())
	if err != nil {
		return nil // removed since
	}
	r.seen++
	// Holds twice as many as requested, or a few thousand.
	r.newest = append(r.newest, changed{in.Entry(e), info.ModTime()})
	if len(r.newest) >= 2*max(r.most, 2048) {
		r.sort()
	}
	return nil
}

// sort sorts the results, and keeps the requested ones.
func (r *byTime) sort() {
	slices.SortFunc(r.newest, changed.compare)
	r.newest = r.newest[:min(len(r.newest), r.most)]
}

func (r *byTime) end() tally {
	r.sort()
	for _, c := range r.newest[min(r.offset, len(r.newest)):] {
		if !r.list.Add(c.Entry) {
			break
		}
	}
	return tally{seen: r.seen, more: r.seen > r.most}
}
