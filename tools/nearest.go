package tools

import (
	"context"
	"math/bits"
	"os"
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
	// nearestBatch is the number of names of a directory that are read at a time.
	nearestBatch = 1024
)

// nearest suggests existing paths whose names are like that of a missing one:
// those beside it, and then those anywhere in the workspace. It looks at so many
// names, and the rest of a batch.
func (s *Suite) nearest(ctx context.Context, missing string, most int) []string {
	ctx, stop := context.WithTimeout(ctx, nearestTime)
	defer stop()
	count := func() {
		if most--; most == 0 {
			stop()
		}
	}
	dir, base := path.Split(missing)
	// No more than half of a short name may differ, or anything is like it.
	beside := newRanking(base, min(max(2, len(base)/3), len(base)/2), mostNearest)
	if parent, err := s.ws.Resolve(path.Clean(dir + ".")); err == nil {
		if root, err := parent.OpenDir(); err == nil {
			names(ctx, root, func(name string) {
				count()
				if name != base { // a link to nothing
					beside.offer(dir, name)
				}
			})
			root.Close()
		}
	}
	found := beside.names
	if n := mostNearest - len(found); n > 0 && len(base) > 1 {
		anywhere := newRanking(base, max(1, len(base)/3), n)
		s.everywhere(ctx, func(in, name string) {
			count()
			if in != dir {
				anywhere.offer(in, name)
			}
		})
		found = append(found, anywhere.names...)
	}
	var shown []string
	for _, c := range found {
		shown = append(shown, show(c.path))
	}
	return shown
}

// everywhere visits the paths of the workspace that git does not ignore. It
// follows no links.
func (s *Suite) everywhere(ctx context.Context, visit func(dir, name string)) {
	top, err := s.ws.Resolve(".")
	if err != nil {
		return
	}
	root, err := top.OpenDir()
	if err != nil {
		return
	}
	defer root.Close()
	tree := walk.Open(root)
	defer tree.Close()
	tree.Walk(ctx, top.Abs, walk.Options{}, func(e walk.Entry) error {
		visit(e.Dir, e.Name)
		return nil
	})
}

// names visits the names in a directory.
func names(ctx context.Context, dir *os.Root, visit func(string)) {
	f, err := dir.Open(".")
	if err != nil {
		return
	}
	defer f.Close()
	for err == nil && ctx.Err() == nil {
		var list []string
		list, err = f.Readdirnames(nearestBatch) // ReadDir looks at each of them
		for _, name := range list {
			visit(name)
		}
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
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		if n := strings.Count(a.path, "/") - strings.Count(b.path, "/"); n != 0 {
			return n
		}
		return strings.Compare(a.path, b.path)
	})
	if len(r.names) > r.limit {
		r.names = r.names[:r.limit]
	}
	if len(r.names) == r.limit {
		r.most = r.names[r.limit-1].distance
	}
}

// distance is the number of bytes to insert, delete or replace that make b of
// the name (Levenshtein's), or something over most if it is more than that. Only
// the cells of the table are filled in that can be within most.
func (r *ranking) distance(b string) int {
	a, most := r.base, r.most
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	row := slices.Grow(r.row[:0], len(b)+1)[:len(b)+1]
	r.row = row
	for j := range row {
		row[j] = min(j, most+1)
	}
	for i := range len(a) {
		from, to := max(0, i-most), min(len(b), i+most+1)
		diagonal, best := row[from], most+1
		left := most + 1
		if from == 0 {
			left = i + 1
		}
		if row[from] = left; left <= most {
			best = left
		}
		for j := from; j < to; j++ {
			cell := diagonal
			if a[i] != b[j] {
				cell++
			}
			diagonal = row[j+1]
			if j < i+most { // the cell above is in its own row's band
				cell = min(cell, diagonal+1)
			}
			cell = min(cell, row[j]+1)
			row[j+1] = cell
			best = min(best, cell)
		}
		if best > most {
			return best
		}
	}
	return row[len(b)]
}
