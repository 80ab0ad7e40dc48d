package fileedit

import (
	"context"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/notice"
)

// Part says which part of a file a call edits, if a format divides the file, and how.
type Part struct {
	Number int    // from 1; 0 if the call names none
	Mode   Mode   // what to do with the part
	Type   string // of a new part, or ""
	To     int    // the new number of a moved part
}

// Mode says what to do with a part.
type Mode string

const (
	Replace Mode = "replace" // change its text, like the zero Mode, or replace all of it
	Insert  Mode = "insert"  // put a new one behind it
	Delete  Mode = "delete"
	Move    Mode = "move"
)

// Whole reports whether parts are added, removed or moved.
func (m Mode) Whole() bool { return m == Insert || m == Delete || m == Move }

// Asked reports whether a call needs a file with parts.
func (p Part) Asked() bool { return p.Mode.Whole() || p.Number > 0 }

// Open returns a file as the call edits it. It returns nil if the file is edited as text, and an error if it lacks the
// part that the call names.
type Open func(ctx context.Context, f *change.File, c Call) (Body, error)

// Body is a file that one call edits in the form in which read shows it.
type Body interface {
	// Apply makes the edits. text is where they were looked for, even if they fail.
	Apply(ctx context.Context) (made *edit.Result, text *edit.Text, err error)
	// AsShown reports whether the call edits a part that has not changed since it was shown. then is the file as last
	// shown: nil if unknown, or without parts. ok is false if the replaced texts decide.
	AsShown(then Body, known bool) (same, ok bool)
	// Advise returns the error for refused edits, or nil. otherwise is an argument that may fix the call.
	Advise(ctx context.Context, bad *edit.Error) (otherwise string, err error)
	// KeepsSecrets returns an error if the content would show a secret of the file.
	KeepsSecrets(ctx context.Context, content []byte) error
	// Report adds to a headline, and returns the change in the form in which read shows the file.
	Report(ctx context.Context, said *notice.Edited, done change.Done) change.Done
}
