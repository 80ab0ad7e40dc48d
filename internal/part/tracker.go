package part

import (
	"context"
	"os"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Tracking is what a suite offers to the tracker of its changes.
type Tracking struct {
	Config    config.Config // resolved
	Workspace *workspace.Workspace
	Tree      func(dir *os.Root, abs string) *walk.Tree // the visible part of a directory; takes ownership of dir
	Files     *change.Files                             // keeps copies of old contents
	Spill     *spill.Dir
	Redact    *mask.Masker // masks secrets in what is shown; nil masks none
	// Reads reports whether models may read a file, by its name in texts, without asking a person.
	Reads func(name string) bool
}

// Tracker records what changes in the workspace of a suite, and which calls changed it. It is safe for concurrent use.
type Tracker interface {
	// Begin is called before something runs that may change any file.
	Begin(ctx context.Context, d Doing) Tracked
	// Change wraps a change of the files at these absolute paths, made for a call.
	Change(ctx context.Context, call string, paths []string, change func() error) error
	// Close is called when no call runs any more.
	Close()
}

// Doing is a command, or a tool of the program, that a call runs.
type Doing struct {
	Call  string // the id of the call
	About string // the command, or the name of the tool
	Outer bool   // it may make calls of its own, to which changes belong that happen while they run
}

// Tracked is a running command or tool that may change files.
type Tracked interface {
	// Ended is called when it has ended. It does not look at the files.
	Ended()
	// Changes returns what has changed since the beginning, or since the last call. It returns nothing if ctx has
	// ended.
	Changes(ctx context.Context) Altered
}

type Altered struct {
	Files  []Alteration  // the first changes
	Count  int           // number of all changes
	Notice notice.Notice // for the model; "" if nothing has changed
}

// Alteration is a change at a path.
type Alteration struct {
	Path, From       string     // relative to the workspace; From is the former path of a renamed file, else ""
	Created, Removed bool       // it did not exist before, or no longer exists
	Diff             *diff.Diff // of the text of a file; nil if unknown
	Mode             string     // new permissions in octal, such as "755"
	Target           string     // the new target of a link
	Before           string     // the copy of the old content, as texts name it, or ""
	By               []string   // the calls that may have made it, if several
}

type Untracked struct{}

func (u Untracked) Begin(context.Context, Doing) Tracked { return u }
func (Untracked) Ended()                                 {}
func (Untracked) Changes(context.Context) Altered        { return Altered{} }
func (Untracked) Close()                                 {}

func (Untracked) Change(_ context.Context, _ string, _ []string, change func() error) error {
	return change()
}
