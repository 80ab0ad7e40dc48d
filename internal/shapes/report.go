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
	rarely      = 50 // in a text in which rare lines stand out, one line in so many is unlike the others at most
	unlikely    = 50 // and in one where nothing repeats, one line in so many reports a failure
	maxWarnings = 8  // where there are more, none of them tells anything
	maxRare     = 12 // rare lines; more of them tell nothing
	maxFamily   = 8  // lines of a family that all tell: of more, as of a compiler's errors, the first few do
	maxVariable = 4  // words that stand in the same place of otherwise equal lines and still tell them apart
)

// Report is what stands out in a text.
type Report struct {
	Lines []Standout // in order
	More  int        // further lines that stand out, of which only the number is known

	// Lead are the lines that led to the last failure of all that ran, the line that sums it up first.
	Lead []Line
	Sums bool // there is such a line; without, Lead ends with the last one that reports a failure
	Last int  // the number of that one

	Repeats bool // most lines are like others
	Stamped bool // nearly all lines begin with a time: see Stamp
	Totals

	others []places
	table  *table

	common []shape // those that most lines have, most first
	texts  []byte  // in which their first lines are
}

// Standout is a line that stands out.
type Standout struct {
	Line
	Rank   int // how much it tells: a greater one tells more
	Leader int // the number of the line that it belongs to, which may be itself; 0 if it is alone

	family uint64 // of the block
	by     uint8  // what tells so: see judgement
}

// Tells reports whether a line says something itself, and is not merely a part of what another one begins.
func (s Standout) Tells() bool { return s.Rank > rankMember }

// Explains reports whether a line is one of the first that say why the line that it belongs to reports a failure.
func (s Standout) Explains() bool {
	return s.Leader > 0 && s.Leader != s.Number && s.Rank >= rankReason-lessOften
}

// The ranks of lines.
const (
	rankFails  = 10 // says that something failed
	rankReason = 9  // is one of the first that belong to such a line
	rankSumsUp = 8
	rankRare   = 7 // or says so by a word of state alone
	rankNear   = 6 // is one of the next that belong to it
	rankMore   = 5 // says what many say
	rankWarns  = 4
	rankMember = 2 // is another one that belongs to it

	lessOften = 1 // is taken from the rank of a line if there are more of its shape than are kept
)

// How many of the lines behind one that says that something failed are the first and the next ones.
const reasonLines, nearLines = 2, 6

// Report returns what stands out in the whole lines that were written so far. More may be written after it. What it
// returns is valid until then. The report of nil is empty.
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

// tooMany reports whether so many lines of a shape say that something failed that none of them stands out.
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

// addLate adds the first lines of the shapes that turned out to be failing twins.
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

// ordinary reports whether many lines have a shape, and do not stand out by what they say: of failures, or of warnings
// unless there are many.
func (t *table) ordinary(s *shape, warnings bool) bool {
	return s.count > fewLines && (s.kind == nothing || t.tooMany(s.count) || warnings && s.kind == warns)
}

// commonest returns the ordinary shapes, those that most lines have first.
func (t *table) commonest(warnings bool) []shape {
	list := slices.Clone(t.shapes)
	list = slices.DeleteFunc(list, func(s shape) bool { return !t.ordinary(&s, warnings) })
	slices.SortStableFunc(list, func(a, b shape) int { return cmp.Compare(b.count, a.count) })
	return list[:min(len(list), maxCommon)]
}

// dense reports whether a shape has so many lines that several of them should be between from and to.
func (s *shape) dense(from, to int) bool {
	const several = 4
	return s.last >= from && s.first <= to && s.count*(to-from+1) >= several*(s.last-s.first+1)
}

// Like returns the first lines of the shapes that most lines have, at most two, among those with lines between from and
// to.
func (r *Report) Like(from, to int) (lines []Line) {
	for _, s := range r.common {
		if s.dense(from, to) && len(lines) < 2 {
			lines = append(lines, Line{Number: s.first, Bytes: s.size, Text: r.texts[s.text : s.text+s.length]})
		}
	}
	return lines
}
