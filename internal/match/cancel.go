package match

import (
	"io"
	"regexp"
	"unicode/utf8"
)

// canceler ends a search when its context does. Work is counted in steps: one for each instruction that is followed at
// one character. Work on bytes alone is not counted, since it is fast.
type canceler struct {
	done  <-chan struct{} // nil if nothing ends the search
	ended bool            // done was closed: results from then on are invalid
	steps int             // since done was checked
}

// checkInterval is the number of steps between two checks: 50 ms at most in package regexp.
const checkInterval = 1 << 20

// spend counts steps and reports whether the search has ended.
func (c *canceler) spend(steps int) bool {
	c.steps += steps
	if c.steps < checkInterval || c.ended {
		return c.ended
	}
	c.steps = 0
	select {
	case <-c.done:
		c.ended = true
	default:
	}
	return c.ended
}

// match is re.Match, until the search has ended. size is the number of instructions of re.
func (c *canceler) match(re *regexp.Regexp, size int, text []byte) bool {
	if c.spend(0) {
		return false
	}
	if c.brief(size, text) {
		return re.Match(text)
	}
	return re.MatchReader(&cancelReader{c, size, text}) && !c.ended
}

// find is re.FindSubmatchIndex, until the search has ended.
func (c *canceler) find(re *regexp.Regexp, size int, text []byte) []int {
	if c.spend(0) {
		return nil
	}
	if c.brief(size, text) {
		return re.FindSubmatchIndex(text)
	}
	if loc := re.FindReaderSubmatchIndex(&cancelReader{c, size, text}); !c.ended {
		return loc
	}
	return nil
}

// brief reports whether text takes fewer steps than there are between two checks, and counts them if so.
func (c *canceler) brief(size int, text []byte) bool {
	if len(text) >= checkInterval/max(size, 1) { // their product may not fit into 32 bits
		return false
	}
	c.spend(size * len(text))
	return true
}

// cancelReader reads a text that ends when the search does: package regexp cannot be stopped in any other way.
type cancelReader struct {
	cancel *canceler
	size   int
	text   []byte
}

func (r *cancelReader) ReadRune() (rune, int, error) {
	if len(r.text) == 0 || r.cancel.spend(r.size) {
		return 0, 0, io.EOF
	}
	c, size := rune(r.text[0]), 1
	if c >= utf8.RuneSelf {
		c, size = utf8.DecodeRune(r.text)
	}
	r.text = r.text[size:]
	return c, size, nil
}
