package notice

import (
	"fmt"
	"math"

	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/truncation"
)

// LimitReached tells that a list ended at its number of items.
type LimitReached struct {
	Limit     int    // of the call
	Found     int    // items up to the limit, or some more: matches that share a line are shown together
	One, Many string // what the items are called: "match", "matches"
	Refine    bool   // there is a pattern that could be narrower
	Continued bool   // the call has an offset already: no larger limit is suggested
}

// Notice suggests twice what was found.
func (l LimitReached) Notice() Notice {
	n := fmt.Sprintf("%d %s limit reached", l.Limit, pluralOf(l.Limit, l.One, l.Many))
	switch {
	case l.Continued:
	case l.Refine:
		n += fmt.Sprintf(". Use limit=%d for more, or refine pattern", min(max(l.Found, l.Limit), math.MaxInt/2)*2)
	default:
		n += fmt.Sprintf(". Use limit=%d for more", min(max(l.Found, l.Limit), math.MaxInt/2)*2)
	}
	return Notice(n)
}

// ListLimit says that MaxBytes or MaxLines ended the list r, a result of Head; it is
// empty if neither did.
func ListLimit(r truncation.Result) Notice {
	switch r.TruncatedBy {
	case truncation.ByBytes:
		return Notice(size.Format(int64(r.MaxBytes)) + " limit reached")
	case truncation.ByLines:
		return Notice(fmt.Sprintf("%d lines limit reached", r.MaxLines))
	}
	return ""
}

// Newest says that find sorts no more results by time than that many, of which there are more.
func Newest(most int) Notice {
	return Notice(fmt.Sprintf("sort=mtime gives the newest %d results. "+
		"Use a more exact pattern or path, or sort=path, for the others", most))
}

// Continue tells the offset to continue a list with. 0 is the end of the list: the
// notice is empty.
func Continue(offset int) Notice {
	if offset == 0 {
		return "" // that was all
	}
	return Notice(fmt.Sprintf("Use offset=%d to continue", offset))
}

// Total tells how many items, what they are called, a list that goes on has in all. next
// is as in Continue.
func Total(next, n int, what string) Notice {
	if next == 0 {
		return ""
	}
	return Notice(fmt.Sprintf("%d %s in all", n, what))
}

// Matches says how many of the matches that grep found are shown.
type Matches struct {
	Shown, Found int    // Found is up to the limit of the call
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

// LongLines tells that lines were cut, and which part of the first one is shown.
type LongLines struct {
	Max    int    // characters of a line that are shown
	Path   string // the file of the first one, as in arguments
	Line   int    // its number in the file, from 1; 0 if that is not known
	Column int    // its first character that is shown, from 1
	// Encoding is that of the call, or "".
	Encoding string
}

// Notice names the arguments that read takes. It leaves out a path for which there is no
// room: it is in front of the line.
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
	return Notice(fmt.Sprintf("%s. Read the first with %soffset=%d column=%d%s", cut, path, l.Line, l.Column, encoding))
}

// LongMatch says that grep shows only the first lines of a match, and at which line of
// the file it continues.
func LongMatch(shown, lines, next int) Notice {
	return Notice(fmt.Sprintf("Showing %d of the %d lines of the match. Use read tool with offset=%d to see the rest", shown, lines, next))
}

// ContextDropped says that grep left out lines near a match for want of room.
const ContextDropped Notice = "Some context lines left out for want of room. Use a smaller context to see those next to a match"
