// Package nearest finds the names that are most similar to one that does not exist.
package nearest

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// Ranking keeps the paths whose last elements are nearest to a name.
type Ranking struct {
	base  string
	signs uint64
	most  int // the largest distance of a name that is kept
	limit int
	names []candidate // the nearest first
	row   []int       // scratch space of distance
}

type candidate struct {
	path     string
	distance int
}

// Among returns at most limit words of a list that differ from a word in at most most bytes, the nearest first.
func Among(list []string, word string, most, limit int) []string {
	r := New(word, most, limit)
	for _, name := range list {
		r.Offer("", name)
	}
	return r.Names()
}

// New returns a ranking of at most limit paths whose last elements differ from a name in at most most bytes.
func New(base string, most, limit int) *Ranking {
	base = strings.ToLower(base)
	return &Ranking{base: base, signs: signs(base), most: most, limit: limit}
}

// signs returns the set of the bytes of a name, modulo 64.
func signs(name string) (set uint64) {
	for i := range len(name) {
		set |= 1 << (name[i] % 64)
	}
	return set
}

// Offer adds the path dir + name if it is among the nearest so far.
func (r *Ranking) Offer(dir, name string) {
	base := strings.ToLower(name)
	// Each sign that only one of the names has is at least one difference.
	if set := signs(base); bits.OnesCount64(set&^r.signs) > r.most || bits.OnesCount64(r.signs&^set) > r.most {
		return
	}
	d := r.distance(base)
	if d > r.most {
		return
	}
	r.names = append(r.names, candidate{dir + name, d})
	slices.SortFunc(r.names, func(a, b candidate) int {
		depth := strings.Count(a.path, "/") - strings.Count(b.path, "/")
		return cmp.Or(a.distance-b.distance, depth, strings.Compare(a.path, b.path))
	})
	if len(r.names) > r.limit {
		r.names = r.names[:r.limit]
	}
	if len(r.names) == r.limit {
		r.most = r.names[r.limit-1].distance
	}
}

// Names returns the kept paths, the nearest first.
func (r *Ranking) Names() (paths []string) {
	for _, c := range r.names {
		paths = append(paths, c.path)
	}
	return paths
}

// distance returns the Levenshtein distance of b to the name, in bytes, or any number over most if it is larger.
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
