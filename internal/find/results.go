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

// results puts what a search finds into its list, in one order or another.
type results interface {
	// add takes a result in a tree. The error is fs.SkipAll if no other one matters.
	add(in *tree.Tree, e walk.Entry) error
	// none reports whether there is none yet.
	none() bool
	// end completes the list.
	end() tally
}

// tally is how far a search has come.
type tally struct {
	seen  int  // results found, those before the offset included
	more  bool // there is a result behind the limit
	ended bool // the search was, as the list is full
}

func (t *tally) none() bool { return t.seen == 0 }

// inOrder are results in the order in which they are found.
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
	// The first one is shown even if it does not fit. Then the next tells whether there is more.
	if r.list.Full() || !r.list.Add(in.Entry(e)) && r.seen > r.offset+1 {
		r.ended = true
		return fs.SkipAll
	}
	return nil
}

func (r *inOrder) end() tally { return r.tally }

// maxByTime is the number of results that are held to sort them by time. Nobody looks for older ones.
const maxByTime = 10_000

// byTime are results of which those that were changed last come first.
type byTime struct {
	tally
	list   *listing.List[tree.Entry]
	offset int
	most   int // of them, those before the offset included
	newest []changed
}

// changed is a result with the time of its last change.
type changed struct {
	tree.Entry
	when time.Time
}

// compare orders results by the time of their change, the last first, and those of one time by their paths.
func (a changed) compare(b changed) int {
	if c := b.when.Compare(a.when); c != 0 {
		return c
	}
	return strings.Compare(a.Path, b.Path)
}

func (r *byTime) add(in *tree.Tree, e walk.Entry) error {
	info, err := in.Lstat(e.Path())
	if err != nil {
		return nil // gone since
	}
	r.seen++
	// Twice as many as are asked for are held, or a few thousand.
	r.newest = append(r.newest, changed{in.Entry(e), info.ModTime()})
	if len(r.newest) >= 2*max(r.most, 2048) {
		r.sort()
	}
	return nil
}

// sort sorts the results, and keeps those that are asked for.
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
