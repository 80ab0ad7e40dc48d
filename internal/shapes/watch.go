package shapes

import "bytes"

// wholeBytes is how much of a text is compared line by line; of those behind it, one of sampled.
var wholeBytes, sampled = 5 << 19, 128 // smaller in tests

// unlikeStep is how many times fewer lines are compared where they are unlike each other: each makes a shape of its own.
const unlikeStep = 4

// watch passes over most lines of a text, once enough of them were compared: of those that say nothing by their words,
// it takes one in many to stand for the others. So what is counted of failures and warnings stays exact.
type watch struct {
	*triggers
	step   int // bytes from one line that is compared to the next; 0: each line still is
	next   int // where the next one begins, at the earliest
	passed int // lines since the last one
}

// startWatch begins to pass over lines with the next one, which begins at that place of the text.
func (f *Finder) startWatch(at int) {
	size := min(max(at/f.line, 1), maxLine) // one huge line must not have all others passed over
	if f.few {
		size *= unlikeStep
	}
	f.stands, f.watch = 1, watch{triggers: theTriggers(), step: size * sampled, next: at}
}

// pass takes the whole lines of the current write from one place to another.
func (f *Finder) pass(p []byte, from, to int) {
	lines := p[from:to]
	s := search{triggers: f.watch.triggers, lines: lines}
	hit := s.next(0)
	for at := 0; at < len(lines); {
		if hit < at {
			hit = s.next(at)
		}
		if !f.marks.open() {
			next := f.untilSample(lines, from, at)
			if hit < next {
				next = at + bytes.LastIndexByte(lines[at:hit], '\n') + 1
			}
			n := bytes.Count(lines[at:next], newline)
			f.line, f.watch.passed = f.line+n, f.watch.passed+n
			if at = next; at == len(lines) {
				return
			}
		}
		size := bytes.IndexByte(lines[at:], '\n')
		text := lines[at : at+min(size, maxJudged)]
		f.one(text, size, from+at, hit < at+len(text))
		at += size + 1
	}
}

// untilSample returns where the next line begins that is compared, at or behind at in the lines from that place of the
// current write.
func (f *Finder) untilSample(lines []byte, from, at int) int {
	skip := f.watch.next - f.offset - from
	if skip <= at {
		return at
	}
	if skip > len(lines) {
		return len(lines)
	}
	return skip + bytes.IndexByte(lines[skip-1:], '\n')
}

// one takes a line, or passes over it. See take.
func (f *Finder) one(text []byte, size, at int, triggered bool) {
	compared := f.offset+at >= f.watch.next
	if compared {
		f.watch.next = f.offset + at + f.watch.step
	}
	switch {
	case triggered || f.marks.open():
	case compared:
		f.stands, f.watch.passed = f.watch.passed+1, 0
	default:
		f.line, f.watch.passed = f.line+1, f.watch.passed+1
		return
	}
	f.take(text, size, at)
	f.stands = 1
}
