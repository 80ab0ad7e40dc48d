package shapes

import (
	"bytes"
	"slices"
)

// Totals counts the lines of a text by what they say.
type Totals struct {
	Failing int // failures and sums of failures
	Summing int // of these, sums: an exit code, a number of failures
	Warning int // warnings
	Rare    int // neither, but unlike the others
	Cut     int // too long to be examined to the end
}

// Says reports what a line says by its words, or by those of similar lines.
func (r *Report) Says(line []byte) (failing, warning bool) {
	if failing, warning = Says(line); failing || len(line) == 0 {
		return failing, warning
	}
	s := r.table.of(line)
	twin := s != nil && s.twin
	return twin, warning && !twin
}

// of returns the shape of a line; nil if the table does not have it.
func (t *table) of(line []byte) *shape {
	var buffer [maxTokens]token
	i := t.find(sum(tokenize(Plain(line[:min(len(line), maxLine)]), &buffer)))
	if i < 0 {
		return nil
	}
	return &t.shapes[i]
}

// Says reports what a line says by its words.
func Says(line []byte) (failing, warning bool) {
	k := judgeWhole(line).kind
	return k >= sumsUp, k == warns
}

// SumsUp reports whether a line only sums up failures that other lines report.
func SumsUp(line []byte) bool { return judgeWhole(line).kind == sumsUp }

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Failures returns the number of lines that report failures. Sums count only if there are no others.
func (t *Totals) Failures() int {
	if t.OnlySums() {
		return t.Failing
	}
	return t.Failing - t.Summing
}

// OnlySums reports whether the only failures are sums.
func (t *Totals) OnlySums() bool { return t.Failing == t.Summing }

func (t *Totals) add(k kind, n int) {
	switch {
	case k >= sumsUp:
		t.Failing += n
		if k == sumsUp {
			t.Summing += n
		}
	case k == warns:
		t.Warning += n
	}
}

// totals returns the totals of what was written so far, with the unfinished line.
func (f *Finder) totals() (t Totals) {
	for k, n := range f.table.gone {
		t.add(kind(k), n)
	}
	for i := range f.table.shapes {
		t.add(f.table.shapes[i].kind, f.table.shapes[i].count)
	}
	t.Cut = f.cut
	if f.open > 0 {
		t.add(judgeWhole(f.held).kind, 1)
		t.Cut += one(f.open > maxJudged)
	}
	return t
}

// places is the range of failing lines of a shape, if there are more than the report has.
type places struct{ first, last int }

func (p *places) add(line int) {
	if p.first == 0 || line < p.first {
		p.first = line
	}
	p.last = max(p.last, line)
}

// others returns where further failing lines may be.
func (f *Finder) others() (list []places) {
	t := &f.table
	if t.gone[fails]+t.gone[sumsUp] > 0 {
		return []places{{1, f.line + 1}}
	}
	if f.marks.among.first > 0 {
		list = append(list, f.marks.among)
	}
	for i := range t.shapes {
		if s := &t.shapes[i]; s.kind >= sumsUp && s.count > s.places() {
			list = append(list, places{s.first, s.last})
		}
	}
	return list
}

// MayFail reports whether failing lines that are not in Lines may be between from and to.
func (r *Report) MayFail(from, to int) bool {
	return slices.ContainsFunc(r.others, func(p places) bool { return p.first <= to && p.last >= from })
}

// Ordinary reports whether many lines are like this one, and do not stand out.
func (r *Report) Ordinary(line []byte) bool {
	if isBlank(line) {
		return true
	}
	s := r.table.of(line)
	return s != nil && r.table.ordinary(s, r.Warning > maxWarnings)
}

// MentionsWarnings reports whether lines that do not count as warnings have the word "warn", as in the aligned columns
// of a linter.
func (r *Report) MentionsWarnings() bool {
	var buffer [maxLine]byte
	return slices.ContainsFunc(r.table.shapes, func(s shape) bool {
		return s.kind != warns && bytes.Contains(lowered(r.table.line(&s).Text, &buffer), []byte("warn"))
	})
}
