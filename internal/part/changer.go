package part

import (
	"context"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/changereport"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Changer is a tool that changes files as write and edit do: all that a call asks for, or nothing. It has a name of
// config.ToolNames that the suite knows, and then the suite lacks, without the part.
type Changer interface {
	Name() string
	// Description is what models read. It may name options in braces, such as {Edit.MaxLines}.
	Description() string
	// Params returns the zero value of the struct that arguments are decoded into.
	Params() any
	// Targets returns the files that a call would change, as far as its arguments say.
	Targets(c Changes, params any) []Target
	// Read reads the arguments of a call, and checks what it can before the files are locked.
	Read(ctx context.Context, c Changes, params any) (Apply, error)
}

// Changes is what a suite has for tools that change files.
type Changes struct {
	Files   *change.Files
	Missing func(ctx context.Context, name string) *fault.Error // the error for a file that does not exist
	Has     func(tool string) bool                              // the suite has that tool
}

// Target is a file that a call would change.
type Target struct {
	Path   string
	Use    config.Use // UseChange also if there is no file yet
	Naming workspace.Naming
}

// Apply decides what becomes of files, which it opens in a set. The error may be a [change.StaleError] or a
// changereport.Refusal; it comes with the files that were opened.
type Apply func(ctx context.Context, set *change.Set) ([]Changed, error)

// Changed is what becomes of a file.
type Changed interface {
	// Planned returns the change that is to be committed.
	Planned() change.Change
	// Maps says how each text to replace differs from the file. It is nil if none does.
	Maps() []string
	// Report says what was done, and what else has changed in the file since it was last shown.
	Report(done change.Done) (line string, since changereport.File)
}
