// Package notebook converts a Jupyter notebook to text, its cells with their kind, source and outputs, and edits the
// sources of cells.
package notebook

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/terminal"
	"github.com/spillway-go/spillway/truncation"
)

const (
	// MaxCells is the number of cells that are shown.
	MaxCells = 10_000
	// maxOutputs is the number of outputs that are shown of a cell.
	maxOutputs = 100
	// MaxOutput is the number of bytes that are shown of an output, from both its ends.
	MaxOutput = 4 << 10
)

// Notebook is a notebook as text.
type Notebook struct {
	Text      string
	Cells     []Cell  // in the order of the text
	Images    []Image // likewise
	CellsLeft bool    // there are more than MaxCells

	from, to int // what is between the brackets of the list of cells in the JSON
}

// IsName reports whether a file is a notebook by its name.
func IsName(name string) bool { return strings.EqualFold(path.Ext(name), ".ipynb") }

// Cell is where a cell is.
type Cell struct {
	Start, End int  // its source in the text, with the newline behind it
	Added      bool // the source does not end in that newline
	Type       string
	from, to   int // the cell in the JSON, after what is between two cells
}

// Image is an image among the outputs.
type Image struct {
	Line   int    // the line of the text, from 1, in its place
	Type   string // image/png or image/jpeg
	Base64 string
}

// ErrNotNotebook is the error for JSON that has no cells at its top, as in old notebooks, or is several values.
var ErrNotNotebook = errors.New("it has no cells")

// cell is a cell as it is in the file.
type cell struct {
	Type    string  `json:"cell_type"`
	Source  text    `json:"source"`
	Count   *int    `json:"execution_count"`
	Outputs outputs `json:"outputs"`
}

type output struct {
	Type string `json:"output_type"`
	Name string `json:"name"`
	Text text   `json:"text"`
	Data struct {
		Plain    text `json:"text/plain"`
		Markdown text `json:"text/markdown"`
		HTML     text `json:"text/html"`
		JSON     text `json:"application/json"`
		PNG      text `json:"image/png"`
		JPEG     text `json:"image/jpeg"`
		SVG      text `json:"image/svg+xml"`
	} `json:"data"`
	Error     string `json:"ename"`
	Value     string `json:"evalue"`
	Traceback text   `json:"traceback"`
}

// text is a string or a list of lines in JSON. Anything else is read as empty.
type text string

// UnmarshalJSON reads one line at a time, because a list may have millions of empty ones.
func (t *text) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(t))
	}
	if data[0] != '[' {
		return nil
	}
	var b strings.Builder
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if err != nil {
			*t = text(b.String())
			return nil // data is valid, so this is the end
		}
		if line, ok := token.(string); ok {
			b.WriteString(line)
		}
	}
}

// outputs are the first of a cell's outputs.
type outputs struct {
	list []output
	left bool
}

func (o *outputs) UnmarshalJSON(data []byte) error {
	if data[0] != '[' {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.Token()
	for d.More() {
		if o.left = len(o.list) == maxOutputs; o.left {
			return nil
		}
		var one output
		if err := d.Decode(&one); err != nil {
			return err
		}
		o.list = append(o.list, one)
	}
	return nil
}

// View is how a notebook is shown. The zero View shows it as it is.
type View struct {
	Number func(cell int) int  // the number that a cell has, for that in the file, from 1
	NotRun func(cell int) bool // the cell is shown as one that has not run
}

// Parse converts a notebook. The error is that of the JSON, ErrNotNotebook, or that of ctx.
func Parse(ctx context.Context, data []byte) (Notebook, error) { return View{}.Parse(ctx, data) }

// Parse converts a notebook, as [Parse] does. Of several lists of cells the last is the notebook's.
func (v View) Parse(ctx context.Context, data []byte) (Notebook, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return Notebook{}, ErrNotNotebook
	}
	var w writer
	found := false
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return Notebook{}, err
		}
		if key != "cells" {
			var skipped json.RawMessage
			if err := d.Decode(&skipped); err != nil {
				return Notebook{}, err
			}
			continue
		}
		if token, err := d.Token(); err != nil || token != json.Delim('[') {
			return Notebook{}, ErrNotNotebook
		}
		found = true
		w = writer{view: v, line: 1}
		if err := w.cells(ctx, d); err != nil {
			return Notebook{}, err
		}
		if w.book.CellsLeft {
			break
		}
	}
	if !w.book.CellsLeft {
		if _, err := d.Token(); err != nil {
			return Notebook{}, err
		}
		if _, err := d.Token(); err != io.EOF || !found {
			return Notebook{}, ErrNotNotebook
		}
	}
	w.book.Text = cmp.Or(w.text.String(), "(no cells)\n")
	return w.book, nil
}

