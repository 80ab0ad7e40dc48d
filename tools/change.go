package tools

import (
	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/changereport"
)

// changes makes the changes of write, edit and apply_patch.
type changes struct {
	cfg   config.Config
	paths *paths
	tools *toolset
	files *change.Files
}

// maxSpans bounds the places that the details of a change name.
const maxSpans = 1000

// FileChange is what a call did to a file.
type FileChange struct {
	Path         string       `json:"path"`               // its path, as texts name it; after a move, the new one
	Created      bool         `json:"created,omitempty"`  // there was no file before
	Removed      bool         `json:"removed,omitempty"`  // there is no file any more
	LinesAdded   int          `json:"linesAdded"`         // lines that it did not have
	LinesRemoved int          `json:"linesRemoved"`       // lines that it does not have any more
	Spans        []ChangeSpan `json:"spans,omitempty"`    // where these lines are, the first 1000 places
	Before       string       `json:"before,omitempty"`   // the file with what it held, for read and Suite.Restore; "" if there was none, or with Undo.Off
	WasStale     bool         `json:"wasStale,omitempty"` // it had changed since the suite last showed or wrote it

	MovedFrom string   `json:"movedFrom,omitempty"` // the path that the file had, if apply_patch moved it
	Maps      []string `json:"maps,omitempty"`      // of apply_patch: in what the lines of each hunk differ from the file; nil if in nothing
}

// ChangeSpan is a run of lines that was replaced by another.
type ChangeSpan struct {
	Line    int `json:"line"`    // the first one, in the file as it is now, from 1
	Added   int `json:"added"`   // lines there
	Removed int `json:"removed"` // lines that are gone
}

// fileChange describes a change that was made. One that changed nothing has only the path.
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
	for _, c := range done.Diff.Changes[:min(len(done.Diff.Changes), maxSpans)] {
		f.Spans = append(f.Spans, ChangeSpan{c.New, c.Added, c.Removed})
	}
	return f
}

// report returns what makes the text of a call.
func (cs *changes) report(lines, bytes int) changereport.Report {
	return changereport.Report{Limits: changereport.Limits{Lines: lines, Bytes: bytes}, Read: cs.tools.has("read")}
}

// reported takes over how much a report shows, and returns its text: "" if there is none.
func (b *Shown) reported(t *changereport.Text) string {
	if t == nil {
		return ""
	}
	b.set(t.Result)
	for _, f := range t.Files {
		b.redacted(show(f.Name), f.Secrets)
	}
	b.Truncated, b.linesCut = b.Truncated || t.Large, t.LinesCut
	return t.Text
}
