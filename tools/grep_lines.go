package tools

import (
	"fmt"

	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/workspace"
)

// collect adds what was found in a file to the result.
func (g *grep) collect(h hits) {
	switch h.skip {
	case isBinary:
		g.skipped.Binary++
	case isLarge:
		g.skipped.Large++
	case isUnreadable:
		g.skipped.Unreadable++
	}
	if h.pieces {
		g.skipped.LongLines = search.MaxLine
	}
	name := workspace.Quote(h.name)
	if g.params.OutputMode != modeContent {
		if h.found == 0 || !g.take() {
			return
		}
		line := shownLine{GrepLine: GrepLine{Path: h.name, Match: true}, begins: 1, span: 1}
		if g.params.OutputMode == modeCount {
			line.Count = h.found
			name = fmt.Sprintf("%s:%d", name, h.found)
		}
		g.write(name, line)
		return
	}
	g.pass(h.passed)
	group := lineGroup{g: g, path: h.name, name: name, written: -1}
	for _, line := range h.lines {
		if group.add(line); g.more {
			return
		}
	}
	if h.unkept > 0 && group.last > 0 && g.seen < g.most {
		group.flush()
	}
	g.pass(h.unkept)
}

// lineGroup composes the lines of one file. What is near a match that is skipped
// waits, for it may be near the next one as well.
type lineGroup struct {
	g       *grep
	path    string
	name    string // the path as it is shown
	taking  bool   // the match that began last is shown
	waiting []hit
	last    int // number of the last line of a match that was shown
	written int // number of the last line that was written
}

func (l *lineGroup) add(line hit) {
	match := line.continued && l.taking
	begins := 0
	for i := range line.begins {
		if last := i == line.begins-1; (match || begins > 0) && (!last || line.span == 1) {
			l.g.seen++ // shown with the line, whatever the limit is
			l.taking = true
		} else {
			l.taking = l.g.take()
		}
		if l.taking {
			begins++
		}
		if l.g.more {
			line.span = 1 // that of a match which is not shown
			break
		}
	}
	switch {
	case match || begins > 0:
		for _, w := range l.waiting {
			if w.number >= line.number-l.g.around {
				l.write(w, false, 0)
			}
		}
		l.waiting, l.last = nil, line.number
		l.write(line, match, begins)
	case l.g.more || l.g.around == 0:
	case l.last > 0 && line.number <= l.last+l.g.around:
		l.write(line, false, 0)
	default:
		if l.waiting = append(l.waiting, line); len(l.waiting) > l.g.around {
			l.waiting = l.waiting[1:]
		}
	}
}

// flush writes what is near a match for which there is no room: with that the list is
// longer than it may be, which tells that there is more.
func (l *lineGroup) flush() {
	for _, w := range l.waiting {
		l.write(w, false, 0)
	}
	l.waiting = nil
}

// write adds a line to the list, behind a divider if lines are left out between
// it and the one before.
func (l *lineGroup) write(line hit, continued bool, begins int) {
	if l.g.around > 0 && len(l.g.lines) > 0 && l.written != line.number-1 {
		l.g.write("--", shownLine{})
	}
	l.written = line.number
	l.g.dropped = l.g.dropped || line.dropped
	mark := byte('-')
	if continued || begins > 0 {
		mark = ':'
	}
	l.g.write(fmt.Sprintf("%s%c%d%c %s", l.name, mark, line.number, mark, line.text), shownLine{
		GrepLine: GrepLine{Path: l.path, Line: line.number, Text: line.text, Match: mark == ':', Cut: line.cut},
		begins:   begins, span: line.span, continued: continued, removed: line.removed,
	})
}
