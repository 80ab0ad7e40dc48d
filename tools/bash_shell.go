package tools

import (
	"context"
	"os/exec"
	"path/filepath"
	"time"

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
		return refuse(s.cfg, "Bash.KeepState", "true", "false on this system, where a shell cannot hand on its state")
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
	return refuse(s.cfg, "Bash.Shell", show(cfg.Shell), want)
}

// maxNotKept is how many names a notice has.
const maxNotKept = 3

// keep takes over what a command left. before is the directory in which it would have
// started without cwd, and the variables that it had. The notices say what is different
// from then on.
func (s *shell) keep(res *BashResult, left *proc.State, before proc.State) []notice.Notice {
	if left == nil {
		return []notice.Notice{notice.StateLost(proc.MaxState)}
	}
	env, lost := environ.Kept(left.Env, before.Env)
	s.state.Store(&proc.State{Dir: left.Dir, Env: env})
	res.Cwd = quote.Name(s.paths.shown(left.Dir))
	notices := []notice.Notice{notice.NotKept(lost[:min(len(lost), maxNotKept)], len(lost))}
	if left.Dir != before.Dir {
		name := show(s.paths.shown(left.Dir))
		if left.Dir == s.paths.ws.Dir() {
			name = "the workspace"
		}
		notices = append(notices, notice.WorkingDirectory(name))
	}
	return notices
}
