package shapes

import (
	"bytes"
	"slices"
)

const (
	maxBlocks  = 96 // failures that are kept
	maxMembers = 12 // lines kept with each of them
	maxTrace   = 24 // lines kept of a stack trace
	maxGaps    = 3  // blank lines in it; after each, only deeper lines belong to it
	maxBefore  = 4  // lines of these that precede it

	maxMarked = 256 << 10 // bytes of all lines that belong to failures
)

// A Line is a line of a text.
type Line struct {
	Number int    // from 1
	Bytes  int    // its size, without the newline
	Text   []byte // the line, or part of it
	From   int    // where Text begins in the line
	At     int    // where in Text the important part begins

	fails bool // it reports a failure by itself
}

// block is a line that reports a failure, with the lines that belong to it, in order.
type block struct {
	lines  []Line
	leader int // the index of the line that reports the failure
	kind   kind
	hash   uint64 // of its shape
	twin   bool   // only a comparison with similar lines shows the failure
	plain  bool   // see judgement
	family uint64 // equal for similar messages: see family
	by     uint8  // see judgement.family
}

// marks holds blocks, in order.
type marks struct {
	blocks []block
	left   int  // how many more lines may belong to the last block; 0: it has ended
	trace  bool // lines of the same indentation belong to it too, up to a blank line
	gaps   int  // blank lines that may still be in it
	bytes  int  // of all lines that belong to blocks
	more   int  // failures without room for a block

	among places // where these are
}

// open reports whether the next line may belong to a block.
func (m *marks) open() bool { return m.left > 0 }

// blank takes a line without letters and digits. It belongs to the block if it has other characters, such as the caret
// under a compiler's message.
func (m *marks) blank(line Line) {
	if m.left == 0 {
		return
	}
	if len(bytes.TrimSpace(line.Text)) > 0 {
		last := &m.blocks[len(m.blocks)-1]
		if m.left--; continues(line.Text) || belongs(line.Text, last.lines[last.leader].Text, m.trace, nothing) {
			m.join(last, line)
		} else {
			m.left = 0 // such as a rule
		}
		return
	}
	if m.gaps == 0 {
		m.left = 0
		return
	}
	m.gaps--
	m.trace = false
}

// mark takes a line that has been counted. at is its start in the current write.
func (f *Finder) mark(line Line, shape int, j judgement, at int) {
	m := &f.marks
	line.fails = j.kind == fails
	if m.left > 0 {
		m.left--
		last := &m.blocks[len(m.blocks)-1]
		leader := last.lines[last.leader].Text
		passed := f.table.shapes[shape].passed && !isAdded(line.Text)
		near := len(last.lines)-last.leader <= reasonLines || introduces(last.lines[len(last.lines)-1].Text)
		ordinary := passed || f.table.common(shape) && !(near && deeper(line.Text, leader))
		if continues(line.Text) || (belongs(line.Text, leader, m.trace, j.kind) || heads(line.Text, leader)) && !ordinary {
			if len(last.lines) == last.leader+1 && isNumbered(leader) && explains(line.Text) {
				last.plain = true // a list in prose does not continue like this
			}
			m.join(last, line)
			if introduces(line.Text) && m.left > 0 {
				m.gaps = maxGaps
			}
			return
		}
		m.left = 0
	}
	if j.kind == nothing {
		return
	}
	s := &f.table.shapes[shape]
	if s.count > s.places() {
		return
	}
	if !m.room(j.kind) {
		m.more++
		m.among.add(line.Number)
		return
	}
	b := block{kind: j.kind, hash: s.hash, twin: s.twin, plain: j.plain, family: family(line.Text, j), by: j.family}
	if (j.after || j.framed || introduces(line.Text)) && line.Bytes <= maxLine {
		b.lines = f.before(line, at, j.framed)
		for _, line := range b.lines {
			m.bytes += len(line.Text)
		}
	}
	b.leader = len(b.lines)
	b.lines = append(b.lines, line.clone())
	m.blocks = append(m.blocks, b)
	m.trace, m.gaps = j.trace || j.framed, 0
	switch {
	case j.kind < fails:
	case j.gap || introduces(line.Text):
		m.left, m.gaps = maxTrace, maxGaps
	default:
		m.left = maxMembers
	}
}

func (m *marks) join(b *block, line Line) {
	m.trace = m.trace || bytes.HasPrefix(line.Text, []byte("goroutine "))
	if m.bytes += len(line.Text); m.bytes > maxMarked {
		m.bytes -= len(line.Text)
		m.left = 0
		m.among.add(line.Number)
		return
	}
	b.lines = append(b.lines, line.clone())
}

// room makes room for another block, if there are too many: it drops one of a lower kind, or several that are alike.
func (m *marks) room(k kind) bool {
	if len(m.blocks) < maxBlocks {
		return true
	}
	if i := slices.IndexFunc(m.blocks, func(b block) bool { return b.kind < k }); i >= 0 {
		m.drop(&m.blocks[i])
		m.blocks = slices.Delete(m.blocks, i, i+1)
		return true
	}
	if k == fails {
		m.thin()
	}
	return len(m.blocks) < maxBlocks
}

// drop forgets a block except for the places of its lines.
func (m *marks) drop(b *block) {
	for at, line := range b.lines {
		m.among.add(line.Number)
		if at != b.leader {
			m.bytes -= len(line.Text)
		}
	}
	m.more++
}

// manyBlocks is how many blocks are dropped at a time, so that a text with nothing but failures costs little.
const manyBlocks = maxBlocks / 4

