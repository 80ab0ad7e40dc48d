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
	digestLine = 320 // bytes of a line in a digest
	likeBytes  = 60  // bytes of a line that stands for those like it
	fewLines   = 8   // that may be left out without a word on what they are like
)

// digest is a text of lines in order, with a description of those that are left out in between.
type digest struct {
	*composer
	room  room
	lines []numbered
	bytes int    // that the lines take
	gap   int    // the most bytes that a description takes
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
	widest := strings.Repeat("x", likeBytes+5)
	d.gap = len(d.describe(d.last, d.last+1, []string{widest, widest})) + 1
	if c.standard && c.err != nil {
		d.saved = ". Full output (not saved: " + c.err.Error() + ")"
	} else if c.standard && c.path != "" {
		d.saved = ". Full output: " + c.path
	}
	if !d.choose() {
		return res, false
	}
	res = c.Policy.result(Digest, c.total)
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

// choose chooses the lines: the first and the last one, those that stand out, and then more of both ends.
func (d *digest) choose() bool {
	first, last := d.heads(), d.tails()
	if len(first) == 0 || len(last) == 0 || !d.add(last[0], d.room.bytes) || !d.add(first[0], d.room.bytes) {
		return false
	}
	telling := slices.Clone(d.report.Lines)
	slices.SortStableFunc(telling, func(a, b shapes.Standout) int { return cmp.Compare(b.Rank, a.Rank) })
	for _, s := range telling {
		d.add(numbered{s.Number, beginning(s.Line)}, d.room.bytes*3/4)
	}
	left := d.room.bytes - d.size()
	for _, line := range last[1:] {
		if !d.add(line, d.room.bytes-left/3) {
			break
		}
	}
	for _, line := range first[1:] {
		if !d.add(line, d.room.bytes) {
			break
		}
	}
	return true
}

// add shows a line too, if the text then has no more than that many bytes.
func (d *digest) add(line numbered, within int) bool {
	if d.Number != nil {
		line.text = d.Number(d.before+line.number) + line.text
	}
	at, is := slices.BinarySearchFunc(d.lines, line, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	if is {
		return true
	}
	d.lines = slices.Insert(d.lines, at, line)
	d.bytes += len(line.text) + 1
	if d.size() <= within && len(d.lines)+d.gaps() <= d.room.lines {
		return true
	}
	d.lines = slices.Delete(d.lines, at, at+1)
	d.bytes -= len(line.text) + 1
	return false
}

// size returns the most bytes that the text may take.
func (d *digest) size() int { return d.bytes + d.gaps()*d.gap + len(d.saved) }

// gaps returns the number of places where lines are left out.
func (d *digest) gaps() (n int) {
	next := 1
	for _, line := range d.lines {
		if line.number > next {
			n++
		}
		next = line.number + 1
	}
	if next <= d.last {
		n++
	}
	return n
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
	next := 1
	var before []string
	gap := func(to int) {
		if next > to {
			return
		}
		var like []string
		for _, line := range d.report.Like(next, to) {
			like = append(like, quoted(beginning(line)))
		}
		switch {
		case to-next < fewLines:
			like = nil
		case slices.Equal(like, before):
			like = []string{"these"}
		default:
			before = like
		}
		b.WriteString(d.describe(next, to, like) + "\n")
		d.saved = "" // it has been said
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
	lines := fmt.Sprintf("lines %d-%d: %s lines", d.before+from, d.before+to, thousands(to-from+1))
	if from == to {
		lines = fmt.Sprintf("line %d", d.before+from)
	}
	for i, text := range like {
		lines += []string{" like ", " and "}[i] + text
	}
	return "[" + lines + d.saved + "]"
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
