package tools

import (
	"context"
	"reflect"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/changereport"
	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/fileedit"
	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/part"
)

type changes struct {
	cfg   config.Config
	paths *paths
	tools *toolset
	files *change.Files
	open  fileedit.Open // opens cells of notebooks; nil without that part
}

// ChangeResult is the result of a tool that changes several files: apply_patch, from package tools/patch. Its Text
// says what was done and shows the differences; if the call failed, it shows the lines that help.
type ChangeResult struct {
	Shown

	Files []FileChange `json:"files,omitempty"` // in the order of the call
}

// maxSpans bounds the details: a replacement in a large file can touch every line.
const maxSpans = 1000

// FileChange is what a call did to a file.
type FileChange struct {
	Path         string       `json:"path"`               // as texts name it; after a move, the new path
	Created      bool         `json:"created,omitempty"`  // the file is new, or Suite.Restore put it back
	Removed      bool         `json:"removed,omitempty"`  // the file is gone
	LinesAdded   int          `json:"linesAdded"`         // new lines
	LinesRemoved int          `json:"linesRemoved"`       // lines that are gone
	Spans        []ChangeSpan `json:"spans,omitempty"`    // where the lines are, the first 1000 places
	Before       string       `json:"before,omitempty"`   // the copy of the old content, for read and Suite.Restore; "" if there was none, or with Undo.Off
	WasStale     bool         `json:"wasStale,omitempty"` // the file had changed since last shown or written

	MovedFrom string   `json:"movedFrom,omitempty"` // its old path, if it was moved
	Maps      []string `json:"maps,omitempty"`      // how the hunks of apply_patch differ from the file; nil if they do not

	// For changes made by a command.
	Mode   string   `json:"mode,omitempty"`   // new permissions in octal, such as "755"; "" if they did not change
	Target string   `json:"target,omitempty"` // the new target of a link, if it changed
	By     []string `json:"by,omitempty"`     // the calls that may have changed it, if several ran at the time
}

// ChangeSpan is a run of lines that was replaced.
type ChangeSpan struct {
	Line    int `json:"line"`    // the first line, in the file as it is now
	Added   int `json:"added"`   // lines now there
	Removed int `json:"removed"` // lines that are gone
}

// fileChange describes a change. If nothing changed, only the path is set.
func fileChange(c change.Change, done change.Done) FileChange {
	f := FileChange{Path: c.NewName()}
	if c.To != nil {
		f.MovedFrom = c.Name
	}
	if !done.Changed {
		return f
	}
	f.Created, f.Removed, f.WasStale, f.Before = done.Created, c.Remove, done.WasStale, done.Before
	f.LinesAdded, f.LinesRemoved = done.Lines()
	f.Spans = spansOf(done.Diff)
	return f
}

func spansOf(d *diff.Diff) (spans []ChangeSpan) {
	for _, c := range d.Changes[:min(len(d.Changes), maxSpans)] {
		spans = append(spans, ChangeSpan{c.New, c.Added, c.Removed})
	}
	return spans
}

func (cs *changes) ofPart(call handler, by part.Changer, tool spec, expand func(string) string) *suiteTool {
	with := part.Changes{Files: cs.files, Missing: cs.paths.missing, Has: cs.tools.has}
	method := func(ctx context.Context, params any) (ChangeResult, error) {
		apply, err := by.Read(ctx, with, params)
		if err != nil {
			return ChangeResult{}, err
		}
		return cs.apply(ctx, apply)
	}
	return bindAs(reflect.TypeOf(by.Params()), call, tool, expand, method, func(_ context.Context, params any) *foresight {
		return rehearsed(cs, method, params, by.Targets(with, params)...)
	})
}

func (cs *changes) apply(ctx context.Context, apply part.Apply) (res ChangeResult, err error) {
	set, err := cs.files.Begin(ctx)
	if err != nil {
		return res, err
	}
	defer set.End()
	report := cs.report(cs.cfg.Edit.MaxLines, cs.cfg.Edit.MaxBytes)
	changed, err := apply(ctx, set)
	changes := make([]change.Change, len(changed))
	for i, c := range changed {
		changes[i] = c.Planned()
		report.Names = append(report.Names, hint.Corrected(changes[i].Path))
	}
	if err != nil {
		shown, err := report.Refused(err)
		res.reported(shown)
		return res, err
	}
	done, err := set.Commit(ctx, changes...)
	if err != nil {
		return res, err
	}
	var headline []string
	var files []changereport.File
	for i, c := range changed {
		f := fileChange(changes[i], done[i])
		f.Maps = c.Maps()
		res.Files = append(res.Files, f)
		line, since := c.Report(done[i])
		headline = append(headline, line)
		if f.LinesAdded+f.LinesRemoved > 0 {
			files = append(files, changereport.Of(changes[i], done[i]))
		}
		files = append(files, since)
	}
	shown := report.Text(strings.Join(headline, "\n"), files...)
	res.reported(&shown)
	return res, nil
}

func (cs *changes) report(lines, bytes int) changereport.Report {
	return changereport.Report{Limits: changereport.Limits{Lines: lines, Bytes: bytes}, Read: cs.tools.has("read")}
}

func (b *Shown) reported(t *changereport.Text) {
	if t == nil {
		return
	}
	b.set(t.Result)
	b.output = nil // what it says is the tool's own
	for _, f := range t.Files {
		b.redacted(show(f.Name), f.Secrets)
	}
	b.Text, b.Truncated, b.linesCut = t.Text, b.Truncated || t.Large, t.LinesCut
}
