// Package nearest finds the names that are most like one that does not exist.
package nearest

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// Ranking keeps the paths whose last names are nearest to a name.
type Ranking struct {
	base  string
	signs uint64
	most  int // the distance over which a name is not alike
	limit int
	names []candidate // the nearest first
	row   []int       // of distance
}

type candidate struct {
	path     string
	distance int
}

// Among returns the words of a list that are most like a word, the nearest first: those of
// which no more than most bytes differ, and at most limit.
func Among(list []string, word string, most, limit int) []string {
	r := New(word, most, limit)
	for _, name := range list {
		r.Offer("", name)
	}
	return r.Names()
}

// New returns a ranking of at most limit paths, in whose names no more than most bytes
// differ from a name.
func New(base string, most, limit int) *Ranking {
	base = strings.ToLower(base)
	return &Ranking{base: base, signs: signs(base), most: most, limit: limit}
}

// signs returns the set of the characters of a name, 64 classes of them.
func signs(name string) (set uint64) {
	for i := range len(name) {
		set |= 1 << (name[i] % 64)
	}
	return set
}

// Offer adds a path, of which dir ends in a slash, if it is among the nearest so
// far.
func (r *Ranking) Offer(dir, name string) {
	base := strings.ToLower(name)
	// Each sign that only one of two names has takes a change.
	if set := signs(base); bits.OnesCount64(set&^r.signs) > r.most || bits.OnesCount64(r.signs&^set) > r.most {
		return
	}
	d := r.distance(base)
	if d > r.most {
		return
	}
	r.names = append(r.names, candidate{dir + name, d})
	slices.SortFunc(r.names, func(a, b candidate) int {
		return cmp.Or(a.distance-b.distance, strings.Count(a.path, "/")-strings.Count(b.path, "/"), strings.Compare(a.path, b.path))
	})
	if len(r.names) > r.limit {
		r.names = r.names[:r.limit]
	}
	if len(r.names) == r.limit {
		r.most = r.names[r.limit-1].distance
	}
}

// Names returns the paths that were kept, the nearest first.
func (r *Ranking) Names() (paths []string) {
	for _, c := range r.names {
		paths = append(paths, c.path)
	}
	return paths
}

// distance returns the number of bytes to insert, delete or replace that make b of
// the name (Levenshtein's), or something over most if it is more than that.
func (r *Ranking) distance(b string) int {
	a := r.base
	if len(a)-len(b) > r.most || len(b)-len(a) > r.most {
		return r.most + 1
	}
	row := slices.Grow(r.row[:0], len(b)+1)[:len(b)+1]
	r.row = row
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal, best := row[0], i+1
		row[0] = i + 1
		for j := range len(b) {
			cell := diagonal
			if a[i] != b[j] {
				cell++
			}
			diagonal = row[j+1]
			row[j+1] = min(cell, diagonal+1, row[j]+1)
			best = min(best, row[j+1])
		}
		if best > r.most {
			return best
		}
	}
	return row[len(b)]
}
