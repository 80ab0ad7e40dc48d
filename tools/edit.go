package tools

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/workspace"
)

const editDescription = `Replace text in a file. old_string must occur in it exactly once, unless replace_all ` +
	`is set. If it does not as it is written, other line endings, spaces at line ends or another indentation will do, and ` +
	`the result says so. ` +
	`To make several edits to one file, use edits: all of them are made, or none. A notebook (.ipynb) is ` +
	`edited as its cells, as read shows them. Shows what has changed. To replace a whole file, use write.`

// EditParams are the arguments of edit: OldString and NewString, or Edits.
type EditParams struct {
	Path       string        `json:"path" jsonschema:"the file to edit, relative to the workspace or absolute"`
	OldString  string        `json:"old_string,omitempty" jsonschema:"the text to replace, with enough of the text around it to occur only once; empty creates a file" arg:"text"`
	NewString  string        `json:"new_string,omitempty" jsonschema:"the text to put in its place, taken literally; empty removes old_string" arg:"text" with:"old_string"`
	ReplaceAll bool          `json:"replace_all,omitempty" jsonschema:"replace every occurrence of old_string; default false"`
	Edits      []Replacement `json:"edits,omitempty" jsonschema:"several replacements instead of one, at most 100; each is matched against the file as it was before the call" arg:"100"`
	Cell       int           `json:"cell,omitempty" jsonschema:"number of the cell to edit in a notebook (.ipynb), as read shows it; default the one with old_string"`
	Encoding   string        `json:"encoding,omitempty" jsonschema:"encoding of the file, such as windows-1252 or shift_jis; default UTF-8, or UTF-16 with a byte order mark"`
}

// Replacement is one of several edits.
type Replacement struct {
	OldString  string `json:"old_string" jsonschema:"the text to replace"`
	NewString  string `json:"new_string" jsonschema:"the text to put in its place; empty removes old_string" arg:"text"`
	ReplaceAll bool   `json:"replace_all,omitempty" jsonschema:"replace every occurrence of old_string; default false"`
}

// EditResult is the result of edit.
type EditResult struct {
	Bounds
	FileChange

	Text string `json:"-"` // what was done, and the difference; if the edit failed, the lines that help

	Edits []EditDone `json:"edits,omitempty"` // what became of each edit, in the order of the call
}

// EditDone is what became of one edit.
type EditDone struct {
	Places int    `json:"places"`         // places that were replaced
	Map    string `json:"map,omitempty"`  // in what old_string differs from the file; "" if in nothing
	Left   int    `json:"left,omitempty"` // other places that were left, which differ from old_string in line endings alone
}

func (r *EditResult) result() Result { return Result{Text: r.Text, Details: *r} }

func (r *EditResult) parts() (*string, *Bounds) { return &r.Text, &r.Bounds }

// replacements returns the edits of a call.
func (p EditParams) replacements() ([]edit.Edit, error) {
	list := p.Edits
	switch {
	case len(list) == 0 && p.OldString+p.NewString == "":
		return nil, errorf(CodeInvalidInput, "old_string and new_string are required, or edits. Nothing was changed")
	case len(list) == 0:
		list = []Replacement{{p.OldString, p.NewString, p.ReplaceAll}}
	case p.OldString+p.NewString != "":
		return nil, errorf(CodeInvalidInput, "give old_string and new_string, or edits, not both. Nothing was changed")
	}
	edits := make([]edit.Edit, len(list))
	for i, r := range list {
		edits[i] = edit.Edit{Old: r.OldString, New: r.NewString, All: r.ReplaceAll || len(p.Edits) > 0 && p.ReplaceAll}
	}
	return edits, nil
}

// naming returns what Path may be: without a text to replace, edit creates a file.
func (p EditParams) naming() workspace.Naming {
	if len(p.Edits) == 0 && p.OldString == "" {
		return workspace.AsNew
	}
	return workspace.AsFound
}

