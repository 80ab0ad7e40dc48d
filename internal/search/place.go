package search

import (
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/textfile"
)

// Place returns the bounds in Text of the first match in the line, and how many characters of the line it has. s is a
// searcher for the pattern, which the line must match.
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

// shorten cuts Text to n bytes at most before the beginning of the first match, and as many after it. It cuts between
// characters.
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

// locate sets the bounds of the match, which may begin before Text and end after it.
func (l *Line) locate(start, end int) {
	l.found = true
	l.start, l.end = min(max(start, 0), len(l.Text)), min(max(end, 0), len(l.Text))
}
