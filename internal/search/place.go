package search

import (
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/textfile"
)

// Place returns the bounds in Text of the first match in the line, as far as that is
// there, and how many characters the match has in the line. The line must be a match. s,
// a searcher for the pattern, finds it as [match.Searcher.Find] does if it was not looked
// for before.
func (l *Line) Place(s *match.Searcher) (start, end, length int) {
	if !l.found {
		l.found = true
		l.start, l.end = s.Find(l.Text)
	}
	if l.length == 0 {
		l.length = utf8.RuneCount(l.Text[l.start:l.end])
	}
	return l.start, l.end, l.length
}

// shorten keeps n bytes of Text at most before the first match begins, and as many after
// that. What is kept begins and ends with whole characters.
func (l *Line) shorten(s *match.Searcher, n int) {
	start, _, _ := l.Place(s)
	if len(l.Text) > start+n {
		rest := l.Text[:start+n]
		l.Text, l.Cut = rest[:len(rest)-textfile.Unfinished(rest)], true
	}
	from := max(0, start-n)
	for from > 0 && from < start && !utf8.RuneStart(l.Text[from]) {
		from++
	}
	l.Before += utf8.RuneCount(l.Text[:from])
	l.Text = l.Text[from:]
	l.start, l.end = l.start-from, min(l.end-from, len(l.Text))
}

// spans sets the place of the match from the bounds of Text and of the match in a buffer.
func (l *Line) spans(at, start, end int) {
	l.found = true
	l.start, l.end = min(max(start-at, 0), len(l.Text)), min(max(end-at, 0), len(l.Text))
}
