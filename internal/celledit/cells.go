package celledit

import (
	"bytes"
	"cmp"
	"context"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/fileedit"
	"github.com/spillway-go/spillway/internal/notebook"
	"github.com/spillway-go/spillway/internal/notice"
)

// fits returns an error for arguments that do not go with the mode.
func (b *book) fits() error {
	c := b.Part
	refused := func(format string, a ...any) error {
		return fault.Errorf(fault.InvalidInput, format+". Nothing was changed", a...)
	}
	given := len(b.Edits) > 1 || b.Edits[0].Old != ""
	switch {
	case c.Number > len(b.Cells) || c.Mode == fileedit.Move && c.To > len(b.Cells):
		return b.noCell(max(c.Number, c.To), c.Number > len(b.Cells))
	case c.Mode == fileedit.Insert && given:
		return refused("edit_mode=insert takes the new cell as new_string, without old_string or edits")
	case c.Mode == fileedit.Insert && !utf8.ValidString(b.Edits[0].New):
		return refused("new_string is not valid UTF-8")
	case (c.Mode == fileedit.Delete || c.Mode == fileedit.Move) && (given || b.Edits[0].New != ""):
		return refused("edit_mode=%s takes cell, and no text. Leave old_string and new_string out", c.Mode)
	case (c.Mode == fileedit.Delete || c.Mode == fileedit.Move) && c.Number == 0:
		return refused("edit_mode=%s needs cell: the number of one of the %s of %s, as read shows it", c.Mode,
			notice.Count(len(b.Cells), "cell"), b.name)
	case c.Mode == fileedit.Move && c.To == 0:
		return refused("edit_mode=move needs to_cell: the number from 1 to %d that cell %d shall have", len(b.Cells), c.Number)
	case c.Mode == fileedit.Move && c.To == c.Number:
		return refused("cell %d of %s has that number already", c.Number, b.name)
	case c.Mode != fileedit.Insert && c.Number > 0 && c.Type != "" && c.Type != b.Cells[c.Number-1].Type:
		return refused("cell %d of %s is %s, and cell_type is only for edit_mode=insert. To change its type, insert a cell "+
			"and delete this one", c.Number, b.name, cmp.Or(b.Cells[c.Number-1].Type, "of no type"))
	}
	return nil
}

// noCell returns the error for a number that no cell has.
func (b *book) noCell(number int, isCell bool) error {
	argument := "to_cell"
	if isCell {
		argument = "cell"
	}
	if len(b.Cells) == 0 {
		return fault.Errorf(fault.InvalidInput, "%s has no cells, and %s is %d. Use edit_mode=insert without cell to add one",
			b.name, argument, number)
	}
	return fault.Errorf(fault.InvalidInput, "%s has %s, and %s is %d. Give a number that read shows", b.name,
		notice.Count(len(b.Cells), "cell"), argument, number)
}

// move makes a cell come, go or move.
func (b *book) move() (*edit.Result, error) {
	p, last := b.Part, len(b.Cells)
	switch p.Mode {
	case fileedit.Insert:
		b.after = b.Inserted(b.data, p.Number, cmp.Or(p.Type, "code"), b.Edits[0].New)
		b.whole = notice.WholeCell{Done: "inserted", Cell: p.Number + 1, First: p.Number + 2, Last: last + 1, Up: 1}
	case fileedit.Delete:
		b.after = b.Deleted(b.data, p.Number-1)
		b.whole = notice.WholeCell{Done: "deleted", Cell: p.Number, First: p.Number, Last: last - 1, Up: -1}
	case fileedit.Move:
		b.after = b.Moved(b.data, p.Number-1, p.To-1)
		b.whole = notice.WholeCell{Done: "moved", Cell: p.Number, To: p.To, First: p.Number, Last: p.To - 1, Up: -1}
		if p.To < p.Number {
			b.whole.First, b.whole.Last, b.whole.Up = p.To+1, p.Number, 1
		}
	}
	made := &edit.Result{Done: []edit.Done{{Places: []edit.Span{{}}}}}
	return made, b.fill(made)
}

// number returns the number that a cell has after the call. A deleted one keeps its own.
func (b *book) number(cell int) int {
	w := b.whole
	switch {
	case w.To > 0 && cell == w.Cell:
		return w.To
	case w.Done == "deleted" && cell == w.Cell:
	case w.First <= cell+w.Up && cell+w.Up <= w.Last:
		return cell + w.Up
	}
	return cell
}

// AsShown reports whether the cell that the call is for is the one that was shown, in as many cells.
func (b *book) AsShown(then fileedit.Body, known bool) (same, ok bool) {
	whole, cell := b.Part.Mode.Whole(), b.Part.Number
	switch {
	case !known: // nor what has that number
		return false, whole
	case !whole && (cell == 0 || b.Edits[0].Old != ""):
		return false, false
	}
	shown, ok := then.(*book)
	return ok && len(b.Cells) == len(shown.Cells) &&
		(cell == 0 || bytes.Equal(b.Cell(b.data, cell-1), shown.Cell(shown.data, cell-1))), true
}

// before returns the text from before the call without results that it clears, and with the numbers that cells then have.
func (b *book) before(ctx context.Context) (*edit.Text, error) {
	if b.whole.Done == "" && len(b.cleared) == 0 {
		return b.all(), nil
	}
	view := notebook.View{Number: b.number, NotRun: func(cell int) bool { return b.cleared[cell] }}
	then, err := view.Parse(ctx, b.data)
	if err != nil {
		return nil, err
	}
	return b.masked(then.Text), nil
}

// Report adds the cells to a headline, and returns the change of the file as one of what read shows of it.
func (b *book) Report(ctx context.Context, said *notice.Edited, done change.Done) change.Done {
	said.Cells, said.AsJSON, said.Beside = b.cells, b.asJSON, b.beside
	said.Cleared, said.Whole = len(b.cleared), b.whole
	if b.asJSON {
		return done
	}
	after, err := notebook.Parse(ctx, b.after)
	if err != nil {
		return done
	}
	before, err := b.before(ctx)
	if err != nil {
		return done
	}
	done.Diff, done.Redacted = b.Diff(before.Body(), []byte(after.Text))
	return done
}
