package truncation

import (
	"sort"
	"strconv"
	"strings"
)

// tokenBytes is the assumed maximum size of a token, so that a budget in tokens
// bounds memory as well. Tokens of English and of code have 3 to 5 bytes.
const tokenBytes = 16

func (p plan) compose(e ends, total counts, reason Reason, f found) Result {
	var path string
	var err error
	if p.Save != nil {
		path, err = p.Save()
	}
	if p.standard {
		p.marker = defaultMarker(p.Strategy, path, err)
	}
	c := composer{plan: p, ends: e, total: total, reason: reason, found: f, path: path, err: err}
	r := p.within
	if p.Tokens == 0 {
		return c.bounded(r)
	}
	// Search for the most bytes whose tokens fit. If the count is not monotonic, the result may be shorter than
	// possible, but never too long: every candidate is checked.
	r.bytes = min(r.bytes, max(total.bytes-1, 0))
	limit := most(p.Tokens)
	if best := c.bounded(r); p.countTokens(best.Text) <= limit {
		return best
	}
	c.reason = ByTokens
	best := c.bounded(room{})
	sort.Search(r.bytes, func(n int) bool {
		within := r
		within.bytes = n
		got := c.bounded(within)
		if p.countTokens(got.Text) > limit {
			return true
		}
		best = got
		return false
	})
	return best
}

// composer composes results of one text for different amounts of room.
type composer struct {
	plan
	ends
	total  counts
	reason Reason
	found
	path string // of the full text
	err  error  // why the full text is not saved
}

// bounded returns the longest result that fits the room. A marker that does not fit is left out: a piece of it says
// nothing, and the text is worth more. A newline then joins the lines of both ends, if it fits.
func (c composer) bounded(r room) Result {
	if c.digests {
		if c.document != nil {
			return c.cutDocument(r)
		}
		if d, ok := c.digest(r); ok {
			return d.result()
		}
	}
	kept, marker, fits := c.fit(c.marker, r)
	if kept.partial && c.standard { // the marker counts whole lines; this one is neither shown whole nor left out
		kept, marker, fits = c.fit(defaultMarker(Middle, c.path, c.err), r)
	}
	if !fits && c.twoEnds {
		kept, marker, fits = c.fit("\n", r)
	}
	if !fits {
		kept, marker, _ = c.fit("", r)
	}
	return c.join(kept, marker, r)
}

// fit returns what is kept around a marker, and the marker with its values. It succeeds if some of the text is kept,
// or if at least the whole marker fits.
//
// The amount removed determines the length of the marker, and that length determines the amount removed. So fit starts
// with no room for the marker, and increases it until the marker fits.
func (c composer) fit(template string, r room) (kept part, marker string, fits bool) {
	taken := c.prefix
	for {
		kept = c.choose(c.ends, r.less(taken))
		marker = c.filled(template, kept)
		need := c.markerRoom(marker)
		need = room{need.lines + c.prefix.lines, need.bytes + c.prefix.bytes, need.chars + c.prefix.chars}
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

func (c composer) join(kept part, marker string, r room) Result {
	res := c.result(c.total)
	res.Truncated = true
	res.TruncatedBy, _ = c.why(kept)
	if text := c.Prefix + marker; kept.head == "" && kept.tail == "" {
		res.Text = valid(cutTo(text, r)) // a prefix alone may be too long
	} else {
		res.Text = c.Prefix + valid(kept.head) + valid(marker) + valid(kept.tail)
		said := strings.TrimPrefix(marker, "\n")
		alone := (c.Prefix+kept.head == "" || said != marker) && (kept.tail == "" || strings.HasSuffix(said, "\n"))
		for i := range linesOf(said) * one(alone) {
			res.said = append(res.said, linesOf(c.Prefix+kept.head)+i)
		}
	}
	a, z := roomOf(kept.head), roomOf(kept.tail)
	res.OutputBytes, res.OutputChars = a.bytes+z.bytes, a.chars+z.chars
	res.OutputLines = c.shown(kept)
	if end := len(kept.head); end > 0 && end < len(c.first) && c.first[end] != '\n' && kept.head[end-1] != '\n' {
		line := kept.head[strings.LastIndexByte(kept.head, '\n')+1:]
		res.CutLine, res.CutChars = c.before+strings.Count(kept.head, "\n")+1, roomOf(line).chars
	}
	res.Standout, res.StandoutMore = c.standout(kept.headLines+1, c.total.lines()-kept.tailLines)
	if c.looks {
		res.Failing = c.report.Failing
	}
	switch c.Strategy {
	case Head:
		if res.FirstLineExceedsLimit = kept.headLines == 0 || kept.partial; res.FirstLineExceedsLimit {
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

// shown returns the number of lines that are kept in whole or in part. A line with both ends kept counts once.
func (c composer) shown(kept part) int {
	n := kept.headLines + kept.tailLines
	between := c.total.newlines - strings.Count(kept.head, "\n") - strings.Count(kept.tail, "\n")
	if kept.head != "" && kept.tail != "" && between == 0 && !strings.HasSuffix(kept.head, "\n") {
		n--
	}
	return n
}

// filled returns a marker with the values for what is kept. It drops the newlines on a side that never has text.
func (c composer) filled(template string, kept part) string {
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
		if c.err != nil {
			return "(not saved: " + c.err.Error() + ")", true
		}
		return c.path, true
	default:
		return "", false
	}
	return strconv.Itoa(n), true
}

func (c composer) trim(marker string) string {
	switch {
	case !c.tail:
		return strings.TrimRight(marker, "\n")
	case !c.head:
		return strings.TrimLeft(marker, "\n")
	}
	return marker
}

// byEnds marks a text that is within the limits but has more lines than HeadTailLines keeps. The Result says ByLines.
const byEnds Reason = "ends"

// why returns the limit that decided, and its name. If HeadTailLines shows all the lines that it should, that is the
// number of these lines, even if another limit was exceeded too.
func (c composer) why(kept part) (Reason, string) {
	if c.reason != byEnds && (c.Strategy != HeadTailLines || kept.headLines < c.First || kept.tailLines < c.Last) {
		return c.reason, limitName(c.reason, c.Limits)
	}
	if c.Threshold > 0 {
		return ByLines, "over " + strconv.Itoa(c.Threshold) + " characters"
	}
	return ByLines, "over " + strconv.Itoa(c.First+c.Last) + " lines"
}

// markerRoom returns the room that the marker takes. A marker on its own line takes one line, because its newlines end
// lines that are counted already.
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
