package notice

import (
	"fmt"
	"strings"
)

// SameLines are lines of a page that were shown before.
type SameLines struct {
	First, Last int // their present numbers, from 1
	Was         int // the former number of the first
}

func (s SameLines) now() string { return lineRange(s.First, s.Last) }
func (s SameLines) was() string { return lineRange(s.Was, s.Was+s.Last-s.First) }

// Repeat describes a page with lines that are not shown again.
type Repeat struct {
	Path       string      // the file
	Same       []SameLines // in order, one or more
	Name       string      // the name under which the lines were shown, or "" if that is Path
	Total, Was int         // lines of the file, now and when last read
	Argument   string      // the file as in arguments, or "" if it is clear
}

func (r Repeat) Notice() Notice {
	var now, moved, was []string
	lines := 0
	for _, s := range r.Same {
		lines += s.Last - s.First + 1
		now = append(now, s.now())
		if s.Was != s.First {
			moved, was = append(moved, s.now()), append(was, s.was())
		}
	}
	as := ""
	if r.Name != "" {
		as = " as " + r.Name
	}
	said := fmt.Sprintf("%s %s of %s %s not changed since %s shown%s. Use %sagain=true to see %s",
		pluralOf(lines, "Line", "Lines"), enumerate(now), r.Path, pluralOf(lines, "has", "have"),
		pluralOf(lines, "it was", "they were"), as, inFile(r.Argument), pluralOf(lines, "it", "them"))
	if len(moved) > 0 {
		said += fmt.Sprintf(". %s %s %s %s then", pluralOf(lines, "Line", "Lines"), enumerate(moved),
			pluralOf(lines, "was", "were"), enumerate(was))
	}
	if last := r.Same[len(r.Same)-1]; r.Total-r.Was != last.First-last.Was { // else the last numbers say it
		said += fmt.Sprintf(". The file has %s now, and had %d when it was last read", Count(r.Total, "line"), r.Was)
	}
	return Notice(said)
}

func lineRange(first, last int) string {
	if first == last {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

func enumerate(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
