package patch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/edit"
)

// applier applies the hunks for one file.
type applier struct {
	ctx   context.Context // the one of Apply: an applier does not outlive that call
	text  *edit.Text
	body  []byte
	eol   []byte // the byte that ends a line
	ended bool   // the last line ends in eol, or there is no line
	hunks []Hunk
	edits []change
	found []finding // of each hunk
	last  int       // where the changes of the previous hunk end
}

// change is an edit with the number of its hunk.
type change struct {
	edit.Edit
	hunk int
}

// finding is where a hunk was found.
type finding struct {
	edit.Edit // that was looked for
	edit.Span
	how edit.Map
}

// Result is the text after all hunks.
type Result struct {
	Content []byte
	Maps    []edit.Map // that each hunk needed
	Left    []Left     // for each hunk
}

// Left is where a hunk changes nothing because the file has other line endings there.
type Left struct {
	Places int
	Line   int  // of the first place, in the new content
	CRLF   bool // its lines end so
}

// Apply makes the changes of all hunks, or of none. It looks for each hunk in the text as it was before any change,
// with the maps of package edit. If it finds a hunk in several places, it chooses by the @@ lines, the line numbers
// of a unified diff and the order of the hunks, and one place must be left. The new content has at most maxSize
// bytes. If nothing changes, the result says what it can.
//
// The error is a [*MissingError] for lines that are not in the text, an [*edit.Error] for a content that is unchanged
// or impossible, another [*Error], or that of ctx.
func Apply(ctx context.Context, t *edit.Text, hunks []Hunk, maxSize int64) (Result, error) {
	a := &applier{ctx: ctx, text: t, body: t.Body(), eol: []byte("\n"), hunks: hunks}
	if !bytes.Contains(a.body, a.eol) && bytes.Contains(a.body, []byte("\r")) {
		a.eol = []byte("\r")
	}
	a.ended = len(a.body) == 0 || bytes.HasSuffix(a.body, a.eol)
	var done Result
	for i, h := range hunks {
		if err := a.hunk(i, h); err != nil {
			return done, err
		}
		done.Maps = append(done.Maps, a.found[i].how)
	}
	edits, err := a.ordered()
	if err != nil {
		return Result{}, err
	}
	res, err := t.Apply(ctx, edits, maxSize)
	if refused, ok := errors.AsType[*edit.Error](err); ok && refused.Reason == edit.Overlap {
		err = a.overlap(a.edits[refused.Edit], a.edits[refused.Other])
	}
	if err != nil {
		return done, err
	}
	done.Content, done.Left = res.Content, a.left()
	return done, ctx.Err()
}

// left says where each hunk leaves the same lines with other endings as they are. A line number that is right, or an @@
// line, says that these are not meant.
func (a *applier) left() []Left {
	var changed []edit.Span
	for _, f := range a.found {
		changed = append(changed, f.Span)
	}
	slices.SortFunc(changed, func(x, y edit.Span) int { return x.Start - y.Start })
	left := make([]Left, len(a.found))
	for i, f := range a.found {
		h := a.hunks[i]
		if a.ctx.Err() != nil {
			return nil
		}
		if f.how != edit.Exact || f.Old == "" || h.At > 0 && f.Start == a.lineAt(h.At) {
			continue
		}
		places := a.text.OtherEndings(a.ctx, f.Edit, changed)
		if len(h.After) > 0 && len(places) > 0 {
			places = beside(f.Span, places, a.blocks(h.After))
		}
		if len(places) > 0 {
			p := places[0]
			left[i] = Left{len(places), a.newLine(p.Start), bytes.Contains(a.body[p.Start:p.End], []byte("\r\n"))}
		}
	}
	return left
}

// newLine returns the number in the new content of the line at a place that stays.
func (a *applier) newLine(at int) int {
	line := a.text.Line(at)
	for _, e := range a.edits {
		if e.To <= at {
			line += strings.Count(e.New, "\n") - strings.Count(e.Old, "\n")
		}
	}
	return line
}

// beside returns those of other places that are in a block with a place.
func beside(place edit.Span, others, blocks []edit.Span) (in []edit.Span) {
	holds := func(b, p edit.Span) bool { return b.Start <= p.Start && p.End <= b.End }
	for _, p := range others {
		if slices.ContainsFunc(blocks, func(b edit.Span) bool { return holds(b, place) && holds(b, p) }) {
			in = append(in, p)
		}
	}
	return in
}

// MissingError says that lines of a hunk are not in the file.
type MissingError struct {
	Line     int    // of the patch
	Old, New string // the lines before and after the hunk
}

