// Package diff compares two texts line by line, and prints the difference as a unified diff.
//
// The difference is short, but not always the shortest: time and memory are proportional to the length of the texts,
// however different they are.
package diff

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
)

const (
	context = 3
	// maxSteps is after how many changed lines the search keeps its result so far and starts again after it. Its
	// memory grows with the square of that.
	maxSteps = 256
	// MaxLines bounds the lines of either text, from the first to the last that differ, that are compared. Larger
	// differences are [Diff.Large].
	MaxLines = 200_000
	// maxWork is after how many comparisons the rest counts as replaced. BenchmarkNew measures their time.
	maxWork = 5_000_000
)

// Change is a run of lines that was replaced. Lines are counted from 1.
type Change struct {
	Old, Removed int // the first line in the old text, and the number of lines removed
	New, Added   int // the first line in the new text, and the number of lines added
}

// Diff is the difference between two texts. Its Changes are in order and not adjacent.
type Diff struct {
	Changes        []Change
	Removed, Added int  // lines in all
	Large          bool // it spans more than MaxLines lines, so they are one Change and are not printed

	old, new lines
}

// lines are the lines of a text from the first to the last that differs, with context.
type lines struct {
	text  [][]byte // each with its newline
	first int      // the number of the first
}

// New compares two texts. The result keeps them.
func New(before, after []byte) *Diff {
	start, end := Common(before, after)
	from := start
	for range context {
		if from > 0 {
			from = bytes.LastIndexByte(before[:from-1], '\n') + 1
		}
	}
	upto := 0
	for range context {
		_, behind, _ := bytes.Cut(before[len(before)-end+upto:], newline)
		upto = end - len(behind)
	}
	d := &Diff{}
	a, b := before[from:len(before)-end+upto], after[from:len(after)-end+upto]
	first := bytes.Count(before[:from], newline) + 1
	lead := bytes.Count(before[from:start], newline)
	linesA, linesB := Lines(a), Lines(b)
	if max(linesA, linesB) > MaxLines {
		d.Large = true
		c := Change{first + lead, Lines(before[start : len(before)-end]), first + lead, Lines(after[start : len(after)-end])}
		d.Changes, d.Removed, d.Added = []Change{c}, c.Removed, c.Added
		return d
	}
	d.old = lines{slices.AppendSeq(make([][]byte, 0, linesA), bytes.Lines(a)), first}
	d.new = lines{slices.AppendSeq(make([][]byte, 0, linesB), bytes.Lines(b)), first}
	// If the context were compared as well, a change could move into it, and a hunk would seem to reach the end of the
	// text.
	trail, seed := Lines(a[len(a)-upto:]), maphash.MakeSeed()
	sums := func(of [][]byte) []uint64 {
		of = of[lead : len(of)-trail]
		sums := make([]uint64, len(of))
		for i, line := range of {
			sums[i] = maphash.Bytes(seed, line)
		}
		return sums
	}
	first += lead
	Compare(sums(d.old.text), sums(d.new.text), func(x, y, ax, by int) {
		d.Changes = append(d.Changes, Change{Old: first + x, Removed: ax - x, New: first + y, Added: by - y})
		d.Removed += ax - x
		d.Added += by - y
	})
	return d
}

var newline = []byte{'\n'}

func Lines(text []byte) int {
	return bytes.Count(bytes.TrimSuffix(text, newline), newline) + min(len(text), 1)
}

// Common returns the lengths of the common whole lines at the beginning and at the end of two texts.
func Common(a, b []byte) (start, end int) {
	n := min(len(a), len(b))
	for start < n && a[start] == b[start] {
		start++
	}
	if start == len(a) && start == len(b) {
		return start, 0
	}
	start = bytes.LastIndexByte(a[:start], '\n') + 1
	n -= start
	for end < n && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	// The common end must begin with a line in both texts.
	begins := func(text []byte) bool { i := len(text) - end; return i == start || text[i-1] == '\n' }
	if !begins(a) || !begins(b) {
		_, whole, _ := bytes.Cut(a[len(a)-end:], newline)
		end = len(whole)
	}
	return start, end
}

