package matches

import (
	"strconv"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/quote"
)

// Line is a line that is shown; where files are listed, a file. Its fields are those of tools.GrepLine, which documents
// them.
type Line struct {
	Path    string
	Line    int
	Text    string
	Match   bool
	Cut     bool
	Count   int
	Ignored bool

	Column, Length int
}

// line is a line of the list. One without a Path is its name: a divider, or the path of the lines below it.
type line struct {
	Line
	name    string         // the path as it is shown
	root    string         // of what git ignores; "" if it does not
	grouped bool           // the path stands above it
	column  int            // character of the line that Text begins with, from 1
	begins  int            // matches that begin in it and are shown
	span    int            // lines that the last of these takes
	goesOn  bool           // a match goes on in it that began in a line before
	dropped bool           // there is context before it that could not be held
	removed int            // bytes of it that are not shown, as far as they are known
	secrets []mask.Finding // in it
}

func (l line) String() string {
	mark := "-"
	switch {
	case l.Path == "":
		return l.name
	case l.Count > 0:
		return l.name + ":" + strconv.Itoa(l.Count)
	case l.Line.Line == 0:
		return l.name
	case l.Match:
		mark = ":"
	}
	text := strconv.Itoa(l.Line.Line) + mark + " " + quote.ShowNULs(l.Text)
	if l.grouped {
		return text
	}
	return l.name + mark + text
}

// firstMatch is the first match that is shown, without its context.
type firstMatch struct {
	lines []line
	bytes int
}

// add adds a line of the list, if it belongs to the match.
func (f *firstMatch) add(l line, maxBytes int) {
	switch {
	case len(f.lines) == 0 && l.begins == 0:
	case len(f.lines) == 0 || l.goesOn && len(f.lines) < f.lines[0].span && f.bytes <= maxBytes:
		f.lines, f.bytes = append(f.lines, l), f.bytes+len(l.String())+1
	}
}
