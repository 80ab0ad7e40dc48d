package tools

import (
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/truncation"
)

// grepPage is what of a list is shown.
type grepPage struct {
	lines     []GrepLine
	matches   int
	cut       bool // some of the lines are
	long      notice.LongLines
	removed   int       // bytes that these lack
	invalid   *GrepLine // the first line that is not valid UTF-8
	longMatch notice.Notice
	noContext notice.Notice
}

// page chooses what is shown: all that fits, but of a match all of its lines or, if it
// is not the first one, none.
func (g *grep) page(list *truncation.Result) (p grepPage) {
	n := list.OutputLines
	last := -1 // the line in which the last match begins
	for i, line := range g.list.items[:n] {
		p.matches += line.begins
		if line.begins > 0 {
			last = i
		}
	}
	if last >= 0 && list.Truncated && last+g.list.items[last].span > n {
		p.matches--
		if n = last; g.list.items[last].begins > 1 || g.list.items[last].goesOn {
			n++ // the end of the match before it
		}
	}
	for n > 0 && g.list.items[n-1].Path == "" {
		n-- // nothing follows this divider
	}
	shown := g.list.items[:n]
	if p.matches == 0 {
		shown = g.firstAlone(list, &p)
	} else if n < list.OutputLines {
		showInstead(list, head(list.MaxLines, list.MaxBytes).Truncate(printed(shown)))
	}
	for i, line := range shown {
		if line.Path != "" {
			p.lines = append(p.lines, line.GrepLine)
			if line.Cut && !p.cut {
				p.cut = true
				p.long = notice.LongLines{Max: g.cfg.Grep.MaxLineChars, Path: line.name, Line: line.Line, Column: line.column,
					Encoding: g.query.Encoding}
			}
			p.removed += line.removed
			if p.invalid == nil && !utf8.ValidString(line.Text) {
				p.invalid = &shown[i].GrepLine
			}
		}
	}
	if g.dropped {
		p.noContext = notice.ContextDropped
	}
	return p
}

// firstAlone shows the first match without what is near it, or a search could never get
// past it: all of its lines, or as many as fit, or a part of the first.
func (g *grep) firstAlone(list *truncation.Result, p *grepPage) []shownLine {
	first := g.first
	line := first.lines[0]
	p.matches = line.begins
	g.dropped = g.dropped || g.list.items[0].begins == 0
	one := head(list.MaxLines, list.MaxBytes).Truncate(printed(first.lines))
	n := max(one.OutputLines, 1)
	if one.OutputLines > 0 {
		showInstead(list, one)
	} else {
		showCut(list, line.String())
	}
	if n < line.span {
		p.longMatch = notice.LongMatch(n, line.span, line.Line+n)
	}
	return first.lines[:n]
}

// printed returns lines as a list has them.
func printed(lines []shownLine) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line.String())
	}
	return b.String()
}
