package truncation

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/shapes"
	"github.com/spillway-go/spillway/internal/size"
)

// DigestBytes is the size that [Digest] keeps to where there are no limits.
const DigestBytes = 4 << 10

const (
	digestLine = 320 // bytes of a line in a digest

	// Lines of both ends. There are more only where there is room, up to the last that is unlike the others.
	leastFirst, mostFirst = 3, 5
	leastLast, mostLast   = 5, 20
	fewLast               = 2 // where the last failure is not at the end
)

// digest is a text of lines in order, with a description of those that are left out in between.
type digest struct {
	*composer
	room  room
	lines []numbered
	last  int    // the number of the last line of the whole
	saved string // says where the whole is
	bare  bool   // without the line of totals

	telling []numbered // those of report.Lines
	warns   bool       // there are lines that may be warnings and are not counted
	quotes  map[span][]string
	hidden  int // lines that report failures, are left out, and are not in telling
	hiding  int // gaps that these may be in
}

// span is the first and the last of lines that are left out.
type span struct{ from, to int }

// numbered is a line that is shown, and what it says.
type numbered struct {
	number           int
	text             string
	cut              bool // text is a part of the line, with a mark
	chars            int  // characters of the beginning of a line that is cut; 0 if text is its end
	failing, warning bool
	sums             bool // it sums up failures, which are counted without it
	rare             bool // it says neither, and is unlike the others
	ordinary         bool // many others are like it
}

// line returns a line of the text that has so many bytes, of which text may be the beginning.
func (d *digest) line(number int, text string, bytes int) numbered {
	if at, is := find(d.telling, number); is {
		return d.telling[at]
	}
	l := numbered{number: number, ordinary: d.report.Ordinary(bytesOf(text))}
	d.begin(&l, shapes.Line{Text: bytesOf(text), Bytes: bytes})
	return d.says(l, bytesOf(text))
}

// begin sets the text to a line, or to as much of it as is known and shown.
func (d *digest) begin(l *numbered, line shapes.Line) {
	part := line.Text[:min(len(line.Text), digestLine)]
	if line.From+len(part) < line.Bytes {
		part = part[:len(part)-unfinished(part)]
	}
	text := d.shown(valid(string(part)))
	if len(part) == line.Bytes {
		l.text = text
		return
	}
	l.cut = true
	if line.From > 0 {
		text = cutMark + text
	} else {
		l.chars = utf8.RuneCount(part)
	}
	l.text = text + cutMark + " " + partLeft(line.Bytes-len(part))
}

// shown returns a line without what colours it, and without the time in front of it if nearly all lines have one.
func (d *digest) shown(text string) string {
	text = string(shapes.Plain(bytesOf(text)))
	if d.report.Stamped {
		text = text[shapes.Stamp(bytesOf(text)):]
	}
	return text
}

// end sets the text to the end of a line of so many bytes, of which line has at least what is shown.
func (l *numbered) end(line string, bytes int) {
	line = line[tailStart(line, room{bytes: digestLine, chars: digestLine}):]
	l.text, l.cut = partLeft(bytes-len(line))+" ..."+line, true
}

// partLeft says that so many bytes of a line are left out.
func partLeft(bytes int) string { return "[" + size.Format(int64(bytes)) + " of this line left out]" }

// says returns a line with what it says.
func (d *digest) says(l numbered, text []byte) numbered {
	l.failing, l.warning = d.report.Says(text)
	if l.failing && !d.report.OnlySums() && shapes.SumsUp(text) {
		l.failing, l.sums = false, true
	}
	return l
}

// find returns where the line of that number is among lines, or would be.
func find(lines []numbered, number int) (at int, is bool) {
	return slices.BinarySearchFunc(lines, number, func(a numbered, n int) int { return cmp.Compare(a.number, n) })
}

// digest returns the digest of a text that repeats, unless there is too little room.
func (c *composer) digest(r room) (d digest, ok bool) {
	if !c.report.Repeats && len(c.report.Lines) == 0 && c.Number == nil || c.total.lines() == 1 {
		return d, false // of a single line, both ends tell more
	}
	d = digest{composer: c, room: r.less(c.prefix), last: c.total.lines(), quotes: map[span][]string{}}
	d.room.bytes = min(d.room.bytes, d.room.chars)
	if c.standard && c.err != nil {
		d.saved = ". Full output (not saved: " + c.err.Error() + ")"
	} else if c.standard && c.path != "" {
		d.saved = ". Full output: " + c.path
	}
	d.warns = c.report.MentionsWarnings()
	for _, s := range c.report.Lines {
		l := numbered{number: s.Number, rare: s.Leader == 0}
		d.begin(&l, s.Line)
		d.telling = append(d.telling, d.says(l, s.Text))
	}
	if d.choose() {
		return d, true
	}
	d.bare, d.lines = true, nil
	return d, d.choose()
}

