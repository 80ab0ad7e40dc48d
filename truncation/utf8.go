package truncation

import (
	"strings"
	"unicode/utf8"
)

// replacement is U+FFFD, which replaces an invalid byte.
const replacement = "\uFFFD"

// cleaner turns a stream of bytes into valid UTF-8. It holds back an unfinished character until the next write.
type cleaner struct {
	held [utf8.UTFMax]byte
	n    int
}

// write passes p on to sink as valid UTF-8, without a copy if p is valid.
func (c *cleaner) write(p []byte, sink func([]byte)) {
	for c.n > 0 && len(p) > 0 {
		c.held[c.n] = p[0]
		c.n++
		if !utf8.FullRune(c.held[:c.n]) {
			p = p[1:]
			continue
		}
		if r, size := utf8.DecodeRune(c.held[:c.n]); r != utf8.RuneError || size > 1 {
			sink(c.held[:c.n])
			c.n = 0
			p = p[1:]
			break
		}
		// This byte does not continue the held character, so it stays in p.
		c.n--
		c.flush(sink)
	}
	if c.n > 0 || len(p) == 0 {
		return
	}
	end := len(p)
	if p[end-1] >= utf8.RuneSelf {
		end -= unfinished(p)
	}
	if utf8.Valid(p[:end]) {
		if end > 0 {
			sink(p[:end])
		}
	} else {
		replace(p[:end], sink)
	}
	c.n = copy(c.held[:], p[end:])
}

// flush gives up on a held, unfinished character.
func (c *cleaner) flush(sink func([]byte)) {
	for range c.n {
		sink([]byte(replacement))
	}
	c.n = 0
}

// unfinished returns the number of bytes at the end of p that may begin a character.
func unfinished(p []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(p); n++ {
		if b := p[len(p)-n]; utf8.RuneStart(b) {
			if !utf8.FullRune(p[len(p)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// replace passes p on with each invalid byte replaced; p must end with a whole character. It works a KiB at a time, so
// that its memory does not depend on the length of p.
func replace(p []byte, sink func([]byte)) {
	const piece = 1 << 10
	for len(p) > 0 {
		part := p
		if len(part) > piece {
			part = part[:piece-unfinished(part[:piece])]
		}
		sink([]byte(valid(string(part))))
		p = p[len(part):]
	}
}

// valid returns s with each invalid byte replaced; s itself if there is none.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.Map(func(r rune) rune { return r }, s)
}
