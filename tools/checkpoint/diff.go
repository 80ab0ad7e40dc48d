package checkpoint

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/preview"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/tools"
)

// Diff describes what has changed since a checkpoint.
type Diff struct {
	Since string   // the id of the checkpoint
	Files []Change // sorted by path
	// Text is for a person: a line for each change that is not in a text, and a unified diff of the others, within the
	// limits of a result (MaxLines, MaxBytes). It says what is not covered. It is "" if nothing has changed.
	Text string

	of   *Checkpoints
	plan checkpoint.Plan
}

// Change is the change of a path since a checkpoint. Its Before is "".
type Change struct {
	tools.FileChange      // By has all calls that changed it
	Others           bool // something other than the suite's calls changed it, too
	Lost             bool // it cannot be put back, because its old or its present content is not covered
}

// String describes the change on one line, and says whether it can be put back.
func (c Change) String() string {
	text := c.FileChange.String()
	if c.Lost {
		return text + "; not covered"
	}
	return text
}

func (t *tracking) diff(ctx context.Context, id string, plan checkpoint.Plan) *Diff {
	d := &Diff{Since: id, plan: plan}
	limits := preview.Limits{Lines: t.Config.MaxLines, Bytes: t.Config.MaxBytes}
	look := t.description(ctx, false)
	defer look.contents.Close()
	var texts []change.Rehearsed
	var lines []string
	add := func(c checkpoint.Change, lost bool) {
		a := look.alteration(c)
		one := Change{FileChange: changeOf(a.Alteration), Lost: lost}
		one.By, one.Others = callsOf(c.By)
		d.Files = append(d.Files, one)
		if a.Diff != nil && c.Before.Kind != checkpoint.Link && c.After.Kind != checkpoint.Link {
			texts = append(texts, t.rehearsed(c, a))
			if a.Mode == "" {
				return
			}
		}
		lines = append(lines, describe(c, a.Alteration, lost))
	}
	for i, c := range plan.Changes {
		if next := i + 1; isDirOnly(c) && next < len(plan.Changes) && inside(plan.Changes[next].Path, c.Path) {
			continue // what is in it says so
		}
		add(c, false)
	}
	for _, c := range plan.Lost {
		add(c, true)
	}
	var parts []string
	if len(lines) > 0 {
		parts = append(parts, bounded(lines, limits))
	}
	if len(texts) > 0 {
		parts = append(parts, preview.Changes(texts, t.Workspace.Shown, limits))
	}
	if not := t.notCovered(); not != "" && len(d.Files) > 0 {
		parts = append(parts, not)
	}
	d.Text, _ = t.Redact.String(strings.Join(parts, "\n\n"))
	return d
}

const maxSpans = 1000

// maxLines is how many lines a Diff has for changes that are not in texts.
const maxLines = 200

func bounded(lines []string, limits preview.Limits) string {
	most := min(maxLines, limits.Lines)
	if over := len(lines) - most; over > 0 {
		lines = append(lines[:most:most], fmt.Sprintf("and %d more", over))
	}
	return strings.Join(lines, "\n")
}

// describe describes on one line a change that is not in a text.
func describe(c checkpoint.Change, a part.Alteration, lost bool) string {
	i := named(item{Change: c}, a)
	if a.Diff != nil {
		i.Added, i.Lost, i.Content = 0, 0, false // the diff shows them
	}
	text := i.String()
	if contentChanged(c) && a.Diff == nil && c.Before.Kind == checkpoint.File && c.After.Kind == checkpoint.File {
		text += fmt.Sprintf(": %s, %s before", size.Format(c.After.Size), size.Format(c.Before.Size))
	}
	if lost {
		text += ": not covered, and stays as it is"
	}
	return text
}

// rehearsed returns a change of a text in the form of previews.
func (t *tracking) rehearsed(c checkpoint.Change, a altered) change.Rehearsed {
	f := &change.File{Content: a.before, Kind: textfile.Sniff(a.before[:min(len(a.before), textfile.SniffLen)])}
	f.Name, f.Abs = c.Path, filepath.Join(t.Workspace.Dir(), filepath.FromSlash(c.Path))
	if c.Before.Kind == checkpoint.File {
		f.Info = wasMode{mode: c.Before.Mode}
	}
	return change.Rehearsed{
		Change: change.Change{File: f, Content: a.after, Remove: c.After.Kind == checkpoint.Absent},
		Done:   change.Done{Changed: true, Created: c.Before.Kind != checkpoint.File, Diff: a.Diff},
	}
}

// wasMode reports the mode that a file had, for the header of a diff.
type wasMode struct {
	fs.FileInfo
	mode fs.FileMode
}

func (w wasMode) Mode() fs.FileMode { return w.mode }

func changeOf(a part.Alteration) tools.FileChange {
	f := tools.FileChange{
		Path: a.Path, MovedFrom: a.From, Created: a.Created, Removed: a.Removed, Mode: a.Mode, Target: a.Target,
	}
	if a.Diff != nil {
		f.LinesAdded, f.LinesRemoved = a.Diff.Added, a.Diff.Removed
		for _, c := range a.Diff.Changes[:min(len(a.Diff.Changes), maxSpans)] {
			f.Spans = append(f.Spans, tools.ChangeSpan{Line: c.New, Added: c.Added, Removed: c.Removed})
		}
	}
	return f
}

func (t *tracking) notCovered() string {
	u, o := t.uncovered, t.Config.Checkpoint
	return notice.NotCovered{
		Large: u.Large, Special: u.Special, Unreadable: u.Unreadable, First: quote.Value(u.First),
		MaxFileBytes: o.MaxFileBytes, MaxBytes: o.MaxBytes, Ignored: !o.Ignored,
	}.Line()
}
