package shapes

import (
	"bytes"
	"slices"
)

const (
	maxBlocks  = 96 // lines that say that something failed, and are kept
	maxMembers = 12 // lines kept of those that belong to one of them
	maxTrace   = 24 // and of a stack trace
	maxGaps    = 3  // blank lines in it, behind each of which only what is indented more belongs to it
	maxBefore  = 4  // of these, lines in front of it

	maxMarked = 256 << 10 // bytes that the lines that belong to others may take together
)

// A Line is a line of a text.
type Line struct {
	Number int    // from 1
	Bytes  int    // its size, without the newline
	Text   []byte // the line, or a part of it
	From   int    // where Text begins in the line
	At     int    // where in Text it says what makes it stand out

	fails bool // it says so by itself
}

// block is a line that says that something failed, and those that belong to it, in order.
type block struct {
	lines  []Line
	leader int // the index of the line that says so
	kind   kind
	hash   uint64 // of its shape
	twin   bool   // its words alone do not say so
	plain  bool   // see judgement
	family uint64 // those with the same one are alike: see family
	by     uint8  // what tells so: see judgement
}

// marks holds blocks, in order.
type marks struct {
	blocks []block
	left   int  // how many more lines may belong to the last block; 0: it has ended
	trace  bool // lines of the same indentation belong to it as well, to the next blank line
	gaps   int  // how many blank lines may be in it
	bytes  int  // of the lines that belong to others
	more   int  // lines that say that something failed, and for which there was no room

	among places // where lines are for which there was no room
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
			m.left = 0 // a rule, say
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

// mark takes a line that has been counted, and starts at that place of the current write.
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
				last.plain = true // a list in prose does not go on so
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

// join adds a line to the block that it belongs to.
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

// room makes room for another block, if there are too many, in place of one of a lower kind, or of many that are alike.
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

// drop forgets a block, but for where its lines are.
func (m *marks) drop(b *block) {
	for at, line := range b.lines {
		m.among.add(line.Number)
		if at != b.leader {
			m.bytes -= len(line.Text)
		}
	}
	m.more++
}

// manyBlocks is how many blocks are forgotten at a time, so that a text of failures alone costs little.
const manyBlocks = maxBlocks / 4

// thin forgets the blocks of the largest family but for its first ones and its last ones, or, if none is large, as many
// in the middle.
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

// familyWords is how many words of a message make the family of its line.
const familyWords = 3

// family returns what lines have in common whose messages begin with the same words, what they name left aside.
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

// belongs reports whether a line belongs to the block of the one that leads it.
func belongs(text, leader []byte, trace bool, k kind) bool {
	cause := bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte("Caused by"))
	return trace && (k < sumsUp || cause) || deeper(text, leader)
}

// continues reports whether a line has the form of one that belongs to another one.
func continues(text []byte) bool {
	rest := bytes.TrimLeft(text, " \t")
	if beginsAny(rest, continuing) || bytes.Contains(rest, []byte(": note: ")) {
		return true
	}
	bar := bytes.IndexByte(rest, '|')
	return bar > 0 && len(bytes.Trim(rest[:bar], "0123456789 ")) == 0 // the source beside a compiler's message
}

var continuing = words("Caused by", "at ", "...", "note:", "goroutine ", "created by ", "^", "|", "~", "= ", "--> ",
	"File \"", "E  ", "> ", "\u2502", "\u2570", "\u251c")

// introduces reports whether a line ends as one does that precedes a block of lines, which may have blank ones.
func introduces(text []byte) bool {
	end := bytes.TrimRight(text, " \t\r")
	return bytes.HasSuffix(end, []byte(":")) || bytes.HasSuffix(end, []byte(": |-")) || bytes.HasSuffix(end, []byte(": |"))
}

// heads reports whether a line behind a failure introduces more of its message, as "Expected:" does.
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

// isAdded reports whether a line may be one that a difference adds. A shell that prints its commands has the same mark.
func isAdded(text []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte("+ ")) }

// deeper reports whether a line is indented more than another one: behind what precedes the messages of both, if
// something does, such as a time.
func deeper(text, than []byte) bool {
	in, behind := indentation(text)
	out, other := indentation(than)
	if behind != other {
		in, out = spaces(text), spaces(than)
	}
	return in > out
}

// indentation returns the width of the white space in front of the message of a line, and whether something else
// precedes that.
func indentation(text []byte) (width int, behind bool) {
	var buffer [maxLine]byte
	at, width, _ := message(lowered(text, &buffer))
	return width, len(bytes.TrimLeft(text[:at], " \t")) > 0
}

// spaces returns the width of the white space at the beginning of a line.
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

// before returns the lines in front of another one that belong to it: those that are indented more, or all up to one
// that is like many others or tells of something else.
func (f *Finder) before(line Line, at int, all bool) (lines []Line) {
	past := f.past.before(at, maxPast)
	whole := len(past) < maxPast // its first line is there from its beginning
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
