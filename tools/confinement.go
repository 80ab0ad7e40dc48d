package tools

import (
	"fmt"
	"net"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Sandbox describes what confined a command.
type Sandbox struct {
	Engine      string   `json:"engine"`                // "landlock" or "bwrap"
	ABI         int      `json:"abi,omitempty"`         // Landlock's version in the kernel; 0 with bwrap
	NotEnforced []string `json:"notEnforced,omitempty"` // what it cannot prevent on this system
	Writable    []string `json:"writable,omitempty"`    // other places than the workspace and $TMPDIR
}

// confinement is what confines the commands of a suite.
type confinement interface {
	proc.Sandbox
	facts() *Sandbox // about a command that starts now; nil if nothing confines it

	// Serving returns the sandbox for commands that have a network of their own, in which serve serves proxies.
	Serving(serve func(http, socks net.Listener)) proc.Sandbox
	CoversHidden() bool // commands cannot open hidden files in the workspace
	Describe() string   // for the description of bash
	Notices(failed bool, shown ...string) []notice.Notice
	Undo()  // removes what a command has made to lead git elsewhere
	Close() // after the last command
}

// confine makes the confinement that Bash.Sandbox asks for, and returns Bash.Env with the changes that it makes.
// sandbox.go replaces this function, which is the one of a build without that file.
var confine = func(cfg config.Config, _ *workspace.Workspace, _ *proc.Group) (confinement, []string, error) {
	var err error
	if asked := cfg.Bash.Sandbox; asked != config.SandboxOff {
		err = fmt.Errorf("tools: Bash.Sandbox is %s, but this program was built without a sandbox", asked)
	}
	return unconfined{}, cfg.Bash.Env, err
}

// unconfined confines nothing.
type unconfined struct{ proc.Unconfined }

func (unconfined) facts() *Sandbox                                     { return nil }
func (unconfined) CoversHidden() bool                                  { return false }
func (unconfined) Describe() string                                    { return "" }
func (unconfined) Notices(bool, ...string) []notice.Notice             { return nil }
func (unconfined) Serving(func(http, socks net.Listener)) proc.Sandbox { return proc.Unconfined{} }
func (unconfined) Undo()                                               {}
func (unconfined) Close()                                              {}
