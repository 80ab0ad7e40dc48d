// Package fileedit makes the edits of a call in a file: in its text, or in the form in which a format shows it.
package fileedit

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/advice"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/changereport"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
)

// Call has the edits of a file.
type Call struct {
	Edits    []edit.Edit // at least one; a single one with an empty Old creates a file
	Part     Part        // the part to edit
	Encoding string      // canonical, or ""

	Open Open // nil if all files are edited as text

	Missing func(ctx context.Context, name string) *fault.Error // returns the error for a file that does not exist
	Bash    bool                                                // the suite has the tool bash
}

// Made is the result of the edits of a file.
type Made struct {
	change.Change
	Done []edit.Done // one for each edit; nil for a new file

	editing *editing // nil for a new file
}

// editing is one call for one file.
type editing struct {
	*change.File
	Call
	text *edit.Text // the text to edit
	body Body       // nil for a file that is edited as text
	then []byte     // the result of the edits on the content last shown; nil if unknown
}

// NoPlaceholders refuses edits that would write a placeholder into a file, or look for one.
func (c Call) NoPlaceholders(files *change.Files) error {
	for i, e := range c.Edits {
		which := ""
		if len(c.Edits) > 1 {
			which = fmt.Sprintf(" of edit %d", i+1)
		}
		err := cmp.Or(files.NoPlaceholder("old_string"+which, e.Old), files.NoPlaceholder("new_string"+which, e.New))
		if err != nil {
			return err
		}
	}
	return nil
}

// Make makes the edits in a file. The error may be a [change.StaleError] or a [changereport.Refusal].
func (c Call) Make(ctx context.Context, f *change.File) (*Made, error) {
	if ok, err := f.DecodeAs(c.Encoding); err != nil {
		return nil, err
	} else if !ok {
		return nil, fault.Errorf(fault.InvalidInput, "%s is in UTF-8, not in %s, and was left alone. Leave encoding out",
			quote.Value(f.Name), c.Encoding)
	}
	if err := cmp.Or(f.MayChange(), f.InForm()); err != nil {
		return nil, err
	}
	if f.Info == nil || f.Kind.Binary || c.Edits[0].Old == "" && !c.Part.Asked() {
		return c.create(ctx, f)
	}
	e := &editing{File: f, Call: c}
	made, err := e.apply(ctx)
	if f.Changed && ctx.Err() == nil && (err != nil || !e.asShown(ctx, made)) {
		return nil, &change.StaleError{File: f}
	}
	if err != nil {
		return nil, e.explain(ctx, err)
	}
	if f.Masks() {
		if err := e.keepsSecrets(ctx, made); err != nil {
			return nil, err
		}
	}
	m := &Made{change.Change{File: f, Content: made.Content, Text: made.Body}, made.Done, e}
	return m, m.KeepsForm()
}

// create fills an empty or missing file. It refuses other files, because the call names no text to replace.
func (c Call) create(ctx context.Context, f *change.File) (*Made, error) {
	switch {
	case f.Info == nil && f.Changed:
		return nil, &change.StaleError{File: f}
	case f.Info == nil && (len(c.Edits) > 1 || c.Edits[0].Old != "" || c.Part.Asked()):
		return nil, advice.Instead(c.Missing(ctx, f.Name), "Use write to create it")
	case f.Kind.Likely != "":
		return nil, advice.LikelyUTF16(f.Name, f.Kind.Likely, "edit")
	case f.Kind.Binary:
		return nil, fault.Errorf(fault.IsBinary, "%s is %s, not text, and was left alone", quote.Value(f.Name), f.Kind.What())
	case len(f.Content) > 0:
		return nil, fault.Errorf(fault.InvalidInput, "old_string is empty, which only creates a file, but %s exists. "+
			"Give the text to replace or, to insert, the text next to it; "+
			"to replace the whole content, use write", quote.Value(f.Name))
	}
	filled, err := f.Encode(c.Edits[0].New)
	return &Made{Change: filled}, err
}