func (cs *changes) edit(ctx context.Context, p EditParams) (EditResult, error) {
	edits, err := p.replacements()
	if err != nil {
		return EditResult{}, err
	}
	if err := cs.noPlaceholders(edits); err != nil {
		return EditResult{}, err
	}
	encoding, err := hint.Encoding(p.Encoding)
	if err != nil {
		return EditResult{}, err
	}
	set, f, err := cs.files.Open(ctx, p.Path, p.naming())
	if err != nil {
		return EditResult{}, err
	}
	defer set.End()
	if ok, err := f.DecodeAs(encoding); err != nil {
		return EditResult{}, err
	} else if !ok {
		return EditResult{}, errorf(CodeInvalidInput, "%s is in UTF-8, not in %s, and was left alone. Leave encoding out",
			show(f.Name), encoding)
	}
	e := editing{changes: cs, set: set, File: f, edits: edits, cell: p.Cell}
	e.report = cs.report(cs.cfg.Edit.MaxLines, cs.cfg.Edit.MaxBytes, f)
	err = e.run(ctx)
	return e.res, err
}

// editing is one call of edit.
type editing struct {
	*change.File
	*changes
	report changeReport
	set    *change.Set
	edits  []edit.Edit
	cell   int // the number of a notebook's cell, or 0
	book   *editedBook
	text   *edit.Text // that the edits are for
	maps   []edit.Map // that were needed for edits
	done   []edit.Done
	res    EditResult
}

func (e *editing) run(ctx context.Context) error {
	if err := cmp.Or(e.MayChange(), e.inForm(e.File)); err != nil {
		return err
	}
	if e.Info == nil || e.Kind.Binary || e.edits[0].Old == "" && e.cell == 0 {
		return e.unusual(ctx)
	}
	made, err := e.apply(ctx)
	if e.Changed && ctx.Err() == nil && (err != nil || !e.asShown(ctx, made)) {
		e.res.Text, err = e.report.stale(&e.res.Bounds, e.File)
		return err
	}
	if err != nil {
		return e.explain(ctx, err)
	}
	if err := e.keepsSecrets(ctx, made); err != nil {
		return err
	}
	for _, d := range made.Done {
		e.res.Edits = append(e.res.Edits, EditDone{len(d.Places), string(d.Map), len(d.Left)})
		e.maps = append(e.maps, d.Map)
	}
	e.done = made.Done
	c := change.Change{File: e.File, Content: made.Content, Text: made.Body}
	if err := staysJSON(c); err != nil {
		return err
	}
	if e.res.FileChange, err = commitOne(ctx, e.set, c); err != nil {
		return err
	}
	shown := e.res.FileChange
	if e.book != nil && !e.book.asJSON {
		shown = e.book.shown(ctx, e, shown)
	}
	e.res.Text = e.report.text(&e.res.Bounds, e.headline(shown), shown)
	return nil
}

// unusual deals with files that hold no text to replace.
func (e *editing) unusual(ctx context.Context) (err error) {
	name := show(e.Name)
	switch {
	case e.Info == nil && e.Changed:
		e.res.Text, err = e.report.stale(&e.res.Bounds, e.File)
		return err
	case e.Info == nil && (len(e.edits) > 1 || e.edits[0].Old != ""):
		missing := e.paths.missing(ctx, e.Name)
		message := strings.TrimSuffix(missing.Message, ". Use ls or find to see what does")
		if !strings.HasSuffix(message, "?") {
			message += "."
		}
		return errorf(missing.Code, "%s Use write to create it", message)
	case e.Kind.Likely != "":
		return errorf(CodeIsBinary, "%s has NUL bytes, but looks like text in UTF-16 without a byte order mark. Use "+
			"encoding=%s to edit it", name, e.Kind.Likely)
	case e.Kind.Binary:
		return errorf(CodeIsBinary, "%s is %s, not text, and was left alone", name, e.Kind.What())
	case len(e.Content) > 0:
		return errorf(CodeInvalidInput, "old_string is empty, which only creates a file, but %s exists. "+
			"Give the text to replace, or, to add some, the text that it is to stand beside; "+
			"to replace all that the file holds, use write", name)
	}
	c, err := e.Encode(e.edits[0].New)
	if err != nil {
		return err
	}
	if e.res.FileChange, err = commitOne(ctx, e.set, c); err != nil {
		return err
	}
	e.res.Text = e.report.text(&e.res.Bounds, e.res.written(c), e.res.FileChange)
	return nil
}

