// Package celledit edits the cells of a notebook as read shows them.
package celledit

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/fileedit"
	"github.com/spillway-go/spillway/internal/notebook"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/textfile"
)

// book is a notebook that a call edits.
type book struct {
	*change.File
	fileedit.Call
	notebook.Notebook
	name   string     // as messages show it
	raw    *edit.Text // all of the file
	mark   []byte     // the byte order mark
	data   []byte     // the JSON behind it
	after  []byte     // that after the edits
	text   *edit.Text // the cells; edits find only sources
	asJSON bool       // the edits are of the JSON
	cells  []int      // the numbers of those that were edited
	beside int        // places of an old_string with replace_all that are in no source

	cleared map[int]bool     // the numbers of edited cells that had run
	whole   notice.WholeCell // that came, went or moved
}

// errLong is the error for a notebook of which read shows the JSON.
var errLong = errors.New("it is too long")

// Open returns the notebook that a file is, for a call. It returns nil if read would not show the file as one.
func Open(ctx context.Context, f *change.File, c fileedit.Call) (fileedit.Body, error) {
	name, utf := quote.Value(f.Name), f.Kind.Encoding == textfile.UTF8 || f.Kind.Encoding == textfile.UTF8BOM
	var err error
	if notebook.IsName(f.Name) && utf {
		b := &book{File: f, Call: c, name: name, raw: f.EditText()}
		b.data = bytes.TrimPrefix(f.Content, []byte("\ufeff"))
		b.mark = f.Content[:len(f.Content)-len(b.data)]
		if b.Notebook, err = notebook.Parse(ctx, b.data); err == nil && int64(len(b.Notebook.Text)) > f.MaxBytes() {
			err = errLong
		}
		if err == nil {
			return b, b.openCells()
		}
	}
	argument := "cell"
	if c.Part.Mode.Whole() {
		argument = "edit_mode"
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case !c.Part.Asked():
		return nil, nil
	case err != nil:
		return nil, fault.Errorf(fault.InvalidInput, "%s cannot be read as a notebook: %w. Leave %s out to edit it "+
			"as text", name, err, argument)
	}
	return nil, fault.Errorf(fault.InvalidInput, "%s is for notebooks (.ipynb in UTF-8), and %s is not one. Leave %[1]s "+
		"out", argument, name)
}

// masked returns a text of the file's cells without its secrets.
func (b *book) masked(text string) *edit.Text {
	return b.Mask(edit.New([]byte(text), textfile.Info{Encoding: textfile.UTF8}))
}

// openCells makes the text in which edits find the sources of all cells, or of the one that the call names.
func (b *book) openCells() error {
	if err := b.fits(); err != nil {
		return err
	}
	b.text = b.masked(b.Notebook.Text)
	cells := b.Cells
	if n := b.Part.Number; n > 0 {
		cells = cells[n-1 : n]
	}
	parts := make([]edit.Part, len(cells))
	for i, c := range cells {
		parts[i] = edit.Part{Span: edit.Span{Start: c.Start, End: c.End}, Added: c.Added}
	}
	b.text.Restrict(parts)
	return nil
}

// Apply makes the edits in the sources of cells, or, if they are only found there, in the JSON.
func (b *book) Apply(ctx context.Context) (made *edit.Result, text *edit.Text, err error) {
	switch {
	case b.Part.Mode.Whole():
		made, err = b.move()
		return made, b.text, err
	case b.Edits[0].Old == "":
		if made, err = b.source(); err == nil {
			err = b.put(made)
		}
		return made, b.text, err
	case b.Part.Number == 0:
		if b.asJSON, err = b.inJSON(ctx); err != nil {
			text = b.raw
			if bad, ok := errors.AsType[*edit.Error](err); ok && bad.Reason == edit.Missing {
				text = b.text
			}
			return nil, text, err
		}
	}
	if b.asJSON {
		made, err = b.raw.Apply(ctx, b.Edits, b.MaxBytes())
		return made, b.raw, err
	}
	if made, err = b.text.Apply(ctx, b.Edits, b.MaxBytes()); err == nil {
		err = b.put(made)
	}
	if err == nil {
		err = b.countBeside(ctx, made)
	}
	return made, b.text, err
}

// countBeside counts the places of texts to replace that stay, because they are in no source.
func (b *book) countBeside(ctx context.Context, made *edit.Result) error {
	if !slices.ContainsFunc(b.Edits, func(r edit.Edit) bool { return r.All }) {
		return nil
	}
	all, err := b.before(ctx)
	if err != nil {
		return err
	}
	for i, r := range b.Edits {
		if r.All {
			_, n, _, err := all.Find(ctx, r)
			if err != nil {
				return err
			}
			b.beside += max(n-len(made.Done[i].Places), 0)
		}
	}
	return nil
}

// KeepsSecrets refuses a content after which a secret would be shown, in the cells or in the JSON.
func (b *book) KeepsSecrets(ctx context.Context, content []byte) error {
	if !b.Masks() { // reading it takes a while
		return nil
	}
	if err := b.File.KeepsSecrets(b.Content, content); err != nil {
		return err
	}
	after, err := notebook.Parse(ctx, bytes.TrimPrefix(content, []byte("\ufeff")))
	if err != nil {
		return ctx.Err() // read would show it as JSON
	}
	return b.File.KeepsSecrets([]byte(b.Notebook.Text), []byte(after.Text))
}

