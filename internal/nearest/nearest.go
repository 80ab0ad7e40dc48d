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
	most  int // the largest distance that is kept
	limit int
	names []candidate // the nearest first
	row   []int       // scratch space of distance

	file *Ranking // ranks the directories of files; nil for other names
	stem string   // base without its extension
}

type candidate struct {
	path     string
	distance int
	dir      int // the distance of the directory
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

// Files is New for files: the name is that of a missing file in dir, which is "" or ends in a slash. Names that differ
// only in the extension are near; a common ending such as _test.go counts little. Among equally near names, those in
// directories with similar paths come first.
func Files(dir, base string, most, limit int) *Ranking {
	r := New(base, most, limit)
	r.file, r.stem = New(dir, maxDir, 0), stem(r.base)
	return r
}

// maxDir is the distance of two directories from which more difference does not matter.
const maxDir = 64

func stem(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
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
	if r.file != nil {
		r.offerFile(dir, name, base)
		return
	}
	if d, ok := r.near(base); ok {
		r.add(candidate{dir + name, d, 0})
	}
}

// offerFile is Offer for a file; base is its name in lower case.
func (r *Ranking) offerFile(dir, name, base string) {
	d, ok := 1, r.most > 0 && (stem(base) == r.stem || swapped(base, r.base))
	if base == r.base || !ok {
		if d, ok = r.near(base); !ok || d > max(1, (len(r.base)-shared(r.base, base))/3) {
			return
		}
	}
	r.add(candidate{dir + name, d, min(r.file.distance(strings.ToLower(dir)), maxDir)})
}

// swapped reports whether the names differ only in two adjacent bytes that are exchanged.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) - 1 {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		}
	}
	return false
}

// shared returns the length of the common ending of two names, from a separator of words on.
func shared(a, b string) (n int) {
	for i := 1; i <= min(len(a), len(b)) && a[len(a)-i] == b[len(b)-i]; i++ {
		if strings.IndexByte("._-", a[len(a)-i]) >= 0 {
			n = i
		}
	}
	return n
}

// near returns the distance of a name, if it is near enough to be kept.
func (r *Ranking) near(base string) (distance int, ok bool) {
	// Each byte that only one of the names has is at least one difference.
	if set := signs(base); bits.OnesCount64(set&^r.signs) > r.most || bits.OnesCount64(r.signs&^set) > r.most {
		return 0, false
	}
	d := r.distance(base)
	return d, d <= r.most
}

func (r *Ranking) add(c candidate) {
	r.names = append(r.names, c)
	slices.SortFunc(r.names, func(a, b candidate) int {
		depth := strings.Count(a.path, "/") - strings.Count(b.path, "/")
		return cmp.Or(a.distance-b.distance, a.dir-b.dir, depth, strings.Compare(a.path, b.path))
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

// typo is the largest distance at which a directory counts as misspelled.
const typo = 2

// Better returns the kept paths that are nearer than the best of another ranking, the nearest first. If that has none,
// it returns all of them, except those elsewhere if the directory was misspelled as well.
func (r *Ranking) Better(other *Ranking) []string {
	var kept []candidate
	for _, c := range r.names {
		if (len(other.names) == 0 || c.distance < other.names[0].distance) &&
			(len(kept) == 0 || kept[0].dir > typo || kept[0].distance > 1 || c.dir <= typo) {
			kept = append(kept, c)
		}
	}
	return (&Ranking{names: kept}).Names()
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
