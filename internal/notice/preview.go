package notice

import "fmt"

// Preview is what a person sees of what a call would do.
type Preview struct {
	Shown, Total int  // lines
	Cut          bool // some are left out
	Quoted       bool // lines with characters that a terminal does not show are in quotes
	LongLines    bool // lines are cut to Max characters
	Max          int
	Diff         bool // it is one, which can be applied otherwise
}

// Notices say what is not shown as it is.
func (p Preview) Notices() (said []Notice) {
	if p.Cut {
		said = append(said, Notice(fmt.Sprintf("Showing %d of %d lines", p.Shown, p.Total)))
	}
	if p.LongLines {
		said = append(said, Notice(fmt.Sprintf("Long lines are cut to %d characters", p.Max)))
	}
	if p.Quoted {
		said = append(said, "Lines with unprintable characters are quoted")
	}
	if p.Diff && len(said) > 0 {
		said = append(said, "This diff cannot be applied")
	}
	return said
}
