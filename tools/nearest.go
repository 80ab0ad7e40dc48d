package tools

import (
	"cmp"
	"context"
	"io/fs"
	"math/bits"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/walk"
)

const (
	// mostNearest is the number of paths that are suggested for a missing one.
	mostNearest = 3
	// nearestNames is the number of names that are looked at, which takes about 35 ms.
	nearestNames = 50_000
	// nearestTime bounds the search for them where the file system is slow.
	nearestTime = 250 * time.Millisecond
)

// nearest suggests existing paths for a missing one: those that end in it, as
// src/net/http for net/http; then those whose names are like its own, beside it, and then
// anywhere in the workspace. It looks at so many names, and the rest of a batch, and no
// longer than the context.
func (s *Suite) nearest(ctx context.Context, missing string, most int) []string {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	count := func() {
		if most--; most == 0 {
			stop()
		}
	}
	dir, base := path.Split(missing)
	// No more than half of a short name may differ, or anything is like it.
	beside := newRanking(base, min(max(2, len(base)/3), len(base)/2), mostNearest)
	s.inTree(path.Clean(dir+"."), func(tree *walk.Tree, _ string) {
		tree.ReadDir(ctx, ".", func(name string, _ fs.FileMode) error {
			count()
			if name != base { // a link to nothing
				beside.offer(dir, name)
			}
			return nil
		})
	})
	below, anywhere := newRanking(base, 0, mostNearest), newRanking(base, max(1, len(base)/3), mostNearest)
	s.inTree(".", func(tree *walk.Tree, abs string) {
		tree.Walk(ctx, abs, walk.Options{}, func(e walk.Entry) error {
			count()
			switch {
			case e.Name == base && strings.HasSuffix("/"+e.Dir, "/"+dir) && e.Dir != dir:
				below.offer(e.Dir, e.Name)
			case e.Dir != dir && len(base) > 1:
				anywhere.offer(e.Dir, e.Name)
			}
			return nil
		})
	})
	var shown []string
	for _, c := range slices.Concat(below.names, beside.names, anywhere.names) {
		if len(shown) < mostNearest {
			shown = append(shown, show(c.path))
		}
	}
	return shown
}

// inTree looks into a directory, if it can be opened.
func (s *Suite) inTree(name string, look func(tree *walk.Tree, abs string)) {
	dir, err := s.ws.Resolve(name)
	if err != nil {
		return
	}
	if tree, err := openTree(dir); err == nil {
		defer tree.Close()
		look(tree, dir.Abs)
	}
}

// ranking keeps the paths whose last names are nearest to a name.
type ranking struct {
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

func newRanking(base string, most, limit int) *ranking {
	base = strings.ToLower(base)
	return &ranking{base: base, signs: signs(base), most: most, limit: limit}
}

// signs is the set of the characters of a name, 64 classes of them.
func signs(name string) (set uint64) {
	for i := range len(name) {
		set |= 1 << (name[i] % 64)
	}
	return set
}

// offer adds a path, of which dir ends in a slash, if it is among the nearest so
// far.
func (r *ranking) offer(dir, name string) {
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

// distance is the number of bytes to insert, delete or replace that make b of
// the name (Levenshtein's), or something over most if it is more than that.
func (r *ranking) distance(b string) int {
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
