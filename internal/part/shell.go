package part

import (
	"context"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/hidden"
	"github.com/spillway-go/spillway/internal/session"
	"github.com/spillway-go/spillway/internal/shellpath"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Shell analyzes command lines.
type Shell interface {
	Read(c Command) Line
	session.Definer
}

// Command is a command line that is about to run.
type Command struct {
	Text     string
	Dir      string // where it starts, absolute; "" if unknown
	Env      []string
	Terminal bool

	// Earlier are the names of functions and aliases that earlier commands have defined.
	Earlier session.Names
}

// Line is an analyzed command line.
type Line interface {
	// Commands returns the simple commands, and what is unknown about the line as a whole.
	Commands() (list []config.Command, unknown string)
	// Uses returns files that the line is known to read or write, except those that a program finds by itself.
	Uses(ctx context.Context) []config.PathUse
	// HiddenNamed returns an error if the line names a hidden file.
	HiddenNamed(ctx context.Context) error
	// ReadsOnly reports whether the line is known to change no file.
	ReadsOnly(ctx context.Context) bool
}

// Words is a Shell that only splits lines into words.
type Words struct {
	Workspace *workspace.Workspace
	session.NoDefinitions
}

func (w Words) Read(c Command) Line { return plainLine{w.Workspace, c} }

type plainLine struct {
	workspace *workspace.Workspace
	command   Command
}

func (plainLine) Commands() ([]config.Command, string)  { return nil, "" }
func (plainLine) Uses(context.Context) []config.PathUse { return nil }
func (plainLine) ReadsOnly(context.Context) bool        { return false }

func (l plainLine) HiddenNamed(ctx context.Context) error {
	return hidden.InWords(ctx, l.workspace, shellpath.New(l.command.Dir, l.command.Env), l.command.Text)
}
