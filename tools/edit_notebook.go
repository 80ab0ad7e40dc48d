package tools

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/notebook"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/textfile"
)

// editedBook is a notebook that is edited as read shows it.
type editedBook struct {
	notebook.Notebook
	name   string
	mark   []byte     // the byte order mark
	data   []byte     // the JSON behind it
	after  []byte     // that after the edits
	text   *edit.Text // the cells; edits find only sources
	asJSON bool       // the edits are of the JSON
	cells  []int      // the numbers of those that were edited
	beside int        // places of an old_string with replace_all that are in no source
}

// openBook returns the notebook that the file is. It returns nil if read would not show the file as one.
func (e *editing) openBook(ctx context.Context) (*editedBook, error) {
	name, utf := show(e.Name), e.Kind.Encoding == textfile.UTF8 || e.Kind.Encoding == textfile.UTF8BOM
	var err error
	if notebook.IsName(e.Name) && utf {
		b := &editedBook{name: name}
		b.data = bytes.TrimPrefix(e.Content, []byte("\ufeff"))
		b.mark = e.Content[:len(e.Content)-len(b.data)]
		if b.Notebook, err = notebook.Parse(ctx, b.data); err == nil {
			return b, e.openCells(b)
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case e.cell == 0:
		return nil, nil
	case err != nil:
		return nil, errorf(CodeInvalidInput, "%s is not a notebook that can be read: %w. Leave cell out to edit it as text",
			name, err)
	}
	return nil, errorf(CodeInvalidInput, "cell is for notebooks (.ipynb in UTF-8), and %s is not one. Leave it out", name)
}

// openCells makes the text in which edits find the sources of all cells, or of the one that the call names.
func (e *editing) openCells(b *editedBook) error {
	b.text = e.hidden(edit.New([]byte(b.Text), textfile.Info{Encoding: textfile.UTF8}))
	cells := b.Cells
	if e.cell > 0 {
		if e.cell > len(cells) {
			return errorf(CodeInvalidInput, "%s has %s, and cell is %d. Give a number that read shows", b.name,
				notice.Count(len(cells), "cell"), e.cell)
		}
		cells = cells[e.cell-1 : e.cell]
	}
	parts := make([]edit.Part, len(cells))
	for i, c := range cells {
		parts[i] = edit.Part{Span: edit.Span{Start: c.Start, End: c.End}, Added: c.Added}
	}
	b.text.Restrict(parts)
	return nil
}

// apply makes the edits in the sources of cells, or, if they are only found there, in the JSON.
func (b *editedBook) apply(ctx context.Context, e *editing) (made *edit.Result, err error) {
	if e.edits[0].Old == "" {
		if made, err = b.fill(e); err != nil {
			return nil, err
		}
		return made, b.put(e, made)
	}
	if e.cell == 0 {
		if b.asJSON, err = b.inJSON(ctx, e); err != nil {
			return nil, err
		}
	}
	if b.asJSON {
		return e.text.Apply(ctx, e.edits, e.cfg.MaxFileBytes)
	}
	e.text = b.text
	if made, err = b.text.Apply(ctx, e.edits, e.cfg.MaxFileBytes); err != nil {
		return nil, err
	}
	all := b.all()
	for i, r := range e.edits {
		if r.All {
			_, n, _, err := all.Find(ctx, r)
			if err != nil {
				return nil, err
			}
			b.beside += max(n-len(made.Done[i].Places), 0)
		}
	}
	return made, b.put(e, made)
}

// keepsSecrets refuses edits after which a secret of the file would be shown, in a notebook's cells or in its JSON.
func (e *editing) keepsSecrets(ctx context.Context, made *edit.Result) error {
	if e.files.Redact == nil {
		return nil
	}
	if e.book == nil {
		return e.stillHidden(e.File, e.text, made.Content)
	}
	if err := e.stillMasked(e.File, e.Content, made.Content); err != nil {
		return err
	}
	after, err := notebook.Parse(ctx, bytes.TrimPrefix(made.Content, []byte("\ufeff")))
	if err != nil {
		return ctx.Err() // read would show it as JSON
	}
	return e.stillMasked(e.File, []byte(e.book.Text), []byte(after.Text))
}

// all returns the text in which edits find outputs and headings too.
func (b *editedBook) all() *edit.Text {
	all := *b.text
	all.Restrict(nil)
	return &all
}

// fill puts the new text into the empty cell that the call names.
func (b *editedBook) fill(e *editing) (*edit.Result, error) {
	c := b.Cells[e.cell-1]
	if len(e.edits) > 1 || c.Start < c.End {
		return nil, errorf(CodeInvalidInput, "old_string is empty, which only fills an empty cell, but cell %d of %s has a "+
			"source. Give the text to replace", e.cell, b.name)
	}
	at := edit.Span{Start: c.Start, End: c.End}
	return &edit.Result{Done: []edit.Done{{Places: []edit.Span{at}}},
		Changes: []edit.Change{{Span: at, Text: e.edits[0].New}}}, nil
}

// put writes the changes of cells into the JSON.
func (b *editedBook) put(e *editing, made *edit.Result) error {
	var changes []notebook.Change
	for _, c := range made.Changes {
		changes = append(changes, notebook.Change{Start: c.Start, End: c.End, Text: c.Text})
		if n := b.In(c.Start, c.End) + 1; len(b.cells) == 0 || b.cells[len(b.cells)-1] != n {
			b.cells = append(b.cells, n)
		}
	}
	var err error
	if b.after, err = b.Edited(b.data, changes); err != nil {
		return errorf(CodeInvalidInput, "%s cannot be edited so: %w. Nothing was changed", b.name, err)
	}
	if made.Content = append(slices.Clone(b.mark), b.after...); int64(len(made.Content)) > e.cfg.MaxFileBytes {
		return &edit.Error{Reason: edit.TooLarge}
	}
	if bytes.Equal(made.Content, e.Content) {
		return &edit.Error{Reason: edit.Nothing}
	}
	return nil
}

// inJSON reports whether the edits are of the JSON, as raw=true and grep show it: then an old_string is in no cell as
// it is written, but is there. One that may be either is refused.
func (b *editedBook) inJSON(ctx context.Context, e *editing) (bool, error) {
	cell, raw := -1, -1 // an edit that is only found there
	for i, r := range e.edits {
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
			return false, errorf(CodeInvalidInput, "%s is in cell %d of %s, and elsewhere in its JSON, at line %d. Give more "+
				"of the text around it, or cell=%[2]d", e.which([]int{i}), b.In(in[0].Start, in[0].End)+1, b.name,
				e.text.Line(at[0].Start))
		case !exactly && exactlyRaw || n == 0:
			raw = i
		case !exactlyRaw || strings.ContainsFunc(r.Old+r.New, needsEscape):
			cell = i
		}
	}
	if cell >= 0 && raw >= 0 {
		return false, errorf(CodeInvalidInput, "%s is in a cell of %s, and %s only in its JSON. No edit was made. Make "+
			"two calls", e.which([]int{cell}), b.name, e.which([]int{raw}))
	}
	return raw >= 0, nil
}

