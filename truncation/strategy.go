package truncation

import (
	"math"
	"strings"
)

// A Strategy says which part of a text to keep. In a [Policy], "" means [Middle].
type Strategy string

const (
	// Head keeps the first lines that fit, whole. If even the first does not fit, Head keeps its beginning, but only
	// with a marker: without one, nothing would tell that it is cut.
	Head Strategy = "head"
	// Tail keeps the last lines that fit, whole. If even the last does not fit, it keeps
	// that line's end.
	Tail Strategy = "tail"
	// HeadChars keeps the first characters that fit, whatever lines they are in.
	HeadChars Strategy = "head_chars"
	// TailChars keeps the last characters that fit, whatever lines they are in.
	TailChars Strategy = "tail_chars"
	// Middle keeps as many characters of the beginning as of the end, with an odd one at the beginning.
	Middle Strategy = "middle"
	// MiddleLines is Middle by whole lines: each end has half of the limits. If no line
	// fits at either end, it keeps the beginning of the first line and the end of the
	// last.
	MiddleLines Strategy = "middle_lines"
	// HeadTailLines keeps the first Policy.First and the last Policy.Last lines. If these do not fit the limits, it is
	// MiddleLines with at most that many lines.
	HeadTailLines Strategy = "head_tail_lines"
	// Digest keeps the first lines, the last lines, and in between the lines that stand out ([Policy.Standout]) with
	// those that explain them. It begins with a line of totals and describes what is left out:
	//
	//	[Digest of 82,005 lines: 2 lines report failures (all shown), no warnings found, nothing else stands out]
	//	[lines 4-46220: 46,217 lines like "=== RUN   TestCase1" and "--- PASS: TestCase1 (0.00s)"]
	//
	// In the totals, a sum such as "3 failed" counts as a failure only if no other line is one. Without limits a
	// digest has 4 KiB. It shows at most 320 bytes of a line, and says how much of a longer one it leaves out; of a
	// text of one line it shows both ends. A text that fits is condensed too, if that saves half of it. If the lines
	// of a text do not repeat, Digest cuts it like MiddleLines.
	Digest Strategy = "digest"
	// JSON cuts a text that is one JSON document, an object or an array, as Digest does too, and is Digest for any
	// other text. It keeps the first two and the last element of each array and, as far as there is room, those that
	// are unlike the others or say that something failed. The result is JSON as well, unless there is no room for two
	// bytes; strings in brackets stand for what is left out:
	//
	//	{"items": [{"name": "a"}, {"name": "b"}, "[478 left out: $.items[2..479]]", {"name": "z"}]}
	//
	// It names no file: Marker is not used, and the caller of Policy.Save says where the full text is.
	JSON Strategy = "json"
)

var strategies = []Strategy{Head, Tail, HeadChars, TailChars, Middle, MiddleLines, HeadTailLines, Digest, JSON}

// trait has the properties of a strategy besides how it chooses.
type trait struct {
	head, tail bool // it keeps something of that end of a text
	wholeLines bool // it keeps whole lines of one end, where the newline of the last line does not count
	twoEnds    bool // it keeps whole lines of both ends
	digests    bool // it shows what stands out
}

var traits = map[Strategy]trait{
	Head:          {head: true, wholeLines: true},
	Tail:          {tail: true, wholeLines: true},
	HeadChars:     {head: true},
	TailChars:     {tail: true},
	Middle:        {head: true, tail: true},
	MiddleLines:   {head: true, tail: true, twoEnds: true},
	HeadTailLines: {head: true, tail: true, twoEnds: true},
	Digest:        {head: true, tail: true, twoEnds: true, digests: true},
	JSON:          {head: true, tail: true, twoEnds: true, digests: true},
}

// part is the beginning and the end that are kept of a text, with the number of lines in each, partial ones included.
type part struct {
	head, tail           string
	headLines, tailLines int
	newlineDropped       bool // the last line is kept without its newline
	partial              bool // no line is kept whole
}

// room is the space left. It cannot be unlimited, unlike Limits.
type room struct{ lines, bytes, chars int }

func roomOf(text string) room {
	chars, invalid := countChars(text)
	return room{linesOf(text), len(text) + invalid*(len(replacement)-1), chars}
}

func (r room) fits(in room) bool {
	return r.lines <= in.lines && r.bytes <= in.bytes && r.chars <= in.chars
}

func (r room) less(taken room) room {
	return room{max(r.lines-taken.lines, 0), max(r.bytes-taken.bytes, 0), max(r.chars-taken.chars, 0)}
}

func (r room) halves() (head, tail room) {
	tail = room{r.lines / 2, r.bytes / 2, r.chars / 2}
	return r.less(tail), tail
}

