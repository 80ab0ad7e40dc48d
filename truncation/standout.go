package truncation

import (
	"github.com/spillway-go/spillway/internal/jsoncut"
	"github.com/spillway-go/spillway/internal/shapes"
)

const maxStandout = 64

// A Line is a line that stands out.
type Line struct {
	Number int    `json:"line"`  // in the whole text, from 1
	Bytes  int    `json:"bytes"` // without the newline
	Text   string `json:"text"`  // the line; if over 320 bytes, the part that makes it stand out, with "..." where it is cut
	At     int    `json:"-"`     // where in Text the important part begins
}

// lookAt looks for lines that stand out in a text in memory. before is the number of lines in front of it.
func (p *plan) lookAt(text string, before int) found {
	if !p.looks {
		return found{before: before}
	}
	var c cleaner
	l := p.look()
	c.write(bytesOf(text), l.write)
	return l.found(before)
}

func (p *plan) look() (l looker) {
	l.lines = new(shapes.Finder)
	if p.digests {
		l.json = new(jsoncut.Scanner)
	}
	return l
}

// looker examines the lines of a text, and whether it is a JSON document.
type looker struct {
	lines *shapes.Finder
	json  *jsoncut.Scanner // nil if that does not matter, or the text is known not to be JSON
}

func (l *looker) write(piece []byte) {
	l.lines.Write(piece)
	if l.json == nil {
		return
	}
	if l.json.Write(piece); l.json.Failed() {
		l.json = nil
	}
}

func (l *looker) found(before int) found {
	f := found{report: l.lines.Report(), before: before}
	if l.json != nil {
		f.document, _ = l.json.Document()
	}
	return f
}

type found struct {
	report shapes.Report
	before int // the number of lines in front of the text

	document *jsoncut.Document // nil if the text is not JSON, or should not be cut as JSON
}

// standout returns the lines between from and to that stand out, the most important first, and how many more there
// are.
func (f *found) standout(from, to int) (lines []Line, more int) {
	for _, i := range f.report.Order() {
		s := f.report.Lines[i]
		if s.Number < from || s.Number > to {
			continue
		}
		if len(lines) == maxStandout || !s.Tells() {
			more++
			continue
		}
		text, at := excerpt(s.Line)
		lines = append(lines, Line{f.before + s.Number, s.Bytes, text, at})
	}
	if len(lines)+more > 0 {
		more += f.report.More
	}
	return lines, more
}

const cutMark = "..."

// excerpt returns a line, or the known part of it, and where the important part begins.
func excerpt(line shapes.Line) (text string, at int) {
	part := line.Text
	after := ""
	if line.From+len(part) < line.Bytes {
		part, after = part[:len(part)-unfinished(part)], cutMark
	}
	if line.From > 0 {
		text, at = cutMark, len(cutMark)
	}
	return text + valid(string(part)) + after, at + line.At
}
