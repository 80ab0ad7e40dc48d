// Package matches lists the matches of a search, line by line.
//
// A Matches takes the lines that a search finds, in order, and keeps those that fit into the list. Its Page is what is
// shown in the end.
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

// Form says which matches are listed, and how.
type Form struct {
	MaxLines, MaxBytes int // of the list
	MaxLineChars       int // that are shown of a line

	Limit, Offset int           // matches to list, or files, and to skip before these
	Around        search.Around // lines that are listed with each match
	Files         bool          // files are listed instead of lines
	Counts        bool          // with the number of their matches

	Encoding string          // that the call gives for the files, or ""
	Places   *match.Searcher // finds where in a line its match is
}

// File is a file with matches.
type File struct {
	Path    string // as it is
	Root    string // of what git ignores; "" if it does not
	Grouped bool   // its lines stand below its path
}

// Matches is a list of matches.
type Matches struct {
	Seen int  // matches, or files, that were found, those before the offset included
	More bool // there are more than the limit

	form    Form
	list    *listing.List[line]
	file    fileLines  // of the file at hand
	dropped bool       // there is context that could not be held
	first   firstMatch // should nothing else fit
}

// New returns an empty list.
func New(form Form) *Matches {
	return &Matches{form: form, list: listing.New[line](form.MaxLines, form.MaxBytes)}
}

// Reset forgets what was found, for another search.
func (m *Matches) Reset() {
	m.list.Reset()
	m.Seen, m.More, m.file, m.dropped, m.first = 0, false, fileLines{}, false, firstMatch{}
}

// Visited counts the files that were searched.
func (m *Matches) Visited() *atomic.Int64 { return &m.list.Visited }

// Progress returns the list so far, and the number of files that were searched.
func (m *Matches) Progress() (text truncation.Result, files int) { return m.list.Progress() }

// fileLines are the lines of one file. Lines near a match that is skipped wait, because they may be near the next match
// as well.
type fileLines struct {
	File
	name    string // the path as it is shown
	headed  bool   // the path stands above the lines that were written
	taking  bool   // the match that began last is shown
	waiting []line
	last    int // number of the last line of a match that was shown
	written int // number of the last line that was written
	lines   int // written since the first match that was shown, and their bytes, at the least
	bytes   int
}

// Begin begins a file.
func (m *Matches) Begin(f File) { m.file = fileLines{File: f, name: quote.Name(f.Path), written: -1} }

// Add adds a line that was found in the file that was begun last, or where files are listed, the file. It reports
// whether more are wanted.
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

// line returns the path, to show it or a line of the file.
func (f *fileLines) line() line {
	return line{Line: Line{Path: f.Path, Ignored: f.Root != ""}, name: f.name, root: f.Root}
}

// take counts a match, and reports whether it is to be shown.
func (m *Matches) take() bool {
	if m.Seen >= m.form.Offset+m.form.Limit {
		m.More = true
		return false
	}
	m.Seen++
	return m.Seen > m.form.Offset
}

// add adds a line of the file at hand, with those near it that wait.
func (m *Matches) add(l search.Line) {
	f, around := &m.file, m.form.Around
	goesOn := l.GoesOn && f.taking
	begins := m.takeAll(&l, goesOn)
	if f.bytes > m.form.MaxBytes+1 || f.lines > m.form.MaxLines { // the last newline is not in the list
		return // there is no room for more of this file: only the number of its matches is of use
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
			m.Seen++ // shown with the line, whatever the limit is
			f.taking = true
		} else {
			f.taking = m.take()
		}
		if f.taking {
			begins++
		}
		if m.More {
			l.Lines = 1 // that of a match which is not shown
			break
		}
	}
	return begins
}

const (
	// cutBefore begins a line whose beginning is cut.
	cutBefore = "[truncated] ..."
	// minPrefix is what a line has in a list besides its text: "1: " and the newline.
	minPrefix = 4
)

// line turns a line that was found, as a match or near one, into one to show, cut to MaxLineChars.
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

// writeLine adds a line to the list. A divider stands before it where lines are left out, and the path before the first
// line of a group.
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
