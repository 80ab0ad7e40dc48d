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

// Tracking is what a suite has for what tracks changes in its workspace.
type Tracking struct {
	Config    config.Config // resolved
	Workspace *workspace.Workspace
	Tree      func(dir *os.Root, abs string) *walk.Tree // what the tools see of a directory, which it takes over
	Files     *change.Files                             // keeps copies of what files held
	Spill     *spill.Dir
	Redact    *mask.Masker // masks secrets in what is shown; nil masks none
	// Reads reports whether models may read a file, by its name in texts, without anybody being asked.
	Reads func(name string) bool
}

// Tracker knows what changes in the workspace of a suite, and which calls have changed it. It is safe for concurrent
// use.
type Tracker interface {
	// Begin is called before something begins that may change any file.
	Begin(ctx context.Context, d Doing) Tracked
	// Change makes a change of the files at these absolute paths, for a call.
	Change(ctx context.Context, call string, paths []string, change func() error) error
	// Close is called when no call runs any more.
	Close()
}

// Doing is something that a call does: a command, or a tool of the program.
type Doing struct {
	Call  string // its id
	About string // the command, or the name of the tool
	Outer bool   // it may make calls of its own, and what changes while they run is theirs
}

// Tracked is something that may change files while it goes on.
type Tracked interface {
	// Ended is called when it has ended. It does not look at the files.
	Ended()
	// Changes returns what has changed since it began, or since the last call. It returns nothing if ctx has ended.
	Changes(ctx context.Context) Altered
}

// Altered is what has changed in the workspace.
type Altered struct {
	Files  []Alteration  // the first of them
	Count  int           // of all
	Notice notice.Notice // for the model; "" if nothing has changed
}

// Alteration is a change of what a path names.
type Alteration struct {
	Path, From       string     // relative to the workspace; From is where a renamed file was, else ""
	Created, Removed bool       // it was not there before, or is not any more
	Diff             *diff.Diff // of the text of a file, nil if it is not known
	Mode             string     // its permissions in octal, if they have changed: "755"
	Target           string     // of a link, if that has changed
	Before           string     // the copy of what a file held, as texts name it, or ""
	By               []string   // the calls that may have changed it, if there are several
}

// Untracked tracks nothing.
type Untracked struct{}

func (u Untracked) Begin(context.Context, Doing) Tracked { return u }
func (Untracked) Ended()                                 {}
func (Untracked) Changes(context.Context) Altered        { return Altered{} }
func (Untracked) Close()                                 {}

func (Untracked) Change(_ context.Context, _ string, _ []string, change func() error) error {
	return change()
}
