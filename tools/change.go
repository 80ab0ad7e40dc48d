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
	Path         string       `json:"path"`               // as texts name it, after a move the new one
	Created      bool         `json:"created,omitempty"`  // it is new, or Suite.Restore has put it back
	Removed      bool         `json:"removed,omitempty"`  // it is gone
	LinesAdded   int          `json:"linesAdded"`         // new lines
	LinesRemoved int          `json:"linesRemoved"`       // lines that are gone
	Spans        []ChangeSpan `json:"spans,omitempty"`    // where these are, the first 1000 places
	Before       string       `json:"before,omitempty"`   // the copy of the old content, for read and Suite.Restore; "" if there was none, or with Undo.Off
	WasStale     bool         `json:"wasStale,omitempty"` // it had changed since last shown or written

	MovedFrom string   `json:"movedFrom,omitempty"` // its old path, if apply_patch moved it
	Maps      []string `json:"maps,omitempty"`      // how the hunks of apply_patch differ from the file; nil if in nothing
}

// ChangeSpan is a run of lines that was replaced by another.
type ChangeSpan struct {
	Line    int `json:"line"`    // the first, in the file as it is now
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
