package truncation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/shapes"
)

// DigestBytes is the size that [Digest] keeps to where there are no limits.
const DigestBytes = 4 << 10

const (
	firstLinesShown = 5  // where nothing in them stands out
	lastLinesShown  = 20 // of the end, which usually sums up

	digestLine = 320 // bytes of a line in a digest
	likeBytes  = 60  // bytes of a line that stands for those like it
	fewLines   = 16  // that may be left out without a word on what they are like
)

// digest is a text of lines in order, with a description of those that are left out in between.
type digest struct {
	*composer
	room  room
	lines []numbered
	last  int    // the number of the last line of the whole
	saved string // says where the whole is
}

type numbered struct {
	number int
	text   string
}

// digest returns the digest of a text that repeats, unless there is too little room.
func (c *composer) digest(r room) (res Result, ok bool) {
	if !c.report.Repeats && c.Number == nil {
		return res, false
	}
	d := digest{composer: c, room: r.less(c.prefixRoom()), last: c.total.lines()}
	d.room.bytes = min(d.room.bytes, d.room.chars)
	if c.standard && c.err != nil {
		d.saved = ". Full output (not saved: " + c.err.Error() + ")"
	} else if c.standard && c.path != "" {
		d.saved = ". Full output: " + c.path
	}
	saved := d.saved
	d.saved = d.hidden(d.last) + saved // there are no more than that
	if !d.choose() {
		return res, false
	}
	d.saved = d.hidden(0) + saved
	res = c.Policy.result(c.Strategy, c.total)
	res.Text = valid(c.Prefix + d.text())
	res.Truncated = true
	res.TruncatedBy, _ = c.why(part{})
	for _, line := range d.lines {
		shown := roomOf(line.text)
		res.OutputBytes += shown.bytes + 1
		res.OutputChars += shown.chars + 1
	}
	res.OutputLines = len(d.lines)
	res.OutputBytes, res.OutputChars = min(res.OutputBytes, res.TotalBytes), min(res.OutputChars, res.TotalChars)
	res.Standout, res.StandoutMore = c.standout(1, d.last)
	return res, true
}

// hidden says how many lines stand out and are not shown, or that it is at least that number.
func (d *digest) hidden(n int) string {
	all := d.report.More
	for _, s := range d.report.Lines {
		if _, is := d.find(s.Number); !is && s.Tells() {
			all++
		}
	}
	switch n = max(n, all); {
	case all == 0:
		return ""
	case n == 1:
		return ". 1 more line stands out"
	}
	return fmt.Sprintf(". %s more lines stand out", thousands(n))
}

// choose chooses the lines: the first and the last one, those that stand out, and then more of both ends.
func (d *digest) choose() bool {
	first, last := d.heads(), d.tails()
	if len(first) == 0 || len(last) == 0 || !d.add(last[0], d.room.bytes) || !d.add(first[0], d.room.bytes) {
		return false
	}
	telling := slices.Clone(d.report.Lines)
	slices.SortStableFunc(telling, func(a, b shapes.Standout) int { return cmp.Compare(b.Rank, a.Rank) })
	for i, missed := 0, 0; i < len(telling) && missed < maxMissed; i++ {
		if !d.add(numbered{telling[i].Number, beginning(telling[i].Line)}, d.room.bytes*3/4) {
			missed++
		}
	}
	text := d.text()
	left := room{lines: d.room.lines - 1 - strings.Count(text, "\n"), bytes: d.room.bytes - len(text)}
	if !d.report.Repeats {
		behind := d.extend(last, room{left.lines / 2, left.bytes / 2, 0})
		d.extend(first, left.less(behind))
		return true
	}
	behind := d.extend(last[:min(len(last), lastLinesShown)], room{left.lines, left.bytes * 2 / 3, 0})
	d.extend(first[:min(len(first), firstLinesShown)], left.less(behind))
	return true
}

// maxMissed is for how many lines there may be no room before no further one is tried.
const maxMissed = 64

