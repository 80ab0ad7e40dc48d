// Package shapes finds the lines of a text that stand out: those whose shape is rare where few shapes make up nearly
// all of the rest, and those that say in a failing position that something failed, with the lines that belong to them.
//
// The shape of a line is the line with numbers, identifiers, paths and quoted text masked. Where all lines differ, as
// in source code, prose or a listing, nothing stands out.
package shapes

import "bytes"

// maxLine is how many bytes of a line make its shape, and how many of one that stands out are kept. maxJudged is in how
// many a word of failure is looked for.
const (
	maxLine   = 320
	maxJudged = 64 << 10
)

// often is how many lines a shape has before the next ones are looked for by its layout.
const often = 4

// Finder looks at what is written to it: at each line of the first megabytes, and then at each line that says by its
// words that something failed, or warns, and at one in many of the others. It holds at most 1 MiB, whatever is written,
// and next to nothing before the first write. How a text is divided into writes does not affect the report. It is not
// safe for concurrent use.
type Finder struct {
	offset int    // where the current write begins in the text
	line   int    // the number of lines that have ended
	held   []byte // the beginning of the line that has not ended, up to maxJudged
	open   int    // the length of that line in bytes
	past   past   // what precedes the current line
	lead   lead   // what precedes the last line that reports a failure

	tokens  [maxTokens]token // a buffer
	table   table
	layouts layouts
	marks   marks

	skip, skipped int // how many lines are not compared with those behind them: from now on, and in the end

	cut int // lines longer than maxJudged

	few    bool  // nearly all lines that were compared are unlike each other
	stands int   // how many lines the current one stands for
	watch  watch // how lines are passed over
}

// Write looks at p and never fails.
func (f *Finder) Write(p []byte) (int, error) {
	p = p[:len(p):len(p)] // what is behind it may be written meanwhile
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

// ended takes the line that is held and has ended.
func (f *Finder) ended(at int) {
	if f.watch.step > 0 {
		f.one(f.held, f.open, at, f.watch.has(f.held))
		return
	}
	f.stands = 1
	f.take(f.held, f.open, at)
}

// hold keeps the beginning of a line that goes on.
func (f *Finder) hold(p []byte) {
	f.held = append(f.held, p[:min(len(p), maxJudged-len(f.held))]...)
	f.open += len(p)
}

// take looks at a line of size bytes, of which it gets the beginning, and which starts at that place of the current
// write. It returns the shape that the next lines have if they differ from this one in digits alone, or -1 if each of
// them has to be looked at.
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

// judge says what a line of that shape, or of a new one, says by its words, those of lines like it, and those far behind
// its beginning.
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

// run counts the lines behind the first one of p, which takes size bytes, that differ from it in digits alone, and so
// have its shape. The first line starts at that place of the current write. run returns their size.
func (f *Finder) run(shape int, p []byte, size, at int) int {
	if len(p) < 2*size || p[2*size-1] != '\n' {
		return 0
	}
	if f.skip > 0 { // there were none behind the last ones
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

// forget makes room for new shapes. Where nothing repeats, not each line is compared any more.
func (f *Finder) forget() {
	f.few = f.table.forget()
	f.layouts.forget()
}

var newline = []byte{'\n'}

// past is what precedes the current line.
type past struct {
	held  []byte // the end of what was written before
	chunk []byte // what is being written
}

// maxPast is how much of what precedes a line is looked at again.
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

// before returns what precedes that place of the current write, which is negative if it is in front of that. It returns
// no more than that many bytes.
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
