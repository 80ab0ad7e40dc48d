package tools

import (
	"cmp"
	"context"
	"errors"
	"os"
	"sync/atomic"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/advice"
	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/job"
	"github.com/spillway-go/spillway/internal/late"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/session"
	"github.com/spillway-go/spillway/internal/told"
	"github.com/spillway-go/spillway/internal/workspace"
)

type shell struct {
	*shared
	cfg    config.Config
	tools  *toolset
	memory *memory
	jobs   *job.Registry // the registry in shared; nil in a view without job

	// state is what the last command left for the next one, with Bash.KeepState; nil before the first. Of concurrent
	// commands, the one that ends last decides. State is saved rather than kept in one long-lived shell, because the
	// first command that hangs would take that shell with it.
	state     atomic.Pointer[session.State]
	toldSetup atomic.Pointer[setupRun] // the last run that the readers were told about
}

// startState returns the state in which a command starts, and the run of Bash.Setup behind it, or nil.
func (s *shell) startState(ctx context.Context) (*session.State, *setupRun, error) {
	if s.setup == nil {
		return s.state.Load(), nil, nil
	}
	run, err := s.setup.current(ctx)
	if err != nil {
		return nil, nil, err
	}
	s.redact.Refresh() // the setup may have set credentials
	return s.state.Load().Over(run.state), run, nil
}

// toldOf returns what the readers of a suite or view are told, once, about a run of Bash.Setup.
func (s *shell) toldOf(run *setupRun) notice.Notice {
	if run == nil || s.toldSetup.Swap(run) == run {
		return ""
	}
	said := run.said(s.cfg.Bash.SetupFiles, s.redact)
	if run.again && s.cfg.Bash.KeepState {
		said = notice.Join(said, notice.SetupAgain)
	}
	return said
}

// workDir is the directory of a command, held open so that nothing can be swapped in after the check.
type workDir struct {
	name string // absolute
	open *os.File
	said notice.Notice // that the last command's directory cannot be opened, or how the path was corrected
}

// openCwd opens the directory of a command: the named one or, for "", the last command's. It returns when ctx ends or
// the timeout is over, even if the file system hangs.
func (s *shell) openCwd(ctx context.Context, name string, last *session.State, timeout time.Duration) (workDir, error) {
	opening, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	dir, err := late.Leave(opening, late.Patience, func(ctx context.Context) (dir workDir, err error) {
		if name == "" && last != nil {
			dir.name = last.Dir
			if dir.open, err = workspace.HoldDir(last.Dir); err == nil {
				if workspace.Kept(ctx, last.Dir) {
					return dir, nil
				}
				dir.open.Close()
				return workDir{}, errorf(CodeStale, "another command has changed the working directory since this call was "+
					"allowed. Make the call again, with cwd")
			}
			dir.said = notice.DirectoryGone(show(s.ws.Shown(last.Dir)))
		}
		path, err := s.paths.resolve(ctx, name)
		if err != nil {
			return workDir{}, err
		}
		dir.name, dir.said = path.Abs, notice.Join(dir.said, hint.Corrected(path))
		if dir.open, err = path.HoldDir(); err != nil {
			return workDir{}, failureOf(advice.Entering, err, cmp.Or(name, "."))
		}
		return dir, nil
	})
	if err == context.DeadlineExceeded && ctx.Err() == nil {
		err = errorf(CodeTimeout, "the directory %s could not be opened within %v, because its file system does not answer; "+
			"the command was not started. Use another directory", show(cmp.Or(name, ".")), timeout)
	}
	return dir, err
}

// toldOfHidden returns the notice that commands can open hidden files, for a reader's first command. Call it only if
// something is hidden.
func (s *shell) toldOfHidden(ctx context.Context) notice.Notice {
	if s.sandbox.CoversHidden() || !firstTime(ctx, &s.memory.told, told.Message{Kind: "hidden files in commands"}) {
		return ""
	}
	return notice.HiddenNotEnforced
}

func (s *shell) notStarted(err error, cwd string) error {
	if !errors.Is(err, proc.ErrDir) {
		return failureOf(advice.Starting, err, "")
	}
	e := failure(err, cmp.Or(cwd, "."))
	if s.ws.Gone() {
		e.Message = workspace.ErrGone.Error()
	}
	return e
}
