package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/truncation"
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
	defer func() {
		e.res.Text = e.report(&e.res.Bounds, strings.Join(e.listing, "\n"))
	}()
	name, old, new := show(e.Name), e.which([]int{bad.Edit}), "new_string"
	if len(e.edits) > 1 {
		new += fmt.Sprintf(" of edit %d", bad.Edit+1)
	}
	none := ""
	if len(e.edits) > 1 {
		none = " No edit was made."
	}
	switch bad.Reason {
	case edit.Missing:
		return e.missing(ctx, e.edits[bad.Edit], old, new, none)
	case edit.Several:
		return e.several(bad, old, none)
	case edit.Overlap:
		return errorf(CodeInvalidInput, "edits %d and %d are about the same text, at line %d of %s.%s Make one edit of them", bad.Edit+1, bad.Other+1,
			e.text.Line(bad.Places[0].Start), name, none)
	case edit.Encoding:
		if bad.Err != nil {
			return errorf(CodeInvalidInput, "%s cannot be written to %s: %w.%s", new, name, bad.Err, none)
		}
		return errorf(CodeInvalidInput, "%s is not in UTF-8, and %s holds characters that are not ASCII: what they are in its encoding is not known.%s Leave them out, or convert the file to UTF-8 first",
			name, new, none)
	case edit.Nothing:
		return errorf(CodeInvalidInput, "%s would be as it is: %s is what is there already. Nothing was written", name, new)
	}
	return errorf(CodeTooLarge, "%s would be over the limit of %s, or be changed in too many places.%s Change less of it", name,
		truncation.FormatSize(e.suite.cfg.MaxFileBytes), none)
}

// missing returns the error for an old_string that is not in the file.
func (e *editing) missing(ctx context.Context, r edit.Edit, old, new, none string) error {
	hint, err := e.text.Explain(ctx, r)
	if err != nil {
		return err
	}
	name := show(e.Name)
	e.show(hint.First, hint.Last)
	switch {
	case hint.Foreign != "":
		return errorf(CodeNotFound, "%s is not in %s, because it holds %s.%s Without these it is at line %d", old, name, hint.Foreign, none, hint.First)
	case hint.There > 0:
		return errorf(CodeNotFound, "%s is not in %s, but %s is there already, at line %d.%s If that is what you want, go on", old, name, new, hint.There, none)
	case hint.NotUTF8:
		return errorf(CodeNotFound, "%s is not in %s, which is not in UTF-8: only ASCII can be found there.%s Give lines, or parts of them, without other characters, or convert the file to UTF-8 first", old, name, none)
	case hint.First == 0:
		return errorf(CodeNotFound, "%s is not in %s, nor is anything like it.%s Read the file, or search for a word of it with grep", old, name, none)
	}
	differs, signs := "", ""
	if hint.Differs > 0 {
		differs = fmt.Sprintf("; line %d is the first that differs", hint.Differs)
	}
	if strings.ContainsAny(strings.Join(e.listing, ""), "→·") {
		signs = ", with a tab for → and a space for ·"
	}
	return errorf(CodeNotFound, "%s is not in %s.%s The nearest lines follow%s. Copy it from them%s", old, name, none, differs, signs)
}

// several returns the error for an old_string that is in several places.
func (e *editing) several(bad *edit.Error, old, none string) error {
	var lines []string
	for i, p := range bad.Places {
		line := e.text.Line(p.Start)
		lines = append(lines, fmt.Sprint(line))
		if i < mostPlacesShown {
			e.show(max(line-1, 1), line+1)
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
	return errorf(CodeInvalidInput, "%s is in %s %d times%s, at lines %s and %s.%s Add lines around it until it is there once, or set replace_all", old, show(e.Name), bad.Count, differing,
		strings.Join(lines[:last], ", "), lines[last], none)
}

// show adds lines of the file to the text of the result, with their numbers, but for those that
// are there already.
func (e *editing) show(first, last int) {
	if first == 0 {
		return
	}
	if len(e.listing) > 0 && first > e.listed+1 {
		e.listing = append(e.listing, "")
	}
	first = max(first, e.listed+1)
	if first > last {
		return
	}
	e.listed = last
	for i, line := range e.text.Excerpt(first, last) {
		shown, cut := cutLine([]byte(edit.Visible(line)), e.suite.cfg.Grep.MaxLineChars, cutMark)
		e.res.linesCut = e.res.linesCut || cut
		e.listing = append(e.listing, fmt.Sprintf("%6d  %s", first+i, shown))
	}
}
