package textfile

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// CutAround bounds a line to maxChars characters: to its beginning if that has the match from start to end, and else
// to the characters around the match, or its beginning. It returns their range in the line.
func CutAround(line []byte, start, end, maxChars int) (from, to int) {
	forward := func(at, chars int) int {
		for ; chars > 0 && at < len(line); chars-- {
			_, size := utf8.DecodeRune(line[at:])
			at += size
		}
		return at
	}
	back := func(at, chars int) int {
		for ; chars > 0 && at > 0; chars-- {
			_, size := utf8.DecodeLastRune(line[:at])
			at -= size
		}
		return at
	}
	if to = forward(0, maxChars); end <= to {
		return 0, to
	}
	room := maxChars // for the text around the match
	for at := start; at < end && room > maxChars/4; room-- {
		at = forward(at, 1)
	}
	if from = back(start, room/2); from == 0 {
		return 0, to
	}
	to = forward(from, maxChars)
	if to == len(line) {
		from = back(to, maxChars) // the end of the line leaves more room before the match
	}
	return from, to
}

// LineCutter is quote.Cut for a stream of lines, in which each Write has whole characters: it passes them on to
// another writer, each cut to its first characters.
type LineCutter struct {
	w        io.Writer
	maxChars int
	marker   string
	line     int   // number of the current line, from 0
	chars    int   // characters of it that were passed on
	cut      []int // numbers of the cut lines
	dropping bool
}

// NewLineCutter returns a LineCutter of lines for w. maxChars is 1 or more.
func NewLineCutter(w io.Writer, maxChars int, marker string) *LineCutter {
	return &LineCutter{w: w, maxChars: maxChars, marker: marker}
}

// First returns how many of the first n lines were cut, and the number of the first cut line, counted from 0.
func (c *LineCutter) First(n int) (count, first int) {
	for count < len(c.cut) && c.cut[count] < n {
		count++
	}
	if count > 0 {
		first = c.cut[0]
	}
	return count, first
}

// Write takes all of p. An error is the other writer's.
func (c *LineCutter) Write(p []byte) (int, error) {
	start := 0 // start of the text to pass on
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
				return 0, err
			}
			c.dropping = true
			c.cut = append(c.cut, c.line)
		}
		c.chars++
		i += size
	}
	if c.dropping {
		return len(p), nil
	}
	_, err := c.w.Write(p[start:])
	return len(p), err
}

// Numberer puts its number before each line.
type Numberer struct {
	w      io.Writer
	line   int  // number of the current line
	inside bool // its number was written
}

// NewNumberer returns a Numberer for w that begins with a number.
func NewNumberer(w io.Writer, line int) *Numberer { return &Numberer{w: w, line: line} }

// LinePrefix returns a line's number as cat -n prints it.
func LinePrefix(line int) string { return fmt.Sprintf("%6d\t", line) }

// Write takes all of p. An error is the other writer's.
func (n *Numberer) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		if !n.inside {
			n.inside = true
			if _, err := io.WriteString(n.w, LinePrefix(n.line)); err != nil {
				return 0, err
			}
		}
		part := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			part = rest[:i+1]
			n.line++
			n.inside = false
		}
		if _, err := n.w.Write(part); err != nil {
			return 0, err
		}
		rest = rest[len(part):]
	}
	return len(p), nil
}
