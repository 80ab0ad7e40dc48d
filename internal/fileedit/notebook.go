package fileedit

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notebook"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/textfile"
)

// book is a notebook that is edited as read shows it.
type book struct {
	notebook.Notebook
	name   string
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

// openBook returns the notebook that the file is. It returns nil if read would not show the file as one.
func (e *editing) openBook(ctx context.Context) (*book, error) {
	name, utf := quote.Value(e.Name), e.Kind.Encoding == textfile.UTF8 || e.Kind.Encoding == textfile.UTF8BOM
	argument, ofCells := e.ofCells()
	var err error
	if notebook.IsName(e.Name) && utf {
		b := &book{name: name}
		b.data = bytes.TrimPrefix(e.Content, []byte("\ufeff"))
		b.mark = e.Content[:len(e.Content)-len(b.data)]
		if b.Notebook, err = notebook.Parse(ctx, b.data); err == nil {
			return b, e.openCells(b)
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case !ofCells:
		return nil, nil
	case err != nil:
		return nil, fault.Errorf(fault.InvalidInput, "%s cannot be read as a notebook: %w. Leave %s out to edit it "+
			"as text", name, err, argument)
	}
	return nil, fault.Errorf(fault.InvalidInput, "%s is for notebooks (.ipynb in UTF-8), and %s is not one. Leave %[1]s "+
		"out", argument, name)
}

// masked returns a text of the file's cells without its secrets.
func (e *editing) masked(text string) *edit.Text {
	return e.Mask(edit.New([]byte(text), textfile.Info{Encoding: textfile.UTF8}))
}

// openCells makes the text in which edits find the sources of all cells, or of the one that the call names.
func (e *editing) openCells(b *book) error {
	if err := e.fits(b); err != nil {
		return err
	}
	b.text = e.masked(b.Text)
	cells := b.Cells
	if e.Cell > 0 {
		cells = cells[e.Cell-1 : e.Cell]
	}
	parts := make([]edit.Part, len(cells))
	for i, c := range cells {
		parts[i] = edit.Part{Span: edit.Span{Start: c.Start, End: c.End}, Added: c.Added}
	}
	b.text.Restrict(parts)
	return nil
}

// apply makes the edits in the sources of cells, or, if they are only found there, in the JSON.
func (b *book) apply(ctx context.Context, e *editing) (made *edit.Result, err error) {
	if e.Mode.Whole() {
		return b.move(e)
	}
	if e.Edits[0].Old == "" {
		if made, err = b.source(e); err != nil {
			return nil, err
		}
		return made, b.put(e, made)
	}
	if e.Cell == 0 {
		if b.asJSON, err = b.inJSON(ctx, e); err != nil {
			return nil, err
		}
	}
	if b.asJSON {
		return e.text.Apply(ctx, e.Edits, e.MaxBytes())
	}
	e.text = b.text
	if made, err = b.text.Apply(ctx, e.Edits, e.MaxBytes()); err != nil {
		return nil, err
	}
	if err := b.put(e, made); err != nil {
		return nil, err
	}
	return made, b.countBeside(ctx, e, made)
}

// countBeside counts the places of texts to replace that stay, because they are in no source.
func (b *book) countBeside(ctx context.Context, e *editing, made *edit.Result) error {
	if !slices.ContainsFunc(e.Edits, func(r edit.Edit) bool { return r.All }) {
		return nil
	}
	all, err := b.before(ctx, e)
	if err != nil {
		return err
	}
	for i, r := range e.Edits {
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

// keepsSecrets refuses edits after which a secret of the file would be shown, in a notebook's cells or in its JSON.
func (e *editing) keepsSecrets(ctx context.Context, made *edit.Result) error {
	if e.book == nil {
		return e.KeepsMasked(e.text, made.Content)
	}
	if !e.Masks() { // reading it takes a while
		return nil
	}
	if err := e.KeepsSecrets(e.Content, made.Content); err != nil {
		return err
	}
	after, err := notebook.Parse(ctx, bytes.TrimPrefix(made.Content, []byte("\ufeff")))
	if err != nil {
		return ctx.Err() // read would show it as JSON
	}
	return e.KeepsSecrets([]byte(e.book.Text), []byte(after.Text))
}

// all returns the text in which edits find outputs and headings too.
func (b *book) all() *edit.Text {
	all := *b.text
	all.Restrict(nil)
	return &all
}

// source puts the new text into the cell that the call names, which is empty or to be replaced.
func (b *book) source(e *editing) (*edit.Result, error) {
	c := b.Cells[e.Cell-1]
	if len(e.Edits) > 1 || c.Start < c.End && e.Mode != Replace {
		return nil, fault.Errorf(fault.InvalidInput, "old_string is empty, which only fills an empty cell, but cell %d of "+
			"%s has a source. Give the text to replace, or edit_mode=replace to replace all of it", e.Cell, b.name)
	}
	at := edit.Span{Start: c.Start, End: c.End}
	return &edit.Result{Done: []edit.Done{{Places: []edit.Span{at}}},
		Changes: []edit.Change{{Span: at, Text: e.Edits[0].New}}}, nil
}

// put writes the changes of cells into the JSON.
func (b *book) put(e *editing, made *edit.Result) error {
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
	return b.fill(e, made)
}

// fill makes the JSON after the edits the content of the file.
func (b *book) fill(e *editing, made *edit.Result) error {
	if made.Content = append(slices.Clone(b.mark), b.after...); int64(len(made.Content)) > e.MaxBytes() {
		return &edit.Error{Reason: edit.TooLarge}
	}
	if bytes.Equal(made.Content, e.Content) {
		return &edit.Error{Reason: edit.Nothing}
	}
	return nil
}

// inJSON reports whether the edits are of the JSON, as raw=true and grep show it: then an old_string is in no cell as
// it is written, but is there. One that may be either is refused.
func (b *book) inJSON(ctx context.Context, e *editing) (bool, error) {
	cell, raw := -1, -1 // an edit that is only found there
	for i, r := range e.Edits {
		in, n, how, err := b.text.Find(ctx, r)
		if err != nil {
			return false, err
		}
		at, m, rawHow, err := e.text.Find(ctx, edit.Edit{Old: r.Old, All: r.All})
		if err != nil {
			return false, err
		}
		exactly, exactlyRaw := n > 0 && how == edit.Exact, m > 0 && rawHow == edit.Exact
		switch {
		case n+m == 0:
			e.text = b.text
			return false, &edit.Error{Reason: edit.Missing, Edit: i}
		case exactly && exactlyRaw && n == 1 && m == 1 && !b.same(in[0], at[0]):
			return false, fault.Errorf(fault.InvalidInput, "%s is in cell %d of %s, and elsewhere in its JSON, at line %d. "+
				"Give more of the text around it, or cell=%[2]d", e.which([]int{i}), b.In(in[0].Start, in[0].End)+1, b.name,
				e.text.Line(at[0].Start))
		case !exactly && exactlyRaw || n == 0:
			raw = i
		case !exactlyRaw || strings.ContainsFunc(r.Old+r.New, needsEscape):
			cell = i
		}
	}
	if cell >= 0 && raw >= 0 {
		return false, fault.Errorf(fault.InvalidInput, "%s is in a cell of %s, and %s only in its JSON. No edit was made. "+
			"Make two calls", e.which([]int{cell}), b.name, e.which([]int{raw}))
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

// elsewhere returns the error for an old_string that is in no source, but is in what read shows.
func (b *book) elsewhere(ctx context.Context, e *editing, i int) error {
	found, n, _, err := b.all().Find(ctx, edit.Edit{Old: e.Edits[i].Old, New: e.Edits[i].New})
	if err != nil || n == 0 {
		return err
	}
	at := found[0]
	if cell := b.In(at.Start, at.End) + 1; cell > 0 {
		return fault.Errorf(fault.NotFound, "%s is not in cell %d of %s, but in cell %d", e.which([]int{i}), e.Cell, b.name,
			cell)
	}
	return fault.Errorf(fault.InvalidInput, "%s is not within one cell source of %s, but at line %d of what read "+
		"shows. Headings, outputs and text across cells cannot be edited. Give text of one source",
		e.which([]int{i}), b.name, b.text.Line(at.Start))
}
