// Package session keeps what lasts from one command to the next, although each has its own shell: the directory, the
// variables, the functions and the aliases.
package session

import (
	"context"
	"strings"

	"github.com/spillway-go/spillway/internal/environ"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// State is what a command leaves for the next one. A nil State is that before the first command.
type State struct {
	proc.State
	defined Definitions // from State.Defined; nil for none
	base    *State      // the state from Bash.Setup that s derives from; s itself if it is that; nil without one
	left    bool        // a command left it
}

// New returns the state for a command that inherits none.
func New(dir string, env []string) *State { return &State{State: proc.State{Dir: dir, Env: env}} }

// Define returns the code that defines the functions and aliases in bash.
func (s *State) Define() string {
	if s.defined == nil {
		return ""
	}
	return s.defined.Code()
}

// NewBase returns the state that Bash.Setup left, which started in s; without its changes if left is nil. The notices
// say what is not kept.
func (s *State) NewBase(script, shell string, d Definer, left *proc.State) (*State, []notice.Notice) {
	base, notices := &State{State: s.State}, []notice.Notice(nil)
	if left != nil {
		base, notices = s.take(script, shell, d, *left)
		base.Dir = s.Dir
	}
	base.base = base
	return base, notices
}

// Over returns the state in which a command starts: s if it derives from base, or else base, in the directory of s.
// base is nil without Bash.Setup, and s is nil before the first command.
func (s *State) Over(base *State) *State {
	if base == nil || s != nil && s.base == base {
		return s
	}
	if s == nil || !s.left {
		return base
	}
	now := *base
	now.Dir, now.left = s.Dir, true
	return &now
}

// Left returns s if a command left it, and nil before the first command.
func (s *State) Left() *State {
	if s == nil || !s.left {
		return nil
	}
	return s
}

// After returns the state after a command that started in s, without its own cwd, and left the state left. If left is
// nil, it returns s. The notices say what has changed.
func (s *State) After(command, shell string, d Definer, ws *workspace.Workspace, left *proc.State) (*State, []notice.Notice) {
	if left == nil {
		return nil, []notice.Notice{notice.StateLost(proc.MaxState)}
	}
	now, notices := s.take(command, shell, d, *left)
	now.base, now.left = s.base, true
	if left.Dir != s.Dir {
		name := quote.Value(strings.TrimSuffix(ws.Shown(left.Dir), "/") + "/")
		if left.Dir == ws.Dir() {
			name = "the workspace"
		}
		notices = append(notices, notice.WorkingDirectory(name))
	}
	return now, notices
}

// take returns the part of a shell's final state that is kept, and says what is not. The shell started in s.
func (s *State) take(command, shell string, d Definer, left proc.State) (*State, []notice.Notice) {
	now := &State{State: left, defined: s.defined}
	var lost []string
	var undefined, forgotten notice.Notice
	now.Env, lost = environ.Kept(left.Env, s.Env)
	if left.Defined != s.Defined {
		now.defined, undefined = d.Defined(left.Defined)
	}
	if proc.ShellName(shell) != "bash" {
		forgotten = d.Forgotten(command)
	}
	return now, []notice.Notice{notice.NotKept(lost), undefined, forgotten}
}

type judged struct{}

// Judge returns a context for a call that the rules or the guard have judged with s.
func (s *State) Judge(ctx context.Context) context.Context {
	return context.WithValue(ctx, judged{}, s)
}

// Check returns an error if s defines other functions or aliases than the state with which the call was judged.
func (s *State) Check(ctx context.Context) error {
	before, ok := ctx.Value(judged{}).(*State)
	if ok && before != s && before.definitions() != s.definitions() {
		return fault.Errorf(fault.Stale, "another command has defined functions or aliases since this call was allowed. "+
			"Make the call again")
	}
	return nil
}

// definitions returns the code of the functions and aliases, and the names of the exported ones.
func (s *State) definitions() string {
	if s == nil {
		return ""
	}
	return s.Define() + strings.Join(environ.Functions(s.Env), "\n")
}

// Names are functions and aliases that a command may call.
type Names struct {
	Functions, Aliases []string
	Setup              bool // Bash.Setup may have defined them
}

// Names returns what earlier commands have defined for a command that starts in s.
func (s *State) Names() (n Names) {
	if s == nil {
		return n
	}
	n.Functions, n.Setup = environ.Functions(s.Env), s.base != nil
	if s.defined != nil {
		functions, aliases := s.defined.Names()
		n.Functions, n.Aliases = append(n.Functions, functions...), aliases
	}
	return n
}
