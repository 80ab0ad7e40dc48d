package shapes

import "bytes"

// maxLead is how many bytes are kept of what precedes the last line that reports a failure.
const maxLead = 4 << 10

// lead is the last line that sums up all that ran, or the last one that reports a failure if none does, and what led to
// it: a command that fails says why at its end, whatever is printed by those behind it.
type lead struct {
	line  int    // its number; 0: there is none
	whole bool   // it sums up all
	last  int    // the number of the last line that reports a failure
	text  []byte // whole lines, the last of which is that line
	end   int    // where it ends in the current write, if that has it
	met   bool   // the current write has it
}

// failed notes that the current line reports a failure and ends at that place of the current write.
func (f *Finder) failed(end int, whole bool) {
	l := &f.lead
	if l.last = f.line; whole || !l.whole {
		l.line, l.whole, l.end, l.met = f.line, whole, end, true
	}
}

// keep copies the lines that led to the failure, if the write that ends has it.
func (l *lead) keep(p *past) {
	if !l.met {
		return
	}
	before := p.before(l.end, maxLead)
	if len(before) == maxLead { // the first line may not be whole
		before = before[bytes.IndexByte(before, '\n')+1:]
	}
	l.text, l.met = append(l.text[:0], before...), false
}

// lines returns the lines that led to the failure and that line, the last one first.
func (l *lead) lines() (lines []Line) {
	rest, number := l.text, l.line
	for number > 0 && rest != nil {
		at := bytes.LastIndexByte(rest, '\n')
		text := rest[at+1:]
		lines = append(lines, Line{Number: number, Bytes: len(text), Text: text[:min(len(text), maxLine)]})
		if rest = nil; at >= 0 {
			rest = l.text[:at]
		}
		number--
	}
	return lines
}
