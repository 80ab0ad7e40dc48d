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
	MaxBytes    int               // the byte limit, mentioned if By is truncation.ByBytes
	FromEnd     bool              // lines count within the last Total lines of the file
	Rendered    bool              // the lines are not the file's own
	Path        string            // the file, or "" if it is clear
}

func (p Page) Lines() Notice {
	lines := fmt.Sprintf("lines %d-%d of %d", p.First, p.Last, p.Total)
	if p.FromEnd {
		lines = fmt.Sprintf("%d of the last %d lines", p.Last, p.Total)
	}
	return Notice(fmt.Sprintf("Showing %s%s. Use %s to continue", lines, byLimit(p.By, p.MaxBytes), p.next()))
}

func (p Page) More() Notice {
	left := p.Total - p.Last
	return Notice(fmt.Sprintf("%d more %s in file. Use %s to continue", left, plural(left, "line"), p.next()))
}

// End says which lines a page shows that counts from the end of the file, and reaches it.
func (p Page) End() Notice {
	if p.First == p.Last {
		return Notice(fmt.Sprintf("Showing line %d of %d", p.Last, p.Total))
	}
	return Notice(fmt.Sprintf("Showing lines %d-%d of %d", p.First, p.Last, p.Total))
}

// Next returns the offset of the next page: a line counted from 1, or negative if FromEnd is set.
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
	Path     string // the file, relative to bash's directory, not quoted
	Argument string // the file as in arguments, or "" if it is clear
}

// UseBash says how to see the line's beginning with bash. If the path is too long for that, it returns UseColumn.
func (l LongLine) UseBash() Notice {
	path, n := shellPath(l.Path), PieceBytes(l.MaxBytes)
	if len(path) > Allowance/2 {
		return l.UseColumn() // the command would not fit
	}
	if l.Line == 1 {
		return Notice(fmt.Sprintf("%s. Use bash to read: head -c %d %s. Or %s to read it in pieces",
			l.exceeds(), n, path, l.begin()))
	}
	return Notice(fmt.Sprintf("%s. Use bash: sed -n '%dp' %s | head -c %d. Or %s to read it in pieces",
		l.exceeds(), l.Line, path, n, l.begin()))
}

func (l LongLine) begin() string {
	if l.Line == 1 {
		return "column=1"
	}
	return fmt.Sprintf("offset=%d column=1", l.Line)
}

func (l LongLine) UseColumn() Notice {
	return Notice(fmt.Sprintf("%s. Use %s to read it in pieces", l.exceeds(), l.begin()))
}

// Piece says that characters first to last of the line, counted from 1, are shown, and that it continues.
func (l LongLine) Piece(first, last int) Notice {
	return Notice(fmt.Sprintf("Showing characters %d-%d of line %d (line is %s). Use %soffset=%d column=%d to continue",
		first, last, l.Line, size.Format(int64(l.Bytes)), inFile(l.Argument), l.Line, last+1))
}

func (l LongLine) exceeds() string {
	return fmt.Sprintf("Line %d is %s, exceeds %s limit", l.Line, size.Format(int64(l.Bytes)), size.Format(int64(l.MaxBytes)))
}

// PieceBytes returns the bytes of a long line to show at a time: the byte limit rounded down to a whole thousand, or
// the limit itself under 1000.
func PieceBytes(maxBytes int) int {
	if maxBytes < 1000 {
		return maxBytes
	}
	return maxBytes / 1000 * 1000
}

type NotValid struct {
	Encoding string // in which it was read
	Likely   string // its likely encoding, or ""
	Path     string // the file, or "" if it is clear
}

// Notice says what replaces invalid bytes, and what to do.
func (v NotValid) Notice() Notice { return v.notice("this", inFile(v.Path)) }

// Found is Notice for lines of the file at Path in the results of a search. It omits a long path.
func (v NotValid) Found() Notice {
	if len(v.Path) > roomForNames {
		return v.notice("a file", "")
	}
	return v.notice(v.Path, "")
}

func (v NotValid) notice(what, argument string) Notice {
	said := notValid(what, v.Encoding)
	if v.Likely != "" {
		said += fmt.Sprintf(". It looks like %s. Use %sencoding=%s to read it", v.Likely, argument, v.Likely)
	}
	return Notice(said)
}

func notValid(what, encoding string) string {
	return fmt.Sprintf("Not all of %s is valid %s: \uFFFD marks invalid bytes", what, encoding)
}

// LineOfPath says how a line number behind a path was understood.
func LineOfPath(first int) Notice {
	return Notice(fmt.Sprintf("Taken from the path: offset=%d", first))
}

// CutLines says that n lines were cut to chars characters. The first of them continues at line and column of the file
// at path, which may be "".
func CutLines(n, chars, line, column int, path string) Notice {
	return Notice(fmt.Sprintf("%s truncated to %d chars. Use %soffset=%d column=%d to read on in line %d",
		Count(n, "line"), chars, inFile(path), line, column, line))
}

// CutLine says how to read on in a line of which only the first chars characters are shown. path may be "". The notice
// is empty if line is 0.
func CutLine(line, chars int, path string) Notice {
	if line == 0 {
		return ""
	}
	if chars == 0 {
		return Notice(fmt.Sprintf("Use %soffset=%d column=1 to read line %d", inFile(path), line, line))
	}
	return Notice(fmt.Sprintf("Use %soffset=%d column=%d to read on in line %d", inFile(path), line, chars+1, line))
}

// NotShown names the files of a call that were left out for lack of room. The paths are as in arguments.
func NotShown(paths []string) Notice {
	if len(paths) == 0 {
		return ""
	}
	text := Count(len(paths), "file") + " not shown for lack of room. Read " +
		pluralOf(len(paths), "it", "each") + " in a call of its own"
	return Notice(text + names(paths, len(paths), Allowance-64-len(text)))
}
