package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/notice"
)

const editDescription = `Replace text in a file. old_string must be in it exactly once, or set replace_all; it is matched as it is, line breaks and indentation included. ` +
	`Several edits of one file go into edits: all are made, or none. Shows what has changed. Whole files are for write.`

// EditParams are the arguments of edit: OldString and NewString, or Edits.
type EditParams struct {
	Path       string        `json:"path" jsonschema:"the file to edit, relative to the workspace or absolute"`
	OldString  string        `json:"old_string,omitempty" jsonschema:"the text to replace, with enough around it that it is there only once; empty creates a file" arg:"text"`
	NewString  string        `json:"new_string,omitempty" jsonschema:"the text to put in its place, literally; empty removes it" arg:"text" with:"old_string"`
	ReplaceAll bool          `json:"replace_all,omitempty" jsonschema:"replace old_string wherever it is; default false"`
	Edits      []Replacement `json:"edits,omitempty" jsonschema:"several replacements instead of one, at most 100, each found in the file as it is before the call" arg:"100"`
}

// Replacement is one of several edits.
type Replacement struct {
	OldString  string `json:"old_string" jsonschema:"the text to replace"`
	NewString  string `json:"new_string" jsonschema:"the text to put in its place; empty removes it" arg:"text"`
	ReplaceAll bool   `json:"replace_all,omitempty" jsonschema:"replace old_string wherever it is; default false"`
}

// EditResult is the result of edit.
type EditResult struct {
	Bounds
	FileChange

	Text string `json:"-"` // what was done, and the difference; of an edit that failed the lines that help

	Edits []EditDone `json:"edits,omitempty"` // in the order of the call
}

// EditDone is what became of one edit.
type EditDone struct {
	Places int    `json:"places"`        // that were replaced
	Map    string `json:"map,omitempty"` // in what old_string differs from the file; "" if in nothing
}

func (r EditResult) result() Result { return Result{Text: r.Text, Details: r} }

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

func (s *Suite) doEdit(ctx context.Context, p EditParams) (EditResult, error) {
	edits, err := p.replacements()
	if err != nil {
		return EditResult{}, err
	}
	t, o, err := s.turnFor(ctx, share{Lines: s.cfg.Edit.MaxLines, Bytes: s.cfg.Edit.MaxBytes}, p.Path)
	if err != nil {
		return EditResult{}, err
	}
	defer t.end()
	e := editing{turn: t, original: o, edits: edits}
	err = e.run(ctx)
	return e.res, err
}

// editing is one call of edit.
type editing struct {
	*turn
	*original
	edits []edit.Edit
	text  *edit.Text
	maps  []edit.Map // that were needed for edits
	res   EditResult

	listing []string // lines of the file that help
	listed  int      // the last of them
}

func (e *editing) run(ctx context.Context) error {
	if err := e.mayChange(e.original); err != nil {
		return err
	}
	if e.Info == nil || e.kind.Binary || e.edits[0].Old == "" {
		return e.unusual(ctx)
	}
	e.text = edit.New(e.original.content, e.kind)
	made, err := e.text.Apply(ctx, e.edits, e.suite.cfg.MaxFileBytes)
	if e.changed && ctx.Err() == nil && (err != nil || !e.asShown(ctx, made)) {
		e.res.Text, err = e.stale(e.original, &e.res.Bounds)
		return err
	}
	if err != nil {
		return e.explain(ctx, err)
	}
	for _, d := range made.Done {
		e.res.Edits = append(e.res.Edits, EditDone{len(d.Places), string(d.Map)})
		e.maps = append(e.maps, d.Map)
	}
	return e.put(ctx, made.Content)
}

// unusual deals with files that hold no text to replace.
func (e *editing) unusual(ctx context.Context) (err error) {
	name := show(e.Name)
	switch {
	case e.Info == nil && e.changed:
		e.res.Text, err = e.stale(e.original, &e.res.Bounds)
		return err
	case e.Info == nil && (len(e.edits) > 1 || e.edits[0].Old != ""):
		_, err := e.suite.resolve(ctx, e.Name)
		missing, ok := errors.AsType[*Error](err)
		if !ok {
			missing = errorf(CodeNotFound, "%s does not exist", name) // a link to nothing
		}
		message := strings.TrimSuffix(missing.Message, ". Use ls or find to see what does")
		if !strings.HasSuffix(message, "?") {
			message += "."
		}
		return errorf(missing.Code, "%s Use write to create it", message)
	case e.kind.Binary:
		return errorf(CodeIsBinary, "%s is %s, not text, and was left alone", name, kindName(e.kind))
	case len(e.original.content) > 0:
		return errorf(CodeInvalidInput, "old_string is empty, which only creates a file, but %s exists. Give the text to replace, or, to add some, the text that it is to stand beside; "+
			"to replace all that the file holds, use write", name)
	}
	return e.put(ctx, []byte(e.edits[0].New))
}

// put makes content all that the file holds, and tells what was done.
func (e *editing) put(ctx context.Context, content []byte) error {
	done, err := e.commitOne(ctx, e.original, content)
	if err != nil {
		return err
	}
	e.res.FileChange = done
	headline := e.headline()
	if len(e.res.Edits) == 0 { // it was empty, or was not there
		headline = e.written(e.res.FileChange, content, sniffed(content))
	}
	e.res.Text = e.report(&e.res.Bounds, headline, done)
	return nil
}

// asShown reports whether the edits are of text that has not changed since it was shown.
func (e *editing) asShown(ctx context.Context, made *edit.Result) bool {
	var was []edit.Done
	if before := e.known.Content; before != nil {
		shown, err := edit.New(before, sniffed(before)).Apply(ctx, e.edits, e.suite.cfg.MaxFileBytes)
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
func (e *editing) headline() string {
	c, name := e.res.FileChange, show(e.Name)
	places := 0
	for _, d := range e.res.Edits {
		places += d.Places
	}
	where := ""
	if places > 1 {
		where = " in " + notice.Count(places, "place")
	}
	said := []string{fmt.Sprintf("Edited %s%s: %s", name, where, c.linesChanged())}
	if c.WasStale {
		said = append(said, "The file has changed since it was last shown, but not there")
	}
	return sentences(append(said, differed(e.maps, e.which)...)...)
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
