// Package shapes finds the lines of a text that stand out: lines with a rare shape where a few shapes make up nearly
// all others, and lines that report a failure by their words, with the lines that belong to them.
//
// The shape of a line is the line with numbers, identifiers, paths and quoted text masked. If all lines differ, as in
// source code, prose or a listing, nothing stands out.
package shapes

import "bytes"

// maxLine is how many bytes of a line make its shape, and how many are kept of a line that stands out. Words of
// failure are looked for in its first maxJudged bytes.
const (
	maxLine   = 320
	maxJudged = 64 << 10
)

// often is how many lines a shape must have before its layout is used to find more.
const often = 4

// Finder examines what is written to it: every line of the first megabytes; after that, every line whose words report
// a failure or warn, and a sample of the others. It holds at most 1 MiB, and next to nothing before the first write.
// How a text is divided into writes does not affect the report. It is not safe for concurrent use.
type Finder struct {
	offset int    // where the current write begins in the text
	line   int    // number of finished lines
	held   []byte // the beginning of the unfinished line, up to maxJudged
	open   int    // the length of the unfinished line in bytes
	past   past   // the text before the current line
	lead   lead   // the text before the last failure

	tokens  [maxTokens]token // a buffer
	table   table
	layouts layouts
	marks   marks

	skip, skipped int // lines for which run is not tried: still to come, and at the last attempt

	cut int // number of lines longer than maxJudged

	few    bool  // nearly all compared lines differ from each other
	stands int   // how many lines the current one stands for
	watch  watch // decides which lines are passed over
}

// Write examines p and never fails.
func (f *Finder) Write(p []byte) (int, error) {
	p = p[:len(p):len(p)] // the caller may write behind it meanwhile
	f.past.chunk = p
	for at := 0; at < len(p); {
		end := bytes.IndexByte(p[at:], '\n')
		if end < 0 {
			f.hold(p[at:])
			break
		}
		switch {
		case f.open > 0:
			f.hold(p[at : at+end])
			f.ended(at - (f.open - end))
			f.held, f.open = f.held[:0], 0
		case f.watch.step > 0:
			end = bytes.LastIndexByte(p[at:], '\n')
			f.pass(p, at, at+end+1)
		default:
			f.stands = 1
			if shape := f.take(p[at:at+min(end, maxJudged)], end, at); shape >= 0 && f.watch.step == 0 {
				most := max(min(len(p), wholeBytes-f.offset), at+end+1)
				at += f.run(shape, p[at:most:most], end+1, at)
			}
		}
		if at += end + 1; f.watch.step == 0 && (f.few || f.offset+at >= wholeBytes) {
			f.startWatch(f.offset + at)
		}
	}
	f.offset += len(p)
	f.lead.keep(&f.past)
	f.past.end()
	return len(p), nil
}

// ended takes the held line, which has ended.
func (f *Finder) ended(at int) {
	if f.watch.step > 0 {
		f.one(f.held, f.open, at, f.watch.has(f.held))
		return
	}
	f.stands = 1
	f.take(f.held, f.open, at)
}

// hold keeps the beginning of an unfinished line.
func (f *Finder) hold(p []byte) {
	f.held = append(f.held, p[:min(len(p), maxJudged-len(f.held))]...)
	f.open += len(p)
}

