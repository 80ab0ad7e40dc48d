package tools

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/workspace"
)

// resolve finds what a path means. "" is the workspace.
func (s *Suite) resolve(name string) (workspace.Path, error) {
	if name == "" {
		name = "."
	}
	p, err := s.ws.Resolve(name)
	if err == nil {
		return p, nil
	}
	e := failure(err, name)
	if e.Code == NotFound {
		if near := s.nearest(p.Name); len(near) > 0 {
			e.Message = show(name) + " does not exist. Did you mean " + strings.Join(near, " or ") + "?"
		}
	}
	return p, e
}

// mostNames bounds how many names of a directory are compared with a missing
// one.
const mostNames = 20_000

// nearest suggests up to three existing paths beside a missing one, whose names
// are alike.
func (s *Suite) nearest(missing string) []string {
	parent, err := s.ws.Resolve(path.Dir(missing))
	if err != nil {
		return nil
	}
	dir, err := parent.OpenDir()
	if err != nil {
		return nil
	}
	defer dir.Close()
	f, err := dir.Open(".")
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, err := f.ReadDir(mostNames)
	if err != nil && len(entries) == 0 {
		return nil
	}
	return alike(path.Base(missing), path.Dir(missing), entries)
}

func alike(base, dir string, entries []fs.DirEntry) []string {
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	for _, e := range entries {
		most := max(2, len(base)/3)
		if d := distance(strings.ToLower(base), strings.ToLower(e.Name()), most); d <= most {
			near = append(near, candidate{e.Name(), d})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.name, b.name)
	})
	var names []string
	for _, c := range near[:min(len(near), 3)] {
		names = append(names, show(path.Join(dir, c.name)))
	}
	return names
}

// distance is the number of bytes to insert, delete or replace that make b of a
// (Levenshtein's), or something over most if it is more than that.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	row := make([]int, len(b)+1)
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
