package notice

import "fmt"

// ChangesNotShown says that a change over more than most lines is not shown and, with the tool read, how to see it.
func ChangesNotShown(most int, read bool) Notice {
	return Changes{}.seeFile(fmt.Sprintf("The changes are not shown: they span over %d lines", most), read)
}

// Changes describes a diff that is shown in part.
type Changes struct {
	Shown, Total int

	Path   string // the file with the first hidden line; "" if there is only one file
	Offset int    // that line, in the present file; 0 if unknown
}

// Notice says how much is shown and, with the tool read, how to see the rest.
func (n Changes) Notice(read bool) Notice {
	return n.seeFile(fmt.Sprintf("Showing %d of %d lines of changes", n.Shown, n.Total), read)
}

func (n Changes) seeFile(said string, read bool) Notice {
	if len(n.Path) > Allowance/2 {
		n.Path, n.Offset = "", 0
	}
	if read {
		said += ". Use read " + inFile(n.Path)
		if n.Offset > 0 {
			said += fmt.Sprintf("offset=%d ", n.Offset)
		}
		said += "to see the file as it is now"
	}
	return Notice(said)
}

// Unread says that lines of a file were replaced before all of it had been read, and where they are kept; "" means
// nowhere.
func Unread(lines int, kept string, read bool) Notice {
	said := fmt.Sprintf("Not all of the file had been read, and %s %s gone. ",
		Count(lines, "line"), pluralOf(lines, "is", "are"))
	switch {
	case kept == "":
		return Notice(said + "No copy was kept")
	case read:
		return Notice(said + "Use read path=" + kept + " to see the old content")
	}
	return Notice(said + "The old content is in " + kept)
}

// Preview is the text that shows a person what a call would do.
type Preview struct {
	Shown, Total int  // lines
	Cut          bool // some are left out
	Quoted       bool // lines with characters that a terminal does not show are in quotes
	LongLines    bool // lines are cut to Max characters
	Max          int
	Diff         bool // the text is a diff, which could be applied if it were whole
}

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