// all returns the text in which edits find outputs and headings too.
func (b *book) all() *edit.Text {
	all := *b.text
	all.Restrict(nil)
	return &all
}

// source puts the new text into the cell that the call names, which is empty or to be replaced.
func (b *book) source() (*edit.Result, error) {
	c := b.Cells[b.Part.Number-1]
	if len(b.Edits) > 1 || c.Start < c.End && b.Part.Mode != fileedit.Replace {
		return nil, fault.Errorf(fault.InvalidInput, "old_string is empty, which only fills an empty cell, but cell %d of "+
			"%s has a source. Give the text to replace, or edit_mode=replace to replace all of it", b.Part.Number, b.name)
	}
	at := edit.Span{Start: c.Start, End: c.End}
	return &edit.Result{Done: []edit.Done{{Places: []edit.Span{at}}},
		Changes: []edit.Change{{Span: at, Text: b.Edits[0].New}}}, nil
}

// put writes the changes of cells into the JSON.
func (b *book) put(made *edit.Result) error {
	var changes []notebook.Change
	b.cleared = map[int]bool{}
	for _, c := range made.Changes {
		changes = append(changes, notebook.Change{Start: c.Start, End: c.End, Text: c.Text})
		if n := b.In(c.Start, c.End) + 1; len(b.cells) == 0 || b.cells[len(b.cells)-1] != n {
			b.cells = append(b.cells, n)
			if b.HasRun(b.data, n-1) {
				b.cleared[n] = true
			}
		}
	}
	var err error
	if b.after, err = b.Edited(b.data, changes); err != nil {
		return fault.Errorf(fault.InvalidInput, "%s cannot be edited like that: %w. Nothing was changed", b.name, err)
	}
	return b.fill(made)
}

// fill makes the JSON after the edits the content of the file.
func (b *book) fill(made *edit.Result) error {
	if made.Content = append(slices.Clone(b.mark), b.after...); int64(len(made.Content)) > b.MaxBytes() {
		return &edit.Error{Reason: edit.TooLarge}
	}
	if bytes.Equal(made.Content, b.Content) {
		return &edit.Error{Reason: edit.Nothing}
	}
	return nil
}

// inJSON reports whether the edits are of the JSON, as raw=true and grep show it: then an old_string is in no cell as
// it is written, but is there. One that may be either is refused.
func (b *book) inJSON(ctx context.Context) (bool, error) {
	cell, raw := -1, -1 // an edit that is only found there
	for i, r := range b.Edits {
		in, n, how, err := b.text.Find(ctx, r)
		if err != nil {
			return false, err
		}
		at, m, rawHow, err := b.raw.Find(ctx, edit.Edit{Old: r.Old, All: r.All})
		if err != nil {
			return false, err
		}
		exactly, exactlyRaw := n > 0 && how == edit.Exact, m > 0 && rawHow == edit.Exact
		switch {
		case n+m == 0:
			return false, &edit.Error{Reason: edit.Missing, Edit: i}
		case exactly && exactlyRaw && n == 1 && m == 1 && !b.same(in[0], at[0]):
			return false, fault.Errorf(fault.InvalidInput, "%s is in cell %d of %s, and elsewhere in its JSON, at line %d. "+
				"Give more of the text around it, or cell=%[2]d", b.Which([]int{i}), b.In(in[0].Start, in[0].End)+1, b.name,
				b.raw.Line(at[0].Start))
		case !exactly && exactlyRaw || n == 0:
			raw = i
		case !exactlyRaw || strings.ContainsFunc(r.Old+r.New, needsEscape):
			cell = i
		}
	}
	if cell >= 0 && raw >= 0 {
		return false, fault.Errorf(fault.InvalidInput, "%s is in a cell of %s, and %s only in its JSON. No edit was made. "+
			"Make two calls", b.Which([]int{cell}), b.name, b.Which([]int{raw}))
	}
	return raw >= 0, nil
}

// needsEscape reports whether a character is written otherwise in a string in JSON.
func needsEscape(r rune) bool { return r < ' ' || r == '"' || r == '\\' }

// same reports whether a place in the JSON is in the source of the cell that a place of the text is in.
func (b *book) same(in, at edit.Span) bool {
	from, to, ok := b.Source(b.data, b.In(in.Start, in.End))
	return ok && from <= at.Start && at.End <= to
}

// Advise returns the error for an old_string that is in no source, but is in what read shows.
func (b *book) Advise(ctx context.Context, bad *edit.Error) (otherwise string, err error) {
	if bad.Reason == edit.Several && !b.asJSON && b.Part.Number == 0 {
		return ", or give cell", nil
	}
	if bad.Reason != edit.Missing {
		return "", nil
	}
	i := bad.Edit
	found, n, _, err := b.all().Find(ctx, edit.Edit{Old: b.Edits[i].Old, New: b.Edits[i].New})
	if err != nil || n == 0 {
		return "", err
	}
	at := found[0]
	if cell := b.In(at.Start, at.End) + 1; cell > 0 {
		return "", fault.Errorf(fault.NotFound, "%s is not in cell %d of %s, but in cell %d", b.Which([]int{i}),
			b.Part.Number, b.name, cell)
	}
	return "", fault.Errorf(fault.InvalidInput, "%s is not within one cell source of %s, but at line %d of what read "+
		"shows. Headings, outputs and text across cells cannot be edited. Give text of one source",
		b.Which([]int{i}), b.name, b.text.Line(at.Start))
}
