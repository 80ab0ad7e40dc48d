package shapes

import (
	"cmp"
	"slices"
)

// Order returns the indexes of Lines, the most important first. Among equals, the first and the last come before the
// others, because either may be the cause. After the first few of a family, such as the errors of one compiler, the
// others are less important than their sum.
func (r *Report) Order() []int {
	rank := make([]int, len(r.Lines))
	order := make([]int, len(r.Lines))
	for i, line := range r.Lines {
		rank[i], order[i] = line.Rank, i
	}
	byRank := func() { slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[b], rank[a]) }) }
	byRank()
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && rank[order[to]] == rank[order[from]] {
			to++
		}
		if line := r.Lines[order[from]]; to-from > 2*maxPlaces && line.Leader == line.Number {
			fromBothEnds(order[from:to])
		}
		from = to
	}
	leads := func(i int) bool { return r.Lines[i].Leader == r.Lines[i].Number && r.Lines[i].Rank >= rankReason }
	all, met := map[uint64]int{}, map[uint64]int{} // leaders of a family
	var allBy, metBy [256]int
	for _, i := range order {
		if leads(i) {
			all[r.Lines[i].family]++
			allBy[r.Lines[i].by]++
		}
	}
	less := map[int]int{} // ranks of leaders that are lower than their own
	for _, i := range order {
		line := &r.Lines[i]
		if !leads(i) {
			continue
		}
		met[line.family]++
		switch {
		case all[line.family] > maxFamily && met[line.family] > maxPlaces:
			less[line.Number] = rankMore
		case allBy[line.by] > 2*maxFamily && line.by < aVerdict:
			if metBy[line.by]++; metBy[line.by] > maxFamily/2 {
				less[line.Number] = rankRare
			}
		}
	}
	for i, line := range r.Lines {
		if most, is := less[line.Leader]; is {
			rank[i] = min(rank[i], most)
		}
	}
	byRank()
	return order
}

// fromBothEnds orders a list as first, last, second, second to last, and so on.
func fromBothEnds(list []int) {
	was := slices.Clone(list)
	for i := range list {
		if i%2 == 0 {
			list[i] = was[i/2]
		} else {
			list[i] = was[len(was)-1-i/2]
		}
	}
}