// thin drops the blocks of the largest family except its first and last ones or, if none is large, as many in the
// middle.
func (m *marks) thin() {
	counts := map[uint64]int{}
	most := uint64(0)
	for _, b := range m.blocks {
		if counts[b.family]++; counts[b.family] > counts[most] {
			most = b.family
		}
	}
	n := 0
	kept := m.blocks[:0]
	for i, b := range m.blocks {
		surplus := i >= maxBlocks/2 && i < maxBlocks/2+manyBlocks
		if counts[most] > manyBlocks {
			if b.family == most {
				n++
			}
			surplus = b.family == most && n > maxPlaces && n <= counts[most]-maxPlaces
		}
		if surplus {
			m.drop(&b)
		} else {
			kept = append(kept, b)
		}
	}
	clear(m.blocks[len(kept):])
	m.blocks = kept
}

// familyWords is how many words of a message decide the family of its line.
const familyWords = 3

// family returns a hash that is equal for lines whose messages begin with the same words, ignoring names.
func family(text []byte, j judgement) (hash uint64) {
	var buffer [maxTokens]token
	hash = uint64(j.family)
	words := 0
	quoted := false
	for _, t := range tokenize(text[j.at:], &buffer) {
		switch {
		case t == '"' || t == '\'' || t == '`':
			quoted = !quoted
		case t.literal() && !quoted && words < familyWords:
			words++
			hash += t.mix(words)
		}
	}
	return hash
}

func (l Line) clone() Line {
	l.Text = bytes.Clone(l.Text)
	return l
}

// belongs reports whether a line belongs to the block of leader.
func belongs(text, leader []byte, trace bool, k kind) bool {
	cause := bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte("Caused by"))
	return trace && (k < sumsUp || cause) || deeper(text, leader)
}

// continues reports whether a line looks like the continuation of another one.
func continues(text []byte) bool {
	rest := bytes.TrimLeft(text, " \t")
	if beginsAny(rest, continuing) || bytes.Contains(rest, []byte(": note: ")) {
		return true
	}
	bar := bytes.IndexByte(rest, '|')
	return bar > 0 && len(bytes.Trim(rest[:bar], "0123456789 ")) == 0 // source code beside a compiler's message
}

var continuing = words("Caused by", "at ", "...", "note:", "goroutine ", "created by ", "^", "|", "~", "= ", "--> ",
	"File \"", "E  ", "> ", "\u2502", "\u2570", "\u251c")

// introduces reports whether a line ends like the introduction of a block of lines, which may have blank ones.
func introduces(text []byte) bool {
	end := bytes.TrimRight(text, " \t\r")
	return bytes.HasSuffix(end, []byte(":")) || bytes.HasSuffix(end, []byte(": |-")) || bytes.HasSuffix(end, []byte(": |"))
}

// heads reports whether a line behind a failure introduces more of its message, such as "Expected:".
func heads(text, leader []byte) bool {
	return introduces(text) && !deeper(text, leader) && !deeper(leader, text)
}

// explains reports whether a line begins the message of a failure: with the place of a test, or the name of an error.
func explains(text []byte) bool {
	if bytes.Contains(text, []byte("rror:")) || introduces(text) {
		return true
	}
	colon := bytes.LastIndexByte(text, ':')
	return colon > 0 && colon+1 < len(text) && isDigit(text[colon+1]) && bytes.IndexByte(text[:colon], '.') > 0
}

// isAdded reports whether a line may be an added line of a diff. A shell that prints its commands uses the same mark.
func isAdded(text []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte("+ ")) }

// deeper reports whether a line is indented more than another one, not counting prefixes such as a time if both have
// one.
func deeper(text, than []byte) bool {
	in, behind := indentation(text)
	out, other := indentation(than)
	if behind != other {
		in, out = spaces(text), spaces(than)
	}
	return in > out
}

// indentation returns the width of the white space before the message of a line, and whether something else precedes
// that.
func indentation(text []byte) (width int, behind bool) {
	var buffer [maxLine]byte
	at, width, _ := message(lowered(text, &buffer))
	return width, len(bytes.TrimLeft(text[:at], " \t")) > 0
}

func spaces(text []byte) (width int) {
	for _, c := range text {
		switch c {
		case ' ':
			width++
		case '\t':
			width += 8
		default:
			return width
		}
	}
	return width
}

// before returns the lines before another one that belong to it: lines with a deeper indentation or, with all,
// everything up to an ordinary line or another report.
func (f *Finder) before(line Line, at int, all bool) (lines []Line) {
	past := f.past.before(at, maxPast)
	whole := len(past) < maxPast // its first line is complete
	known, most := 0, maxBefore
	if all {
		most = maxMembers
	}
	if n := len(f.marks.blocks); n > 0 {
		known = f.marks.blocks[n-1].lines[len(f.marks.blocks[n-1].lines)-1].Number
	}
	for number := line.Number - 1; len(lines) < most && number > known && len(past) > 0; number-- {
		past = past[:len(past)-1]
		start := bytes.LastIndexByte(past, '\n') + 1
		if start == 0 && !whole {
			break
		}
		text := past[start:]
		if len(text) > maxLine || !all && !deeper(text, line.Text) && !continues(text[Stamp(text):]) {
			break
		}
		var buffer [maxTokens]token
		if i := f.table.find(sum(tokenize(text, &buffer))); i >= 0 && (f.table.common(i) || all && f.table.shapes[i].passed) {
			break
		}
		lines = append(lines, Line{Number: number, Bytes: len(text), Text: bytes.Clone(text)})
		past = past[:start]
	}
	slices.Reverse(lines)
	return lines
}
