// Package patch parses patches, in the V4A format of apply_patch and as unified diffs, and
// applies them to the text of a file. It opens no files.
package patch

import (
	"fmt"
	"strings"
)

// Bounds of a patch.
const (
	MaxBytes = 4 << 20
	maxLines = 250_000
	maxHunks = 1000 // each is searched for in the whole file
	maxAfter = 10   // @@ lines of a hunk, each of which may match many lines
)

// Op is what is done with a file.
type Op int

const (
	Update Op = iota
	Add
	Delete
)

// File is what a patch does with one file.
type File struct {
	Op      Op
	Path    string // as in the patch, without git's prefix a/ or b/; it may be C-quoted
	To      string // the path that an updated file is moved to, or ""
	Line    int    // of the patch, from 1
	Content string // of an added file
	Hunks   []Hunk // of an updated file, which may have none if it is moved, or of one that a unified diff deletes
}

// Hunk is a run of changed lines with the lines around it.
type Hunk struct {
	Line  int      // of the patch, from 1: that of the @@, if there is one
	After []string // the texts of its @@ lines: lines somewhere before it in the file, in order
	At    int      // the line number of a unified diff: its first line in the old file, from 1; 0 if there is none
	End   bool     // it ends at the end of the file
	Lines []Line

	// Unended says that the last line has no newline in the old and in the new file.
	Unended struct{ Old, New bool }
}

// Line is a line of a hunk, without its newline.
type Line struct {
	Op   byte // ' ' for a line that stays, '-' or '+'
	Text string
}

// Error says which line of a patch is wrong, and how to correct it.
type Error struct {
	Line int // from 1; 0 is the patch as a whole
	Text string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Text
	}
	return fmt.Sprintf("line %d of the patch: %s", e.Line, e.Text)
}

// Old returns the lines that the hunk replaces.
func (h Hunk) Old() []string { return h.without('+') }

// New returns the lines that replace them.
func (h Hunk) New() []string { return h.without('-') }

func (h Hunk) without(op byte) (lines []string) {
	for _, l := range h.Lines {
		if l.Op != op {
			lines = append(lines, l.Text)
		}
	}
	return lines
}

// Parse reads a patch. It removes the here-document and the code fence around it, if any; the paths are then relative
// to the directory that the command of the here-document changes to. CRLF is read as LF if all lines end in CRLF. The
// error is an [*Error].
func Parse(text string) ([]File, error) {
	const tooLong = "the patch has %d %s, over the limit of %d. Split it"
	if len(text) > MaxBytes {
		return nil, &Error{0, fmt.Sprintf(tooLong, len(text), "bytes", MaxBytes)}
	}
	if n := strings.Count(text, "\n"); n > maxLines {
		return nil, &Error{0, fmt.Sprintf(tooLong, n, "lines", maxLines)}
	}
	text = strings.TrimSuffix(text, "\n")
	if strings.Count(text, "\r\n") == strings.Count(text, "\n") {
		text = strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\r")
	}
	p := &parser{lines: strings.Split(text, "\n")}
	p.unwrap()
	if err := p.files(); err != nil {
		return nil, err
	}
	for i := range p.found {
		f := &p.found[i]
		f.Path, f.To = below(p.dir, f.Path), below(p.dir, f.To)
	}
	return p.found, nil
}
