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
)

const (
	// context is the number of equal lines that are shown around a change.
	context = 3
	// maxSteps is the number of changed lines after which the search keeps what it has found and begins anew after it.
	// Its memory grows with the square of that.
	maxSteps = 256
	// MaxLines is the number of lines of either text, from the first to the last that differ, up to which they are
	// compared. Larger differences are [Diff.Large].
	MaxLines = 200_000
	// maxWork is the number of comparisons after which the rest counts as replaced. BenchmarkNew measures their time.
	maxWork = 5_000_000
)

// Change is a run of lines that was replaced by another. Lines are counted from 1.
type Change struct {
	Old, Removed int // the first line in the old text, and the number of lines removed
	New, Added   int // the first line in the new text, and the number of lines added
}

// Diff is the difference between two texts. Its Changes are in order and not adjacent.
type Diff struct {
	Changes        []Change
	Removed, Added int  // lines in all
	Large          bool // it spans over MaxLines lines, so they are one Change and are not printed

	old, new lines
	from     int // the offset of both in the whole texts
}

// lines is the part of a text from the first to the last line that differs, with the context around it.
type lines struct {
	text  []byte
	begin []int // the offset of each line in text, and of the end
	first int   // the number of the first line
}

func (l lines) len() int { return len(l.begin) - 1 }

// line returns the line of that number, with its newline.
func (l lines) line(number int) []byte {
	i := number - l.first
	return l.text[l.begin[i]:l.begin[i+1]]
}

// New compares two texts. The result keeps them.
func New(before, after []byte) *Diff {
	start, end := common(before, after)
	from, first := back(before, start), 1
	first += bytes.Count(before[:from], newline)
	upto := forward(before[len(before)-end:])
	d := &Diff{from: from}
	a, b := before[from:len(before)-end+upto], after[from:len(after)-end+upto]
	if bytes.Count(a, newline) > MaxLines || bytes.Count(b, newline) > MaxLines {
		line := bytes.Count(before[:start], newline) + 1
		d.Large = true
		d.Changes = []Change{{line, count(before[start : len(before)-end]), line, count(after[start : len(after)-end])}}
	} else {
		d.old, d.new = split(a, first), split(b, first)
		d.compare(bytes.Count(before[from:start], newline), count(a[len(a)-upto:]))
	}
	for _, c := range d.Changes {
		d.Removed += c.Removed
		d.Added += c.Added
	}
	return d
}

var newline = []byte{'\n'}

