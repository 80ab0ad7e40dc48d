package fileedit

import (
	"bytes"
	"cmp"
	"context"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notebook"
	"github.com/spillway-go/spillway/internal/notice"
)

// Mode is what becomes of a cell of a notebook.
type Mode string

const (
	Replace Mode = "replace" // its source changes, as in the zero Mode, or all of it is replaced
	Insert  Mode = "insert"  // a new one is put behind it
	Delete  Mode = "delete"
	Move    Mode = "move"
)

// Whole reports whether cells come, go or move.
func (m Mode) Whole() bool { return m == Insert || m == Delete || m == Move }

// ofCells reports whether a call can only be for a notebook, and names the argument that says so.
func (c Call) ofCells() (argument string, ok bool) {
	if c.Mode.Whole() {
		return "edit_mode", true
	}
	return "cell", c.Cell > 0
}

// fits returns an error for arguments that do not go with the mode.
func (c Call) fits(b *book) error {
	refused := func(format string, a ...any) error {
		return fault.Errorf(fault.InvalidInput, format+". Nothing was changed", a...)
	}
	given := len(c.Edits) > 1 || c.Edits[0].Old != ""
	switch {
	case c.Cell > len(b.Cells) || c.Mode == Move && c.To > len(b.Cells):
		return b.noCell(max(c.Cell, c.To), c.Cell > len(b.Cells))
	case c.Mode == Insert && given:
		return refused("edit_mode=insert takes the new cell as new_string, without old_string or edits")
	case c.Mode == Insert && !utf8.ValidString(c.Edits[0].New):
		return refused("new_string is not valid UTF-8")
	case (c.Mode == Delete || c.Mode == Move) && (given || c.Edits[0].New != ""):
		return refused("edit_mode=%s takes cell, and no text. Leave old_string and new_string out", c.Mode)
	case (c.Mode == Delete || c.Mode == Move) && c.Cell == 0:
		return refused("edit_mode=%s needs cell: the number of one of the %s of %s, as read shows it", c.Mode,
			notice.Count(len(b.Cells), "cell"), b.name)
	case c.Mode == Move && c.To == 0:
		return refused("edit_mode=move needs to_cell: the number from 1 to %d that cell %d shall have", len(b.Cells), c.Cell)
	case c.Mode == Move && c.To == c.Cell:
		return refused("cell %d of %s has that number already", c.Cell, b.name)
	case c.Mode != Insert && c.Cell > 0 && c.Type != "" && c.Type != b.Cells[c.Cell-1].Type:
		return refused("cell %d of %s is %s, and cell_type is only for edit_mode=insert. To change its type, insert a cell "+
			"and delete this one", c.Cell, b.name, cmp.Or(b.Cells[c.Cell-1].Type, "of no type"))
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
func (b *book) move(e *editing) (*edit.Result, error) {
	e.text = b.text
	last := len(b.Cells)
	switch e.Mode {
	case Insert:
		b.after = b.Inserted(b.data, e.Cell, cmp.Or(e.Type, "code"), e.Edits[0].New)
		b.whole = notice.WholeCell{Done: "inserted", Cell: e.Cell + 1, First: e.Cell + 2, Last: last + 1, Up: 1}
	case Delete:
		b.after = b.Deleted(b.data, e.Cell-1)
		b.whole = notice.WholeCell{Done: "deleted", Cell: e.Cell, First: e.Cell, Last: last - 1, Up: -1}
	case Move:
		b.after = b.Moved(b.data, e.Cell-1, e.To-1)
		b.whole = notice.WholeCell{Done: "moved", Cell: e.Cell, To: e.To, First: e.Cell, Last: e.To - 1, Up: -1}
		if e.To < e.Cell {
			b.whole.First, b.whole.Last, b.whole.Up = e.To+1, e.Cell, 1
		}
	}
	made := &edit.Result{Done: []edit.Done{{Places: []edit.Span{{}}}}}
	return made, b.fill(e, made)
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

// like reports whether a notebook has as many cells as this one, and the one that the call names is the same.
func (b *book) like(shown *book, cell int) bool {
	return shown != nil && len(b.Cells) == len(shown.Cells) &&
		(cell == 0 || bytes.Equal(b.Cell(b.data, cell-1), shown.Cell(shown.data, cell-1)))
}

// before returns the text from before the call without results that it clears, and with the numbers that cells then have.
func (b *book) before(ctx context.Context, e *editing) (*edit.Text, error) {
	if b.whole.Done == "" && len(b.cleared) == 0 {
		return b.all(), nil
	}
	view := notebook.View{Number: b.number, NotRun: func(cell int) bool { return b.cleared[cell] }}
	then, err := view.Parse(ctx, b.data)
	if err != nil {
		return nil, err
	}
	return e.masked(then.Text), nil
}

// shown returns a change of the file as one of what read shows of it.
func (b *book) shown(ctx context.Context, e *editing, done change.Done) change.Done {
	after, err := notebook.Parse(ctx, b.after)
	if err != nil {
		return done
	}
	before, err := b.before(ctx, e)
	if err != nil {
		return done
	}
	done.Diff, done.Redacted = e.Diff(before.Body(), []byte(after.Text))
	return done
}
