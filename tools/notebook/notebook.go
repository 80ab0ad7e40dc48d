// Package notebook shows Jupyter notebooks (.ipynb) as cells in read, with their outputs and images, and has edit change,
// insert, delete and move cells. Hand [Part] to tools.New. write, edit and apply_patch then leave no notebook that is
// not valid JSON.
//
// It adds 0.15 MB to a program. Without it a notebook is JSON text like any other, and edit has no arguments for cells.
// Cells are not run.
package notebook

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/celledit"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/notebook"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/page"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/tools"
)

// Part returns the part, for tools.New.
func Part() tools.Part {
	return tools.Part{Path: "tools/notebook", Formats: []page.Format{format{}}, Edit: celledit.Open, Form: form}
}

// format shows notebooks as cells.
type format struct{}

func (format) Describe() string { return "a notebook (.ipynb) as cells" }

func (format) Is(name string, head []byte) bool {
	encoding := textfile.Sniff(head).Encoding
	return notebook.IsName(name) && (encoding == textfile.UTF8 || encoding == textfile.UTF8BOM)
}

func (format) Render(ctx context.Context, w page.Canvas, data []byte) error {
	book, err := notebook.Parse(ctx, bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		return fmt.Errorf("it cannot be read as a notebook: %w", err)
	}
	line, images := 0, book.Images
	for text := range strings.Lines(book.Text) {
		if _, err := w.Write([]byte(text)); err != nil {
			return err
		}
		for line++; len(images) > 0 && images[0].Line == line; images = images[1:] {
			data, _ := base64.StdEncoding.DecodeString(images[0].Base64) // an image that is broken is said to be
			w.Image(images[0].Type, data)
		}
	}
	if book.CellsLeft {
		w.Notice(notice.MoreCells)
	}
	return nil
}

// form returns what a file of that name must hold.
func form(name string) *change.Form {
	if !notebook.IsName(name) {
		return nil
	}
	return &change.Form{
		Name: "valid JSON", Of: "a notebook", Check: notebook.Check,
		Keep:    "Write strings as JSON does, or edit text of a cell as read shows it",
		InPatch: "the JSON of a notebook; edit changes its cells",
	}
}
