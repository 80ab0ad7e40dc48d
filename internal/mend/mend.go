// Package mend shows the lines of a file that help to correct an edit: those nearest to a text that is missing, or the
// places of one that occurs more than once.
package mend

import (
	"context"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/changereport"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/textfile"
)

// mostPlacesShown is how many places are shown of a text that occurs in several.
const mostPlacesShown = 5

// Hints are lines of a file.
type Hints struct {
	File *change.File
	Text *edit.Text // of the file, or of its shown form

	lines []string
	last  int  // the number of the last of them
	cut   bool // a line was longer
}

// Names are the names of the parts of an edit in an error.
type Names struct {
	Old, New string // its texts
	None     string // a sentence, after a space, that nothing was done; or ""
}

func (h *Hints) Refusal(err error) *changereport.Refusal {
	return &changereport.Refusal{Err: err, Lines: h.lines, Cut: h.cut}
}

// Missing returns the error for an edit whose text is not in the file.
func (h *Hints) Missing(ctx context.Context, e edit.Edit, said Names) error {
	near, err := h.Text.Explain(ctx, e)
	if err != nil {
		return err
	}
	name := quote.Value(h.File.Name)
	h.show(near.First, near.Last)
	switch {
	case near.Foreign != "":
		return fault.Errorf(fault.NotFound, "%s is not in %s, because it holds %s.%s Without these it is at line %d",
			said.Old, name, near.Foreign, said.None, near.First)
	case near.There > 0:
		return fault.Errorf(fault.NotFound, "%s is not in %s, but %s is there already, at line %d.%s If that is what you "+
			"want, continue", said.Old, name, said.New, near.There, said.None)
	case near.NotUTF8:
		return fault.Errorf(fault.NotFound, "%s is not in %s, which is not UTF-8: only ASCII can be found in it.%s %s",
			said.Old, name, said.None, h.Encoding())
	case near.First == 0:
		return fault.Errorf(fault.NotFound, "%s is not in %s, and neither is anything like it.%s Read the file, or search for a "+
			"word of it with grep", said.Old, name, said.None)
	}
	differs, signs := "", ""
	if near.Differs > 0 {
		differs = fmt.Sprintf("; line %d is the first to differ", near.Differs)
	}
	if strings.ContainsAny(strings.Join(h.lines, ""), "→·") {
		signs = ", with a tab for → and a space for ·"
	}
	return fault.Errorf(fault.NotFound, "%s is not in %s.%s The nearest lines follow%s. Copy it from them%s",
		said.Old, name, said.None, differs, signs)
}

func (h *Hints) Encoding() string {
	if likely := textfile.Guess(h.File.Content); likely != "" {
		return fmt.Sprintf("It looks like %s: use edit with encoding=%[1]s", likely)
	}
	return "Use edit with its encoding, such as encoding=windows-1252"
}

// Several returns the error for an edit whose text is in several places. otherwise is an alternative to adding lines,
// or "".
func (h *Hints) Several(bad *edit.Error, said Names, otherwise string) error {
	var lines []string
	for i, p := range bad.Places {
		line := h.Text.Line(p.Start)
		lines = append(lines, fmt.Sprint(line))
		if i < mostPlacesShown {
			h.show(max(line-1, 1), line+1)
		}
	}
	if n := bad.Count - len(bad.Places); n > 0 {
		lines = append(lines, fmt.Sprintf("%d more", n))
	}
	last := len(lines) - 1
	differing := ""
	if bad.Map != edit.Exact {
		differing = ", but for " + string(bad.Map)
	}
	return fault.Errorf(fault.InvalidInput, "%s is in %s %d times%s, at lines %s and %s.%s Add lines around it until it "+
		"is unique, or set replace_all%s", said.Old, quote.Value(h.File.Name), bad.Count, differing,
		strings.Join(lines[:last], ", "), lines[last], said.None, otherwise)
}

// show adds lines of the file with their numbers, except those that are there already.
func (h *Hints) show(first, last int) {
	if first == 0 {
		return
	}
	if len(h.lines) > 0 && first > h.last+1 {
		h.lines = append(h.lines, "")
	}
	first = max(first, h.last+1)
	if first > last {
		return
	}
	h.last = last
	for i, line := range h.Text.Excerpt(first, last) {
		// Cut first, so that Visible need not copy the rest. The x keeps spaces from ending the line.
		line, _ = quote.Cut(line, changereport.MaxLineChars, "x")
		shown, cut := quote.Cut(edit.Visible(quote.ShowNULs(line)), changereport.MaxLineChars, quote.CutMark)
		h.cut = h.cut || cut
		h.lines = append(h.lines, fmt.Sprintf("%6d  %s", first+i, shown))
	}
}