// apply makes the edits in the text, or in the cells of a notebook.
func (e *editing) apply(ctx context.Context) (*edit.Result, error) {
	if e.Decoded != nil {
		e.text = e.hidden(edit.NewDecoded(e.Content, e.Kind, e.Decoded))
	} else {
		e.text = e.hidden(edit.New(e.Content, e.Kind))
	}
	var err error
	if e.book, err = e.openBook(ctx); err != nil {
		return nil, err
	}
	if e.book != nil {
		return e.book.apply(ctx, e)
	}
	return e.text.Apply(ctx, e.edits, e.cfg.MaxFileBytes)
}

// asShown reports whether the edits are of text that has not changed since it was shown.
func (e *editing) asShown(ctx context.Context, made *edit.Result) bool {
	var was []edit.Done
	if before := e.Seen(); before != nil {
		f := *e.File
		f.Content, f.Kind, f.Decoded = before, e.KindOf(before), nil
		then := *e
		then.File = &f
		shown, err := then.apply(ctx)
		if err != nil {
			return false
		}
		was = shown.Done
	}
	for i, d := range made.Done {
		switch {
		case was == nil && d.Map == edit.Exact && len(d.Places) == 1 && !e.edits[i].All:
		case was != nil && d.Map == was[i].Map && len(d.Places) == len(was[i].Places):
		default:
			return false
		}
	}
	return true
}

// headline says what was done, and what of it may be a surprise.
func (e *editing) headline(c FileChange) string {
	name := show(e.Name)
	places := 0
	for _, d := range e.res.Edits {
		places += d.Places
	}
	where := ""
	if places > 1 {
		where = " in " + notice.Count(places, "place")
	}
	if e.book != nil {
		where += e.book.where()
	}
	said := []string{fmt.Sprintf("Edited %s%s: %s", name, where, c.linesChanged())}
	if c.WasStale {
		said = append(said, "The file has changed since it was last shown, but not there")
	}
	said = append(said, differed(e.maps, e.which)...)
	if e.book != nil {
		said = append(said, e.book.said(e)...)
	}
	for i, d := range e.done {
		if len(d.Left) > 0 {
			said = append(said, e.left(i, d.Left))
		}
	}
	return sentences(said...)
}

// left says where an old_string was left as it is, because the lines there end otherwise.
func (e *editing) left(i int, places []edit.Span) string {
	first := places[0]
	line := e.text.Line(first.Start) // before the call
	for j, d := range e.done {
		n, _ := slices.BinarySearchFunc(d.Places, first.Start, func(p edit.Span, at int) int { return p.Start - at })
		line += n * (strings.Count(e.edits[j].New, "\n") - strings.Count(e.edits[j].Old, "\n"))
	}
	crlf := bytes.Contains(e.text.Body()[first.Start:first.End], []byte("\r\n"))
	return otherEndings(e.which([]int{i}), len(places), line, crlf, "both texts")
}

// otherEndings says where what was left as it is, because the lines of these places, the first of them at line, end
// otherwise.
func otherEndings(what string, places, line int, crlf bool, texts string) string {
	where, ending := fmt.Sprintf("at line %d", line), `\n`
	if places > 1 {
		where = fmt.Sprintf("in %d places more, the first at line %d", places, line)
	}
	if crlf {
		ending = `\r\n`
	}
	return fmt.Sprintf("%s is also %s, but with other line endings, and was left there. Give %s with %s to "+
		"replace it there", what, where, texts, ending)
}

// mapAdvice is what became of the new text where a map was needed.
var mapAdvice = map[edit.Map]string{
	edit.LineEndings: ", which stay as they are",
	edit.Indentation: "; the new text was indented as the file is",
}

// differed says by which maps the texts of a call were found, in the order of their first use. what
// names those of a map.
func differed(maps []edit.Map, what func(texts []int) string) (said []string) {
	by := map[edit.Map][]int{}
	for i, m := range maps {
		by[m] = append(by[m], i)
	}
	for i, m := range maps {
		if m != edit.Exact && by[m][0] == i {
			said = append(said, what(by[m])+" differed from the file in "+string(m)+mapAdvice[m])
		}
	}
	return said
}

// which names the old_string of some edits, counted from 0.
func (e *editing) which(edits []int) string {
	switch {
	case len(e.edits) == 1:
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
