package match

import (
	"io"
	"regexp"
	"unicode/utf8"
)

// watch ends a search whose caller does not wait for it any more. Work is counted in
// steps, one for each instruction that is followed at one character; what works on
// bytes alone is so fast that it is never asked to stop.
type watch struct {
	done  <-chan struct{} // nil if nothing ends the search
	ended bool            // done was closed: what is found from here on is not true
	steps int             // since done was looked at
}

// stepsBetween is the work between two looks: 50 ms at the most, as measured with
// package regexp.
const stepsBetween = 1 << 20

// over counts work and reports whether the search has ended.
func (w *watch) over(steps int) bool {
	w.steps += steps
	if w.steps < stepsBetween || w.ended {
		return w.ended
	}
	w.steps = 0
	select {
	case <-w.done:
		w.ended = true
	default:
	}
	return w.ended
}

// match is re.Match, until the search has ended. size is the number of instructions of
// re.
func (w *watch) match(re *regexp.Regexp, size int, text []byte) bool {
	if w.over(0) {
		return false
	}
	if len(text) < stepsBetween/max(size, 1) { // their product may not fit into 32 bits
		w.over(size * len(text))
		return re.Match(text)
	}
	return re.MatchReader(&watched{w, size, text}) && !w.ended
}

// find is re.FindSubmatchIndex, until the search has ended.
func (w *watch) find(re *regexp.Regexp, size int, text []byte) []int {
	if w.over(0) {
		return nil
	}
	if len(text) < stepsBetween/max(size, 1) { // their product may not fit into 32 bits
		w.over(size * len(text))
		return re.FindSubmatchIndex(text)
	}
	if loc := re.FindReaderSubmatchIndex(&watched{w, size, text}); !w.ended {
		return loc
	}
	return nil
}

// watched is a text that is at its end when the search has ended: package regexp has
// no other way to be stopped.
type watched struct {
	watch *watch
	size  int
	text  []byte
}

func (t *watched) ReadRune() (rune, int, error) {
	if len(t.text) == 0 || t.watch.over(t.size) {
		return 0, 0, io.EOF
	}
	r, size := rune(t.text[0]), 1
	if r >= utf8.RuneSelf {
		r, size = utf8.DecodeRune(t.text)
	}
	t.text = t.text[size:]
	return r, size, nil
}