// take examines a line of size bytes, given its beginning and its start in the current write. It returns the shape of
// following lines that differ only in digits, or -1 if each of them must be examined.
func (f *Finder) take(line []byte, size, at int) (shape int) {
	f.line++
	far, sure := judgeFar(line)
	text := line[:min(len(line), maxLine)]
	known := f.layouts.find(text)
	if known >= 0 && sure && !f.marks.open() {
		f.table.count(known, f.stands, 1, f.line)
		if s := &f.table.shapes[known]; s.kind >= sumsUp {
			f.failed(at+size, s.whole)
		}
		return known
	}
	if size > maxJudged {
		f.cut++
	}
	raw, end := len(text), at+size
	text = Plain(text)
	if size -= raw - len(text); isBlank(text) && far.kind == nothing {
		f.marks.blank(Line{Number: f.line, Bytes: size, Text: text})
		return -1
	}
	tokens := tokenize(text, &f.tokens)
	hash := sum(tokens)
	first := hash
	shape = f.table.find(hash)
	var j judgement
	if shape < 0 || f.table.shapes[shape].exact || !f.table.settled(shape) || far.kind != nothing {
		j = f.judge(text, shape, far)
		if shape >= 0 && j.kind != f.table.shapes[shape].kind {
			hash += uint64(j.kind) + 1
			shape = f.table.find(hash)
		}
	}
	if shape < 0 {
		if f.table.full() {
			f.forget()
		}
		shape = f.table.add(hash, j, text, size, f.line)
		if f.table.compare(shape, tokens); f.table.shapes[shape].twin {
			j.kind, j.family = fails, aVerdict
		}
	}
	f.table.count(shape, f.stands, 1, f.line)
	f.mark(f.shown(line, text, size, j, far), shape, j, at)
	s := &f.table.shapes[shape]
	if s.kind >= sumsUp {
		f.failed(end, s.whole)
	}
	if !sure || s.exact || s.hash != first || !f.table.settled(shape) {
		return -1
	}
	if known < 0 && s.count >= often && !s.odd && len(text) == raw {
		s.odd = !f.layouts.add(text, shape, &f.tokens)
	}
	if f.marks.open() {
		return -1
	}
	return shape
}

// judge judges a line by its words, by lines of the same shape, and by what it says far from its beginning.
func (f *Finder) judge(text []byte, shape int, said far) judgement {
	j := judge(text)
	if shape >= 0 && f.table.shapes[shape].twin && j.kind < fails {
		j.kind, j.family = fails, aVerdict
	}
	if said.kind > j.kind {
		return said.judgement
	}
	return j
}

// run counts the lines behind the first line of p that differ from it only in digits, and so have its shape. size is
// the size of the first line, at its start in the current write. run returns the size of the counted lines.
func (f *Finder) run(shape int, p []byte, size, at int) int {
	if len(p) < 2*size || p[2*size-1] != '\n' {
		return 0
	}
	if f.skip > 0 { // no such line followed the last ones
		f.skip--
		return 0
	}
	n := alike(p[size:], p) / size
	if f.skipped = min(2*f.skipped+1, 63); n > 0 {
		f.skipped = 0
	}
	f.skip = f.skipped
	f.line += n
	f.table.count(shape, n, n, f.line)
	if s := &f.table.shapes[shape]; n > 0 && s.kind >= sumsUp {
		f.failed(at+size+n*size-1, s.whole)
	}
	return n * size
}

// forget makes room for new shapes. If nothing repeats, it also makes comparisons less frequent.
func (f *Finder) forget() {
	f.few = f.table.forget()
	f.layouts.forget()
}

var newline = []byte{'\n'}

// past is the text before the current line.
type past struct {
	held  []byte // the end of earlier writes
	chunk []byte // the current write
}

// maxPast bounds the text before a line that is examined again, in bytes.
const maxPast = 1 << 10

// end ends a write.
func (p *past) end() {
	const keep = maxLead + maxLine
	chunk := p.chunk[max(len(p.chunk)-keep, 0):]
	if over := len(p.held) + len(chunk) - 2*keep; over > 0 {
		p.held = p.held[:copy(p.held, p.held[max(len(p.held)+len(chunk)-keep, 0):])]
	}
	p.held, p.chunk = append(p.held, chunk...), nil
}

// before returns at most most bytes of the text before a place in the current write. A negative place is in an earlier
// write.
func (p *past) before(at, most int) []byte {
	if at >= most {
		return p.chunk[at-most : at]
	}
	before := p.held[max(len(p.held)+at-most, 0):]
	if at < 0 {
		return before[:max(len(before)+at, 0)]
	}
	return append(before[:len(before):len(before)], p.chunk[:at]...)
}
