package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/textfile"
)

// mostPlacesShown is the number of places that are shown of an old_string that is in several.
const mostPlacesShown = 5

// explain returns the error for edits that were refused. What of the file helps to mend them
// becomes the text of the result.
func (e *editing) explain(ctx context.Context, err error) error {
	bad, ok := errors.AsType[*edit.Error](err)
	if !ok {
		return err
	}
	h := hints{file: e.File, text: e.text, cells: e.book != nil && !e.book.asJSON && e.cell == 0}
	defer func() {
		e.res.linesCut = h.cut
		e.res.Text = e.report.text(&e.res.Bounds, strings.Join(h.lines, "\n"))
	}()
	name, oldString, newString := show(e.Name), e.which([]int{bad.Edit}), "new_string"
	if len(e.edits) > 1 {
		newString += fmt.Sprintf(" of edit %d", bad.Edit+1)
	}
	none := ""
	if len(e.edits) > 1 {
		none = " No edit was made."
	}
	switch bad.Reason {
	case edit.Missing:
		if e.book != nil {
			if err := e.book.elsewhere(ctx, e, bad.Edit); err != nil {
				return err
			}
		}
		return h.missing(ctx, e.edits[bad.Edit], oldString, newString, none)
	case edit.Several:
		return h.several(bad, oldString, none)
	case edit.Overlap:
		return errorf(CodeInvalidInput, "edits %d and %d are about the same text, at line %d of %s.%s Make one edit of them",
			bad.Edit+1, bad.Other+1, e.text.Line(bad.Places[0].Start), name, none)
	case edit.Hidden:
		return inSecret(e.File, e.text, bad)
	case edit.Encoding:
		if bad.Err != nil {
			return errorf(CodeInvalidInput, "%s cannot be written to %s: %w.%s Leave that out", newString, name, bad.Err, none)
		}
		return errorf(CodeInvalidInput, "%s is not in UTF-8, and %s holds characters that are not ASCII: what they are in "+
			"its encoding is not known.%s %s",
			name, newString, none, h.encodingAdvice())
	case edit.Inside:
		return errorf(CodeInvalidInput, "%s cannot be replaced alone in %s: what is beside it would be other characters "+
			"then.%s Replace more around it, or write the whole file",
			oldString, e.Kind.Encoding, none)
	case edit.TooMany:
		others, advice := "", ""
		if bad.Edit > 0 {
			others = " with the places of the edits before it"
		}
		if e.tools.has("bash") {
			advice = ", or change the file by a command, such as sed"
		}
		return errorf(CodeTooLarge, "%s is in %s %s:%s over the limit of %d places for a call.%s Give a longer old_string%s",
			oldString, name, notice.Count(bad.Count, "time"), others, edit.MostPlaces, none, advice)
	case edit.Nothing:
		return errorf(CodeInvalidInput, "%s would be as it is: %s is what is there already. Nothing was written",
			name, newString)
	}
	return errorf(CodeTooLarge, "%s would be over the limit of %s.%s Change less of it", name,
		size.File(e.cfg.MaxFileBytes), none)
}

// hints are the lines of a file that help to mend a call.
type hints struct {
	file  *change.File
	text  *edit.Text
	lines []string
	last  int  // the number of the last of them
	cut   bool // one was longer
	cells bool // text is that of a notebook's cells, and the call names none
}

// missing returns the error for an old_string that is not in the file.
func (h *hints) missing(ctx context.Context, r edit.Edit, oldString, newString, none string) error {
	near, err := h.text.Explain(ctx, r)
	if err != nil {
		return err
	}
	name := show(h.file.Name)
	h.show(near.First, near.Last)
	switch {
	case near.Foreign != "":
		return errorf(CodeNotFound, "%s is not in %s, because it holds %s.%s Without these it is at line %d", oldString, name,
			near.Foreign, none, near.First)
	case near.There > 0:
		return errorf(CodeNotFound, "%s is not in %s, but %s is there already, at line %d.%s If that is what you want, go on",
			oldString, name, newString, near.There, none)
	case near.NotUTF8:
		return errorf(CodeNotFound, "%s is not in %s, which is not in UTF-8: only ASCII can be found there.%s %s", oldString,
			name, none, h.encodingAdvice())
	case near.First == 0:
		return errorf(CodeNotFound, "%s is not in %s, nor is anything like it.%s Read the file, or search for a word of it "+
			"with grep", oldString, name, none)
	}
	differs, signs := "", ""
	if near.Differs > 0 {
		differs = fmt.Sprintf("; line %d is the first that differs", near.Differs)
	}
	if strings.ContainsAny(strings.Join(h.lines, ""), "→·") {
		signs = ", with a tab for → and a space for ·"
	}
	return errorf(CodeNotFound, "%s is not in %s.%s The nearest lines follow%s. Copy it from them%s",
		oldString, name, none, differs, signs)
}

// encodingAdvice says what to do about a file that is not in UTF-8.
func (h *hints) encodingAdvice() string {
	if likely := textfile.Guess(h.file.Content); likely != "" {
		return fmt.Sprintf("It looks like %s: use edit with encoding=%[1]s", likely)
	}
	return "Use edit with its encoding, as in encoding=windows-1252"
}

// several returns the error for an old_string that is in several places.
func (h *hints) several(bad *edit.Error, old, none string) error {
	var lines []string
	for i, p := range bad.Places {
		line := h.text.Line(p.Start)
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
	err := errorf(CodeInvalidInput, "%s is in %s %d times%s, at lines %s and %s.%s Add lines around it until it is "+
		"there once, or set replace_all", old, show(h.file.Name), bad.Count, differing,
		strings.Join(lines[:last], ", "), lines[last], none)
	if h.cells {
		err.Message += ", or give cell"
	}
	return err
}

// show adds lines of the file, with their numbers, but for those that are there already.
func (h *hints) show(first, last int) {
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
	for i, line := range h.text.Excerpt(first, last) {
		// Visible need not copy the rest. The x keeps spaces from ending the line.
		line, _ = quote.Cut(line, diffLineChars, "x")
		shown, cut := quote.Cut(edit.Visible(quote.ShowNULs(line)), diffLineChars, quote.CutMark)
		h.cut = h.cut || cut
		h.lines = append(h.lines, fmt.Sprintf("%6d  %s", first+i, shown))
	}
}