// extend shows more lines of an end, from the outermost one on, and returns the room that they take.
func (d *digest) extend(lines []numbered, r room) (taken room) {
	var more []numbered
	for _, line := range lines {
		line.text = d.prefix(line.number) + line.text
		if _, is := d.find(line.number); is {
			continue
		}
		if taken.lines == r.lines || taken.bytes+len(line.text)+1 > r.bytes {
			break
		}
		taken.lines, taken.bytes = taken.lines+1, taken.bytes+len(line.text)+1
		more = append(more, line)
	}
	for {
		all := slices.Concat(d.lines, more)
		slices.SortFunc(all, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
		with := digest{composer: d.composer, room: d.room, lines: all, last: d.last, saved: d.saved}
		if len(more) == 0 || len(with.text()) <= d.room.bytes { // what stands in place of others may have become longer
			d.lines = all
			return taken
		}
		last := more[len(more)-1]
		taken.lines, taken.bytes, more = taken.lines-1, taken.bytes-len(last.text)-1, more[:len(more)-1]
	}
}

// find returns where the line of that number is among those shown, or would be.
func (d *digest) find(number int) (at int, is bool) {
	return slices.BinarySearchFunc(d.lines, number, func(a numbered, n int) int { return cmp.Compare(a.number, n) })
}

// prefix returns what stands in front of a line.
func (d *digest) prefix(line int) string {
	if d.Number == nil {
		return ""
	}
	return d.Number(d.before + line)
}

// add shows a line too, if the text then has no more than that many bytes.
func (d *digest) add(line numbered, within int) bool {
	line.text = d.prefix(line.number) + line.text
	at, is := d.find(line.number)
	if is {
		return true
	}
	d.lines = slices.Insert(d.lines, at, line)
	if text := d.text(); len(text) <= within && strings.Count(text, "\n") < d.room.lines {
		return true
	}
	d.lines = slices.Delete(d.lines, at, at+1)
	return false
}

// heads returns the first lines of the whole, as far as they are held, and tails the last ones, from the end.
func (d *digest) heads() (lines []numbered) {
	text := d.ends.first[:min(len(d.ends.first), d.room.bytes)]
	for n := 1; n <= d.last; n++ {
		line, rest, found := strings.Cut(text, "\n")
		if !found {
			if n == 1 { // it is longer than the room, or the only one
				lines = append(lines, numbered{n, shortened(line, digestLine)})
			}
			break
		}
		lines = append(lines, numbered{n, shortened(line, digestLine)})
		text = rest
	}
	return lines
}

func (d *digest) tails() (lines []numbered) {
	text := strings.TrimSuffix(d.ends.last, "\n")
	for n := d.last; n > 0 && len(d.ends.last)-len(text) <= d.room.bytes; n-- {
		start := strings.LastIndexByte(text, '\n') + 1
		if start == 0 && !(d.lastIsLine && len(text) > 0) && n > 1 {
			break
		}
		lines = append(lines, numbered{n, shortened(text[start:], digestLine)})
		if start == 0 {
			break
		}
		text = text[:start-1]
	}
	return lines
}

// text returns the lines, and what stands in place of the others.
func (d *digest) text() string {
	var b strings.Builder
	next, saved := 1, d.saved
	var before []string
	gap := func(to int) {
		if next > to {
			return
		}
		like := d.report.Like(next, to)
		var quotes []string
		for _, line := range like {
			quotes = append(quotes, quoted(beginning(line)))
		}
		switch {
		case to-next < fewLines:
			quotes = nil
		case slices.Equal(quotes, before):
			quotes = []string{"these"}
		default:
			before = quotes
		}
		b.WriteString("[" + d.describe(next, to, quotes) + saved + "]\n")
		saved = "" // it has been said
	}
	for _, line := range d.lines {
		gap(line.number - 1)
		b.WriteString(line.text + "\n")
		next = line.number + 1
	}
	gap(d.last)
	return strings.TrimSuffix(b.String(), "\n")
}

// describe returns what stands in place of lines.
func (d *digest) describe(from, to int, like []string) string {
	if from == to {
		return fmt.Sprintf("line %d", d.before+from)
	}
	lines := fmt.Sprintf("lines %d-%d: %s lines", d.before+from, d.before+to, thousands(to-from+1))
	if len(like) > 0 {
		lines += " like " + strings.Join(like, " and ")
	}
	return lines
}

// thousands prints a number with commas: "46,218".
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// quoted returns the beginning of a line in quotes.
func quoted(line string) string {
	for most := likeBytes; ; most = most * 3 / 4 {
		if q := strconv.Quote(shortened(line, most)); len(q) <= likeBytes+5 {
			return q
		}
	}
}

// shortened returns a line, or its beginning if it has more bytes.
func shortened(line string, most int) string {
	if len(line) <= most {
		return line
	}
	return line[:most-unfinished(bytesOf(line[:most]))] + "..."
}
