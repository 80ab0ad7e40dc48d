package tools

import (
	"context"
	"path/filepath"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/redact"
)

// changes makes the changes of write, edit and apply_patch.
type changes struct {
	cfg   *config.Config
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

	changed bool             // something was done
	diff    *diff.Diff       // to show; nil where the headline says enough
	secrets []redact.Finding // that diff does not show
}

// ChangeSpan is a run of lines that was replaced by another.
type ChangeSpan struct {
	Line    int `json:"line"`    // the first one, in the file as it is now, from 1
	Added   int `json:"added"`   // lines there
	Removed int `json:"removed"` // lines that are gone
}

// fileChange describes a change that was made. One that changed nothing has only the path.
func fileChange(c change.Change, done change.Done) FileChange {
	f := FileChange{Path: c.Name, changed: done.Changed}
	if c.To != nil {
		f.Path, f.MovedFrom = c.To.Name, c.Name
	}
	if !done.Changed {
		return f
	}
	f.Created, f.Removed, f.WasStale, f.Before = done.Created, c.Remove, done.WasStale, done.Before
	f.LinesAdded, f.LinesRemoved = done.Diff.Added, done.Diff.Removed
	for _, c := range done.Diff.Changes[:min(len(done.Diff.Changes), maxSpans)] {
		f.Spans = append(f.Spans, ChangeSpan{c.New, c.Added, c.Removed})
	}
	if !f.Created && !f.Removed && (!done.Binary || c.To != nil) {
		f.diff, f.secrets = done.Diff, done.Redacted
	}
	return f
}

// commitOne makes the only change of a call.
func commitOne(ctx context.Context, set *change.Set, c change.Change) (FileChange, error) {
	done, err := set.Commit(ctx, c)
	if err != nil {
		return FileChange{}, err
	}
	return fileChange(c, done[0]), nil
}

// Restore gives a file the content that it had before a change: before is that of a
// [FileChange] of this suite, one of the last 1000. What it holds now is kept in turn, and its
// name returned. A file that has changed since is left alone, and a copy that has is not put
// back: then the code of the error is [CodeStale]. It is [CodeNotFound] if this suite has made
// no such change, as it does not know then what was kept, or a sweep has removed the copy, and
// [CodeDenied] if the suite is closed or keeps no copies, because Undo.Off is set.
func (s *Suite) Restore(ctx context.Context, before string) (FileChange, error) {
	if s.calls.isClosed() {
		return FileChange{}, errorf(CodeDenied, "the suite is closed")
	}
	if s.cfg.Undo.Off {
		return FileChange{}, errorf(CodeDenied, "nothing can be put back, because the option Undo.Off is set and this "+
			"suite keeps no copies. Unset it before changes that are to be undone")
	}
	c, done, err := s.changes.files.Restore(ctx, filepath.Base(filepath.FromSlash(before)))
	if err != nil {
		return FileChange{}, failure(err, before)
	}
	return fileChange(c, done), nil
}
