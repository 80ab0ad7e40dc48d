// Package session keeps what lasts from one command to the next, although each has its own shell: the directory, the
// variables, the functions and the aliases.
package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/definitions"
	"github.com/spillway-go/spillway/internal/environ"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// State is what a command has left for the next one. A nil State is that before the first command.
type State struct {
	proc.State
	defined *definitions.Set // what State.Defined holds; nil is nothing
	base    *State           // what Bash.Setup left, from which s comes; itself if s is that; nil without one
	left    bool             // a command has left it
}

// New returns the state for a command that inherits none.
func New(dir string, env []string) *State { return &State{State: proc.State{Dir: dir, Env: env}} }

// Define returns the code with which bash defines the functions and aliases.
func (s *State) Define() string { return s.defined.Code() }

// NewBase returns the state that Bash.Setup left, which started in s; s itself without its changes if left is nil. The
// notices say what of it is not kept.
func (s *State) NewBase(script, shell string, left *proc.State) (*State, []notice.Notice) {
	base, notices := &State{State: s.State}, []notice.Notice(nil)
	if left != nil {
		base, notices = s.take(script, shell, *left)
		base.Dir = s.Dir
	}
	base.base = base
	return base, notices
}

// Over returns the state in which a command starts: s, if it comes from base, or else base, in the directory of s. base
// is nil without Bash.Setup, s before the first command.
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

// Left returns s if a command has left it, and nil if it is the one before the first command.
func (s *State) Left() *State {
	if s == nil || !s.left {
		return nil
	}
	return s
}

// After returns the state after a command that started in s, without its own cwd, and left the state left; nil if left
// is nil, and s remains. The notices say what has changed.
func (s *State) After(command, shell string, ws *workspace.Workspace, left *proc.State) (*State, []notice.Notice) {
	if left == nil {
		return nil, []notice.Notice{notice.StateLost(proc.MaxState)}
	}
	now, notices := s.take(command, shell, *left)
	now.base, now.left = s.base, true
	if left.Dir != s.Dir {
		name := quote.Value(ws.Shown(left.Dir))
		if left.Dir == ws.Dir() {
			name = "the workspace"
		}
		notices = append(notices, notice.WorkingDirectory(name))
	}
	return now, notices
}

// take returns what is kept of the state that a shell has left which started in s, and says what is not.
func (s *State) take(command, shell string, left proc.State) (*State, []notice.Notice) {
	now := &State{State: left, defined: s.defined}
	var lost, undefined, forgotten []string
	now.Env, lost = environ.Kept(left.Env, s.Env)
	if left.Defined != s.Defined {
		now.defined, undefined = definitions.Read(left.Defined, environ.Reserved)
	}
	if proc.ShellName(shell) != "bash" {
		forgotten = definitions.In(command)
	}
	return now, []notice.Notice{
		notice.NotKept(lost[:min(len(lost), maxNotKept)], len(lost)),
		notice.NotDefined(firstOf(undefined), len(undefined), proc.MaxDefined),
		notice.NotHandedOn(firstOf(forgotten), len(forgotten)),
	}
}

const (
	maxNotKept = 3  // names that a notice has
	maxName    = 60 // characters of one
)

// firstOf returns the first of some names as a notice shows them.
func firstOf(names []string) (list []string) {
	for _, name := range names[:min(len(names), maxNotKept)] {
		list = append(list, quote.Short(quote.Inline(name), maxName))
	}
	return list
}

// judged is the key of the state that a call was judged by.
type judged struct{}

// Judge returns a context for a call that the rules or the guard have judged by s.
func (s *State) Judge(ctx context.Context) context.Context {
	return context.WithValue(ctx, judged{}, s)
}

// Check returns an error if s defines other functions or aliases than the state that the call was judged by.
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

// Hide marks the commands of a line that may instead be functions or aliases of an earlier command. The rules have not
// judged what these do here.
func (s *State) Hide(line *commandline.Line) {
	if s == nil {
		return
	}
	functions, aliases := environ.Functions(s.Env), []string(nil)
	if s.defined != nil {
		functions, aliases = append(functions, s.defined.Functions...), s.defined.Aliases
	}
	may := " may be what an earlier command has defined"
	if s.base != nil {
		may = " may be what Bash.Setup or an earlier command has defined"
	}
	for _, name := range functions {
		if slices.Contains(unnamed, name) {
			line.Unknown = cmp.Or(line.Unknown, name+may)
		}
	}
	for i := range line.Commands {
		c := &line.Commands[i]
		for _, words := range append(slices.Clone(c.Through), c.Words) {
			for j, w := range words {
				if j == 0 && slices.Contains(functions, w.Text) || slices.Contains(aliases, w.Text) {
					c.Unknown = cmp.Or(c.Unknown, quote.Value(w.Text)+may)
				}
			}
		}
	}
}

// unnamed are the functions that a line may call although no command of it has that name: commandline reports some by
// what they do, and bash calls one for a program that does not exist.
var unnamed = []string{
	"command_not_found_handle", "declare", "export", "let", "local", "nameref", "readonly", "typeset",
}
