// Package patch brings apply_patch, which changes several files by a patch in the V4A format or a unified diff, for
// models that are trained on it. Hand [Part] to tools.New and name apply_patch in Tools of the configuration.
//
// It adds about 0.1 MB to a program. Without it New refuses a suite whose Tools name apply_patch. Models that are not trained
// on patches do better with edit.
package patch

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/filepatch"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/tools"
)

// Part returns the part, for tools.New.
func Part() tools.Part { return tools.Part{Path: "tools/patch", Changer: tool{}} }

// Params are the arguments of apply_patch.
type Params struct {
	Patch string `json:"patch" jsonschema:"the patch, from *** Begin Patch to *** End Patch, or a unified diff" arg:"text"`
}

// Apply calls apply_patch of a suite: it changes files as a patch says, all of it or nothing. A failure is a
// [*tools.Error], beside what was gathered. A patch that is not valid UTF-8 is refused, as one of a model cannot be.
func Apply(ctx context.Context, suite *tools.Suite, p Params) (tools.ChangeResult, error) {
	if !utf8.ValidString(p.Patch) { // encoding/json would change it
		return tools.ChangeResult{}, &tools.Error{Code: tools.CodeInvalidInput, Message: "the patch is not valid UTF-8. Nothing " +
			"was changed"}
	}
	args, _ := json.Marshal(p)
	res, _ := suite.Call(ctx, name, args)
	if failed, ok := res.Details.(*tools.Error); ok {
		done, _ := failed.Details().(tools.ChangeResult)
		return done, failed
	}
	done, _ := res.Details.(tools.ChangeResult)
	return done, nil
}

const name = "apply_patch"

const description = `Change files with a patch. All of it is applied, or none. A patch is
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

// tool is apply_patch.
type tool struct{}

func (tool) Name() string        { return name }
func (tool) Description() string { return description }
func (tool) Params() any         { return Params{} }

func (tool) Targets(c part.Changes, params any) []part.Target {
	return filepatch.Targets(c.Files.Workspace, params.(Params).Patch)
}

func (tool) Read(ctx context.Context, c part.Changes, params any) (part.Apply, error) {
	call := filepatch.Patch{Files: c.Files, Missing: c.Missing, Edit: c.Has("edit")}
	if err := call.Read(ctx, params.(Params).Patch); err != nil {
		return nil, err
	}
	return func(ctx context.Context, set *change.Set) ([]part.Changed, error) {
		sections, err := call.Apply(ctx, set)
		changed := make([]part.Changed, len(sections))
		for i, s := range sections {
			changed[i] = s
		}
		return changed, err
	}, nil
}
