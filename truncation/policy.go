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
	// Threshold is the number of characters up to which HeadTailLines leaves a
	// text whole however many lines it has, if it is within the limits. 0 leaves
	// only texts of up to First and Last lines whole.
	Threshold int

	// Standout fills Result.Standout with the left-out lines that stand out: those unlike the
	// others where nearly all are alike, and those that report a failure. It costs nothing for a
	// text that fits, unless Digest may condense that; otherwise it examines each line and takes up
	// to 1 MiB.
	Standout bool

	// Failed says that what printed the text failed. Digest then shows more of both ends, and says so, if no line reports
	// why.
	Failed bool

	// Number, if not nil, returns the prefix of the line with that number where Digest does not
	// show the whole text.
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
	// Newlines at its beginning are dropped if no text precedes it, and those at its end if
	// no text follows. "" means a marker that says how much was left out and where the full
	// text is. Digest uses it only for a text whose lines do not repeat.
	Marker string
	// Unmarked leaves the marker out, for callers that report the cut themselves. A newline
	// then joins the two ends of MiddleLines and HeadTailLines.
	Unmarked bool
	// Prefix precedes every text, cut or not; an example is "[sub-agent tests]: ".
	Prefix string
	// Save, if not nil, is called for each text that is cut. It returns where the full text is, in
	// a form that the reader of the text can use, or why it was not saved.
	Save func() (path string, err error)

	standard bool // Marker is the strategy's own
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

// normal returns the policy with its defaults filled in.
func (p Policy) normal() Policy {
	if !slices.Contains(strategies, p.Strategy) {
		p.Strategy = Middle
	}
	if l := p.Limits; p.digests() && l.Lines == 0 && l.Bytes == 0 && l.Chars == 0 && l.Tokens == 0 {
		p.Bytes = DigestBytes
	}
	p.First, p.Last, p.Threshold = max(p.First, 0), max(p.Last, 0), max(p.Threshold, 0)
	if p.First == 0 && p.Last == 0 {
		p.First, p.Last = 10, 10
	}
	switch {
	case p.Unmarked && p.twoEnds():
		p.Marker = "\n" // between two lines
	case p.Unmarked:
		p.Marker = ""
	case p.Marker == "":
		p.Marker, p.standard = defaultMarker(p.Strategy, "", nil), true
	}
	return p
}

// Truncate bounds a text in memory. A text that fits becomes the result's Text without a
// copy. Truncate counts the whole text; [Policy.Cut] does not.
func (p Policy) Truncate(text string) Result {
	p = p.normal()
	return p.truncate(text, true, 0)
}

// Cut returns the Text of [Policy.Truncate]. It examines only what it keeps, unless the
// marker has {count}, {lines} or {total}, or the strategy is [Digest] or [JSON].
func (p Policy) Cut(text string) string {
	p = p.normal()
	return p.truncate(text, false, 0).Text
}

// truncate bounds text by a policy that normal returned. If full is set, it counts everything. before is the number of
// lines in front of it.
func (p *Policy) truncate(text string, full bool, before int) Result {
	fits, reason := p.fits(text)
	if !fits {
		if p.digests() {
			text = valid(text) // of which it shows any part
		}
		return p.compose(ends{first: text, last: text, lastIsLine: true}, p.count(text, full), reason, p.lookAt(text, before))
	}
	if p.Strategy == Digest {
		if r, ok := p.condense(text, before); ok {
			return r
		}
	}
	var total counts
	if full {
		total = p.count(text, full)
	}
	return p.whole(text, total)
}