func (e *editing) apply(ctx context.Context) (made *edit.Result, err error) {
	e.text = e.EditText()
	if e.Open != nil {
		if e.body, err = e.Open(ctx, e.File, e.Call); err != nil {
			return nil, err
		}
	}
	if e.body == nil {
		return e.text.Apply(ctx, e.Edits, e.MaxBytes())
	}
	made, e.text, err = e.body.Apply(ctx)
	return made, err
}

// keepsSecrets refuses edits that would show a secret of the file.
func (e *editing) keepsSecrets(ctx context.Context, made *edit.Result) error {
	if e.body == nil {
		return e.KeepsMasked(e.text, made.Content)
	}
	return e.body.KeepsSecrets(ctx, made.Content)
}

// asShown reports whether the edited text has not changed since it was shown.
func (e *editing) asShown(ctx context.Context, made *edit.Result) bool {
	var was []edit.Done
	var body Body
	before := e.Seen()
	if before != nil {
		then := editing{File: e.As(before), Call: e.Call}
		shown, err := then.apply(ctx)
		if err != nil {
			return false
		}
		body, was, e.then = then.body, shown.Done, shown.Content
	}
	if e.body != nil {
		if same, ok := e.body.AsShown(body, before != nil); ok {
			return same
		}
	}
	for i, d := range made.Done {
		switch {
		case was == nil && d.Map == edit.Exact && len(d.Places) == 1 && !e.Edits[i].All:
		case was != nil && d.Map == was[i].Map && len(d.Places) == len(was[i].Places):
		default:
			return false
		}
	}
	return true
}

// Report returns the headline for the edits, and the part of the file to show.
func (m *Made) Report(ctx context.Context, done change.Done) (headline string, shown []changereport.File) {
	if m.editing == nil {
		return changereport.Written(m.Change, done), []changereport.File{changereport.Of(m.Change, done)}
	}
	e := m.editing
	said := notice.Edited{Name: quote.Value(e.Name), Format: changereport.Format(m.Change), Stale: done.WasStale}
	var since changereport.File
	if done.WasStale && e.body == nil {
		said.Since, since = changereport.Since(m.Change, e.then)
	}
	maps := make([]edit.Map, len(m.Done))
	for i, d := range m.Done {
		maps[i] = d.Map
		said.Places += len(d.Places)
		if len(d.Left) > 0 {
			said.Left = append(said.Left, e.left(m.Done, i))
		}
	}
	said.Differed = notice.DifferedIn(maps, e.Which)
	if e.body != nil {
		done = e.body.Report(ctx, &said, done)
	}
	said.Added, said.Removed = done.Lines()
	return said.Line(), []changereport.File{changereport.Of(m.Change, done), since}
}

// left says where an old_string was left alone because the lines there end differently.
func (e *editing) left(done []edit.Done, i int) string {
	places := done[i].Left
	first := places[0]
	line := e.text.Line(first.Start) // before the call
	for j, d := range done {
		n, _ := slices.BinarySearchFunc(d.Places, first.Start, func(p edit.Span, at int) int { return p.Start - at })
		line += n * (strings.Count(e.Edits[j].New, "\n") - strings.Count(e.Edits[j].Old, "\n"))
	}
	crlf := bytes.Contains(e.text.Body()[first.Start:first.End], []byte("\r\n"))
	return notice.OtherEndings(e.Which([]int{i}), len(places), line, crlf, "both texts")
}

// Which names the old_string of some edits, counted from 0.
func (c Call) Which(edits []int) string {
	switch {
	case len(c.Edits) == 1:
		return "old_string"
	case len(edits) > 3:
		return fmt.Sprintf("old_string of %d edits", len(edits))
	}
	numbers := make([]string, len(edits))
	for i, n := range edits {
		numbers[i] = fmt.Sprint(n + 1)
	}
	return "old_string of edit " + strings.Join(numbers, ", ")
}
