package truncation

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Writer bounds what is written to it by the [Policy] that made it ([Policy.NewWriter]), and counts the rest. Its
// result equals that of [Policy.Truncate] for everything written. A Writer holds at most four times the bytes that the
// limits allow. If only lines are limited, it holds twice the lines that it keeps; without limits, it holds
// everything. With Policy.Standout or Digest it holds up to 1 MiB more. It is not safe for concurrent use.
type Writer struct {
	plan  plan
	clean cleaner
	total counts

	hold  int    // bytes of either end to hold; 0: held by lines
	first []byte // the beginning, up to hold; empty if the strategy keeps none of it
	last  window // the end; empty if the strategy keeps none of it

	looks  bool // text that does not fit is examined
	looker      // its line numbers start at 0
	before int  // the number of lines in front of the text
}

// NewWriter returns a writer that keeps what the policy says. It need not be closed.
func (p Policy) NewWriter() *Writer {
	all := p.plan()
	w := &Writer{plan: all, looks: all.looks}
	r := all.within
	// Beyond the limits, hold a byte for the final newline, which may not count, a byte for the newline before the
	// first line of the end, which shows that this line is whole, and a character, which the limit may split.
	if n := min(r.bytes, min(r.chars, math.MaxInt/utf8.UTFMax)*utf8.UTFMax); n < math.MaxInt-2-utf8.UTFMax {
		w.hold = n + 2 + utf8.UTFMax
	}
	w.last = window{keep: w.hold, lines: r.lines}
	if w.plan.Strategy == HeadTailLines {
		w.last.lines = min(r.lines, w.plan.First+w.plan.Last)
	}
	return w
}

// StartAt sets the number of the first line that is written, for a text that is part of a longer
// one. Digest and Result.Standout then number lines as in the longer text.
func (w *Writer) StartAt(line int) { w.before = max(line-1, 0) }

// Fail sets Policy.Failed, which is often known only at the end.
func (w *Writer) Fail() { w.plan.Failed = true }

// Write takes all of p and never fails.
func (w *Writer) Write(p []byte) (int, error) {
	w.clean.write(p, w.add)
	return len(p), nil
}

// WriteString is like Write, without copying s.
func (w *Writer) WriteString(s string) (int, error) { return w.Write(bytesOf(s)) }

func (w *Writer) add(p []byte) {
	for chunk := range slices.Chunk(p, 64<<10) {
		full := w.plan.overflows(w.total)
		w.total.add(chunk)
		if w.looks && (w.lines != nil || w.plan.overflows(w.total)) {
			w.look(chunk)
		}
		if w.plan.tail {
			w.last.add(chunk)
		}
		if !w.plan.head || w.hold == 0 && full {
			continue
		}
		if w.hold > 0 {
			chunk = chunk[:min(len(chunk), w.hold-len(w.first))]
		}
		w.first = append(w.first, chunk...)
	}
}

// look starts to examine what was written once it does not fit any more. chunk is counted, but not held yet.
func (w *Writer) look(chunk []byte) {
	if w.lines == nil {
		w.looker = w.plan.look()
		before, _ := w.whole()
		w.looker.write(before)
	}
	w.looker.write(chunk)
}

// whole returns everything that was written, if the writer still holds it.
func (w *Writer) whole() (text []byte, ok bool) {
	if w.plan.head {
		return w.first, len(w.first) == w.total.bytes
	}
	return w.last.held, !w.last.dropped
}

// Result returns the result for everything written so far. More may be written after it. lower, if given, lowers the
// limits, for example for a text that shares them with another whose length is known only at the end; HeadTailLines
// may then name another limit as the reason.
func (w *Writer) Result(lower ...Limits) Result {
	if w.clean.n > 0 {
		c := *w
		c.first, c.last.held = bytes.Clone(w.first), bytes.Clone(w.last.held)
		if w.lines != nil {
			c.looks, c.json = false, nil // the scanner belongs to the writer, and no document ends within a character
		}
		c.clean.flush(c.add)
		return c.Result(lower...)
	}
	p := w.plan
	if len(lower) > 0 {
		given := p.Policy
		for _, limits := range lower {
			given.Limits = given.lower(limits)
		}
		p = given.plan()
	}
	text, whole := w.whole()
	switch {
	case whole && p.Prefix == "" && p.Tokens == 0 && p.Strategy != Digest && !p.overflows(w.total):
		return p.whole(string(text), w.total)
	case whole:
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
	return p.compose(e, w.total, reason, w.looker.found(w.before))
}

// window holds the end of what is added to it.
type window struct {
	keep    int // bytes to hold; 0: held by lines
	lines   int // lines to hold if keep is 0; math.MaxInt: all of them
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
		text := unsafe.String(unsafe.SliceData(w.held), len(w.held))
		w.drop(max(lineFromEnd(strings.TrimSuffix(text, "\n"), max(w.lines, 1)), 0))
		w.tidy = max(2*len(w.held), 4096)
	}
}

// addBytes keeps at least the last w.keep bytes. It moves each byte at most once, because held may grow to twice that
// size before it is shortened.
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