// count counts a text in memory: everything if full is set, otherwise what the marker needs.
func (p *Policy) count(text string, full bool) (c counts) {
	c.bytes = len(text)
	if full || p.standard || strings.Contains(p.Marker, "{count}") {
		invalid := 0
		c.chars, invalid = countChars(text)
		c.bytes += invalid * (len(replacement) - 1)
	}
	full = full || p.digests()
	if full || strings.Contains(p.Marker, "{lines}") || strings.Contains(p.Marker, "{total}") {
		c.newlines = strings.Count(text, "\n")
		c.open = len(text) - 1 - strings.LastIndexByte(text, '\n')
	}
	if full && (p.wholeLines() || p.digests()) {
		first, _, _ := strings.Cut(text, "\n")
		c.first = roomOf(first).bytes
		body := strings.TrimSuffix(text, "\n")
		c.closed = roomOf(body[strings.LastIndexByte(body, '\n')+1:]).bytes
		c.open = min(c.open, 1) * c.closed
	}
	return c
}

// within returns the room for prefix, text and marker.
func (p *Policy) within() room {
	r := p.room()
	if !p.twoEnds() && !p.wholeLines() {
		r.lines = math.MaxInt
	}
	if p.Tokens != 0 {
		r.bytes = min(r.bytes, times(most(p.Tokens), tokenBytes))
	}
	return r
}

// prefixRoom returns the part of it that the prefix takes. The text continues its last line.
func (p *Policy) prefixRoom() room {
	r := roomOf(p.Prefix)
	r.lines = strings.Count(p.Prefix, "\n")
	return r
}

// fits reports whether a text needs no cut; if it does, it returns why.
func (p *Policy) fits(text string) (bool, Reason) {
	if by := p.exceeded(text, text); by != "" {
		return false, by
	}
	if p.Tokens != 0 && p.countTokens(valid(p.Prefix+text)) > most(p.Tokens) {
		return false, ByTokens
	}
	if p.Strategy == HeadTailLines && moreLines(text, p.First+p.Last) {
		if _, by := headEnd(text, room{chars: p.Threshold, bytes: math.MaxInt}); by != "" {
			return false, byEnds
		}
	}
	return true, ""
}

// exceeded returns the limit that a text hits first, from the side that is kept; "" if it hits
// none. first and last are the text, or more of its beginning and of its end than fits.
func (p *Policy) exceeded(first, last string) (by Reason) {
	r := p.within()
	switch taken := roomOf(p.Prefix); {
	case taken.lines > r.lines:
		return ByLines
	case taken.bytes > r.bytes:
		return ByBytes
	case taken.chars > r.chars:
		return ByChars
	}
	r = r.less(p.prefixRoom())
	if first == "" && last == "" {
		return "" // not one line
	}
	lines := strings.TrimSuffix(first, "\n")
	if p.wholeLines() {
		first, last = lines, strings.TrimSuffix(last, "\n")
	}
	if p.Strategy == Tail || p.Strategy == TailChars {
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

// lineFromStart returns where the first n lines end, or an index beyond s if it has no more
// lines than that.
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

// lineFromEnd returns where the last n lines start, or -1 if s has no more lines than that.
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

// moreLines reports whether a text has more than n lines.
func moreLines(text string, n int) bool {
	for ; text != "" && n > 0; n-- {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text != ""
}

// whole returns the result for a text that fits.
func (p *Policy) whole(text string, total counts) Result {
	r := p.result(p.Strategy, total)
	r.Text = text
	r.OutputLines, r.OutputBytes, r.OutputChars = r.TotalLines, r.TotalBytes, r.TotalChars
	if p.wholeLines() {
		if s := strings.TrimSuffix(text, "\n"); s != text && !roomOf(p.Prefix+text).fits(room{math.MaxInt, most(p.Bytes), most(p.Chars)}) {
			r.Text, r.NewlineDropped = s, true
			r.OutputBytes--
			r.OutputChars--
		}
	}
	if p.Prefix != "" {
		r.Text = p.Prefix + r.Text
	}
	r.Text = valid(r.Text)
	return r
}

func (p *Policy) countTokens(text string) int {
	if p.CountTokens != nil {
		return p.CountTokens(text)
	}
	return EstimateTokens(text)
}
