package truncation

import (
	"bytes"
	"math"
	"unicode/utf8"
	"unsafe"
)

// TailWriter keeps the last whole lines of what is written to it, and counts
// the rest. It holds at most twice Limits.Bytes bytes and some more, or eight times
// Limits.Chars; with neither set, the lines that it keeps and as much again. It
// takes no notice of Limits.Tokens. It is not safe for concurrent use.
type TailWriter struct {
	limits Limits
	clean  cleaner
	total  counts
	window window
}

// NewTailWriter returns a writer that keeps the last lines within limits.
func NewTailWriter(limits Limits) *TailWriter {
	// Over the limits: one byte for the final newline, which does not count, one
	// for the newline before the first line kept, which shows that it is whole,
	// and room for a character that the limit falls into.
	return &TailWriter{limits: limits, window: window{keep: limits.hold(2 + utf8.UTFMax), lines: limits.Lines}}
}

// hold is the number of bytes that a text within limits has at most, and some
// more; 0 if it may have any number.
func (l Limits) hold(more int) int {
	n := min(most(l.Bytes), times(most(l.Chars), utf8.UTFMax))
	if n > math.MaxInt-more {
		return 0
	}
	return n + more
}

// times multiplies, up to the largest number there is.
func times(n, by int) int {
	if n > math.MaxInt/by {
		return math.MaxInt
	}
	return n * by
}

// Write takes all of p and never fails.
func (w *TailWriter) Write(p []byte) (int, error) {
	w.clean.write(p, w.add)
	return len(p), nil
}

// WriteString is Write without a copy of s.
func (w *TailWriter) WriteString(s string) (int, error) {
	return w.Write(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// Dropping reports whether something that was written is no longer held, so that
// Result can no longer be the whole.
func (w *TailWriter) Dropping() bool { return w.window.dropped }

// Lower lowers the limits, which may be known only at the end: see [Limits.Share].
// A limit that is higher than before changes nothing.
func (w *TailWriter) Lower(limits Limits) { w.limits = w.limits.lower(limits) }

func (w *TailWriter) add(p []byte) {
	w.total.add(p)
	w.window.add(p)
}

// window holds the end of what is added to it.
type window struct {
	keep    int // bytes that may be needed; 0: known by lines only
	lines   int // lines that may be needed, if keep is 0; 0: all of them
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
	if w.lines != 0 && len(w.held) > w.tidy {
		w.drop(lastLines(w.held, max(w.lines, 1)))
		w.tidy = max(2*len(w.held), 4096)
	}
}

// addBytes keeps at least the last w.keep bytes. Each byte is moved at most
// once, because held is let grow to twice that before it is shortened.
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

// lastLines is where the last n lines of text start.
func lastLines(text []byte, n int) int {
	end := len(bytes.TrimSuffix(text, newline))
	for range n {
		if end = bytes.LastIndexByte(text[:max(end, 0)], '\n'); end < 0 {
			return 0
		}
	}
	return end + 1
}

// Result gives what is kept of all that was written so far. More may be written
// after it.
func (w *TailWriter) Result() Result {
	if w.clean.n > 0 {
		c := *w
		c.window.held = bytes.Clone(w.window.held)
		c.clean.flush(c.add)
		return c.Result()
	}
	r := w.limits.result(Tail, w.total)
	text := bytes.TrimSuffix(w.window.held, newline)
	final := w.window.held[len(text):]
	start := w.fit(text, &r)
	r.Truncated = r.TruncatedBy != ""
	if r.LastLinePartial {
		r.LongLineBytes = w.total.lastLine()
	}
	kept := text[start:]
	if r.OutputLines > 0 && w.limits.fits(len(kept)+len(final), utf8.RuneCount(kept)+len(final)) {
		kept = w.window.held[start:]
	} else {
		r.NewlineDropped = len(final) > 0
	}
	r.show(kept)
	return r
}

// fit finds where the lines that fit start in text, which lacks its final
// newline, and fills in how many they are and why there are no more.
func (w *TailWriter) fit(text []byte, r *Result) int {
	start, chars := len(text), 0 // of the lines accepted so far
	for end := len(text); r.OutputLines < r.TotalLines; {
		if r.OutputLines >= most(w.limits.Lines) {
			r.TruncatedBy = ByLines
			return start
		}
		from := bytes.LastIndexByte(text[:end], '\n') + 1
		more := 0
		if w.limits.Chars != 0 {
			more = utf8.RuneCount(text[from:start])
		}
		if !w.limits.fits(len(text)-from, chars+more) {
			_, r.TruncatedBy = w.cut(text, start, chars)
			break
		}
		start, end, chars = from, from-1, chars+more
		r.OutputLines++
	}
	if r.TruncatedBy == "" || r.OutputLines > 0 {
		return start
	}
	r.OutputLines, r.LastLinePartial = 1, true
	start, _ = w.cut(text, len(text), 0)
	return start
}

// cut goes back from start, where chars characters of text are accepted, for as
// long as there is room. It returns where the room ends, and the limit that was
// hit there.
func (w *TailWriter) cut(text []byte, start, chars int) (int, Reason) {
	for ; ; chars++ {
		_, size := utf8.DecodeLastRune(text[:start])
		switch {
		case len(text)-start+size > most(w.limits.Bytes):
			return start, ByBytes
		case chars+1 > most(w.limits.Chars):
			return start, ByChars
		}
		start -= size
	}
}