// ends is what a strategy chooses from: the beginning and the end of a text that does not fit. Each is the whole text,
// or longer than the room.
type ends struct {
	first, last string
	// lastIsLine says that last begins at the start of a line.
	lastIsLine bool
	bare       bool // last lacks the newline of the last line
}

func (e ends) lastEnd() int {
	if e.bare {
		return len(e.last)
	}
	return len(strings.TrimSuffix(e.last, "\n"))
}

func (p *plan) choose(e ends, r room) (kept part) {
	switch p.Strategy {
	case Head:
		kept.head, kept.headLines = headLines(e.first, r)
		if kept.headLines == 0 && r.lines > 0 && p.marker != "" {
			kept.head = e.firstChars(r)
			kept.headLines, kept.partial = linesOf(kept.head), kept.head != ""
		}
		return kept
	case Tail:
		if e.last == "" {
			return kept // no line is held
		}
		all := e.last
		e.last, e.bare = strings.TrimSuffix(e.last, "\n"), true
		kept.tail, kept.tailLines = e.tailLines(r)
		if kept.tailLines == 0 && r.lines > 0 {
			kept.tail, kept.tailLines = e.lastChars(r), 1
			kept.partial = kept.tail != ""
		}
		if len(e.last) < len(all) {
			whole := all[len(e.last)-len(kept.tail):]
			if kept.newlineDropped = kept.tailLines == 0 || !roomOf(whole).fits(room{math.MaxInt, r.bytes, r.chars}); !kept.newlineDropped {
				kept.tail = whole
			}
		}
		return kept
	case HeadChars:
		kept.head = e.firstChars(r)
	case TailChars:
		kept.tail = e.last[tailStart(e.last, r):]
	case Middle:
		head, tail := r.halves()
		kept.head, kept.tail = e.firstChars(head), e.last[tailStart(e.last, tail):]
	case MiddleLines, Digest, JSON:
		return e.bothLines(r, r.lines, r.lines)
	case HeadTailLines:
		return e.bothLines(r, p.First, p.Last)
	}
	kept.headLines, kept.tailLines = linesOf(kept.head), linesOf(kept.tail)
	return kept
}

func (e ends) firstChars(r room) string {
	end, _ := headEnd(e.first, r)
	return e.first[:end]
}

func (e ends) lastChars(r room) string {
	line := e.last[strings.LastIndexByte(e.last[:e.lastEnd()], '\n')+1:]
	return line[tailStart(line, r):]
}

// bothLines returns up to first and last whole lines: all of them if they fit, otherwise those that fit in half of the
// room each. If no line fits, it returns the beginning of the first line and the end of the last.
func (e ends) bothLines(r room, first, last int) (kept part) {
	if first <= r.lines && last <= r.lines-first {
		all := r
		all.lines = first
		kept.head, kept.headLines = headLines(e.first, all)
		all.lines = last
		kept.tail, kept.tailLines = e.tailLines(all)
		a, b := roomOf(kept.head), roomOf(kept.tail)
		if kept.headLines == first && kept.tailLines == last && b.bytes <= r.bytes-a.bytes && b.chars <= r.chars-a.chars {
			return kept
		}
	}
	head, tail := r.halves()
	head.lines, tail.lines = min(head.lines, first), min(tail.lines, last)
	kept.head, kept.headLines = headLines(e.first, head)
	kept.tail, kept.tailLines = e.tailLines(tail)
	if kept.headLines+kept.tailLines > 0 {
		return kept
	}
	if head.lines > 0 {
		kept.head = e.firstChars(head)
	}
	if tail.lines > 0 {
		kept.tail = e.lastChars(tail)
	}
	kept.headLines, kept.tailLines = linesOf(kept.head), linesOf(kept.tail)
	kept.partial = kept.head != "" || kept.tail != ""
	return kept
}

// headLines returns the whole lines that fit at the beginning of s, which is longer than the room, without the last
// newline.
func headLines(s string, r room) (head string, n int) {
	fit, _ := headEnd(s, r)
	end := 0
	for start := 0; n < r.lines; n++ {
		i := strings.IndexByte(s[start:min(fit+1, len(s))], '\n')
		if i < 0 {
			break
		}
		end = start + i
		start = end + 1
	}
	return s[:end], n
}

func (e ends) tailLines(r room) (tail string, n int) {
	s := e.last
	if s == "" && !e.bare {
		return "", 0
	}
	fit := tailStart(s, r)
	start, end := len(s), e.lastEnd()
	for ; n < r.lines && end >= 0; n++ {
		i := strings.LastIndexByte(s[:end], '\n')
		if i+1 < fit || (i < 0 && !e.lastIsLine) {
			break
		}
		start, end = i+1, i
	}
	return s[start:], n
}
