package truncation

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Policy says which part of a text to keep, within which limits, and what to put at the cut.
// Its methods are safe for concurrent use if CountTokens and Save are.
//
// The result, including prefix and marker, is within the limits, however small they are. If
// the whole marker does not fit, the result has none.
type Policy struct {
	Strategy Strategy // "" is Middle
	Limits            // of the result; the zero value limits nothing

	// First and Last are the numbers of lines that HeadTailLines keeps; if both are 0, it
	// keeps 10 each. The other strategies ignore them and Threshold.
	First, Last int
	// Threshold is the number of characters up to which HeadTailLines leaves a text whole, whatever its lines, if it
	// is within the limits. With 0, only a text of up to First and Last lines stays whole.
	Threshold int

	// Standout fills Result.Standout with the left-out lines that stand out: those unlike the
	// others where nearly all are alike, and those that report a failure. It costs nothing for a
	// text that fits, unless Digest may condense that; otherwise it examines each line and takes up
	// to 1 MiB.
	Standout bool

	// Failed says that the program that printed the text failed. If no line reports why, Digest then says so and shows
	// more of both ends.
	Failed bool

	// Number, if not nil, returns the prefix for a line number in a digest. A text that is shown whole gets none.
	Number func(line int) string

	// Marker is the text at the cut. These names in it are replaced:
	//
	//	{count}  characters removed
	//	{lines}  lines removed: those of which nothing is left
	//	{total}  lines of the whole
	//	{first}  lines shown before the cut
	//	{last}   lines shown after it
	//	{reason} what was exceeded: "30KB limit", "2000 lines limit"
	//	{path}   where the full text is: what Save returns, or "(not saved: ...)"
	//
	// Newlines at its beginning are dropped if no text precedes it, and those at its end if no text follows. "" means
	// a marker that says how much was left out and where the full text is. Digest uses it only for a text whose lines
	// do not repeat.
	Marker string
	// Unmarked leaves the marker out, for callers that report the cut themselves. A newline
	// then joins the two ends of MiddleLines and HeadTailLines.
	Unmarked bool
	// Prefix precedes every text, cut or not; an example is "[sub-agent tests]: ".
	Prefix string
	// Save, if not nil, is called for each text that is cut. It returns where the full text is, in
	// a form that the reader of the text can use, or why it was not saved.
	Save func() (path string, err error)
}

// Check returns an error for an unknown strategy or a negative number. The other methods treat
// an unknown strategy as Middle and a negative number as 0.
func (p Policy) Check() error {
	if p.Strategy != "" && !slices.Contains(strategies, p.Strategy) {
		return fmt.Errorf("truncation: unknown strategy %q; there are %s", p.Strategy, strings.Trim(fmt.Sprint(strategies), "[]"))
	}
	for name, n := range map[string]int{"First": p.First, "Last": p.Last, "Threshold": p.Threshold} {
		if n < 0 {
			return fmt.Errorf("truncation: %s is %d, but must be 0 or more", name, n)
		}
	}
	return nil
}

type plan struct {
	Policy
	trait
	looks    bool   // the caller asked for lines that stand out
	marker   string // at the cut
	standard bool   // marker is the default one
	within   room   // for prefix, text and marker
	prefix   room   // taken by the prefix; the text continues its last line
	room     room   // what the prefix leaves
}

func (p Policy) plan() plan {
	kept, known := traits[p.Strategy]
	if !known {
		p.Strategy, kept = Middle, traits[Middle]
	}
	if l := p.Limits; kept.digests && l.Lines == 0 && l.Bytes == 0 && l.Chars == 0 && l.Tokens == 0 {
		p.Bytes = DigestBytes
	}
	p.First, p.Last, p.Threshold = max(p.First, 0), max(p.Last, 0), max(p.Threshold, 0)
	if p.First == 0 && p.Last == 0 {
		p.First, p.Last = 10, 10
	}
	all := plan{Policy: p, trait: kept, looks: p.Standout || kept.digests, marker: p.Marker}
	switch {
	case p.Unmarked && kept.twoEnds:
		all.marker = "\n" // between the two ends
	case p.Unmarked:
		all.marker = ""
	case p.Marker == "":
		all.marker, all.standard = defaultMarker(p.Strategy, "", nil), true
	}
	all.within = room{math.MaxInt, most(p.Bytes), most(p.Chars)}
	if kept.wholeLines || kept.twoEnds {
		all.within.lines = most(p.Lines)
	}
	if p.Tokens != 0 {
		all.within.bytes = min(all.within.bytes, min(most(p.Tokens), math.MaxInt/tokenBytes)*tokenBytes)
	}
	all.room = all.within
	if p.Prefix != "" {
		all.Prefix = valid(p.Prefix)
		all.prefix = roomOf(all.Prefix)
		all.prefix.lines = strings.Count(p.Prefix, "\n")
		all.room = all.within.less(all.prefix)
	}
	return all
}

// Truncate bounds a text in memory. A text that fits becomes the result's Text without a
// copy. Truncate counts the whole text; [Policy.Cut] does not.
func (p Policy) Truncate(text string) Result { return p.plan().truncate(text, true, 0) }

// Cut returns the Text of [Policy.Truncate]. It examines only what it keeps, unless the marker has {count}, {lines} or
// {total}, or the strategy is [Digest] or [JSON].
func (p Policy) Cut(text string) string { return p.plan().truncate(text, false, 0).Text }