// needsEscape reports whether a character is written otherwise in a string in JSON.
func needsEscape(r rune) bool { return r < ' ' || r == '"' || r == '\\' }

// same reports whether a place in the JSON is in the source of the cell that a place of the text is in.
func (b *editedBook) same(in, at edit.Span) bool {
	from, to, ok := b.Source(b.data, b.In(in.Start, in.End))
	return ok && from <= at.Start && at.End <= to
}

// elsewhere returns the error for an old_string that is in no source, but is in what read shows.
func (b *editedBook) elsewhere(ctx context.Context, e *editing, i int) error {
	found, n, _, err := b.all().Find(ctx, edit.Edit{Old: e.edits[i].Old, New: e.edits[i].New})
	if err != nil || n == 0 {
		return err
	}
	at := found[0]
	if cell := b.In(at.Start, at.End) + 1; cell > 0 {
		return errorf(CodeNotFound, "%s is not in cell %d of %s, but in cell %d", e.which([]int{i}), e.cell, b.name, cell)
	}
	return errorf(CodeInvalidInput, "%s is not within the source of a cell of %s, but at line %d of what read shows. "+
		"Headings and outputs are not edited, and no text over several cells. Give text of one source", e.which([]int{i}),
		b.name, b.text.Line(at.Start))
}

// shown returns a change of the file as one of what read shows of it.
func (b *editedBook) shown(ctx context.Context, e *editing, c FileChange) FileChange {
	after, err := notebook.Parse(ctx, b.after)
	if err != nil {
		return c
	}
	c.diff, c.secrets = e.files.Diff([]byte(b.Text), b.text.Body(), []byte(after.Text))
	c.LinesAdded, c.LinesRemoved = c.diff.Added, c.diff.Removed
	return c
}

// maxCellsNamed is the number of cells up to which a headline names those that were edited.
const maxCellsNamed = 5

// where names the cells that were edited.
func (b *editedBook) where() string {
	n := len(b.cells)
	switch {
	case n == 0:
		return ""
	case n == 1:
		return fmt.Sprintf(", cell %d", b.cells[0])
	case n > maxCellsNamed:
		return fmt.Sprintf(", %d cells", n)
	}
	numbers := make([]string, n)
	for i, cell := range b.cells {
		numbers[i] = strconv.Itoa(cell)
	}
	return ", cells " + strings.Join(numbers[:n-1], ", ") + " and " + numbers[n-1]
}

// said says what may be a surprise.
func (b *editedBook) said(e *editing) (said []string) {
	if b.asJSON {
		said = append(said, "It was edited as JSON, because old_string is not in the source of a cell as it is written")
	}
	if b.beside > 0 {
		said = append(said, fmt.Sprintf("%s of old_string that are not in the source of a cell, such as those in outputs, "+
			"stay", notice.Count(b.beside, "place")))
	}
	return said
}

// staysJSON returns an error for a change that would leave a notebook that is not JSON, if it was JSON before.
func staysJSON(c change.Change) error {
	if c.Remove || c.Info == nil || !notebook.IsName(newName(c)) || notebook.Check(c.File.Text()) != nil {
		return nil
	}
	if err := notebook.Check(c.NewText()); err != nil {
		return errorf(CodeInvalidInput, "%s would not be valid JSON any more: %w; nothing was changed. Write strings as "+
			"JSON does, or edit text of a cell as read shows it", show(newName(c)), err)
	}
	return nil
}

// notJSON says that what was written is not a notebook, although its name says so.
func notJSON(c change.Change) string {
	if c.Remove || !notebook.IsName(newName(c)) {
		return ""
	}
	err := notebook.Check(c.NewText())
	if err == nil {
		return ""
	}
	return "It is not valid JSON, which a notebook must be: " + err.Error()
}

// newName returns the name of a file after a change.
func newName(c change.Change) string {
	if c.To != nil {
		return c.To.Name
	}
	return c.Name
}