// Compare calls replaced for the parts [x, ax) of a that the parts [y, by) of b replace, in order. The numbers stand
// for lines, or for whatever is compared.
func Compare(a, b []uint64, replaced func(x, y, ax, by int)) {
	// Lines that only one text has need not be searched.
	s := search{left: maxWork}
	var inA, inB []int
	s.a, inA = alsoIn(a, b)
	s.b, inB = alsoIn(b, a)
	x, y := 0, 0 // the lines before these have been compared
	put := func(ax, by int) {
		if x < ax || y < by {
			replaced(x, y, ax, by)
		}
	}
	for u, v := 0, 0; (u < len(s.a) || v < len(s.b)) && s.left > 0; {
		for _, p := range s.from(u, v) {
			for i := range p.equal {
				ax, by := inA[p.x+i], inB[p.y+i]
				put(ax, by)
				x, y = ax+1, by+1
			}
			u, v = p.x+p.equal, p.y+p.equal
		}
	}
	put(len(a), len(b))
}

// alsoIn returns the lines that another text has too, and their indexes.
func alsoIn(sums, other []uint64) (both []uint64, at []int) {
	both, at = make([]uint64, 0, len(sums)), make([]int, 0, len(sums))
	has := make(map[uint64]bool, len(other))
	for _, sum := range other {
		has[sum] = true
	}
	for i, sum := range sums {
		if has[sum] {
			both, at = append(both, sum), append(at, i)
		}
	}
	return both, at
}

// Print calls line for each line of the unified diff. A Large diff has no lines.
func (d *Diff) Print(line func(sign string, text []byte)) {
	for h := range d.Hunks() {
		h.Print(line)
	}
}

// Hunk is part of a unified diff: changes close to each other, with context around them.
type Hunk struct {
	Line     int // the number of its first line in the new text
	LastLine int // the number of its last line there or, if it has none, of the line before

	diff     *Diff
	changes  []Change
	at, upto int // its lines in the old text
}

func (d *Diff) Hunks() iter.Seq[Hunk] {
	return func(yield func(Hunk) bool) {
		if d.Large {
			return
		}
		for rest := d.Changes; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n].Old-(rest[n-1].Old+rest[n-1].Removed) <= 2*context {
				n++
			}
			first, last := rest[0], rest[n-1]
			behind := last.Old + last.Removed
			lead := min(context, first.Old-d.old.first)
			trail := min(context, d.old.first+len(d.old.text)-behind)
			h := Hunk{Line: first.New - lead, LastLine: last.New + last.Added + trail - 1,
				diff: d, changes: rest[:n], at: first.Old - lead, upto: behind + trail}
			if !yield(h) {
				return
			}
			rest = rest[n:]
		}
	}
}

// Print calls line for each line of the hunk, with its newline. The sign is "@@" for the header, " ", "-" or "+" for a
// line of a text, or `\` for the note that a last line has no newline.
func (h Hunk) Print(line func(sign string, text []byte)) {
	line("@@", fmt.Appendf(nil, " -%s +%s @@\n", span(h.at, h.upto), span(h.Line, h.LastLine+1)))
	put := func(sign string, of lines, from, upto int) {
		for _, text := range of.text[from-of.first : upto-of.first] {
			line(sign, text)
			if !bytes.HasSuffix(text, newline) {
				line(`\`, []byte(" No newline at end of file\n"))
			}
		}
	}
	d, at := h.diff, h.at
	for _, c := range h.changes {
		put(" ", d.old, at, c.Old)
		put("-", d.old, c.Old, c.Old+c.Removed)
		put("+", d.new, c.New, c.New+c.Added)
		at = c.Old + c.Removed
	}
	put(" ", d.old, at, h.upto)
}

// span formats a run of lines for the header of a hunk.
func span(from, upto int) string {
	switch n := upto - from; n {
	case 0:
		return fmt.Sprintf("%d,0", from-1)
	case 1:
		return fmt.Sprint(from)
	default:
		return fmt.Sprintf("%d,%d", from, n)
	}
}