func (e *MissingError) Error() string {
	return (&Error{e.Line, "its old lines are not in the file"}).Error()
}

// hunk finds the place of a hunk and records its edits.
func (a *applier) hunk(i int, h Hunk) error {
	if len(h.Old()) == 0 && len(a.body) > 0 {
		if !h.End {
			return &Error{h.Line, "no line around the added lines says where they go. " +
				"Give the line before them, after a space, or *** End of File after them"}
		}
		h.Lines = append([]Line{{' ', string(bytes.TrimRight(a.body[a.lineFromEnd(1):], "\r\n"))}}, h.Lines...)
	}
	before, after, atEnd := a.texts(h)
	wanted := edit.Edit{Old: before, New: after, Lines: true}
	place, how, err := a.find(h, wanted)
	if err != nil {
		return err
	}
	a.found = append(a.found, finding{wanted, place, how})
	if (atEnd || h.End) && place.End != len(a.body) {
		return &Error{h.Line, fmt.Sprintf("its lines are at line %d, and more follow them in the file. "+
			"Leave out the mark for the end of the file", a.text.Line(place.Start))}
	}
	unended := place.End == len(a.body) && !a.ended
	if unended && how == edit.Exact && !atEnd {
		before, after = strings.TrimSuffix(before, "\n"), strings.TrimSuffix(after, "\n")
	}
	literal := how == edit.Exact && strings.Contains(before+after, "\r")
	if how == edit.Indentation || literal || unended || atEnd { // the new text depends on the lines around
		a.add(i, edit.Edit{Old: before, New: after, Lines: true, From: place.Start, To: place.End})
	} else {
		a.runs(i, h, place, how)
	}
	return nil
}

// texts returns the text that a hunk replaces and its new text. The file's final newline stays as it is, unless a
// unified diff adds or removes it: then the hunk must be at the end.
func (a *applier) texts(h Hunk) (before, after string, atEnd bool) {
	join := func(lines []string) string {
		if len(lines) == 0 {
			return ""
		}
		return strings.Join(lines, "\n") + "\n"
	}
	before, after = join(h.Old()), join(h.New())
	switch {
	case h.Unended.Old == h.Unended.New:
	case h.Unended.Old && !a.ended:
		return strings.TrimSuffix(before, "\n"), after, true
	case h.Unended.New && a.ended:
		return before, strings.TrimSuffix(after, "\n"), true
	}
	return before, after, false
}

// runs records an edit for each run of changed lines, so that the lines between them stay as they are in the file.
func (a *applier) runs(i int, h Hunk, place edit.Span, how edit.Map) {
	run := edit.Edit{Lines: true, From: place.Start, To: place.Start}
	flush := func(next int) {
		if run.Old == "" && how != edit.Exact { // the lines around it may have other endings
			run.New = strings.ReplaceAll(run.New, "\r\n", "\n")
		}
		if run.Old != "" || run.New != "" {
			a.add(i, run)
		}
		run = edit.Edit{Lines: true, From: next, To: next}
	}
	for _, l := range h.Lines {
		text := l.Text + "\n"
		switch l.Op {
		case ' ':
			flush(a.nextLine(run.To))
		case '-':
			run.Old += text
			run.To = a.nextLine(run.To)
		case '+':
			run.New += text
		}
	}
	flush(0)
}

func (a *applier) add(hunk int, e edit.Edit) {
	a.edits = append(a.edits, change{e, hunk})
	a.last = e.To
}

// ordered returns the edits in the order of the file. No two hunks may change the same lines or add lines at the same
// place.
func (a *applier) ordered() ([]edit.Edit, error) {
	slices.SortStableFunc(a.edits, func(x, y change) int { return cmp.Or(x.From-y.From, x.To-y.To) })
	edits := make([]edit.Edit, len(a.edits))
	for i, c := range a.edits {
		if edits[i] = c.Edit; i == 0 {
			continue
		}
		if b := a.edits[i-1]; b.hunk != c.hunk && (c.From < b.To || c.From == b.From && c.To == b.To) {
			return nil, a.overlap(b, c)
		}
	}
	return edits, nil
}

// overlap returns the error for two hunks that change the same lines.
func (a *applier) overlap(x, y change) error {
	first, second := a.hunks[min(x.hunk, y.hunk)].Line, a.hunks[max(x.hunk, y.hunk)].Line
	return &Error{second, fmt.Sprintf("it changes the same lines as the hunk in line %d. Merge them into one hunk", first)}
}