// count returns the number of lines of a text.
func count(text []byte) int {
	n := bytes.Count(text, newline)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// common returns the lengths of the whole lines that two texts have in common at their beginning and at their end.
func common(a, b []byte) (start, end int) {
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
	// The common end must begin after a newline in both texts.
	tail := a[len(a)-end:]
	if end == n || a[len(a)-1-end] != '\n' || b[len(b)-1-end] != '\n' {
		i := bytes.IndexByte(tail, '\n')
		if i < 0 {
			return start, 0
		}
		end -= i + 1
	}
	return start, end
}

// back returns where the lines of context before a position begin.
func back(text []byte, at int) int {
	for range context {
		if at > 0 {
			at = bytes.LastIndexByte(text[:at-1], '\n') + 1
		}
	}
	return at
}

// forward returns where the lines of context at the beginning of a text end.
func forward(text []byte) (at int) {
	for range context {
		at = lineEnd(text, at)
	}
	return at
}

// lineEnd returns where the line at a position ends, with its newline.
func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

func split(text []byte, first int) lines {
	begin := make([]int, 1, bytes.Count(text, newline)+2)
	for at := 0; at < len(text); {
		at = lineEnd(text, at)
		begin = append(begin, at)
	}
	return lines{text, begin, first}
}

// compare finds the changes between the context at the beginning and that at the end, of so many lines. Were the
// context compared as well, a change could move into it, and a hunk would seem to reach the end of the text.
func (d *Diff) compare(lead, trail int) {
	seed := maphash.MakeSeed()
	sumsA, sumsB := d.old.sums(seed), d.new.sums(seed)
	Compare(sumsA[lead:len(sumsA)-trail], sumsB[lead:len(sumsB)-trail], func(x, y, ax, by int) {
		d.replaced(lead+x, lead+y, lead+ax, lead+by)
	})
}

// Compare calls replaced for the parts [x, ax) of a that the parts [y, by) of b replace, in order. The
// numbers stand for lines, or for whatever is compared.
func Compare(a, b []uint64, replaced func(x, y, ax, by int)) {
	// Lines that only one text has need not be searched.
	inA, inB := alsoIn(a, b), alsoIn(b, a)
	s := search{a: pick(a, inA), b: pick(b, inB), left: maxWork}
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

// alsoIn returns the indexes of the lines that another text has, too.
func alsoIn(sums, other []uint64) (at []int) {
	has := make(map[uint64]bool, len(other))
	for _, sum := range other {
		has[sum] = true
	}
	for i, sum := range sums {
		if has[sum] {
			at = append(at, i)
		}
	}
	return at
}

func pick(sums []uint64, at []int) []uint64 {
	picked := make([]uint64, len(at))
	for i, at := range at {
		picked[i] = sums[at]
	}
	return picked
}

// replaced records that the lines [x, ax) of the old text were replaced by the lines [y, by) of the new one.
func (d *Diff) replaced(x, y, ax, by int) {
	c := Change{Old: d.old.first + x, Removed: ax - x, New: d.new.first + y, Added: by - y}
	if n := len(d.Changes); n > 0 {
		last := &d.Changes[n-1]
		if last.Old+last.Removed == c.Old && last.New+last.Added == c.New {
			last.Removed += c.Removed
			last.Added += c.Added
			return
		}
	}
	d.Changes = append(d.Changes, c)
}

func (l lines) sums(seed maphash.Seed) []uint64 {
	sums := make([]uint64, l.len())
	for i := range sums {
		sums[i] = maphash.Bytes(seed, l.text[l.begin[i]:l.begin[i+1]])
	}
	return sums
}

// Print calls line for each line of the unified diff. A Large diff has no lines.
func (d *Diff) Print(line func(sign string, text []byte)) {
	for h := range d.Hunks() {
		h.Print(line)
	}
}

// Hunk is a part of a unified diff: changes that are close to each other, and the context around them.
type Hunk struct {
	diff    *Diff
	changes []Change
}

// Hunks returns the hunks of the unified diff, in order. A Large diff has none.
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
			if !yield(Hunk{d, rest[:n]}) {
				return
			}
			rest = rest[n:]
		}
	}
}

// lead returns the number of lines of context before the first change.
func (h Hunk) lead() int { return min(context, h.changes[0].Old-h.diff.old.first) }

// Line returns the number of its first line in the new text.
func (h Hunk) Line() int { return h.changes[0].New - h.lead() }

// LastLine returns the number of its last line in the new text, or of the line before it if it has none there.
func (h Hunk) LastLine() int {
	last := h.changes[len(h.changes)-1]
	return last.New + last.Added + h.trail() - 1
}

// trail returns the number of lines of context after the last change.
func (h Hunk) trail() int {
	last, old := h.changes[len(h.changes)-1], h.diff.old
	return min(context, old.first+old.len()-last.Old-last.Removed)
}

// Print calls line for each line of the hunk, with its newline. The sign is "@@" for the header, " ", "-" or "+" for a
// line of a text, or `\` for the note that a last line has no newline.
func (h Hunk) Print(line func(sign string, text []byte)) {
	d, last := h.diff, h.changes[len(h.changes)-1]
	at, end := h.changes[0].Old-h.lead(), last.Old+last.Removed+h.trail()
	line("@@", fmt.Appendf(nil, " -%s +%s @@\n", span(at, end), span(h.Line(), h.LastLine()+1)))
	put := func(sign string, of lines, from, upto int) {
		for ; from < upto; from++ {
			text := of.line(from)
			line(sign, text)
			if !bytes.HasSuffix(text, newline) {
				line(`\`, []byte(" No newline at end of file\n"))
			}
		}
	}
	for _, c := range h.changes {
		put(" ", d.old, at, c.Old)
		put("-", d.old, c.Old, c.Old+c.Removed)
		put("+", d.new, c.New, c.New+c.Added)
		at = c.Old + c.Removed
	}
	put(" ", d.old, at, end)
}

// span returns a run of lines as in the header of a hunk.
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
