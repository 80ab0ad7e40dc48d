package truncation

import (
	"bytes"
	"slices"
	"unicode/utf8"
	"unsafe"
)

// HeadWriter keeps the first whole lines of what is written to it, and counts
// the rest. It holds at most Limits.Bytes bytes, or four times Limits.Chars; with
// neither set, the lines that it keeps. It takes no notice of Limits.Tokens. It is
// not safe for concurrent use.
type HeadWriter struct {
	limits Limits
	clean  cleaner
	total  counts

	kept   []byte // whole lines and the unfinished one, without the last newline
	start  int    // where the unfinished line starts in kept
	lines  int    // whole lines in kept
	chars  int    // characters in kept, counted if limited
	ended  bool   // the newline of the last whole line was seen; it is not in kept
	reason Reason // the limit that was hit, "" while there is room
}

// NewHeadWriter returns a writer that keeps the first lines within limits.
func NewHeadWriter(limits Limits) *HeadWriter { return &HeadWriter{limits: limits} }

// Write takes all of p and never fails.
func (w *HeadWriter) Write(p []byte) (int, error) {
	w.clean.write(p, w.add)
	return len(p), nil
}

// WriteString is Write without a copy of s.
func (w *HeadWriter) WriteString(s string) (int, error) {
	return w.Write(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// Full reports whether a limit was hit: whatever is written from here on is
// counted and not kept.
func (w *HeadWriter) Full() bool { return w.reason != "" }

func (w *HeadWriter) add(p []byte) {
	w.total.add(p)
	if room := most(w.limits.Bytes) - len(w.kept); !w.Full() && room > 0 {
		w.kept = slices.Grow(w.kept, min(len(p), room))
	}
	for len(p) > 0 && !w.Full() {
		if most(w.limits.Lines) == 0 {
			w.stop(ByLines)
			return
		}
		line, rest, ends := bytes.Cut(p, newline)
		if w.addToLine(line); ends && !w.Full() {
			w.endLine()
		}
		p = rest
	}
}

// addToLine keeps a part of a line, or finds that there is no room for it.
func (w *HeadWriter) addToLine(part []byte) {
	if len(part) == 0 {
		return
	}
	if w.ended {
		if w.separate(); w.Full() {
			return
		}
	}
	chars := 0
	if w.limits.Chars != 0 {
		chars = utf8.RuneCount(part)
	}
	if !w.limits.fits(len(w.kept)+len(part), w.chars+chars) {
		w.stop(w.firstHit(part))
		return
	}
	w.kept = append(w.kept, part...)
	w.chars += chars
}

// firstHit is the limit that part, which does not fit, hits first.
func (w *HeadWriter) firstHit(part []byte) Reason {
	if w.limits.Chars == 0 {
		return ByBytes
	}
	for size, chars := len(w.kept), w.chars; ; chars++ {
		_, n := utf8.DecodeRune(part)
		if size, part = size+n, part[n:]; size > most(w.limits.Bytes) {
			return ByBytes
		}
		if chars+1 > most(w.limits.Chars) {
			return ByChars
		}
	}
}

// separate starts a new line after a whole one.
func (w *HeadWriter) separate() {
	switch {
	case w.lines >= most(w.limits.Lines):
		w.stop(ByLines)
	case len(w.kept)+1 > most(w.limits.Bytes):
		w.stop(ByBytes)
	case w.chars+1 > most(w.limits.Chars):
		w.stop(ByChars)
	default:
		w.kept = append(w.kept, '\n')
		w.chars++
		w.start = len(w.kept)
		w.ended = false
	}
}

func (w *HeadWriter) endLine() {
	if w.ended { // an empty line
		if w.separate(); w.Full() {
			return
		}
	}
	w.lines++
	w.ended = true
}

// stop takes back the unfinished line.
func (w *HeadWriter) stop(reason Reason) {
	w.reason = reason
	if !w.ended {
		w.kept = w.kept[:max(w.start-1, 0)]
	}
}

// Result gives what is kept of all that was written so far. More may be written
// after it.
func (w *HeadWriter) Result() Result {
	if w.clean.n > 0 {
		c := *w
		c.kept = bytes.Clone(w.kept)
		c.clean.flush(c.add)
		return c.Result()
	}
	r := w.limits.result(Head, w.total)
	r.Truncated, r.TruncatedBy = w.Full(), w.reason
	kept := w.kept
	if w.Full() {
		r.OutputLines = w.lines
		if r.FirstLineExceedsLimit = w.lines == 0; r.FirstLineExceedsLimit {
			r.LongLineBytes = w.total.first
		}
	} else {
		r.OutputLines = r.TotalLines
		if w.ended && w.limits.fits(len(kept)+1, w.chars+1) {
			kept = append(kept[:len(kept):len(kept)], '\n')
		} else {
			r.NewlineDropped = w.ended
		}
	}
	r.show(kept)
	return r
}
