package patch

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// numbers matches the beginning of a hunk of a unified diff.
var numbers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^@@\s*-(\d{1,9})(?:,(\d{1,9}))?\s+\+(\d{1,9})(?:,(\d{1,9}))?\s*(?:@@|$)`)
})

// reader reads the hunks of one file.
type reader struct {
	*parser
	unified  bool
	moves    bool // the file is moved, so a hunk may change nothing
	hunks    []Hunk
	old, new int  // the lines that are left of the hunk, by the numbers of a unified diff
	blank    int  // empty lines at the end of the hunk that lack the space in front
	counted  bool // the hunk has these numbers
	closed   bool // only another @@ may follow
}

// body reads the hunks of a file, up to the first line that belongs to none.
func (p *parser) body(f File, unified bool) ([]Hunk, error) {
	r := &reader{parser: p, unified: unified, moves: f.To != "", closed: unified}
	for p.more() {
		more, err := r.line(p.lines[p.at])
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		p.at++
	}
	return r.hunks, r.finish()
}

// line reads one line and reports whether it belongs to a hunk.
func (r *reader) line(line string) (bool, error) {
	key, _ := marker(line)
	switch {
	case strings.HasPrefix(line, "@@"):
		return true, r.start(strings.TrimSpace(line))
	case key == "end of file":
		if r.closed || len(r.hunks) == 0 {
			return false, r.expected("lines of a change before it")
		}
		r.last().End, r.closed = true, true
		return true, nil
	case strings.HasPrefix(line, "***") || r.endsUnified(line) || r.endsPatch(line):
		return false, nil
	case strings.TrimSuffix(line, "\r") == "":
		if !r.closed {
			r.add(Line{' ', line})
			r.blank++
		}
		return true, nil
	case r.closed:
		return false, r.expected("@@ before the next change")
	case line[0] == '\\':
		return true, r.unended()
	case line[0] == ' ' || line[0] == '-' || line[0] == '+':
		r.add(Line{line[0], line[1:]})
	case line[0] == '\t': // the space in front is missing
		r.add(Line{' ', line})
	default:
		return false, r.expected("a line that begins with a space (unchanged), - (removed) or + (added)")
	}
	r.blank = 0
	return true, nil
}

// endsPatch reports whether an indented line is the *** End Patch: it is if no other line follows.
func (r *reader) endsPatch(line string) bool {
	key, _ := header(line)
	more := func(line string) bool { return strings.TrimSpace(line) != "" }
	return key == "end patch" && !r.unified && !slices.ContainsFunc(r.lines[r.at+1:], more)
}

// start begins a hunk. Successive @@ lines with a text belong to the same hunk.
func (r *reader) start(line string) error {
	if h := r.last(); h != nil && len(h.Lines) == 0 && len(h.After) > 0 && !numbers().MatchString(line) {
		r.after(line)
		return nil
	}
	if err := r.finish(); err != nil {
		return err
	}
	r.begin()
	m := numbers().FindStringSubmatch(line)
	if m == nil {
		r.after(line)
		return nil
	}
	number := func(i, otherwise int) int {
		if n, err := strconv.Atoi(m[i]); err == nil {
			return n
		}
		return otherwise
	}
	h := r.last()
	h.At, r.old, r.new, r.counted = number(1, 0), number(2, 1), number(4, 1), true
	if r.old == 0 {
		h.At++ // the number is that of the line before
	}
	return nil
}

// last returns the current hunk, or nil.
func (r *reader) last() *Hunk {
	if len(r.hunks) == 0 {
		return nil
	}
	return &r.hunks[len(r.hunks)-1]
}

func (r *reader) begin() {
	r.hunks = append(r.hunks, Hunk{Line: r.at + 1})
	r.old, r.new, r.blank, r.counted, r.closed = 0, 0, 0, false, false
	r.parser.hunks++
}

// after adds the text of an @@ line to the hunk.
func (r *reader) after(line string) {
	text := strings.TrimSpace(line[2:])
	for strings.HasSuffix(text, "@@") {
		text = strings.TrimSpace(text[:len(text)-2])
	}
	if text != "" {
		h := r.last()
		h.After = append(h.After, text)
	}
}

func (r *reader) add(l Line) {
	if len(r.hunks) == 0 {
		r.begin()
	}
	h := r.last()
	h.Lines = append(h.Lines, l)
	if l.Op != '+' {
		r.old--
	}
	if l.Op != '-' {
		r.new--
	}
}

// unended reads "\ No newline at end of file", which applies to the line before it.
func (r *reader) unended() error {
	h := r.last()
	if h == nil || len(h.Lines) == 0 {
		return r.expected("a line of the file before it")
	}
	op := h.Lines[len(h.Lines)-1].Op
	h.Unended.Old = h.Unended.Old || op != '+'
	h.Unended.New = h.Unended.New || op != '-'
	return nil
}

// finish ends the last hunk. Empty lines at its end only separate it from what follows, unless its numbers include
// them.
func (r *reader) finish() error {
	if r.parser.hunks > maxHunks {
		return r.errorf("the patch has over %d hunks. Split it", maxHunks)
	}
	h := r.last()
	if h == nil {
		return nil
	}
	if len(h.After) > maxAfter {
		return &Error{h.Line, fmt.Sprintf("it has over %d lines with @@. Leave out those that are not needed", maxAfter)}
	}
	for ; r.blank > 0 && (!r.counted || r.old < 0); r.blank-- {
		h.Lines = h.Lines[:len(h.Lines)-1]
		r.old++
	}
	if slices.ContainsFunc(h.Lines, func(l Line) bool { return l.Op != ' ' }) || r.moves && len(h.Lines) > 0 {
		return nil
	}
	if len(h.Lines) == 0 && len(h.After) == 0 && !r.counted { // an @@ alone, or blank lines
		r.hunks = r.hunks[:len(r.hunks)-1]
		return nil
	}
	return &Error{h.Line, "expected lines that begin with - or +: this hunk changes nothing"}
}
