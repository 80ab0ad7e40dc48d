package part

import (
	"context"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Commands is what a suite offers to the confinement of its commands.
type Commands struct {
	Config    config.Config // resolved; its Ask does not panic
	Workspace *workspace.Workspace
	Run       func(context.Context, proc.Command) (proc.Outcome, error)
}

// Confinement confines the commands of a suite.
type Confinement interface {
	// Command returns the confinement of a command that starts now. It ends with ctx. call returns the call of the
	// command, about which a person may be asked; nil asks nobody.
	Command(ctx context.Context, call func() config.Call) Confined
	// Environ returns the changes of Bash.Env, with those that the confinement needs.
	Environ(changes []string) []string
	// CoversHidden reports whether commands cannot open hidden files in the workspace.
	CoversHidden() bool
	// Describe returns sentences for the description of bash.
	Describe() string
	// Close ends the confinement after the last command.
	Close()
}

// Confined is the confinement of one command.
type Confined interface {
	// Sandbox is passed on when the command is started.
	Sandbox() proc.Sandbox
	// Facts describes the confinement for programs; nil if nothing confines the command.
	Facts() *Facts
	// Hosts returns the command's traffic with hosts so far.
	Hosts() []config.HostUse
	// Refused returns a notice for each reason for which hosts were refused so far.
	Refused() []notice.Notice
	// Ended is called when the command has ended, or could not be started. left says that processes of it still run.
	Ended(left bool)
	// Notices explains what was refused to a command, from its shown output. failed says that the command failed.
	Notices(failed bool, shown ...string) []notice.Notice
}

// Facts describe what confined a command, like tools.SandboxInfo.
type Facts struct {
	Engine      string
	ABI         int
	NotEnforced []string
	Writable    []string
}

type Unconfined struct{}

func (u Unconfined) Command(context.Context, func() config.Call) Confined { return u }
func (Unconfined) Environ(changes []string) []string                      { return changes }
func (Unconfined) CoversHidden() bool                                     { return false }
func (Unconfined) Describe() string                                       { return "" }
func (Unconfined) Close()                                                 {}

func (Unconfined) Sandbox() proc.Sandbox                   { return proc.Unconfined{} }
func (Unconfined) Facts() *Facts                           { return nil }
func (Unconfined) Hosts() []config.HostUse                 { return nil }
func (Unconfined) Refused() []notice.Notice                { return nil }
func (Unconfined) Ended(bool)                              {}
func (Unconfined) Notices(bool, ...string) []notice.Notice { return nil }
