package part

import (
	"context"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/changereport"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Changer is a tool that changes files like write and edit: all that a call asks for, or nothing. Its name is one of
// config.ToolNames, which the suite lacks without the part.
type Changer interface {
	Name() string
	// Description is what models read. It may name options in braces, such as {Edit.MaxLines}.
	Description() string
	// Params returns the zero value of the struct for decoding the arguments.
	Params() any
	// Targets returns the files that a call would change, as far as its arguments tell.
	Targets(c Changes, params any) []Target
	// Read reads the arguments of a call, and checks what it can before the files are locked.
	Read(ctx context.Context, c Changes, params any) (Apply, error)
}

// Changes is what a suite offers to tools that change files.
type Changes struct {
	Files   *change.Files
	Missing func(ctx context.Context, name string) *fault.Error // returns the error for a file that does not exist
	Has     func(tool string) bool                              // reports whether the suite has a tool
}

type Target struct {
	Path   string
	Use    config.Use // UseChange even if there is no file yet
	Naming workspace.Naming
}

// Apply decides the changes of files, which it opens in a set. The error may be a [change.StaleError] or a
// changereport.Refusal; it comes with the opened files.
type Apply func(ctx context.Context, set *change.Set) ([]Changed, error)

// Changed is the planned change of a file.
type Changed interface {
	// Planned returns the change to commit.
	Planned() change.Change
	// Maps says how each text to replace differs from the file; nil if none does.
	Maps() []string
	// Report says what was done, and what else has changed in the file since it was last shown.
	Report(done change.Done) (line string, since changereport.File)
}