// writer writes the text.
type writer struct {
	view View
	book Notebook
	text strings.Builder
	line int // the next line, from 1
}

func (w *writer) block(title, body string) {
	if w.line > 1 {
		title = "\n" + title
	}
	if body != "" && !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	w.text.WriteString(title + "\n" + body)
	w.line += strings.Count(title, "\n") + 1 + strings.Count(body, "\n")
}

func (w *writer) cells(ctx context.Context, d *json.Decoder) error {
	w.book.from = int(d.InputOffset())
	for n := 1; d.More(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if n > MaxCells {
			w.book.CellsLeft = true
			return nil
		}
		c, from := cell{}, int(d.InputOffset())
		if err := d.Decode(&c); err != nil {
			return err
		}
		at := Cell{Type: c.Type, from: from, to: int(d.InputOffset())}
		number := n
		if w.view.Number != nil {
			number = w.view.Number(n)
		}
		if w.view.NotRun != nil && w.view.NotRun(n) {
			c.Count, c.Outputs = nil, outputs{}
		}
		title := fmt.Sprintf("--- cell %d, %s ---", number, short(c.Type))
		if c.Count != nil {
			title = fmt.Sprintf("--- cell %d, %s [%d] ---", number, short(c.Type), *c.Count)
		}
		w.block(title, string(c.Source))
		at.Start, at.End = w.text.Len()-len(c.Source), w.text.Len()
		if at.Added = c.Source != "" && !strings.HasSuffix(string(c.Source), "\n"); at.Added {
			at.Start--
		}
		w.book.Cells = append(w.book.Cells, at)
		for _, o := range c.Outputs.list {
			w.output(number, o)
		}
		if c.Outputs.left {
			w.block(fmt.Sprintf("--- cell %d has more than %d outputs: raw=true has all ---", number, maxOutputs), "")
		}
	}
	_, err := d.Token()
	w.book.to = int(d.InputOffset()) - 1
	return err
}

// short returns a name from the file on one line.
func short(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, name)
	name, _ = quote.Cut(name, 40, "")
	return name
}

func (w *writer) output(cell int, o output) {
	body, kind := o.Text, ""
	switch data := o.Data; {
	case o.Error != "" || o.Type == "error":
		body, kind = o.Traceback, ": "+short(o.Error)
		if body == "" {
			body = text(o.Error + ": " + o.Value)
		}
	case o.Name != "":
		kind = ": " + short(o.Name)
	case data.PNG != "":
		w.image(cell, "image/png", data.PNG)
		return
	case data.JPEG != "":
		w.image(cell, "image/jpeg", data.JPEG)
		return
	default:
		kinds := []string{"", ": markdown", ": JSON", ": HTML", ": SVG"}
		for i, t := range []text{data.Plain, data.Markdown, data.JSON, data.HTML, data.SVG} {
			if body == "" {
				body, kind = t, kinds[i]
			}
		}
	}
	w.block(fmt.Sprintf("--- output of cell %d%s ---", cell, kind), bounded(string(body)))
}

// image adds an image and the line in its place.
func (w *writer) image(cell int, kind string, data text) {
	w.block(fmt.Sprintf("--- output of cell %d: %s ---", cell, kind), "")
	w.book.Images = append(w.book.Images, Image{w.line - 1, kind, string(data)})
}

// bounded returns an output as a terminal would show it, without its middle if it is long.
func bounded(body string) string {
	var b strings.Builder
	filter := terminal.NewScreen(&b, "")
	filter.Write([]byte(body))
	filter.Close()
	policy := truncation.Policy{Strategy: truncation.Middle, Limits: truncation.Limits{Bytes: MaxOutput}}
	return policy.Truncate(b.String()).Text
}
