// Package patch parses patches, in the V4A format of apply_patch and as unified diffs, and
// applies them to the text of a file. It opens no files.
package patch

import (
	"fmt"
	"strings"
)

// Bounds of a patch. A longer one is an [Error].
const (
	MaxBytes = 4 << 20
	maxLines = 250_000
	maxHunks = 1000 // each is looked for in all of the file
	maxAfter = 10   // @@ lines of a hunk, each of which may be in many places
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
	Path    string // as the patch has it, without git's prefix a/ or b/; it may be in C quotes
	To      string // where an updated file is moved, or ""
	Line    int    // of the patch, from 1
	Content string // of a file that is added
	Hunks   []Hunk // of an updated file, which may have none if it is moved; what a unified diff says of a deleted one
}

// Hunk is one run of changed lines, with those around it.
type Hunk struct {
	Line  int      // of the patch, from 1: that of the @@, if there is one
	After []string // lines that stand somewhere in front of it, each in front of the next
	At    int      // the number of its first old line in the old file, from 1, if a unified diff gives one; else 0
	End   bool     // it ends where the file does
	Lines []Line

	// Unended says that the last line has no newline in the old and in the new file.
	Unended struct{ Old, New bool }
}

// Line is a line of a hunk, without its newline.
type Line struct {
	Op   byte // ' ' for one that stays, '-', or '+'
	Text string
}

// Error says which line of a patch is wrong, and what would be right.
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

// Old returns the lines that the hunk finds in the file.
func (h Hunk) Old() []string { return h.without('+') }

// New returns the lines that it leaves in their place.
func (h Hunk) New() []string { return h.without('-') }

func (h Hunk) without(op byte) (lines []string) {
	for _, l := range h.Lines {
		if l.Op != op {
			lines = append(lines, l.Text)
		}
	}
	return lines
}

// Parse reads a patch. It takes off the shell's here-document and the code fence that may
// be around it; paths are then in the directory that the shell changes to. A patch of lines
// that all end in CRLF is read as if they ended in LF. The error is an [*Error].
func Parse(text string) ([]File, error) {
	if len(text) > MaxBytes {
		return nil, &Error{0, fmt.Sprintf("the patch has %d bytes, and %d is the most that is taken. Split it", len(text), MaxBytes)}
	}
	n := strings.Count(text, "\n")
	if n > maxLines {
		return nil, &Error{0, fmt.Sprintf("the patch has %d lines, and %d is the most that is taken. Split it", n, maxLines)}
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