// result returns the digest as a result.
func (d *digest) result() Result {
	res := d.Policy.result(d.total)
	text, said := d.text()
	for _, line := range said {
		res.said = append(res.said, strings.Count(d.Prefix, "\n")+line)
	}
	res.Text = d.Prefix + valid(text)
	res.Truncated = true
	if d.reason != "" {
		res.TruncatedBy, _ = d.why(part{})
	}
	for _, line := range d.lines {
		shown := roomOf(line.text)
		res.OutputBytes += shown.bytes + 1
		res.OutputChars += shown.chars + 1
		if line.cut && res.CutLine == 0 {
			res.CutLine, res.CutChars = d.before+line.number, line.chars
		}
	}
	res.OutputLines = len(d.lines)
	res.OutputBytes, res.OutputChars = min(res.OutputBytes, res.TotalBytes), min(res.OutputChars, res.TotalChars)
	res.Standout, res.StandoutMore = d.standout(1, d.last)
	res.Failing = d.report.Failing
	return res
}

// condense returns the digest of a text that fits, if it is at most half as long and shows all that stands out. A JSON
// document stays whole.
func (p *plan) condense(text string, before int) (res Result, ok bool) {
	text = valid(text)
	c := composer{plan: *p, found: p.lookAt(text, before), total: p.count(text, true)}
	if !c.report.Repeats || c.document != nil {
		return res, false
	}
	c.ends = ends{first: text, last: text, lastIsLine: true}
	r := p.within
	r.bytes = min(r.bytes, len(p.Prefix)+len(text)/2)
	beside := r // the name of the file, which is not made in vain
	if p.Save != nil {
		beside.bytes = max(r.bytes-longPath, 0)
	}
	d, ok := c.digest(beside)
	if !ok || !d.complete() {
		return res, false
	}
	if p.Save != nil {
		c.path, c.err = p.Save()
		if d, ok = c.digest(r); !ok || !d.complete() {
			return res, false
		}
	}
	res = d.result()
	return res, p.Tokens == 0 || p.countTokens(res.Text) <= most(p.Tokens)
}

// complete reports whether all that stands out is shown.
func (d *digest) complete() bool {
	failing := 0
	for _, line := range d.lines {
		failing += one(line.failing || line.sums)
	}
	return failing == d.report.Failing && !slices.ContainsFunc(d.report.Lines, func(s shapes.Standout) bool {
		_, is := find(d.lines, s.Number)
		return s.Tells() && !is
	})
}

// longPath is the size of what names a file with a long path.
const longPath = 160

// end returns the least number of lines of an end, or more, if it is not full and most of these are unlike the others,
// as a summary is.
func (d *digest) end(lines []numbered, least, most int, full bool) []numbered {
	shown, unlike := min(least, len(lines)), 0
	if full {
		return lines[:shown]
	}
	for n := least + 1; n <= min(most, len(lines)); n++ {
		if lines[n-1].ordinary {
			continue
		}
		if unlike++; 2*unlike > n-least {
			shown = n
		}
	}
	return lines[:shown]
}

// heads returns the first lines of the whole, as far as they are held and may be shown, and tails the last ones, from
// the end.
func (d *digest) heads() (lines []numbered) {
	text := d.ends.first[:min(len(d.ends.first), d.room.bytes)]
	for n := 1; n <= d.last && (n <= mostFirst || !d.report.Repeats || d.unexplained()); n++ {
		line, rest, found := strings.Cut(text, "\n")
		if !found {
			if n == 1 { // it is longer than the room
				lines = append(lines, d.line(n, line, d.total.first))
			}
			break
		}
		lines = append(lines, d.line(n, line, len(line)))
		text = rest
	}
	return lines
}

func (d *digest) tails() (lines []numbered) {
	text := strings.TrimSuffix(d.ends.last, "\n")
	if size := d.total.lastLine(); size > d.room.bytes { // its beginning may not be held
		return append(lines, d.lastLine(text, size))
	}
	held := func() bool { return len(d.ends.last)-len(text) <= d.room.bytes }
	for n := d.last; n > 0 && held() && (len(lines) < mostLast || !d.report.Repeats || d.unexplained()); n-- {
		start := strings.LastIndexByte(text, '\n') + 1
		if start == 0 && !(d.lastIsLine && len(text) > 0) && n > 1 {
			break
		}
		lines = append(lines, d.line(n, text[start:], len(text)-start))
		if start == 0 {
			break
		}
		text = text[:start-1]
	}
	return lines
}

// lastLine returns the end of the last line, which has so many bytes, of which end has at least what is shown.
func (d *digest) lastLine(end string, bytes int) numbered {
	if at, is := find(d.telling, d.last); is {
		return d.telling[at]
	}
	l := numbered{number: d.last}
	l.end(end, bytes)
	return d.says(l, bytesOf(l.text))
}
