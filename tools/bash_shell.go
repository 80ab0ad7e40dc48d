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

// shell runs the commands of bash, and the jobs that they may become.
type shell struct {
	*shared
	cfg    config.Config
	tools  *toolset
	memory *memory
	jobs   *job.Registry // that of shared; nil in a view without job

	// state is what the last command left for the next one, with Bash.KeepState; nil before that. Of commands that
	// run at once, the one that ends last decides. Nothing runs between commands: a shell that lived on would be lost
	// with the first command that hangs.
	state     atomic.Pointer[session.State]
	toldSetup atomic.Pointer[setupRun] // the last run of it that the readers were told about
}

// startState returns the state in which a command starts, and the run of Bash.Setup that it comes from, or nil.
func (s *shell) startState(ctx context.Context) (*session.State, *setupRun, error) {
	if s.setup == nil {
		return s.state.Load(), nil, nil
	}
	run, err := s.setup.current(ctx)
	if err != nil {
		return nil, nil, err
	}
	s.redact.Refresh() // it may have set credentials
	return s.state.Load().Over(run.state), run, nil
}

// toldOf returns what is to be told of a run of Bash.Setup: once to the readers of a suite or a view.
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

// workDir is a directory that a command runs in, held open so that it stays the one that
// was found.
type workDir struct {
	name string // absolute
	open *os.File
	said notice.Notice // that the last command's directory cannot be opened, or what was corrected in the path
}

// openCwd opens the directory that a command runs in: that of the name, or, without one, the last command's. It
// returns when ctx ends or the timeout is over, even if the file system hangs.
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

// toldOfHidden returns the notice of what nothing keeps commands from, for the first command of a reader. Something is
// hidden.
func (s *shell) toldOfHidden(ctx context.Context) notice.Notice {
	if s.sandbox.CoversHidden() || !firstTime(ctx, &s.memory.told, told.Message{Kind: "hidden files in commands"}) {
		return ""
	}
	return notice.HiddenNotEnforced
}

// notStarted returns the error for a command that could not be started.
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
