package notice

import (
	"fmt"

	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/truncation"
)

// A Page is a run of whole lines of a file, as read shows them. Lines are counted from 1.
type Page struct {
	First, Last int               // lines shown
	Total       int               // lines of the file
	By          truncation.Reason // the limit that ended the page
	MaxBytes    int               // the byte limit, named where By is truncation.ByBytes
	FromEnd     bool              // the page is of the last Total lines of the file, and counted in these
	Path        string            // the file, where the reader of the notice may not know; else ""
}

// Lines says that the tool's MaxLines or MaxBytes ended the page.
func (p Page) Lines() Notice {
	if p.FromEnd {
		return Notice(fmt.Sprintf("Showing %d of the last %d lines%s. Use %s to continue", p.Last, p.Total, byLimit(p.By, p.MaxBytes), p.next()))
	}
	return Notice(fmt.Sprintf("Showing lines %d-%d of %d%s. Use %s to continue", p.First, p.Last, p.Total, byLimit(p.By, p.MaxBytes), p.next()))
}

// More says that the call's own number of lines ended the page.
func (p Page) More() Notice {
	left := p.Total - p.Last
	return Notice(fmt.Sprintf("%d more %s in file. Use %s to continue", left, plural(left, "line"), p.next()))
}

// Next returns the offset of what follows the page: a line counted from 1, or negative if
// the page is counted from the end.
func (p Page) Next() int {
	if p.FromEnd {
		return p.Last - p.Total
	}
	return p.Last + 1
}

func (p Page) next() string { return inFile(p.Path) + fmt.Sprintf("offset=%d", p.Next()) }

// LongLine is a line of a file that alone exceeds the byte limit.
type LongLine struct {
	Line     int    // its number, from 1
	Bytes    int    // its length, without the newline
	MaxBytes int    // the limit
	Path     string // the file, relative to where bash runs; UseBash quotes it
	Argument string // the file, where the reader of the notice may not know; else ""
}

// UseBash says how to see the line's beginning with bash. For a path too long for a
// notice it returns UseColumn.
func (l LongLine) UseBash() Notice {
	path, n := shellPath(l.Path), PieceBytes(l.MaxBytes)
	if len(path) > Allowance/2 {
		return l.UseColumn() // the command would not fit
	}
	const orColumn = "Or column=1 to read it in pieces"
	if l.Line == 1 {
		return Notice(fmt.Sprintf("%s. Use bash to read: head -c %d %s. %s", l.exceeds(), n, path, orColumn))
	}
	return Notice(fmt.Sprintf("%s. Use bash: sed -n '%dp' %s | head -c %d. %s", l.exceeds(), l.Line, path, n, orColumn))
}

// UseColumn says how to read the line with read alone.
func (l LongLine) UseColumn() Notice {
	return Notice(l.exceeds() + ". Use column=1 to read it in pieces")
}

// Piece says that the line's characters from first to last, counted from 1, are shown,
// and that it continues.
func (l LongLine) Piece(first, last int) Notice {
	return Notice(fmt.Sprintf("Showing characters %d-%d of line %d (line is %s). Use %soffset=%d column=%d to continue",
		first, last, l.Line, size.Format(int64(l.Bytes)), inFile(l.Argument), l.Line, last+1))
}

func (l LongLine) exceeds() string {
	return fmt.Sprintf("Line %d is %s, exceeds %s limit", l.Line, size.Format(int64(l.Bytes)), size.Format(int64(l.MaxBytes)))
}

// PieceBytes returns the number of bytes of a long line to show at a time: the byte limit
// rounded down to a whole thousand, or the limit itself under 1000.
func PieceBytes(maxBytes int) int {
	if maxBytes < 1000 {
		return maxBytes
	}
	return maxBytes / 1000 * 1000
}

// NotValid is a page of a file that is not valid in its encoding.
type NotValid struct {
	Encoding string // that it was read in
	Likely   string // the one that it looks like; "" if it looks like none
	Path     string // the file, where the reader of the notice may not know; else ""
}

// Notice says what the page shows in place of what is not valid, and what to do.
func (v NotValid) Notice() Notice { return v.notice("this", inFile(v.Path)) }

// Found is Notice for lines that a search of several files found in the one at Path.
func (v NotValid) Found() Notice { return v.notice(v.Path, "") }

func (v NotValid) notice(what, argument string) Notice {
	said := fmt.Sprintf("Not all of %s is valid %s: \uFFFD stands for what is not", what, v.Encoding)
	switch {
	case v.Likely != "":
		said += fmt.Sprintf(". It looks like %s. Use %sencoding=%s to read it", v.Likely, argument, v.Likely)
	case v.Encoding == "utf-8":
		said += ", and it looks like no other encoding"
	}
	return Notice(said)
}

// CutLines says that n lines were cut to chars characters. The first of them continues at
// line and column, in the file at path, if that is not "".
func CutLines(n, chars, line, column int, path string) Notice {
	return Notice(fmt.Sprintf("%d %s truncated to %d chars. Use %soffset=%d column=%d to read on in line %d",
		n, plural(n, "line"), chars, inFile(path), line, column, line))
}

// NotShown says that a call for several files left out those at paths, for want of room.
// The paths are written as in arguments.
func NotShown(paths []string) Notice {
	if len(paths) == 0 {
		return ""
	}
	text := fmt.Sprintf("%d %s not shown for want of room. Read them in calls of their own", len(paths), plural(len(paths), "file"))
	return Notice(text + names(paths, len(paths), Allowance-64-len(text)))
}
