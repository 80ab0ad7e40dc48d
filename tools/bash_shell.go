package tools

import (
	"cmp"
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/definitions"
	"github.com/spillway-go/spillway/internal/environ"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/program"
	"github.com/spillway-go/spillway/internal/quote"
)

// findShell makes an absolute path of Bash.Shell and has it run a command, in the sandbox: what is
// not a shell is refused here, and not at each call.
func (s *shell) findShell() error {
	cfg := &s.cfg.Bash
	if cfg.KeepState && !proc.KeepsState {
		return refuse(&s.cfg, "Bash.KeepState", "true", "false on this system, where a shell cannot hand on its state")
	}
	if cfg.Shell == "" {
		return nil
	}
	path, err := cfg.Shell, error(nil)
	if filepath.Base(path) == path {
		path, err = program.Find(path)
	} else if path, err = exec.LookPath(path); err == nil {
		path, err = filepath.Abs(path)
	}
	want := "a program, by path or by its name in " + program.Where
	if err == nil {
		script := `if [ "${spillway-yes}" = yes ]; then exit 7; fi`
		if proc.ShellName(path) == "cmd" {
			script = "exit 7"
		}
		var end proc.Outcome
		end, err = s.procs.Run(context.Background(), proc.Command{
			Script: script, Shell: path, Dir: s.paths.ws.Dir(), Env: new(environ.Cache).Get(cfg.Env),
			Timeout: time.Minute, MaxOutput: 1 << 20, Sandbox: s.sandbox,
		})
		if err == nil && end.ExitCode == 7 {
			cfg.Shell = path
			return nil
		}
		want = "a shell that runs commands as POSIX describes, such as bash, dash, ksh or zsh"
	}
	return refuse(&s.cfg, "Bash.Shell", show(cfg.Shell), want)
}

// maxNotKept is how many names a notice has.
const maxNotKept = 3

// kept is what a command has left for the next one.
type kept struct {
	proc.State
	defined *definitions.Set // what State.Defined holds; nil is nothing
}

// keep takes over what a command left. before is the directory in which it would have
// started without cwd, and the variables and functions that it had. The notices say what is
// different from then on.
func (s *shell) keep(res *BashResult, command string, left *proc.State, before *kept) []notice.Notice {
	if left == nil {
		return []notice.Notice{notice.StateLost(proc.MaxState)}
	}
	now := &kept{State: *left, defined: before.defined}
	var lost, undefined, forgotten []string
	now.Env, lost = environ.Kept(left.Env, before.Env)
	if left.Defined != before.Defined {
		now.defined, undefined = definitions.Read(left.Defined, environ.Reserved)
	}
	if proc.ShellName(s.cfg.Bash.Shell) != "bash" {
		forgotten = definitions.In(command)
	}
	s.state.Store(now)
	res.Cwd = quote.Name(s.paths.shown(left.Dir))
	notices := []notice.Notice{
		notice.NotKept(lost[:min(len(lost), maxNotKept)], len(lost)),
		notice.NotDefined(shownFirst(undefined), len(undefined), proc.MaxDefined),
		notice.NotHandedOn(shownFirst(forgotten), len(forgotten)),
	}
	if left.Dir != before.Dir {
		name := show(s.paths.shown(left.Dir))
		if left.Dir == s.paths.ws.Dir() {
			name = "the workspace"
		}
		notices = append(notices, notice.WorkingDirectory(name))
	}
	return notices
}

// shownFirst returns the first of some names as a notice shows them.
func shownFirst(names []string) (list []string) {
	for _, name := range names[:min(len(names), maxNotKept)] {
		list = append(list, quote.Short(quote.Inline(name), maxCommandLine))
	}
	return list
}

// stateFor returns what the last command left. It is an error if that defines other functions than the rules or the
// guard have seen that judged the call.
func (s *shell) stateFor(ctx context.Context) (*kept, error) {
	now := s.state.Load()
	if judged, ok := ctx.Value(judgedState{}).(*kept); ok && judged != now && judged.definitions() != now.definitions() {
		return nil, errorf(CodeStale, "another command has defined functions or aliases since this call was allowed. "+
			"Make the call again")
	}
	return now, nil
}

// definitions returns the code of the functions and aliases, and the names of the exported ones.
func (k *kept) definitions() string {
	if k == nil {
		return ""
	}
	return k.defined.Code() + strings.Join(environ.Functions(k.Env), "\n")
}

// hide notes the commands of a line that may be functions or aliases of an earlier command instead. Nobody has judged
// what these do here.
func (k *kept) hide(line *commandline.Line) {
	if k == nil {
		return
	}
	functions, aliases := environ.Functions(k.Env), []string(nil)
	if k.defined != nil {
		functions, aliases = append(functions, k.defined.Functions...), k.defined.Aliases
	}
	const may = " may be what an earlier command has defined"
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
					c.Unknown = cmp.Or(c.Unknown, show(w.Text)+may)
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
