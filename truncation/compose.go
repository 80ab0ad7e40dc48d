package truncation

import (
	"sort"
	"strconv"
	"strings"
)

// tokenBytes is the number of bytes that a token is taken to have at most, so
// that a budget in tokens bounds memory as well. Those of English and of code
// have 3 to 5.
const tokenBytes = 16

// compose bounds a text that does not fit.
func (p *Policy) compose(e ends, total counts, reason Reason) Result {
	c := composer{p, e, total, reason}
	r := p.within()
	if p.Tokens == 0 {
		return c.result(r)
	}
	// The most bytes with which the tokens fit. A count that is not monotonous
	// makes the result shorter, not too long: it is checked.
	r.bytes = min(r.bytes, max(total.bytes-1, 0))
	limit := most(p.Tokens)
	if best := c.result(r); p.countTokens(best.Text) <= limit {
		return best
	}
	c.reason = ByTokens
	best := c.result(room{})
	sort.Search(r.bytes, func(n int) bool {
		within := r
		within.bytes = n
		got := c.result(within)
		if p.countTokens(got.Text) > limit {
			return true
		}
		best = got
		return false
	})
	return best
}

// composer makes results of one text for different room.
type composer struct {
	*Policy
	ends
	total  counts
	reason Reason
}

// result is the longest result that there is room for. A marker for which there is
// none is left out: a piece of it tells nothing, and the text is worth more. Two ends of
// lines are then joined by a newline, if there is room for that.
func (c composer) result(r room) Result {
	kept, marker, fits := c.fit(c.Marker, r)
	if !fits && c.twoEnds() {
		kept, marker, fits = c.fit("\n", r)
	}
	if !fits {
		kept, marker, _ = c.fit("", r)
	}
	return c.join(kept, marker, r)
}

// fit is what is kept around a marker, and the marker filled in. It fits if some of the
// text is kept, or there is room for the whole marker at least.
//
// How much is removed decides how long the marker is, and that how much is
// removed. So the marker is taken to be short first, and what it then says is
// given room, until it says nothing longer.
func (c composer) fit(template string, r room) (kept part, marker string, fits bool) {
	fixed := c.prefixRoom()
	taken := fixed
	for {
		kept = c.choose(c.ends, r.less(taken))
		marker = c.marker(template, kept)
		need := c.markerRoom(marker)
		need = room{need.lines + fixed.lines, need.bytes + fixed.bytes, need.chars + fixed.chars}
		if need.fits(taken) {
			break
		}
		taken = room{max(need.lines, taken.lines), max(need.bytes, taken.bytes), max(need.chars, taken.chars)}
	}
	if kept.head == "" {
		marker = strings.TrimLeft(marker, "\n")
	}
	if kept.tail == "" {
		marker = strings.TrimRight(marker, "\n")
	}
	fits = kept.head != "" || kept.tail != "" || marker != "" && roomOf(c.Prefix+marker).fits(r)
	return kept, marker, fits
}

// join puts the parts together.
func (c composer) join(kept part, marker string, r room) Result {
	res := c.Policy.result(c.Strategy, c.total)
	res.Truncated = true
	res.TruncatedBy, _ = c.why(kept)
	if text := c.Prefix + marker; kept.head == "" && kept.tail == "" {
		res.Text = valid(cutTo(text, r)) // a prefix alone may be longer
	} else {
		var b strings.Builder
		b.Grow(len(text) + len(kept.head) + len(kept.tail))
		appendValid(&b, c.Prefix)
		appendValid(&b, kept.head)
		appendValid(&b, marker)
		appendValid(&b, kept.tail)
		res.Text = b.String()
	}
	a, z := roomOf(kept.head), roomOf(kept.tail)
	res.OutputBytes, res.OutputChars = a.bytes+z.bytes, a.chars+z.chars
	res.OutputLines = c.shown(kept)
	switch c.Strategy {
	case Head:
		if res.FirstLineExceedsLimit = kept.headLines == 0; res.FirstLineExceedsLimit {
			res.LongLineBytes = c.total.first
		}
	case Tail:
		res.NewlineDropped = kept.newlineDropped
		line := roomOf(strings.TrimSuffix(kept.tail, "\n")).bytes
		if res.LastLinePartial = kept.tailLines == 1 && line < c.total.lastLine(); res.LastLinePartial {
			res.LongLineBytes = c.total.lastLine()
		}
	}
	return res
}

// shown is the number of lines of which something is kept. A line of which both
// ends are is one line.
func (c composer) shown(kept part) int {
	n := kept.headLines + kept.tailLines
	between := c.total.newlines - strings.Count(kept.head, "\n") - strings.Count(kept.tail, "\n")
	if kept.head != "" && kept.tail != "" && between == 0 && !strings.HasSuffix(kept.head, "\n") {
		n--
	}
	return n
}

// marker is the marker for what is kept, without newlines where there never is
// any text.
func (c composer) marker(template string, kept part) string {
	m := c.trim(template)
	if !strings.Contains(m, "{") {
		return m
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(m, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		m = rest
		if name, after, closed := strings.Cut(rest, "}"); closed {
			if value, ok := c.value(name, kept); ok {
				b.WriteString(value)
				m = after
				continue
			}
		}
		b.WriteString("{")
	}
}

// value is what stands in the place of a name in a marker.
func (c composer) value(name string, kept part) (value string, ok bool) {
	n := 0
	switch name {
	case "count":
		a, _ := countChars(kept.head)
		z, _ := countChars(kept.tail)
		n = c.total.chars - a - z
	case "lines":
		n = max(c.total.lines()-c.shown(kept), 0)
	case "total":
		n = c.total.lines()
	case "first":
		n = kept.headLines
	case "last":
		n = kept.tailLines
	case "reason":
		_, why := c.why(kept)
		return why, true
	case "path":
		if c.Saved.Err != nil {
			return "(not saved: " + c.Saved.Err.Error() + ")", true
		}
		return c.Saved.Path, true
	default:
		return "", false
	}
	return strconv.Itoa(n), true
}

func (c composer) trim(marker string) string {
	switch c.Strategy {
	case Head, HeadChars:
		return strings.TrimRight(marker, "\n")
	case Tail, TailChars:
		return strings.TrimLeft(marker, "\n")
	}
	return marker
}

// byEnds is the reason of a text that is within the limits, but has more lines than
// HeadTailLines keeps. A Result says ByLines.
const byEnds Reason = "ends"

// why is the limit that decided. Where HeadTailLines shows all the lines that it
// is meant to, it is the number of these, whatever other limit was exceeded too.
func (c composer) why(kept part) (Reason, string) {
	if c.reason != byEnds && (c.Strategy != HeadTailLines || kept.headLines < c.First || kept.tailLines < c.Last) {
		return c.reason, limitName(c.reason, c.Limits)
	}
	if c.Threshold > 0 {
		return ByLines, "over " + strconv.Itoa(c.Threshold) + " characters"
	}
	return ByLines, "over " + strconv.Itoa(c.First+c.Last) + " lines"
}

// markerRoom is what the marker takes of the room. A line of its own takes one;
// newlines end lines that are counted already.
func (c composer) markerRoom(marker string) room {
	if marker == "" {
		return room{}
	}
	r := roomOf(marker)
	r.lines = strings.Count(marker, "\n")
	if strings.HasPrefix(marker, "\n") && strings.HasSuffix(marker, "\n") {
		r.lines--
	}
	return r
}
