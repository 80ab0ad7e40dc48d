package tools

import (
	"context"

	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/fileedit"
	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/workspace"
)

const editDescription = `Replace text in a file. old_string must occur in it exactly once, unless replace_all ` +
	`is set. If it is not found exactly, differences in line endings, trailing spaces or indentation are tolerated, and ` +
	`the result says so. ` +
	`To make several edits to one file, use edits: all of them are made, or none. `

const editCells = `A notebook (.ipynb) is edited by cells, as read shows it. `

const editEnd = `Shows what changed. To replace a whole file, use write.`

// EditParams are the arguments of edit: OldString and NewString, or Edits.
type EditParams struct {
	Path       string        `json:"path" jsonschema:"the file to edit, relative to the workspace or absolute"`
	OldString  string        `json:"old_string,omitempty" jsonschema:"the text to replace, with enough context to occur only once; empty creates a file" arg:"text"`
	NewString  string        `json:"new_string,omitempty" jsonschema:"the text to put in its place, taken literally; empty removes old_string" arg:"text" with:"old_string"`
	ReplaceAll bool          `json:"replace_all,omitempty" jsonschema:"replace every occurrence of old_string; default false"`
	Edits      []Replacement `json:"edits,omitempty" jsonschema:"several replacements instead of one, at most 100; each is matched against the file as it was before the call" arg:"100"`
	Cell       int           `json:"cell,omitempty" jsonschema:"number of the cell to edit in a notebook (.ipynb), as read shows it; default the one with old_string"`
	EditMode   string        `json:"edit_mode,omitempty" jsonschema:"replace all of cell, insert new_string as a cell after it (without cell: at the beginning), delete it, or move it to to_cell" arg:"replace|insert|delete|move"`
	CellType   string        `json:"cell_type,omitempty" jsonschema:"of a new cell; default code" arg:"code|markdown|raw"`
	ToCell     int           `json:"to_cell,omitempty" jsonschema:"number a moved cell gets"`
	Encoding   string        `json:"encoding,omitempty" jsonschema:"encoding of the file, such as windows-1252 or shift_jis; default what the file clearly is, else UTF-8"`
}

// Replacement is one of several edits.
type Replacement struct {
	OldString  string `json:"old_string" jsonschema:"the text to replace"`
	NewString  string `json:"new_string" jsonschema:"the text to put in its place; empty removes old_string" arg:"text"`
	ReplaceAll bool   `json:"replace_all,omitempty" jsonschema:"replace every occurrence of old_string; default false"`
}

// EditResult is the result of edit. Its Text says what was done and has a diff; if the edit failed, it shows the lines
// that help.
type EditResult struct {
	Shown
	FileChange

	Edits []EditDone `json:"edits,omitempty"` // in the order of the call
}

// EditDone describes the outcome of one edit.
type EditDone struct {
	Places int    `json:"places"`         // how many places were replaced
	Map    string `json:"map,omitempty"`  // how old_string differs from the file; "" if it does not
	Left   int    `json:"left,omitempty"` // places left alone that differ only in line endings
}

func (p EditParams) replacements() ([]edit.Edit, error) {
	list := p.Edits
	switch {
	case len(list) == 0 && p.OldString+p.NewString == "" && (p.mode().Whole() || p.EditMode != "" && p.Cell > 0):
		return []edit.Edit{{}}, nil
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

// mode returns what to do with a cell. A number to move it to implies a move.
func (p EditParams) mode() fileedit.Mode {
	if p.EditMode == "" && p.Cell > 0 && p.ToCell > 0 && len(p.Edits) == 0 && p.OldString+p.NewString == "" {
		return fileedit.Move
	}
	return fileedit.Mode(p.EditMode)
}

// naming returns which paths are allowed: without a text to replace, edit creates a file.
func (p EditParams) naming() workspace.Naming {
	if len(p.Edits) == 0 && p.OldString == "" && p.Cell == 0 && !p.mode().Whole() {
		return workspace.AsNew
	}
	return workspace.AsFound
}

func (cs *changes) edit(ctx context.Context, p EditParams) (res EditResult, err error) {
	call := fileedit.Call{
		Part: fileedit.Part{Number: p.Cell, Mode: p.mode(), Type: p.CellType, To: p.ToCell},
		Open: cs.open, Missing: cs.paths.missing, Bash: cs.tools.has("bash"),
	}
	if cs.open == nil && call.Part != (fileedit.Part{}) {
		return res, errorf(CodeInvalidInput, "this suite edits a notebook as its JSON text, without cell, edit_mode, cell_type "+
			"and to_cell (they need the part tools/notebook). Nothing was changed. Leave them out")
	}
	if call.Edits, err = p.replacements(); err != nil {
		return res, err
	}
	if err := call.NoPlaceholders(cs.files); err != nil {
		return res, err
	}
	if call.Encoding, err = hint.Encoding(p.Encoding); err != nil {
		return res, err
	}
	set, f, err := cs.files.Open(ctx, p.Path, p.naming())
	if err != nil {
		return res, err
	}
	defer set.End()
	report := cs.report(cs.cfg.Edit.MaxLines, cs.cfg.Edit.MaxBytes)
	report.Names = append(report.Names, hint.Corrected(f.Path))
	made, err := call.Make(ctx, f)
	if err != nil {
		shown, err := report.Refused(err)
		res.reported(shown)
		return res, err
	}
	for _, d := range made.Done {
		res.Edits = append(res.Edits, EditDone{len(d.Places), string(d.Map), len(d.Left)})
	}
	done, err := set.Commit(ctx, made.Change)
	if err != nil {
		return res, err
	}
	res.FileChange = fileChange(made.Change, done[0])
	headline, files := made.Report(ctx, done[0])
	shown := report.Text(headline, files...)
	res.reported(&shown)
	return res, nil
}
