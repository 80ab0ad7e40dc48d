package shapes

import "bytes"

// maxLead bounds the text kept before the last reported failure, in bytes.
const maxLead = 4 << 10

// lead is the last line that sums up everything that ran, or else the last one that reports a failure, with the lines
// before it. A command that fails says why at its end, whatever later commands print.
type lead struct {
	line  int    // its number; 0: none
	whole bool   // it is a sum of everything
	last  int    // the last line that reports a failure
	text  []byte // whole lines, ending with that line
	end   int    // where the line ends in the current write, if met
	met   bool   // the line is in the current write
}

// failed records that the current line reports a failure; end is its end in the current write.
func (f *Finder) failed(end int, whole bool) {
	l := &f.lead
	if l.last = f.line; whole || !l.whole {
		l.line, l.whole, l.end, l.met = f.line, whole, end, true
	}
}

// keep copies the lines before the failure, if it is in the write that ends.
func (l *lead) keep(p *past) {
	if !l.met {
		return
	}
	before := p.before(l.end, maxLead)
	if len(before) == maxLead { // the first line may be incomplete
		before = before[bytes.IndexByte(before, '\n')+1:]
	}
	l.text, l.met = append(l.text[:0], before...), false
}

// lines returns the failing line and the lines before it, last first.
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
