package fileedit

import (
	"context"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/notice"
)

// Part says which part of a file a call is for, where a format divides the file, and what becomes of that part.
type Part struct {
	Number int    // from 1; 0 if the call gives none
	Mode   Mode   // what becomes of the part
	Type   string // of a new part, or ""
	To     int    // the number that a moved part gets
}

// Mode is what becomes of a part.
type Mode string

const (
	Replace Mode = "replace" // its text changes, as in the zero Mode, or all of it is replaced
	Insert  Mode = "insert"  // a new one is put behind it
	Delete  Mode = "delete"
	Move    Mode = "move"
)

// Whole reports whether parts come, go or move.
func (m Mode) Whole() bool { return m == Insert || m == Delete || m == Move }

// Asked reports whether a call can only be for a file with parts.
func (p Part) Asked() bool { return p.Mode.Whole() || p.Number > 0 }

// Open returns a file as the call edits it. It returns nil for one that is edited as its text, and an error for one that
// does not have the part that the call asks for.
type Open func(ctx context.Context, f *change.File, c Call) (Body, error)

// Body is a file that one call edits in the form in which read shows it.
type Body interface {
	// Apply makes the edits. text is where they were looked for, also if they fail.
	Apply(ctx context.Context) (made *edit.Result, text *edit.Text, err error)
	// AsShown reports whether the call is for the part that was shown, as it was. then is the file as it was last shown:
	// nil if that was not known, or had no parts. ok is false where the texts that are replaced decide.
	AsShown(then Body, known bool) (same, ok bool)
	// Advise returns the error for edits that were refused, or nil. otherwise is what the call may give to mend it.
	Advise(ctx context.Context, bad *edit.Error) (otherwise string, err error)
	// KeepsSecrets returns an error for a content with which a secret of the file would be shown.
	KeepsSecrets(ctx context.Context, content []byte) error
	// Report adds to a headline, and returns what was done as read shows the file.
	Report(ctx context.Context, said *notice.Edited, done change.Done) change.Done
}
