package diff

// search finds the common lines of two texts (Myers, An O(ND) Difference Algorithm and Its Variations, 1986).
type search struct {
	a, b []uint64 // a sum for each line
	left int      // comparisons that are left
}

// point is the end of a change, as an index of a and of b, and the number of equal lines after it.
type point struct{ x, y, equal int }

// from returns a path from (x0, y0) towards the end, with a point for each removed or added line. After maxSteps steps
// it is the path that has come farthest.
func (s *search) from(x0, y0 int) []point {
	p := paths{a: s.a[x0:], b: s.b[y0:]}
	for {
		d := len(p.rounds)
		row, best, bestAt := make([]int, 2*d+1), -1, 0
		for i := range row {
			x, _ := p.begin(d, i)
			row[i] = x
			if x < 0 {
				continue
			}
			y := x - (i - d)
			for x < len(p.a) && y < len(p.b) && p.a[x] == p.b[y] {
				x, y, s.left = x+1, y+1, s.left-1
			}
			row[i] = x
			if x+y > best {
				best, bestAt = x+y, i
			}
		}
		s.left -= len(row)
		p.rounds = append(p.rounds, row)
		if best == len(p.a)+len(p.b) || d == maxSteps || s.left <= 0 {
			return p.to(bestAt, x0, y0)
		}
	}
}

// paths are the farthest paths after each number of steps d: rounds[d][i] is how far the path on the diagonal x-y =
// i-d has come in a, or -1 if there is none.
type paths struct {
	a, b   []uint64
	rounds [][]int
}

// begin returns where step d of the path on diagonal i ends, before the equal lines, and the index of the diagonal that
// it comes from. x is -1 if there is no path.
func (p *paths) begin(d, i int) (x, from int) {
	if d == 0 {
		return 0, 0
	}
	before := p.rounds[d-1] // its diagonals begin one later
	x = -1
	take := func(index, step int) {
		if index < 0 || index >= len(before) || before[index] < 0 {
			return
		}
		to := before[index] + step
		if to > x && to <= len(p.a) && to-(i-d) <= len(p.b) {
			x, from = to, index
		}
	}
	take(i-2, 1) // a line of a is removed
	take(i, 0)   // a line of b is added
	return x, from
}

// to returns the path that ends on diagonal i.
func (p *paths) to(i, x0, y0 int) []point {
	path := make([]point, len(p.rounds))
	for d := len(p.rounds) - 1; d >= 0; d-- {
		x, from := p.begin(d, i)
		path[d] = point{x0 + x, y0 + x - (i - d), p.rounds[d][i] - x}
		i = from
	}
	return path
}
