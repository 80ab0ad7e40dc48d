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
	Rank   int  // how much it tells: a greater one tells more
	Leader int  // the number of the line that it belongs to, which may be itself; 0 if it is alone
	Title  bool // it names what failed, and the lines around it may say why

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

// Order returns the indexes of Lines, the most telling ones first. Of those that tell as much, the first one and the
// last one come before the others: the cause of what follows may be either. What comes after the first few of a family,
// such as the errors of one compiler, tells less than what sums them up.
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
	less := map[int]int{} // how much a leader tells, if that is less than its rank
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

// fromBothEnds orders a list so that its first element is followed by its last one, and so on.
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
			rank = map[kind]int{fails: rankFails, sumsUp: rankSumsUp, warns: rankWarns}[b.kind]
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
			Line: line, Rank: rank, Leader: b.lines[b.leader].Number, Title: isTitle(line.Text), family: b.family, by: b.by,
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

// addRare adds the lines up to last whose shapes are rare.
func (r *Report) addRare(t *table, last int) {
	rare, news := t.rare(last)
	for _, i := range rare {
		line := t.line(&t.shapes[i])
		line.At = literalAt(line.Text, news)
		if !slices.ContainsFunc(r.Lines, func(s Standout) bool { return s.Number == line.Number }) {
			r.Lines = append(r.Lines, Standout{Line: line, Rank: rankRare})
			r.More += t.shapes[i].count - 1
			r.Rare += t.shapes[i].count
		}
	}
}

// rare returns, of the lines up to that one, the shapes that few lines have and that differ from the others in more than a word that varies. It also
// returns what reports whether a word is in none of the others.
func (t *table) rare(last int) (rare []int, news func(token) bool) {
	for i := range t.shapes {
		if s := &t.shapes[i]; s.count <= fewLines && s.kind == nothing && !s.passed && s.first > leadIn && s.first <= last {
			rare = append(rare, i)
		}
	}
	const most = 512 // so that the search stays short
	if len(rare) > most {
		return nil, nil
	}
	rare, news = t.withNews(t.withoutVariable(rare))
	if len(rare) > maxRare {
		return nil, nil
	}
	return rare, news
}

// withNews returns the shapes that have a word which the common ones do not, and reports of a token whether it is such
// a word.
func (t *table) withNews(rare []int) (those []int, news func(token) bool) {
	known := map[token]bool{}
	var buffer [maxTokens]token
	for _, i := range rare {
		for _, token := range tokenize(t.line(&t.shapes[i]).Text, &buffer) {
			if token.literal() {
				known[token] = false
			}
		}
	}
	for i := range t.shapes {
		if t.shapes[i].count <= fewLines {
			continue
		}
		for _, token := range tokenize(t.line(&t.shapes[i]).Text, &buffer) {
			if _, ok := known[token]; ok {
				known[token] = true
			}
		}
	}
	news = func(token token) bool { return token.literal() && !known[token] }
	return slices.DeleteFunc(rare, func(i int) bool {
		return !slices.ContainsFunc(tokenize(t.line(&t.shapes[i]).Text, &buffer), news)
	}), news
}

// withoutVariable leaves out the shapes that differ from others in a single word, if that is one of many or stands
// where others have a name or a number.
func (t *table) withoutVariable(rare []int) []int {
	type family struct {
		words  int  // different ones, in that place
		masked bool // one of them is masked, and common
	}
	families := map[uint64]*family{}
	var buffer [maxTokens]token
	each := func(i int, visit func(key uint64, at token)) {
		tokens := tokenize(t.line(&t.shapes[i]).Text, &buffer)
		whole := uint64(len(tokens))
		for at, token := range tokens {
			whole += token.mix(at)
		}
		for at, token := range tokens {
			visit(whole-token.mix(at)+uint64(at+1)*0x9e3779b97f4a7c15, token)
		}
	}
	for _, i := range rare {
		each(i, func(key uint64, _ token) { families[key] = &family{} })
	}
	for i := range t.shapes {
		each(i, func(key uint64, at token) {
			if f := families[key]; f != nil {
				f.words++
				f.masked = f.masked || at.masked() && t.shapes[i].count > fewLines
			}
		})
	}
	return slices.DeleteFunc(rare, func(i int) bool {
		variable := false
		each(i, func(key uint64, _ token) {
			f := families[key]
			variable = variable || f.masked || f.words > maxVariable
		})
		return variable
	})
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
