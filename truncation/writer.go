package truncation

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"
)

// Writer bounds what is written to it by a [Policy], which makes it
// ([Policy.NewWriter]), and counts the rest. The result is that of [Policy.Truncate]
// for all that was written. It holds at most four times the bytes that the limits
// allow, or where these are lines only, the lines that it keeps and as much again;
// with no limit it holds everything. It is not safe for concurrent use.
type Writer struct {
	policy Policy
	clean  cleaner
	total  counts

	hold  int    // bytes of either end that may be needed; 0: known by lines
	lines int    // lines of either end that may be needed, if hold is 0; 0: all
	first []byte // the beginning; all of it, while not full
	full  bool   // there is more than fits
	last  window // the end
}

// NewWriter returns a writer that keeps what the policy says. It needs no closing.
func (p Policy) NewWriter() *Writer {
	w := &Writer{policy: p.normal()}
	r := w.policy.within()
	w.hold = Limits{Bytes: limitOf(r.bytes), Chars: limitOf(r.chars)}.hold(2 + utf8.UTFMax)
	if w.hold == 0 {
		w.lines = limitOf(r.lines)
		if w.policy.Strategy == HeadTailLines {
			w.lines = min(most(w.lines), w.policy.First+w.policy.Last)
		}
	}
	w.last = window{keep: w.hold, lines: w.lines}
	return w
}

// limitOf is the limit that most made a number of.
func limitOf(n int) int {
	switch n {
	case math.MaxInt:
		return 0
	case 0:
		return Nothing
	}
	return n
}

// Write takes all of p and never fails.
func (w *Writer) Write(p []byte) (int, error) {
	w.clean.write(p, w.add)
	return len(p), nil
}

// WriteString is Write without a copy of s.
func (w *Writer) WriteString(s string) (int, error) { return w.Write(bytesOf(s)) }

// Truncated reports whether what was written so far is too much already, so that
// the result will not be the whole. While it is not, the result may be.
func (w *Writer) Truncated() bool { return w.full }

// SetSaved sets the Saved of the policy, for the marker's {path}: where the full
// text is may be known only at the end. Call it before Result.
func (w *Writer) SetSaved(s Saved) {
	if w.policy.Marker == defaultMarker(w.policy.Strategy, w.policy.Saved) {
		w.policy.Marker = defaultMarker(w.policy.Strategy, s)
	}
	w.policy.Saved = s
}

// Lower lowers the limits of the policy, which may be known only at the end: see
// [Limits.Share]. A limit that is higher than before changes nothing. One on what was
// not limited before is kept to, but HeadTailLines may name another as the reason.
func (w *Writer) Lower(limits Limits) { w.policy.Limits = w.policy.lower(limits) }

func (w *Writer) add(p []byte) {
	for chunk := range slices.Chunk(p, 64<<10) {
		w.total.add(chunk)
		if s := w.policy.Strategy; s != Head && s != HeadChars {
			w.last.add(chunk)
		}
		if !w.full {
			if w.hold > 0 { // one byte more shows that there is more
				chunk = chunk[:min(len(chunk), w.hold+1-len(w.first))]
			}
			w.first = append(w.first, chunk...)
			w.trim()
		}
	}
}

// trim shortens the beginning when it is known that there is more than fits.
func (w *Writer) trim() {
	switch {
	case w.hold > 0 && len(w.first) > w.hold:
		w.first, w.full = w.first[:w.hold], true
	case w.hold == 0 && w.lines != 0 && w.total.lines() > max(w.lines, 0) && w.total.chars > w.policy.Threshold:
		w.full = true
		if end := lineFromStart(string(w.first), w.lines); end < len(w.first) {
			w.first = w.first[:end+1]
		}
	}
	if s := w.policy.Strategy; w.full && (s == Tail || s == TailChars) {
		w.first = nil
	}
}

// Result gives what is kept of all that was written so far. More may be written
// after it.
func (w *Writer) Result() Result {
	if w.clean.n > 0 {
		c := *w
		c.first, c.last.held = bytes.Clone(w.first), bytes.Clone(w.last.held)
		c.clean.flush(c.add)
		return c.Result()
	}
	p := &w.policy
	if !w.full {
		return p.truncate(string(w.first), true)
	}
	e := ends{first: string(w.first), last: string(w.last.held), lastIsLine: w.hold == 0}
	reason := p.exceeded(e.first, e.last)
	if reason == "" { // of the beginning no more lines are held than may be shown
		reason = byEnds
		if w.total.lines() > most(p.Lines) {
			reason = ByLines
		}
	}
	return p.compose(e, w.total, reason)
}
