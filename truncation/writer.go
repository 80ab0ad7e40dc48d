package truncation

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/shapes"
)

// Writer bounds what is written to it by the [Policy] that made it ([Policy.NewWriter]),
// and counts the rest. Its result is that of [Policy.Truncate] for everything written. A Writer
// holds at most four times the bytes that the limits allow. If only lines are limited, it holds
// twice the lines that it keeps; without limits, it holds everything. With Policy.Standout or
// Digest it holds up to 1 MiB more. It is not safe for concurrent use.
type Writer struct {
	policy Policy
	clean  cleaner
	total  counts

	room  room   // for the text and the marker, without the prefix
	hold  int    // bytes of either end that may be needed; 0: known by lines
	first []byte // the beginning, up to hold; empty if the strategy keeps none of it
	last  window // the end; empty if the strategy keeps none of it

	finder *shapes.Finder // looks at the lines of a text that does not fit; nil before that
	before int            // the number of lines in front of the text
	json   document       // the text as a JSON document, if it is one
}

// NewWriter returns a writer that keeps what the policy says. It need not be closed.
func (p Policy) NewWriter() *Writer {
	w := &Writer{policy: p.normal()}
	r := w.policy.within()
	w.room = r.less(w.policy.prefixRoom())
	// Beyond the limits, hold one byte for the final newline, which may not count, one for
	// the newline before the first line of the end, which shows that this line is whole, and
	// one character, which the limit may split.
	if n := min(r.bytes, times(r.chars, utf8.UTFMax)); n < math.MaxInt-2-utf8.UTFMax {
		w.hold = n + 2 + utf8.UTFMax
	}
	w.last = window{keep: w.hold, lines: r.lines}
	if w.policy.Strategy == HeadTailLines {
		w.last.lines = min(r.lines, w.policy.First+w.policy.Last)
	}
	return w
}

// StartAt sets the number of the first line that is written, for a text that is part of a longer
// one. Digest and Result.Standout then number lines as in the longer text.
func (w *Writer) StartAt(line int) { w.before = max(line-1, 0) }

// Fail sets Policy.Failed, which is often known only at the end.
func (w *Writer) Fail() { w.policy.Failed = true }

// Write takes all of p and never fails.
func (w *Writer) Write(p []byte) (int, error) {
	w.clean.write(p, w.add)
	return len(p), nil
}

// WriteString is like Write, without copying s.
func (w *Writer) WriteString(s string) (int, error) { return w.Write(bytesOf(s)) }

// full reports whether too much was written: the result will not be the whole text. It does not
// count Limits.Tokens, but allows 16 bytes for each.
func (w *Writer) full() bool {
	p, t := &w.policy, w.total
	if t.bytes == 0 {
		return false
	}
	if p.Strategy == HeadTailLines && t.lines() > p.First+p.Last && t.chars > p.Threshold {
		return true
	}
	if t.open == 0 && p.wholeLines() {
		t.bytes, t.chars = t.bytes-1, t.chars-1
	}
	return !room{t.lines(), t.bytes, t.chars}.fits(w.room)
}

func (w *Writer) add(p []byte) {
	for chunk := range slices.Chunk(p, 64<<10) {
		full := w.full()
		w.total.add(chunk)
		w.look(chunk)
		if w.policy.keepsEnd() {
			w.last.add(chunk)
		}
		if !w.policy.keepsBeginning() || w.hold == 0 && full {
			continue
		}
		if w.hold > 0 {
			chunk = chunk[:min(len(chunk), w.hold-len(w.first))]
		}
		w.first = append(w.first, chunk...)
	}
}

// look looks at the lines of what was written once it does not fit any more. chunk was counted, but is not held yet.
func (w *Writer) look(chunk []byte) {
	if !w.policy.looks() || w.finder == nil && !w.full() {
		return
	}
	if w.finder == nil {
		w.finder = new(shapes.Finder)
		before, _ := w.whole()
		w.finder.Write(before)
		w.json.write(&w.policy, before)
	}
	w.finder.Write(chunk)
	w.json.write(&w.policy, chunk)
}

// whole returns everything that was written, if the writer still holds it.
func (w *Writer) whole() (text []byte, ok bool) {
	if w.policy.keepsBeginning() {
		return w.first, len(w.first) == w.total.bytes
	}
	return w.last.held, !w.last.dropped
}

// Result returns the result for everything written so far. More may be written after it. It keeps
// to lower limits as well, for example for a text that shares its limits with another text whose
// length is known only at the end; HeadTailLines may then name another limit as the reason.
func (w *Writer) Result(lower ...Limits) Result {
	if w.clean.n > 0 {
		c := *w
		c.policy.Standout = false     // the finder is the writer's
		c.json = document{over: true} // which does not end within a character
		c.first, c.last.held = bytes.Clone(w.first), bytes.Clone(w.last.held)
		c.clean.flush(c.add)
		return c.Result(lower...)
	}
	p := w.policy
	for _, limits := range lower {
		p.Limits = p.lower(limits)
	}
	if text, ok := w.whole(); ok {
		return p.truncate(string(text), true, w.before)
	}
	e := ends{first: string(w.first), last: string(w.last.held), lastIsLine: w.hold == 0}
	reason := p.exceeded(e.first, e.last)
	if reason == "" { // only the lines that HeadTailLines keeps are exceeded
		reason = byEnds
		if w.total.lines() > most(p.Lines) {
			reason = ByLines
		}
	}
	return p.compose(e, w.total, reason, found{w.finder.Report(), w.before, w.json.complete()})
}

// window holds the end of what is added to it.
type window struct {
	keep    int // bytes that may be needed; 0: known by lines only
	lines   int // lines that may be needed, if keep is 0; math.MaxInt: all of them
	held    []byte
	dropped bool // held is not everything
	tidy    int  // length of held at which lines are dropped, if keep is 0
}

func (w *window) add(p []byte) {
	if w.keep > 0 {
		w.addBytes(p)
		return
	}
	w.held = append(w.held, p...)
	if w.lines < math.MaxInt && len(w.held) > w.tidy {
		w.drop(lastLines(w.held, max(w.lines, 1)))
		w.tidy = max(2*len(w.held), 4096)
	}
}

// addBytes keeps at least the last w.keep bytes. It moves each byte at most once, because held
// may grow to twice that size before it is shortened.
func (w *window) addBytes(p []byte) {
	if len(p) >= w.keep {
		w.dropped = w.dropped || len(p) > w.keep || len(w.held) > 0
		w.held = append(w.held[:0], p[len(p)-w.keep:]...)
		return
	}
	if len(w.held)+len(p) > 2*w.keep {
		w.drop(len(w.held) + len(p) - w.keep)
	}
	w.held = append(w.held, p...)
}

func (w *window) drop(n int) {
	if n > 0 {
		w.held = w.held[:copy(w.held, w.held[n:])]
		w.dropped = true
	}
}

// lastLines returns where the last n lines of text start.
func lastLines(text []byte, n int) int {
	end := len(bytes.TrimSuffix(text, newline))
	for range n {
		if end = bytes.LastIndexByte(text[:max(end, 0)], '\n'); end < 0 {
			return 0
		}
	}
	return end + 1
}
