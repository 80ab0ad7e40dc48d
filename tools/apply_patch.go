package tools

import (
	"context"
	"strings"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/changereport"
	"github.com/spillway-go/spillway/internal/filepatch"
	"github.com/spillway-go/spillway/internal/hint"
)

const applyPatchDescription = `Change files with a patch. All of it is applied, or none. A patch is
*** Begin Patch
*** Update File: path/to/file
@@ class or function around the lines below
 an unchanged line, after a space
-a line to remove
+a line to add
*** Add File: path/to/new
+each line of the new file
*** Delete File: path/to/old
*** End Patch
*** Move to: new/path, on the line after Update File, moves the file. ` +
	`Each place that changes begins with an @@ line; about 3 unchanged lines before and after it identify it. ` +
	`Unified diffs are accepted too.`

// ApplyPatchParams are the arguments of apply_patch.
type ApplyPatchParams struct {
	Patch string `json:"patch" jsonschema:"the patch, from *** Begin Patch to *** End Patch, or a unified diff" arg:"text"`
}

// ApplyPatchResult is the result of apply_patch. Its Text is what was done, and the differences; if the patch failed, the lines that help.
type ApplyPatchResult struct {
	Shown

	Files []FileChange `json:"files,omitempty"` // in the order of the patch
}

func (r *ApplyPatchResult) result() Result { return Result{Text: r.Text, Details: *r} }

func (cs *changes) applyPatch(ctx context.Context, p ApplyPatchParams) (res ApplyPatchResult, err error) {
	call := filepatch.Patch{Files: cs.files, Missing: cs.paths.missing, Edit: cs.tools.has("edit")}
	if err := call.Read(ctx, p.Patch); err != nil {
		return res, err
	}
	set, err := cs.files.Begin(ctx)
	if err != nil {
		return res, err
	}
	defer set.End()
	report := cs.report(cs.cfg.Edit.MaxLines, cs.cfg.Edit.MaxBytes)
	sections, err := call.Apply(ctx, set)
	changes := make([]change.Change, len(sections))
	for i, s := range sections {
		report.Names = append(report.Names, hint.Corrected(s.Path))
		changes[i] = s.Change
	}
	if err != nil {
		shown, err := report.Refused(err)
		res.Text = res.reported(shown)
		return res, err
	}
	done, err := set.Commit(ctx, changes...)
	if err != nil {
		return res, err
	}
	var headline []string
	var files []changereport.File
	for i, s := range sections {
		f := fileChange(s.Change, done[i])
		f.Maps = s.Maps()
		res.Files = append(res.Files, f)
		line, since := s.Report(done[i])
		headline = append(headline, line)
		if f.LinesAdded+f.LinesRemoved > 0 {
			files = append(files, changereport.Of(s.Change, done[i]))
		}
		files = append(files, since)
	}
	shown := report.Text(strings.Join(headline, "\n"), files...)
	res.Text = res.reported(&shown)
	return res, nil
}
