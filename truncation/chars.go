package truncation

import (
	"io"
	"unicode/utf8"
	"unsafe"
)

// HeadCharsWriter keeps the first characters of what is written to it, whatever
// lines they are in, and counts the rest. It looks at Limits.Bytes and
// Limits.Chars, and holds no more than they allow. It is not safe for concurrent
// use.
type HeadCharsWriter struct {
	limits Limits
	clean  cleaner
	total  counts
	kept   []byte
	chars  int
	reason Reason
}

// NewHeadCharsWriter returns a writer that keeps the first characters within
// limits.
func NewHeadCharsWriter(limits Limits) *HeadCharsWriter { return &HeadCharsWriter{limits: limits} }

// Write takes all of p and never fails.
func (w *HeadCharsWriter) Write(p []byte) (int, error) {
	w.clean.write(p, w.add)
	return len(p), nil
}

// WriteString is Write without a copy of s.
func (w *HeadCharsWriter) WriteString(s string) (int, error) {
	return w.Write(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// Full reports whether a limit was hit: whatever is written from here on is
// counted and not kept.
func (w *HeadCharsWriter) Full() bool { return w.reason != "" }

func (w *HeadCharsWriter) add(p []byte) {
	w.total.add(p)
	end := 0
	for w.reason == "" && end < len(p) {
		_, size := utf8.DecodeRune(p[end:])
		switch {
		case len(w.kept)+end+size > most(w.limits.Bytes):
			w.reason = ByBytes
		case w.chars >= most(w.limits.Chars):
			w.reason = ByChars
		default:
			end += size
			w.chars++
		}
	}
	w.kept = append(w.kept, p[:end]...)
}

// Chars is the number of characters kept.
func (w *HeadCharsWriter) Chars() int { return w.chars }

// Result gives what is kept of all that was written so far. More may be written
// after it.
func (w *HeadCharsWriter) Result() Result {
	if w.clean.n > 0 {
		c := *w
		c.kept = append([]byte(nil), w.kept...)
		c.clean.flush(c.add)
		return c.Result()
	}
	r := w.limits.result(HeadChars, w.total)
	r.Truncated, r.TruncatedBy = w.Full(), w.reason
	r.OutputLines = linesOf(string(w.kept))
	r.show(w.kept)
	return r
}

// CutLine bounds a single line to its first maxChars characters, followed by
// marker, which is not counted. A line that fits, or any line where maxChars is 0
// or less, is returned as it is, without a copy; the second result says whether it
// was cut. Bytes that are not valid UTF-8 count as a character each and are left as
// they are.
func CutLine(line []byte, maxChars int, marker string) ([]byte, bool) {
	if maxChars <= 0 || len(line) <= maxChars {
		return line, false // no line has more characters than bytes
	}
	end := 0
	for range maxChars {
		if end == len(line) {
			return line, false
		}
		_, size := utf8.DecodeRune(line[end:])
		end += size
	}
	if end == len(line) {
		return line, false
	}
	return append(line[:end:end], marker...), true
}

// LineCutter is CutLine for a stream of lines: it passes what is written to it
// on to another writer, as valid UTF-8, each line cut to its first characters. It is
// not safe for concurrent use.
type LineCutter struct {
	w        io.Writer
	maxChars int
	marker   string
	clean    cleaner
	line     int   // number of the line at hand, from 0
	chars    int   // of it, passed on
	cut      []int // numbers of the lines that were cut
	dropping bool
}

// NewLineCutter returns a cutter of lines longer than maxChars characters, which
// is 1 or more.
func NewLineCutter(w io.Writer, maxChars int, marker string) *LineCutter {
	return &LineCutter{w: w, maxChars: maxChars, marker: marker}
}

// Write takes all of p. An error is the other writer's.
func (c *LineCutter) Write(p []byte) (int, error) {
	var err error
	c.clean.write(p, func(p []byte) {
		if err == nil {
			err = c.add(p)
		}
	})
	return len(p), err
}

// Close passes on what a last write left of a character, as U+FFFD. It does not
// close the other writer, whose error it returns.
func (c *LineCutter) Close() (err error) {
	c.clean.flush(func(p []byte) { err = c.add(p) })
	return err
}

// Cut is the number of lines cut among the first n, and the number of the first
// one that was cut, counted from 0.
func (c *LineCutter) Cut(n int) (count, first int) {
	for _, line := range c.cut {
		if line < n {
			count++
		}
	}
	if count > 0 {
		first = c.cut[0]
	}
	return count, first
}

func (c *LineCutter) add(p []byte) error {
	start := 0 // of what is to be passed on
	for i := 0; i < len(p); {
		if p[i] == '\n' {
			if c.dropping {
				start = i
			}
			c.line++
			c.chars, c.dropping = 0, false
			i++
			continue
		}
		_, size := utf8.DecodeRune(p[i:])
		if !c.dropping && c.chars == c.maxChars {
			if _, err := c.w.Write(append(p[start:i:i], c.marker...)); err != nil {
				return err
			}
			c.dropping = true
			c.cut = append(c.cut, c.line)
		}
		c.chars++
		i += size
	}
	if c.dropping {
		return nil
	}
	_, err := c.w.Write(p[start:])
	return err
}
