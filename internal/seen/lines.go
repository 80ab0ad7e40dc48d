package seen

import (
	"cmp"
	"slices"

	"github.com/spillway-go/spillway/internal/diff"
)

// maxRuns bounds the runs of lines that are remembered of a file. With more, the first ones are forgotten.
const maxRuns = 64

// Lines says which lines of a content were shown. The zero value has none, of an unknown number.
type Lines struct {
	total int
	runs  []run // in order, not adjacent
}

// run is the lines from start up to but not including end, counted from 1.
type run struct{ start, end int }

func AllLines(total int) Lines { return SomeLines(1, total, total) }

// SomeLines returns the n lines from first, counted from 1, of a content with total lines.
func SomeLines(first, n, total int) Lines {
	if n <= 0 {
		return Lines{total, []run{}}
	}
	return Lines{total, []run{{first, first + n}}}
}

func (l Lines) All() bool {
	return l.total == 0 && l.runs != nil || len(l.runs) == 1 && l.runs[0] == run{1, l.total + 1}
}

func (l *Lines) add(r run) {
	runs := []run{}
	for _, other := range l.runs {
		if other.end < r.start || r.end < other.start {
			runs = append(runs, other)
		} else {
			r = run{min(r.start, other.start), max(r.end, other.end)}
		}
	}
	if r.start < r.end {
		runs = append(runs, r)
	}
	slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(a.start, b.start) })
	l.runs = runs[max(0, len(runs)-maxRuns):]
}

// and returns these lines and those of the same content that were shown before.
func (l Lines) and(before Lines) Lines {
	if l.runs == nil {
		return before
	}
	if before.total == l.total {
		for _, r := range before.runs {
			l.add(r)
		}
	}
	return l
}

// Changed returns the lines of the content after d that count as shown: those of l that still exist, and those that d
// added.
func (l Lines) Changed(d *diff.Diff) Lines {
	if l.runs == nil {
		return l
	}
	runs := []run{}
	put := func(r run) { // in order
		if n := len(runs); n > 0 && runs[n-1].end == r.start {
			runs[n-1].end = r.end
		} else if r.start < r.end {
			runs = append(runs, r)
		}
	}
	from, to := 1, 1 // where the unchanged lines begin, before and after
	for _, c := range append(slices.Clip(d.Changes), diff.Change{Old: l.total + 1}) {
		for _, r := range l.runs {
			if stays := (run{max(r.start, from), min(r.end, c.Old)}); stays.start < stays.end {
				put(run{stays.start + to - from, stays.end + to - from})
			}
		}
		put(run{c.New, c.New + c.Added})
		from, to = c.Old+c.Removed, c.New+c.Added
	}
	return Lines{l.total + d.Added - d.Removed, slices.Clone(runs[max(0, len(runs)-maxRuns):])}
}
