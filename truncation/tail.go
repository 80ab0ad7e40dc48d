package truncation

import (
	"bytes"
	"unicode/utf8"
	"unsafe"
)

// TailWriter keeps the last whole lines of what is written to it, and counts
// the rest. It holds at most twice Limits.Bytes bytes, or eight times
// Limits.Chars; with neither set, the lines that it keeps and as much again. It
// is not safe for concurrent use.
type TailWriter struct {
	limits  Limits
	clean   cleaner
	total   counts
	window  []byte // the end of what was written
	keep    int    // bytes of window that may be needed; 0: known by lines only
	dropped bool   // window does not hold everything
	tidy    int    // length of window at which lines are dropped, if keep is 0
}

// NewTailWriter returns a writer that keeps the last lines within limits.
func NewTailWriter(limits Limits) *TailWriter {
	w := &TailWriter{limits: limits}
	if limits.Bytes > 0 {
		w.keep = limits.Bytes
	}
	if c := limits.Chars; c > 0 && (w.keep == 0 || c < w.keep/utf8.UTFMax) {
		w.keep = c * utf8.UTFMax
	}
	if w.keep > 0 {
		// One byte for the final newline, which does not count, one for the
		// newline before the first line kept, which shows that it is whole, and
		// room for a character that the limit falls into.
		w.keep += 2 + utf8.UTFMax
	}
	return w
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
func (w *TailWriter) Dropping() bool { return w.dropped }

func (w *TailWriter) add(p []byte) {
	w.total.bytes += len(p)
	w.total.countLines(p)
	if w.keep > 0 {
		w.addBytes(p)
		return
	}
	w.window = append(w.window, p...)
	if w.limits.Lines > 0 && len(w.window) > w.tidy {
		start := lastLines(w.window, w.limits.Lines)
		w.drop(start)
		w.tidy = max(2*len(w.window), 4096)
	}
}

// addBytes keeps at least the last w.keep bytes. Each byte is moved at most
// once, because the window is let grow to twice that before it is shortened.
func (w *TailWriter) addBytes(p []byte) {
	if len(p) >= w.keep {
		w.dropped = w.dropped || len(p) > w.keep || len(w.window) > 0
		w.window = append(w.window[:0], p[len(p)-w.keep:]...)
		return
	}
	if len(w.window)+len(p) > 2*w.keep {
		w.drop(len(w.window) + len(p) - w.keep)
	}
	w.window = append(w.window, p...)
}

func (w *TailWriter) drop(n int) {
	if n > 0 {
		w.window = w.window[:copy(w.window, w.window[n:])]
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
		c.window = bytes.Clone(w.window)
		c.clean.flush(c.add)
		return c.Result()
	}
	r := w.limits.result()
	r.TotalLines, r.TotalBytes = w.total.lines(), w.total.bytes
	text := bytes.TrimSuffix(w.window, newline)
	final := w.window[len(text):]
	start := w.fit(text, &r)
	r.Truncated = r.TruncatedBy != ""
	if r.LastLinePartial {
		r.LongLineBytes = w.total.lastLine()
	}
	kept := text[start:]
	if !r.Truncated && w.limits.fits(len(kept)+len(final), utf8.RuneCount(kept)+len(final)) {
		kept = w.window
	} else {
		r.NewlineDropped = len(final) > 0
	}
	r.Text, r.OutputBytes = string(kept), len(kept)
	return r
}

// fit finds where the lines that fit start in text, which lacks its final
// newline, and fills in how many they are and why there are no more.
func (w *TailWriter) fit(text []byte, r *Result) int {
	start, chars := len(text), 0 // of the lines accepted so far
	for end := len(text); r.OutputLines < r.TotalLines; {
		if w.limits.Lines > 0 && r.OutputLines == w.limits.Lines {
			r.TruncatedBy = ByLines
			return start
		}
		from := bytes.LastIndexByte(text[:end], '\n') + 1
		more := 0
		if w.limits.Chars > 0 {
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
		case w.limits.Bytes > 0 && len(text)-start+size > w.limits.Bytes:
			return start, ByBytes
		case w.limits.Chars > 0 && chars+1 > w.limits.Chars:
			return start, ByChars
		}
		start -= size
	}
}
