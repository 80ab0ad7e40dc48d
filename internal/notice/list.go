package notice

import (
	"fmt"
	"math"

	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/truncation"
)

// LimitReached describes a list that ended at the limit of a call.
type LimitReached struct {
	Limit     int    // of the call
	Found     int    // items shown: more than Limit if several matches share the last line
	One, Many string // the name of the items: "match", "matches"
	Refine    bool   // there is a pattern that could be narrower
	Continued bool   // the call has an offset, so no larger limit is suggested
}

// Notice suggests a limit of twice the number found.
func (l LimitReached) Notice() Notice {
	n := fmt.Sprintf("%d %s limit reached", l.Limit, pluralOf(l.Limit, l.One, l.Many))
	if !l.Continued {
		n += fmt.Sprintf(". Use limit=%d for more", min(max(l.Found, l.Limit), math.MaxInt/2)*2)
		if l.Refine {
			n += ", or refine pattern"
		}
	}
	return Notice(n)
}

// ListLimit says that MaxBytes or MaxLines ended the list r, a result of Head. It is empty if neither did.
func ListLimit(r truncation.Result) Notice {
	switch r.TruncatedBy {
	case truncation.ByBytes:
		return Notice(size.Format(int64(r.MaxBytes)) + " limit reached")
	case truncation.ByLines:
		return Notice(fmt.Sprintf("%d lines limit reached", r.MaxLines))
	}
	return ""
}

// Newest says that there are more than the most results that find can sort by time.
func Newest(most int) Notice {
	return Notice(fmt.Sprintf("sort=mtime gives the newest %d results. "+
		"Use a narrower pattern or path, or sort=path, for the others", most))
}

// Continue gives the offset that continues a list. It is empty if the offset is 0, at the end of the list. If a larger
// limit is suggested as well, which shows the whole list again, it says that the offset does not.
func Continue(offset int, largerLimit bool) Notice {
	if offset == 0 {
		return ""
	}
	n := Notice(fmt.Sprintf("Use offset=%d to continue", offset))
	if largerLimit {
		n += " without repeating these"
	}
	return n
}

// Total gives the length of a list that continues. next is the offset of [Continue].
func Total(next, n int, what string) Notice {
	if next == 0 {
		return ""
	}
	return Notice(fmt.Sprintf("%d %s in all", n, what))
}

type InAll struct {
	All  int
	What string    // "matches" or "files"
	Dirs []CountIn // the directories with most of these; may be empty
}

type CountIn struct {
	Name  string
	Count int
}

func (a InAll) Notice() Notice {
	const most = 5
	total := len(a.Dirs)
	var dirs []string
	for _, d := range a.Dirs[:min(len(a.Dirs), most)] {
		dirs = append(dirs, fmt.Sprintf("%s %d", d.Name, d.Count))
	}
	return Notice(fmt.Sprintf("There are %d %s in all%s", a.All, a.What, names(dirs, total, roomForNames)))
}

// Matches counts the matches that grep found.
type Matches struct {
	Shown, Found int    // Found counts up to the limit of the call
	More         bool   // there are more than Found
	What         string // "matches" or "files"
}

// ListLimit is like the function [ListLimit], with the number of matches shown.
func (m Matches) ListLimit(r truncation.Result) Notice {
	n := ListLimit(r)
	if n == "" {
		return ""
	}
	plus := ""
	if m.More {
		plus = "+"
	}
	return n + Notice(fmt.Sprintf(" (%d of %d%s %s shown)", m.Shown, m.Found, plus, m.What))
}

// LongLines describes a list in which some lines were cut.
type LongLines struct {
	Max      int    // characters shown of a line
	Path     string // the file of the first cut line, as in arguments
	Line     int    // its number, from 1; 0 if unknown
	Column   int    // its first shown character, from 1
	Encoding string // of the call, or ""
	Huge     bool   // the first cut line is too long for a result of read
}

// Notice gives the arguments of read for the first cut line. It omits a long path, which precedes the line in the
// list.
func (l LongLines) Notice() Notice {
	cut := fmt.Sprintf("Some lines truncated to %d chars. Use read tool to see full lines", l.Max)
	if l.Line == 0 {
		return Notice(cut)
	}
	path := inFile(l.Path)
	if len(path) > roomForNames {
		path = ""
	}
	encoding := ""
	if l.Encoding != "" {
		encoding = " encoding=" + l.Encoding
	}
	if l.Huge {
		return Notice(fmt.Sprintf("Some lines truncated to %d chars. The first is too long for one result: "+
			"use read with %soffset=%d column=%d%s to go on from the shown part, or only_matching=true for matches alone",
			l.Max, path, l.Line, l.Column, encoding))
	}
	return Notice(fmt.Sprintf("%s. Read the first with %soffset=%d column=%d%s", cut, path, l.Line, l.Column, encoding))
}

// LongMatch says that grep shows only the first lines of a match, which continues at line next of the file.
func LongMatch(shown, lines, next int) Notice {
	return Notice(fmt.Sprintf("Showing %d of the %d lines of the match. Use read tool with offset=%d to see the rest",
		shown, lines, next))
}

const ContextDropped Notice = "Some context lines left out for lack of room. " +
	"Use a smaller context to see those next to a match"

// EmptyAlternative says that a pattern has an empty alternative, and what was probably meant.
func EmptyAlternative(meant string) Notice {
	const n = "The pattern has an empty alternative, which matches every line"
	if len(meant) > roomForNames/2 {
		return n
	}
	return Notice(n + ": try " + meant)
}

// Corrected says that a path was taken for another. Both are as in arguments; long ones are omitted.
func Corrected(written, used string) Notice {
	if len(used) > roomForNames {
		return "The path does not exist, so one that looks like it was used"
	}
	if len(written) > roomForNames/2 {
		written = "The path"
	}
	return Notice(fmt.Sprintf("%s does not exist, so %s was used", written, used))
}

// GlobLiterally says that a glob matches only names that contain its brackets or braces literally.
func GlobLiterally(glob string) Notice {
	return Notice(short(glob) + " matches nothing as a glob, so its brackets and braces were also taken literally")
}

// GlobExcludes says that a glob also excludes names that contain its brackets or braces literally.
func GlobExcludes(glob string) Notice {
	return Notice(short(glob) + " also excludes names with its brackets and braces taken literally")
}

// GlobRespelled says that a glob that matches nothing was replaced by used.
func GlobRespelled(glob, used string) Notice {
	return Notice(fmt.Sprintf("%s matches nothing, so %s was used", short(glob), short(used)))
}

// GlobAlike says that a glob was matched against how names look.
func GlobAlike(glob string) Notice {
	return Notice(short(glob) + " matches nothing, so names that look like it in quotes, spaces, hyphens or accents were used")
}

// short returns a glob, or "" if it is long.
func short(glob string) string {
	if len(glob) > roomForNames/2 {
		return "The glob"
	}
	return glob
}
