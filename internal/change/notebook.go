package change

import (
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notebook"
	"github.com/spillway-go/spillway/internal/quote"
)

// StaysJSON returns an error for a change that would leave a notebook that is not JSON, if it was JSON before.
func (c Change) StaysJSON() error {
	if c.Remove || c.Info == nil || !notebook.IsName(c.NewName()) || notebook.Check(c.File.Text()) != nil {
		return nil
	}
	if err := notebook.Check(c.NewText()); err != nil {
		return fault.Errorf(fault.InvalidInput, "%s would not be valid JSON any more: %w; nothing was changed. Write "+
			"strings as JSON does, or edit text of a cell as read shows it", quote.Value(c.NewName()), err)
	}
	return nil
}

// NotJSON returns why the new content is not a notebook, although the name of the file says so; or nil.
func (c Change) NotJSON() error {
	if c.Remove || !notebook.IsName(c.NewName()) {
		return nil
	}
	return notebook.Check(c.NewText())
}

// NewName returns the name of the file after the change.
func (c Change) NewName() string {
	if c.To != nil {
		return c.To.Name
	}
	return c.Name
}
