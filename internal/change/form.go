package change

import (
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
)

// Form is what a file must hold because of its name.
type Form struct {
	Name    string                  // such as "valid JSON"
	Of      string                  // what needs the form: "a notebook"
	Keep    string                  // says how to keep it, without a period
	InPatch string                  // what a patch changes in such a file, and what edit does
	Check   func(text []byte) error // why a text is not of the form
}

// form returns the form that the file must have after the change, or nil.
func (c Change) form() *Form {
	if c.Remove || c.files.Form == nil {
		return nil
	}
	return c.files.Form(c.NewName())
}

// KeepsForm returns an error if the change would break the form of a file that has it.
func (c Change) KeepsForm() error {
	f := c.form()
	if f == nil || c.Info == nil || f.Check(c.File.Text()) != nil {
		return nil
	}
	if err := f.Check(c.NewText()); err != nil {
		return fault.Errorf(fault.InvalidInput, "%s would no longer be %s: %w; nothing was changed. %s",
			quote.Value(c.NewName()), f.Name, err, f.Keep)
	}
	return nil
}

// NotOfForm says how the new content breaks the form of the file's name; "" if it does not.
func (c Change) NotOfForm() string {
	if f := c.form(); f != nil {
		if err := f.Check(c.NewText()); err != nil {
			return notice.NotOfForm(f.Name, f.Of, err)
		}
	}
	return ""
}

// InPatch says what a patch changes in the file, if that differs from what read shows; else "".
func (f *File) InPatch() string {
	if f.files.Form != nil {
		if form := f.files.Form(f.Name); form != nil {
			return form.InPatch
		}
	}
	return ""
}
