package tools

import (
	"io/fs"
	"math/bits"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

const (
	// mostNearest is the number of paths that are suggested for a missing one.
	mostNearest = 3
	// nearestTime bounds the search for them. 100,000 files take about as long.
	nearestTime = 35 * time.Millisecond
	// nearestBatch is the number of names that are compared between two looks at
	// the clock.
	nearestBatch = 1024
)

// nearest suggests existing paths whose names are like that of a missing one:
// those beside it, and then those anywhere in the workspace.
func (s *Suite) nearest(missing string) []string {
	deadline := time.Now().Add(nearestTime)
	dir, base := path.Split(missing)
	beside := newRanking(base, max(2, len(base)/3), mostNearest)
	if parent, err := s.ws.Resolve(path.Clean(dir + ".")); err == nil {
		if root, err := parent.OpenDir(); err == nil {
			list(root, ".", deadline, func(e fs.DirEntry) { beside.offer(path.Join(dir, e.Name())) })
			root.Close()
		}
	}
	names := beside.names
	if n := mostNearest - len(names); n > 0 && len(base) > 1 {
		anywhere := newRanking(base, max(1, len(base)/3), n)
		s.everywhere(deadline, func(p string) {
			if path.Dir(p) != path.Clean(dir+".") {
				anywhere.offer(p)
			}
		})
		names = append(names, anywhere.names...)
	}
	var shown []string
	for _, c := range names {
		shown = append(shown, show(c.path))
	}
	return shown
}

// everywhere visits the paths of the workspace, those near its top first. It
// follows no links.
func (s *Suite) everywhere(deadline time.Time, visit func(string)) {
	top, err := s.ws.Resolve(".")
	if err != nil {
		return
	}
	root, err := top.OpenDir()
	if err != nil {
		return
	}
	defer root.Close()
	spilled := s.shownPath(s.spill.Path())
	for dirs := []string{"."}; len(dirs) > 0 && time.Now().Before(deadline); dirs = dirs[1:] {
		list(root, dirs[0], deadline, func(e fs.DirEntry) {
			name := path.Join(dirs[0], e.Name())
			if e.IsDir() && e.Name() != ".git" && name != spilled {
				dirs = append(dirs, name)
			}
			visit(name)
		})
	}
}

// list visits the entries of a directory until the deadline.
func list(root *os.Root, dir string, deadline time.Time, visit func(fs.DirEntry)) {
	f, err := root.Open(dir)
	if err != nil {
		return
	}
	defer f.Close()
	for err == nil {
		var entries []fs.DirEntry
		entries, err = f.ReadDir(nearestBatch)
		for _, e := range entries {
			visit(e)
		}
		if time.Now().After(deadline) {
			return
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

// offer adds a path if it is among the nearest so far.
func (r *ranking) offer(p string) {
	base := strings.ToLower(path.Base(p))
	// Each sign that only one of two names has takes a change.
	if set := signs(base); bits.OnesCount64(set&^r.signs) > r.most || bits.OnesCount64(r.signs&^set) > r.most {
		return
	}
	d := r.distance(base)
	if d > r.most {
		return
	}
	r.names = append(r.names, candidate{p, d})
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
// the name (Levenshtein's), or something over most if it is more than that.
func (r *ranking) distance(b string) int {
	a, most := r.base, r.most
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
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
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
			best = min(best, row[j+1])
		}
		if best > most {
			return best
		}
	}
	return row[len(b)]
}
