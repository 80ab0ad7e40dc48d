package shapes

import "bytes"

// wholeBytes is how much of a text is compared line by line; after that, one line in sampled is.
var wholeBytes, sampled = 5 << 19, 128 // smaller in tests

// unlikeStep divides the number of comparisons if lines differ from each other, because each of them then makes a new
// shape.
const unlikeStep = 4

// watch passes over most lines of a text, once enough of them were compared: of the lines whose words say nothing, it
// samples some to stand for the others. Failures and warnings are still counted exactly.
type watch struct {
	*triggers
	step   int // bytes between compared lines; 0: every line is compared
	next   int // the earliest place of the next one
	passed int // lines since the last one
}

// startWatch starts to pass over lines. at is the place of the next line in the text.
func (f *Finder) startWatch(at int) {
	size := min(max(at/f.line, 1), maxLine) // one huge line must not set the step for all others
	if f.few {
		size *= unlikeStep
	}
	f.stands, f.watch = 1, watch{triggers: theTriggers(), step: size * sampled, next: at}
}

// pass takes the whole lines between two places of the current write.
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

// untilSample returns where the next line to compare begins, at or behind at.
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
