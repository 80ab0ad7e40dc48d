package tools

import (
	"strconv"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/redact"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/textfile"
)

// shownLine is a line of the list. One without a Path is its name: a divider, or the path
// of the lines below it.
type shownLine struct {
	GrepLine
	name    string           // the path as it is shown
	root    string           // of what git ignores; "" if it does not
	grouped bool             // the path stands above it
	column  int              // character of the line that Text begins with, from 1
	begins  int              // matches that begin in it and are shown
	span    int              // lines that the last of these takes
	goesOn  bool             // a match goes on in it that began in a line before
	dropped bool             // there is context before it that could not be held
	removed int              // bytes of it that are not shown, as far as they are known
	secrets []redact.Finding // in it
}

func (l shownLine) String() string {
	mark := "-"
	switch {
	case l.Path == "":
		return l.name
	case l.Count > 0:
		return l.name + ":" + strconv.Itoa(l.Count)
	case l.Line == 0:
		return l.name
	case l.Match:
		mark = ":"
	}
	text := strconv.Itoa(l.Line) + mark + " " + quote.ShowNULs(l.Text)
	if l.grouped {
		return text
	}
	return l.name + mark + text
}

// firstMatch is the first match that is shown, and nothing of what is near it.
type firstMatch struct {
	lines []shownLine
	bytes int
}

// add adds a line of the list, if it belongs to the match.
func (f *firstMatch) add(line shownLine, maxBytes int) {
	switch {
	case len(f.lines) == 0 && line.begins == 0:
	case len(f.lines) == 0 || line.goesOn && len(f.lines) < f.lines[0].span && f.bytes <= maxBytes:
		f.lines, f.bytes = append(f.lines, line), f.bytes+len(line.String())+1
	}
}

// fileLines are the lines of one file. What is near a match that is skipped waits, for
// it may be near the next one as well.
type fileLines struct {
	path    string // as the search has it
	full    string
	name    string // as it is shown
	root    string // of what git ignores; "" if it does not
	headed  bool   // the path stands above the lines that were written
	taking  bool   // the match that began last is shown
	waiting []shownLine
	last    int // number of the last line of a match that was shown
	written int // number of the last line that was written
	lines   int // written since the first match that was shown, and their bytes, at the least
	bytes   int
}

// visit adds a line that was found, as far as the output mode shows it. It reports
// whether more are wanted. tree is nil for a file that was named.
func (g *grep) visit(tree *searched, f search.File, l search.Line) bool {
	if g.lines.name == "" || g.lines.path != f.Path {
		g.lines = fileLines{path: f.Path, full: f.Path, written: -1}
		if tree != nil {
			g.lines.full, g.lines.root = tree.prefix+f.Path, tree.root(f.Path, f.Ignored)
		}
		g.lines.name = quote.Name(g.lines.full)
	}
	if !g.query.Count {
		g.add(l)
		return !g.more
	}
	if g.take() {
		line := g.lines.line()
		line.Match, line.begins, line.span = true, 1, 1
		if g.params.OutputMode == modeCount {
			line.Count = l.Begins
		}
		g.write(line)
	}
	return !g.more
}

// line returns the path, to show it or a line of the file.
func (f *fileLines) line() shownLine {
	return shownLine{GrepLine: GrepLine{Path: f.full, Ignored: f.root != ""}, name: f.name, root: f.root}
}

// take counts a match, and says whether it is one of those to show.
func (g *grep) take() bool {
	if g.seen >= g.most {
		g.more = true
		return false
	}
	g.seen++
	return g.seen > g.offset
}

// add adds a line of the file at hand, with those near it that wait.
func (g *grep) add(l search.Line) {
	f, around := &g.lines, g.query.Around
	goesOn := l.GoesOn && f.taking
	begins := 0
	for i := range l.Begins {
		if last := i == l.Begins-1; (goesOn || begins > 0) && (!last || l.Lines == 1) {
			g.seen++ // shown with the line, whatever the limit is
			f.taking = true
		} else {
			f.taking = g.take()
		}
		if f.taking {
			begins++
		}
		if g.more {
			l.Lines = 1 // that of a match which is not shown
			break
		}
	}
	if cfg := g.cfg.Grep; f.bytes > cfg.MaxBytes+1 || f.lines > cfg.MaxLines { // the last newline is not in the list
		return // there is no room for more of this file: only the number of its matches is of use
	}
	switch {
	case goesOn || begins > 0:
		for _, w := range f.waiting {
			if w.Line >= l.Number-around.Before {
				g.writeLine(w)
			}
		}
		f.waiting, f.last = f.waiting[:0], l.Number
		line := g.line(l, true)
		line.goesOn, line.begins = goesOn, begins
		g.writeLine(line)
	case g.more || around == search.Around{}:
	case f.last > 0 && l.Number <= f.last+around.After:
		g.writeLine(g.line(l, false))
	default:
		if f.waiting = append(f.waiting, g.line(l, false)); len(f.waiting) > 2*around.Before+64 {
			f.waiting = append(f.waiting[:0], f.waiting[len(f.waiting)-around.Before:]...)
		}
	}
}

const (
	// cutMark ends a line that is cut, and cutBefore begins one whose beginning is.
	cutMark   = "... [truncated]"
	cutBefore = "[truncated] ..."
	// minPrefix is what a line has in a list besides its text: "1: " and the newline.
	minPrefix = 4
)

// line turns a line that was found into one to show, as a match or near one, cut to
// MaxLineChars.
func (g *grep) line(l search.Line, match bool) shownLine {
	line := g.lines.line()
	line.grouped, line.Line, line.column, line.span, line.dropped = g.grouped, l.Number, l.Before+1, l.Lines, l.Dropped
	line.secrets = l.Redacted
	start, end := 0, 0
	if match {
		start, end, line.Length = l.Place(g.places)
		line.Match, line.Column = true, l.Before+utf8.RuneCount(l.Text[:start])+1
	}
	from, to := textfile.CutAround(l.Text, start, end, g.cfg.Grep.MaxLineChars)
	line.column += utf8.RuneCount(l.Text[:from])
	line.Text = string(l.Text[from:to])
	if line.column > 1 {
		line.Text, line.Cut = cutBefore+line.Text, true
	}
	if to < len(l.Text) || l.Cut {
		line.Text, line.Cut = line.Text+cutMark, true
	}
	if line.Cut {
		line.removed = max(l.Bytes, len(l.Text)) - len(line.Text)
	}
	return line
}

// divider stands between lines if some are left out there.
const divider = "--"

// writeLine adds a line to the list, behind a divider if lines are left out between
// it and the one before; the first of a group behind the path.
func (g *grep) writeLine(line shownLine) {
	switch between := len(g.list.items) > 0; {
	case g.grouped && !g.lines.headed:
		g.lines.headed = true
		if between {
			g.write(shownLine{})
		}
		g.write(shownLine{name: g.lines.name})
	case between && g.query.Around != (search.Around{}) && g.lines.written != line.Line-1:
		g.write(shownLine{name: divider})
	}
	if g.lines.written = line.Line; g.lines.last > 0 {
		g.lines.lines, g.lines.bytes = g.lines.lines+1, g.lines.bytes+len(line.Text)+minPrefix
	}
	g.dropped = g.dropped || line.dropped
	g.write(line)
}

func (g *grep) write(line shownLine) {
	g.first.add(line, g.cfg.Grep.MaxBytes)
	g.list.add(line)
}