// truncate bounds text. With full, it counts everything. before is the number of lines in front of the text.
func (p plan) truncate(text string, full bool, before int) Result {
	if reason := p.exceeds(text); reason != "" {
		if p.digests {
			text = valid(text) // either end may be shown
		}
		return p.compose(ends{first: text, last: text, lastIsLine: true}, p.count(text, full), reason, p.lookAt(text, before))
	}
	if p.Strategy == Digest {
		if r, ok := p.condense(text, before); ok {
			return r
		}
	}
	var total counts
	if full || p.wholeLines {
		total = p.count(text, true)
	}
	return p.whole(valid(text), total)
}

// count counts a text in memory: with full everything, otherwise only what the marker needs.
func (p *plan) count(text string, full bool) (c counts) {
	c.bytes = len(text)
	if full || p.standard || strings.Contains(p.marker, "{count}") {
		invalid := 0
		c.chars, invalid = countChars(text)
		c.bytes += invalid * (len(replacement) - 1)
	}
	full = full || p.digests
	if full || strings.Contains(p.marker, "{lines}") || strings.Contains(p.marker, "{total}") {
		c.newlines = strings.Count(text, "\n")
		c.open = len(text) - 1 - strings.LastIndexByte(text, '\n')
	}
	if full && (p.wholeLines || p.digests) {
		first, _, _ := strings.Cut(text, "\n")
		c.first = roomOf(first).bytes
		body := strings.TrimSuffix(text, "\n")
		c.closed = roomOf(body[strings.LastIndexByte(body, '\n')+1:]).bytes
		c.open = min(c.open, 1) * c.closed
	}
	return c
}

// exceeds returns why a text must be cut; "" if it need not be.
func (p *plan) exceeds(text string) Reason {
	if by := p.exceeded(text, text); by != "" {
		return by
	}
	if p.Tokens != 0 && p.countTokens(p.Prefix+valid(text)) > most(p.Tokens) {
		return ByTokens
	}
	if p.Strategy == HeadTailLines && moreLines(text, p.First+p.Last) {
		if _, by := headEnd(text, room{chars: p.Threshold, bytes: math.MaxInt}); by != "" {
			return byEnds
		}
	}
	return ""
}

// exceeded returns the limit that a text hits first, from the side that is kept; "" if it hits none. first and last
// are the ends of the text, each longer than fits or all of it.
func (p *plan) exceeded(first, last string) (by Reason) {
	switch {
	case linesOf(p.Prefix) > p.within.lines:
		return ByLines
	case p.prefix.bytes > p.within.bytes:
		return ByBytes
	case p.prefix.chars > p.within.chars:
		return ByChars
	case first == "" && last == "":
		return "" // no line is held
	}
	r := p.room
	lines := strings.TrimSuffix(first, "\n")
	if p.wholeLines {
		first, last = lines, strings.TrimSuffix(last, "\n")
	}
	if !p.head {
		start := 0
		if start, by = tailStartBy(last, r); start <= lineFromEnd(last, r.lines) {
			return ByLines
		}
	} else if len(first) > r.chars || len(first) > r.bytes/len(replacement) || r.lines < math.MaxInt {
		end := 0
		if end, by = headEnd(first, r); end >= lineFromStart(lines, r.lines) {
			return ByLines
		}
	}
	if by == ByBytes && p.Tokens != 0 && r.bytes < most(p.Bytes) {
		by = ByTokens
	}
	return by
}

// overflows reports whether a text of that size exceeds the limits. A token counts as 16 bytes here.
func (p *plan) overflows(t counts) bool {
	if t.bytes == 0 {
		return false
	}
	lines := t.lines()
	if p.Strategy == HeadTailLines && lines > p.First+p.Last && t.chars > p.Threshold {
		return true
	}
	if t.open == 0 && p.wholeLines {
		t.bytes, t.chars = t.bytes-1, t.chars-1
	}
	return lines > p.room.lines || t.bytes > p.room.bytes || t.chars > p.room.chars
}

// lineFromStart returns where the first n lines end, or an index beyond s if it has no more lines.
func lineFromStart(s string, n int) int {
	if n == math.MaxInt {
		return math.MaxInt
	}
	end := -1
	for ; n > 0; n-- {
		i := strings.IndexByte(s[end+1:], '\n')
		if i < 0 {
			return math.MaxInt
		}
		end += i + 1
	}
	return max(end, 0)
}

// lineFromEnd returns where the last n lines start, or -1 if s has no more lines.
func lineFromEnd(s string, n int) int {
	if n == math.MaxInt {
		return -1
	}
	start := len(s) + 1
	for ; n > 0; n-- {
		if start = strings.LastIndexByte(s[:start-1], '\n') + 1; start == 0 {
			return -1
		}
	}
	return min(start, len(s))
}

func moreLines(text string, n int) bool {
	return text != "" && lineFromStart(strings.TrimSuffix(text, "\n"), n) < math.MaxInt
}

// whole returns the result for a valid text that fits. If only its Text matters, total may be empty, unless the
// strategy keeps whole lines of one end.
func (p *plan) whole(text string, total counts) Result {
	r := p.result(total)
	r.Text = text
	r.OutputLines, r.OutputBytes, r.OutputChars = r.TotalLines, r.TotalBytes, r.TotalChars
	over := p.prefix.bytes+total.bytes > most(p.Bytes) || p.prefix.chars+total.chars > most(p.Chars)
	if p.wholeLines && over && strings.HasSuffix(text, "\n") {
		r.Text, r.NewlineDropped = strings.TrimSuffix(r.Text, "\n"), true
		r.OutputBytes--
		r.OutputChars--
	}
	if p.Prefix != "" {
		r.Text = p.Prefix + r.Text
	}
	return r
}

func (p *plan) countTokens(text string) int {
	if p.CountTokens != nil {
		return p.CountTokens(text)
	}
	return EstimateTokens(text)
}
