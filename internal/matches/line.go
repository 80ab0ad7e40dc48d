package matches

import (
	"strconv"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/quote"
)

// Line is a shown line or, in a list of files, a file. tools.GrepLine has the same fields and documents them.
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

// line is a line of the list. One without a Path is only its name: a divider, or the path above a group of lines.
type line struct {
	Line
	name    string         // the path as shown
	root    string         // the part that git ignores; "" if none
	grouped bool           // its path is shown above it
	column  int            // character of the line that Text begins with, from 1
	begins  int            // matches that begin in it and are shown
	span    int            // lines that the last of these takes
	goesOn  bool           // a match from an earlier line continues in it
	dropped bool           // context before it could not be held
	removed int            // bytes of it that are not shown, as far as known
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

// firstMatch is the first shown match, without its context.
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
