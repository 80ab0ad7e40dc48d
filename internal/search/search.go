// Package search finds the matching lines of a file and the lines around them. It streams
// through one reused buffer, however long the file.
package search

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/terminal"
	"github.com/spillway-go/spillway/internal/textfile"
)

// ErrBinary is the error for a file that is not text.
var ErrBinary = errors.New("binary file")

// ErrTooLarge is the error for a file that is too long for Spans.
var ErrTooLarge = errors.New("file too large to be searched whole")

const (
	// bufferSize is the buffer of a searcher; most source files are shorter.
	bufferSize = 64 << 10
	// readSize is the size of a read into a buffer that has grown.
	readSize = 1 << 20
	// defaultText is how much is kept of a line that does not stay in the buffer.
	defaultText = 4 << 10
	maxText     = 64 << 10
	// MaxLine is the length in bytes from which a line is searched in pieces: ^ and $ then match at the ends of
	// pieces, and a match of over 64 KiB may be missed.
	MaxLine = 22 << 20
)

// bounds limit the memory of the searchers of a group, in bytes.
type bounds struct {
	own    int // buffer of each searcher; there are at most eight
	buffer int // buffer of one of them at a time, and half as much more while it grows
	// line is the length from which a line is not held whole: it is searched in pieces, and shown by its beginning. A
	// piece begins with the last overlap bytes of the one before, so that a match across both is found.
	line, overlap int
	// window is the context that the buffer holds before the current line; as much again is kept in copies.
	window int
}

// defaultBounds allow searching all files within the default limit, 20 MB, by whole lines. The window is a few hundred
// times what a result shows.
var defaultBounds = bounds{own: 4 << 20, buffer: 24 << 20, line: MaxLine, overlap: 64 << 10, window: 1 << 20}

// Line is a line to show.
type Line struct {
	Number  int    // from 1
	Text    []byte // without its terminator; valid during the visit only
	Before  int    // characters before Text, if it does not begin the line
	Bytes   int    // length of the line if Text is only part of it; else it may be 0
	Begins  int    // matches that begin in it
	Lines   int    // number of lines that the last of these takes
	GoesOn  bool   // a match from an earlier line continues in it
	Cut     bool   // the line continues behind Text, because it was not held whole
	Dropped bool   // context before it could not be held
	Only    bool   // Text is only the match

	Redacted []mask.Finding // the secrets in it

	found      bool // start and end are set
	start, end int  // in Text, of the first match in it, as far as that is in it
	length     int  // characters of the match
}

// Around is how many lines to visit before and after each match.
type Around struct{ Before, After int }

// Match reports whether the line has a match. If not, it is near one.
func (l Line) Match() bool { return l.Begins > 0 || l.GoesOn }

// Visit is called with the lines to show, in order. Returning false ends the search.
type Visit func(Line) bool

// Group is the searchers that work concurrently on one call. Only one of them at a time may have a large buffer, which
// bounds their memory.
type Group struct {
	query  Query
	bounds bounds
	large  chan struct{} // has an element while a searcher has a large buffer
}

func NewGroup(q Query) *Group {
	q.Most, q.Text = cmp.Or(q.Most, math.MaxInt), cmp.Or(q.Text, defaultText)
	return &Group{query: q, bounds: defaultBounds, large: make(chan struct{}, 1)}
}

// text is how much is kept of a line that does not stay in the buffer, in bytes.
func (g *Group) text() int { return min(g.query.Text, maxText) }

func (g *Group) New() *Searcher {
	return &Searcher{group: g, lines: g.query.Matcher.NewSearcher(), buf: make([]byte, bufferSize)}
}

// Searcher searches files one after another. It is not safe for concurrent use.
type Searcher struct {
	group *Group
	lines *match.Searcher
	buf   []byte
	large bool // it holds the group's large buffer

	inPieces bool // the last file had a line that was searched in pieces
	notUTF8  bool // the last file is not valid, where that matters

	encoding string           // that the current file seems to have, or ""
	printed  bool             // Query.Printed of the current file
	shows    *terminal.Reader // reads the current file as a terminal would show it, or nil
	stops    bool             // end the search if the file is not UTF-8, where that matters
	stopped  bool             // the search ended so, or the file looks like UTF-16 without a byte order mark
}

// Lines visits the matching lines of f and the lines around them. The text is decoded as by textfile. size is f's
// length in bytes or 0 if unknown; it saves the read that finds the end of a small file. The error is ErrBinary, f's,
// or ctx's.
func (s *Searcher) Lines(ctx context.Context, f io.Reader, size int64, around Around, visit Visit) error {
	s.lines.Until(ctx)
	s.inPieces, s.notUTF8 = false, false
	defer s.release()
	n, ended, err := s.begin(f, size)
	if err != nil {
		return err
	}
	kind := s.sniff(n)
	if kind.Binary {
		s.stopped = s.stops && kind.Likely != ""
		return ErrBinary
	}
	scan := scan{s: s, ctx: ctx, r: f, end: n, ended: ended, around: around, visit: visit, number: 1}
	if text := s.decoded(kind, n, f); text != nil {
		scan.r, scan.end, scan.ended = text, 0, false
	}
	return scan.run()
}

// decoded returns a reader of the decoded text of a file, whose first n bytes are in the buffer; nil if no decoding is
// needed.
func (s *Searcher) decoded(kind textfile.Info, n int, f io.Reader) io.Reader {
	if s.shows = nil; kind.Encoding == textfile.UTF8 && !s.printed {
		return nil
	}
	text := io.MultiReader(bytes.NewReader(bytes.Clone(s.buf[:n])), f)
	if kind.Encoding != textfile.UTF8 {
		text = kind.Reader(text)
	}
	if !s.printed {
		return text
	}
	s.shows = terminal.NewReader(text, quote.NUL)
	return s.shows
}

// isValid reports whether part of the current text was valid UTF-8 in the file.
func (s *Searcher) isValid(text []byte) bool {
	if s.shows == nil || s.shows.Met().Invalid == 0 {
		return utf8.Valid(text)
	}
	return !bytes.ContainsRune(text, utf8.RuneError)
}

// begin reads the beginning of a file, which shows its kind, or all of it.
func (s *Searcher) begin(f io.Reader, size int64) (n int, ended bool, err error) {
	for n < textfile.SniffLen {
		got, err := f.Read(s.buf[n:])
		n += got
		switch {
		case err == io.EOF, err == nil && size > 0 && int64(n) == size:
			return n, true, nil
		case err != nil:
			return n, false, err
		}
	}
	return n, false, nil
}

// grow enlarges the buffer, which has n bytes in use.
func (s *Searcher) grow(ctx context.Context, n int) error {
	size := min(2*len(s.buf), s.group.bounds.buffer)
	if err := s.reserve(ctx, size); err != nil {
		return err
	}
	bigger := make([]byte, size)
	copy(bigger, s.buf[:n])
	s.buf = bigger
	return nil
}

// reserve waits until the searcher may hold size bytes.
func (s *Searcher) reserve(ctx context.Context, size int) error {
	if size <= s.group.bounds.own || s.large {
		return nil
	}
	select {
	case s.group.large <- struct{}{}:
		s.large = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Searcher) release() {
	if s.large {
		if s.large = false; len(s.buf) > s.group.bounds.own {
			s.buf = make([]byte, bufferSize)
		}
		<-s.group.large
	}
}

// Place returns the bounds of the first match within Text, and its length in characters within the line. s is a
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

// shorten cuts Text to at most n bytes before the beginning of the first match and n after it, between characters.
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
