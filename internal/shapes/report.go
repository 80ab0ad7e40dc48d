package shapes

import (
	"cmp"
	"slices"
)

const (
	minLines    = 50 // of a text in which lines can stand out
	fewLines    = 2  // of a rare shape
	leadIn      = 16 // lines at the beginning, where each shape is still new
	leadOut     = 16 // lines at the end, which sum up
	rarely      = 50 // rare lines stand out only if at most one line in so many is unlike the others
	unlikely    = 50 // in a text that does not repeat, at most one line in so many reports a failure
	maxWarnings = 8  // beyond that, no warning stands out
	maxRare     = 12 // beyond that, no rare line stands out
	maxFamily   = 8  // lines of a family, such as a compiler's errors; of more, only the first few are important
	maxVariable = 4  // words in the same place of otherwise equal lines that still distinguish them
)

// Report has the lines of a text that stand out.
type Report struct {
	Lines []Standout // in order
	More  int        // number of further lines that stand out

	// Lead has the lines before the last failure of everything that ran, starting with the line that sums it up.
	Lead []Line
	Sums bool // there is such a line; otherwise Lead starts with the last line that reports a failure
	Last int  // the number of that last line

	Repeats bool // most lines are like others
	Stamped bool // nearly all lines begin with a time: see Stamp
	Totals

	others []places
	table  *table

	common []shape // the most frequent shapes, in that order
	texts  []byte  // holds their first lines
}

// Standout is a line that stands out.
type Standout struct {
	Line
	Rank   int // a greater rank is more important
	Leader int // the number of the line that it belongs to, which may be itself; 0 if it is alone

	family uint64 // of the block
	by     uint8  // see judgement.family
}

// Tells reports whether a line is important by itself, rather than as part of a block.
func (s Standout) Tells() bool { return s.Rank > rankMember }

// Explains reports whether a line is one of the first in its block that explain the failure.
func (s Standout) Explains() bool {
	return s.Leader > 0 && s.Leader != s.Number && s.Rank >= rankReason-lessOften
}

// The ranks of lines.
const (
	rankFails  = 10 // reports a failure
	rankReason = 9  // one of the first lines that belong to a failure
	rankSumsUp = 8
	rankRare   = 7 // or a failure shown by a word of state alone
	rankNear   = 6 // one of the next lines that belong to a failure
	rankMore   = 5 // says what many lines say
	rankWarns  = 4
	rankMember = 2 // another line that belongs to a failure

	lessOften = 1 // subtracted if more lines of the shape exist than are kept
)

// The numbers of lines behind a failure that count as the first and as the next ones.
const reasonLines, nearLines = 2, 6

// Report returns what stands out in the whole lines written so far. More may be written after it, but that invalidates
// the report. The report of nil is empty.
func (f *Finder) Report() (r Report) {
	if f == nil {
		return r
	}
	t := &f.table
	r.table, r.Totals = t, f.totals()
	if t.seen < minLines {
		return r
	}
	unlike := t.unlike()
	if r.Repeats = 2*unlike <= t.seen; !r.Repeats && unlikely*r.Failing > t.seen {
		return r // it may be about failures
	}
	r.Stamped, r.Lead, r.Sums, r.Last = t.stamped(), f.lead.lines(), f.lead.whole, f.lead.last
	r.common, r.texts = t.commonest(r.Warning > maxWarnings), t.texts
	r.More = f.marks.more
	warnings := 0
	for i := range t.shapes {
		switch s := &t.shapes[i]; {
		case s.kind == warns:
			warnings += s.count
		case s.kind > warns && !t.tooMany(s.count):
			r.More += max(s.count-s.places(), 0)
		}
	}
	r.others = f.others()
	for _, b := range f.marks.blocks {
		if b.kind > warns && (r.Repeats || b.plain && !b.twin) || r.Repeats && warnings <= maxWarnings {
			r.addBlock(b, t)
		}
	}
	if r.Repeats {
		r.addLate(t)
	}
	if rarely*unlike <= t.seen {
		r.addRare(t, f.line-leadOut)
	}
	slices.SortFunc(r.Lines, func(a, b Standout) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(b.Rank, a.Rank))
	})
	r.Lines = slices.CompactFunc(r.Lines, func(a, b Standout) bool { return a.Number == b.Number })
	return r
}

// unlike returns the number of lines that few others are like.
func (t *table) unlike() int {
	n := t.lost
	for i := range t.shapes {
		if s := &t.shapes[i]; s.met <= fewLines {
			n += s.count
		}
	}
	return n
}

// tooMany reports whether so many lines of a shape report failures that none stands out.
func (t *table) tooMany(count int) bool { return 3*count > t.seen }

func (r *Report) addBlock(b block, t *table) {
	count, often := 1, false
	if i := t.find(b.hash); i >= 0 {
		count = t.shapes[i].count
		often = count > t.shapes[i].places()
	}
	if t.tooMany(count) {
		r.others = append(r.others, places{b.lines[0].Number, b.lines[len(b.lines)-1].Number})
		return
	}
	for i, line := range b.lines {
		rank := rankMember
		switch behind := i - b.leader; {
		case behind == 0:
			rank = [...]int{fails: rankFails, sumsUp: rankSumsUp, warns: rankWarns}[b.kind]
		case behind < 0 || line.fails || behind <= reasonLines && !isBlank(line.Text):
			rank = rankReason
		case behind <= nearLines && !isBlank(line.Text):
			rank = rankNear
		}
		switch {
		case b.twin:
			rank = min(rank, rankRare)
		case often:
			rank -= lessOften
		}
		r.Lines = append(r.Lines, Standout{
			Line: line, Rank: rank, Leader: b.lines[b.leader].Number, family: b.family, by: b.by,
		})
	}
}

// addLate adds the first lines of shapes that were found to be failing twins later.
func (r *Report) addLate(t *table) {
	for i := range t.shapes {
		if s := &t.shapes[i]; s.late && !t.tooMany(s.count) {
			line := t.line(s)
			r.Lines = append(r.Lines, Standout{Line: line, Rank: rankRare, Leader: line.Number})
		}
	}
}

// maxCommon is how many shapes may stand for others.
const maxCommon = 64

// ordinary reports whether a shape has many lines that do not stand out by failures, or by warnings unless there are
// many.
func (t *table) ordinary(s *shape, warnings bool) bool {
	return s.count > fewLines && (s.kind == nothing || t.tooMany(s.count) || warnings && s.kind == warns)
}

// commonest returns the ordinary shapes, the most frequent first.
func (t *table) commonest(warnings bool) []shape {
	list := slices.Clone(t.shapes)
	list = slices.DeleteFunc(list, func(s shape) bool { return !t.ordinary(&s, warnings) })
	slices.SortStableFunc(list, func(a, b shape) int { return cmp.Compare(b.count, a.count) })
	return list[:min(len(list), maxCommon)]
}

// dense reports whether a shape has so many lines that several should be between from and to.
func (s *shape) dense(from, to int) bool {
	const several = 4
	return s.last >= from && s.first <= to && s.count*(to-from+1) >= several*(s.last-s.first+1)
}

// Like returns the first lines of at most two shapes: the most frequent ones with lines between from and to.
func (r *Report) Like(from, to int) (lines []Line) {
	for _, s := range r.common {
		if s.dense(from, to) && len(lines) < 2 {
			lines = append(lines, Line{Number: s.first, Bytes: s.size, Text: r.texts[s.text : s.text+s.length]})
		}
	}
	return lines
}
