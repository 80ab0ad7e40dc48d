package truncation

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/shapes"
	"github.com/spillway-go/spillway/internal/size"
)

// DigestBytes is the size of a [Digest] without limits.
const DigestBytes = 4 << 10

const (
	digestLine = 320 // bytes shown of a line

	// The least and the most lines of each end. The number grows while there is room and further lines are unlike the
	// others.
	leastFirst, mostFirst = 3, 5
	leastLast, mostLast   = 5, 20
	fewLast               = 2 // lines of the end if the last failure is not there
)

// digest is a choice of lines in order, with descriptions of the gaps.
type digest struct {
	*composer
	room  room
	lines []numbered
	last  int    // the number of the last line
	saved string // says where the full text is
	bare  bool   // without the line of totals

	telling []numbered // the lines in report.Lines
	warns   bool       // some lines may be warnings, but are not counted
	quotes  map[span][]string
	hidden  int // lines that report failures, but are neither shown nor in telling
	hiding  int // gaps that may hold these lines
}

// span is a range of left-out lines: the first and the last.
type span struct{ from, to int }

// numbered is a line with its number and meaning.
type numbered struct {
	number           int
	text             string
	cut              bool // text is part of the line, with a mark
	chars            int  // characters shown of the beginning of a cut line; 0 if text is its end
	failing, warning bool
	sums             bool // it sums up failures, so it is not counted as one
	rare             bool // it is neither a failure nor a warning, but unlike the others
	ordinary         bool // many others are like it
}

// line returns a line with bytes bytes. text may be only its beginning.
func (d *digest) line(number int, text string, bytes int) numbered {
	if at, is := find(d.telling, number); is {
		return d.telling[at]
	}
	l := numbered{number: number, ordinary: d.report.Ordinary(bytesOf(text))}
	d.begin(&l, shapes.Line{Text: bytesOf(text), Bytes: bytes})
	return d.says(l, bytesOf(text))
}

// begin sets the text to the line, cut to what is known and shown.
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

// shown strips colors from a line, and the time at its start if nearly all lines have one.
func (d *digest) shown(text string) string {
	text = string(shapes.Plain(bytesOf(text)))
	if d.report.Stamped {
		text = text[shapes.Stamp(bytesOf(text)):]
	}
	return text
}

// end sets the text to the end of a line with bytes bytes. line has at least the part to show.
func (l *numbered) end(line string, bytes int) {
	line = line[tailStart(line, room{bytes: digestLine, chars: digestLine}):]
	l.text, l.cut = partLeft(bytes-len(line))+" ..."+line, true
}

func partLeft(bytes int) string { return "[" + size.Format(int64(bytes)) + " of this line left out]" }

func (d *digest) says(l numbered, text []byte) numbered {
	l.failing, l.warning = d.report.Says(text)
	if l.failing && !d.report.OnlySums() && shapes.SumsUp(text) {
		l.failing, l.sums = false, true
	}
	return l
}

// find returns the index of a line by its number, or where to insert it.
func find(lines []numbered, number int) (at int, is bool) {
	return slices.BinarySearchFunc(lines, number, func(a numbered, n int) int { return cmp.Compare(a.number, n) })
}

// digest returns the digest of a text that repeats, unless there is too little room.
func (c *composer) digest(r room) (d digest, ok bool) {
	if !c.report.Repeats && len(c.report.Lines) == 0 && c.Number == nil || c.total.lines() == 1 {
		return d, false // both ends of a single line say more
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

// condense returns the digest of a text that fits, if that is at most half as long and shows all that stands out. A
// JSON document stays whole.
func (p *plan) condense(text string, before int) (res Result, ok bool) {
	text = valid(text)
	c := composer{plan: *p, found: p.lookAt(text, before), total: p.count(text, true)}
	if !c.report.Repeats || c.document != nil {
		return res, false
	}
	c.ends = ends{first: text, last: text, lastIsLine: true}
	r := p.within
	r.bytes = min(r.bytes, len(p.Prefix)+len(text)/2)
	beside := r // reserve room for the path before the file is written
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

// longPath is the room reserved for a notice with a long path, in bytes.
const longPath = 160

// end returns the lines of an end: the least number, or more if the room is not full and most of them are unlike the
// others, like a summary.
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

// heads returns the first lines that are held and may be shown; tails the last ones, from the end.
func (d *digest) heads() (lines []numbered) {
	text := d.ends.first[:min(len(d.ends.first), d.room.bytes)]
	for n := 1; n <= d.last && (n <= mostFirst || !d.report.Repeats || d.unexplained()); n++ {
		line, rest, found := strings.Cut(text, "\n")
		if !found {
			if n == 1 { // longer than the room
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
	if size := d.total.lastLine(); size > d.room.bytes { // its beginning may be lost
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

// lastLine returns the end of the last line, which has bytes bytes. end has at least the part to show.
func (d *digest) lastLine(end string, bytes int) numbered {
	if at, is := find(d.telling, d.last); is {
		return d.telling[at]
	}
	l := numbered{number: d.last}
	l.end(end, bytes)
	return d.says(l, bytesOf(l.text))
}
