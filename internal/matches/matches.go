// Package matches lists the matches of a search, line by line.
//
// A Matches takes the lines that a search finds, in order, and keeps those that fit into the list. Its Page is the
// part that is finally shown.
package matches

import (
	"sync/atomic"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/listing"
	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/truncation"
)

// Form says which matches to list, and how.
type Form struct {
	MaxLines, MaxBytes int // of the list
	MaxLineChars       int // shown of a line

	Limit, Offset int           // matches or files to list, and to skip before these
	Around        search.Around // lines to list with each match
	Files         bool          // list files instead of lines
	Counts        bool          // with the number of their matches

	Encoding string          // named by the call, or ""
	Places   *match.Searcher // finds the match within a line
}

// File is a file with matches.
type File struct {
	Path    string // unquoted
	Root    string // the part that git ignores; "" if none
	Grouped bool   // show its path above its lines
}

// Matches is a list of matches.
type Matches struct {
	Seen int  // matches or files that were found, including those before the offset
	More bool // there are more than the limit

	form    Form
	list    *listing.List[line]
	file    fileLines  // of the current file
	dropped bool       // some context could not be held
	first   firstMatch // shown if nothing else fits
}

func New(form Form) *Matches {
	return &Matches{form: form, list: listing.New[line](form.MaxLines, form.MaxBytes)}
}

func (m *Matches) Reset() {
	m.list.Reset()
	m.Seen, m.More, m.file, m.dropped, m.first = 0, false, fileLines{}, false, firstMatch{}
}

// Visited counts the files that were searched.
func (m *Matches) Visited() *atomic.Int64 { return &m.list.Visited }

// Progress returns the list so far, and the number of files that were searched.
func (m *Matches) Progress() (text truncation.Result, files int) { return m.list.Progress() }

// fileLines are the lines of one file. Lines near a skipped match wait, because they may also be near the next match.
type fileLines struct {
	File
	name    string // the path as shown
	headed  bool   // the path was written above its lines
	taking  bool   // the last match that began is shown
	waiting []line
	last    int // number of the last line of a shown match
	written int // number of the last written line
	lines   int // written since the first shown match, with their bytes, at least
	bytes   int
}

func (m *Matches) Begin(f File) { m.file = fileLines{File: f, name: quote.Name(f.Path), written: -1} }

// Add adds a found line of the current file or, in a list of files, the file. It reports whether more are wanted.
func (m *Matches) Add(l search.Line) (more bool) {
	if !m.form.Files {
		m.add(l)
		return !m.More
	}
	if m.take() {
		file := m.file.line()
		file.Match, file.begins, file.span = true, 1, 1
		if m.form.Counts {
			file.Count = l.Begins
		}
		m.write(file)
	}
	return !m.More
}

// line returns a line with only the path, to show it or to complete it.
func (f *fileLines) line() line {
	return line{Line: Line{Path: f.Path, Ignored: f.Root != ""}, name: f.name, root: f.Root}
}

// take counts a match, and reports whether to show it.
func (m *Matches) take() bool {
	if m.Seen >= m.form.Offset+m.form.Limit {
		m.More = true
		return false
	}
	m.Seen++
	return m.Seen > m.form.Offset
}

// add adds a line of the current file, with the lines near it that wait.
func (m *Matches) add(l search.Line) {
	f, around := &m.file, m.form.Around
	goesOn := l.GoesOn && f.taking
	begins := m.takeAll(&l, goesOn)
	if f.bytes > m.form.MaxBytes+1 || f.lines > m.form.MaxLines { // the last newline is not in the list
		return // no more of this file fits, so only the number of its matches counts
	}
	switch {
	case goesOn || begins > 0:
		for _, w := range f.waiting {
			if w.Line.Line >= l.Number-around.Before {
				m.writeLine(w)
			}
		}
		f.waiting, f.last = f.waiting[:0], l.Number
		shown := m.line(l, true)
		shown.goesOn, shown.begins = goesOn, begins
		m.writeLine(shown)
	case m.More || around == search.Around{}:
	case f.last > 0 && l.Number <= f.last+around.After:
		m.writeLine(m.line(l, false))
	default:
		if f.waiting = append(f.waiting, m.line(l, false)); len(f.waiting) > 2*around.Before+64 {
			f.waiting = append(f.waiting[:0], f.waiting[len(f.waiting)-around.Before:]...)
		}
	}
}

// takeAll counts the matches that begin in a line, and returns how many of them are shown.
func (m *Matches) takeAll(l *search.Line, goesOn bool) (begins int) {
	f := &m.file
	for i := range l.Begins {
		if last := i == l.Begins-1; (goesOn || begins > 0) && (!last || l.Lines == 1) {
			m.Seen++ // shown with the line, whatever the limit
			f.taking = true
		} else {
			f.taking = m.take()
		}
		if f.taking {
			begins++
		}
		if m.More {
			l.Lines = 1 // that of a match that is not shown
			break
		}
	}
	return begins
}

const (
	// cutBefore begins a line whose beginning is cut.
	cutBefore = "[truncated] ..."
	// minPrefix is the least size of a line in a list beside its text: "1: " and the newline.
	minPrefix = 4
)

// line converts a found line, with a match or near one, to a shown line, cut to MaxLineChars.
func (m *Matches) line(l search.Line, match bool) line {
	shown := m.file.line()
	shown.grouped, shown.Line.Line, shown.column = m.file.Grouped, l.Number, l.Before+1
	shown.span, shown.dropped, shown.secrets = l.Lines, l.Dropped, l.Redacted
	start, end := 0, 0
	if match {
		start, end, shown.Length = l.Place(m.form.Places)
		shown.Match, shown.Column = true, l.Before+utf8.RuneCount(l.Text[:start])+1
	}
	from, to := textfile.CutAround(l.Text, start, end, m.form.MaxLineChars)
	shown.column += utf8.RuneCount(l.Text[:from])
	shown.Text = string(l.Text[from:to])
	if shown.column > 1 && !l.Only {
		shown.Text, shown.Cut = cutBefore+shown.Text, true
	}
	if to < len(l.Text) || l.Cut {
		shown.Text, shown.Cut = shown.Text+quote.CutMark, true
	}
	if shown.Cut {
		shown.removed = max(l.Bytes, len(l.Text)) - len(shown.Text)
	}
	return shown
}

// divider stands between lines if some are left out there.
const divider = "--"

// writeLine adds a line to the list, with a divider if lines before it are left out, and with the path before the
// first line of a group.
func (m *Matches) writeLine(l line) {
	switch between := len(m.list.Items()) > 0; {
	case m.file.Grouped && !m.file.headed:
		m.file.headed = true
		if between {
			m.write(line{})
		}
		m.write(line{name: m.file.name})
	case between && m.form.Around != (search.Around{}) && m.file.written != l.Line.Line-1:
		m.write(line{name: divider})
	}
	if m.file.written = l.Line.Line; m.file.last > 0 {
		m.file.lines, m.file.bytes = m.file.lines+1, m.file.bytes+len(l.Text)+minPrefix
	}
	m.dropped = m.dropped || l.dropped
	m.write(l)
}

func (m *Matches) write(l line) {
	m.first.add(l, m.form.MaxBytes)
	m.list.Add(l)
}
