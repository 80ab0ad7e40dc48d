package tools

import (
	"context"
	"time"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
)

// onTimeoutBackground is the value of Bash.OnTimeout that makes a job of a command.
const onTimeoutBackground = "background"

// bindJobs sees to it that there are jobs, or that bash says nothing of them: they need
// both tools.
func (s *Suite) bindJobs() {
	if s.tool("job") != nil && s.tool("bash") != nil {
		s.jobs = &jobs{suite: s}
		return
	}
	expand := func(text string) string { return fill(text, s.cfg) }
	s.bash.description = expand(describeBash(s.cfg.Bash))
	s.bash.schema = schemaOf[BashParams](expand, "background", "ready_when", "tty")
}

// checkBackground refuses arguments that make no sense.
func (s *Suite) checkBackground(p BashParams) error {
	switch {
	case (p.Background || p.ReadyWhen != "" || p.TTY) && s.jobs == nil:
		return errorf(CodeInvalidInput, "this suite has no jobs: leave out background, ready_when and tty. %s", backgroundAdvice)
	case (p.ReadyWhen != "" || p.TTY) && !p.Background:
		return errorf(CodeInvalidInput, "ready_when and tty are for jobs: set background=true as well, or leave them out")
	}
	_, err := lineMatcher("ready_when", p.ReadyWhen)
	return err
}

// startJob runs a command that is a job, or becomes one at its timeout. One that ends before
// the call returns is like any other.
func (s *Suite) startJob(ctx context.Context, run bashRun, command proc.Command) (BashResult, error) {
	p, overran := run.BashParams, make(chan struct{})
	if p.Background {
		if err := s.jobs.reserve(); err != nil {
			command.OpenDir.Close()
			run.out.close()
			return BashResult{}, err
		}
	}
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	attached := context.AfterFunc(ctx, cancel) // until the caller knows of the job
	j := &Job{suite: s, command: p.Command, tty: p.TTY, out: run.out, began: time.Now(), cancel: cancel, done: make(chan struct{})}
	j.prepare(&command, p, overran)
	var err error
	if j.process, err = s.procs.Start(own, command); err != nil {
		cancel()
		if p.Background {
			s.jobs.release()
		}
		return s.ranBash(ctx, run, proc.Outcome{}, err)
	}
	found, told := s.settle(ctx, p, j, overran)
	known, reserved := attached(), p.Background || isClosed(overran)
	if known && reserved && !isClosed(j.process.Gone()) {
		return s.startedJob(ctx, j, found, told), nil
	}
	defer cancel()
	end := j.process.Wait()
	if reserved {
		s.jobs.release()
	}
	if !known && p.Background && len(end.Background) > 0 {
		j.process.Kill() // what the shell has left
		end.Reason, end.Background = proc.Canceled, nil
	}
	if p.ReadyWhen != "" && found.Line == 0 {
		run.told = told
	}
	return s.ranBash(ctx, run, end, nil)
}

// prepare sets up a command for a job. overran is closed when a command that is no job becomes one.
func (j *Job) prepare(command *proc.Command, p BashParams, overran chan struct{}) {
	command.Output = recorder{j, j.out.stdout}
	if j.out.stderr != nil {
		command.Stderr = recorder{j, j.out.stderr}
	}
	if p.Background {
		command.KeepState, command.Detached, command.Input, command.Terminal = false, true, !p.TTY, p.TTY
		command.Timeout = max(command.Timeout, j.suite.cfg.Bash.Timeout) // of the start alone: settle keeps the call's
		return
	}
	command.Overrun = func() bool {
		allowed := j.suite.jobs.reserve() == nil
		if allowed {
			close(overran)
		}
		return allowed
	}
}

func isClosed[T any](c <-chan T) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// settle waits for what the call that starts a job waits for, or for the end or the timeout of a command.
func (s *Suite) settle(ctx context.Context, p BashParams, j *Job, overran <-chan struct{}) (found JobMatch, told []notice.Notice) {
	switch {
	case !p.Background:
		select {
		case <-overran:
			told = []notice.Notice{notice.Overran(s.timeout(p))}
		case <-j.process.Ended():
		}
		return found, told
	case p.ReadyWhen == "":
		return j.await(ctx, nil, s.cfg.Jobs.Settle), nil
	}
	matcher, _ := lineMatcher("ready_when", p.ReadyWhen) // it was compiled before
	found = j.await(ctx, j.out.seek(matcher), s.timeout(p))
	return found, []notice.Notice{j.found(found, "ready_when", s.timeout(p))}
}

// startedJob returns the result of a call whose command goes on.
func (s *Suite) startedJob(ctx context.Context, j *Job, found JobMatch, told []notice.Notice) BashResult {
	s.jobs.adopt(j)
	j.tell(ctx, "started")
	if found.Line > 0 {
		j.tell(ctx, "matched")
	}
	res, state := j.show(told)
	res.Job, res.State, res.OutputPath = state.Job, state.State, state.OutputPath
	res.ExitCode, res.Signal, res.BackgroundPids = state.ExitCode, state.Signal, state.BackgroundPids
	res.DurationMs = state.AgeMs
	return res
}

// recorder takes a job's output.
type recorder struct {
	job *Job
	to  *capture
}

func (r recorder) Write(p []byte) (int, error) {
	if r.job.record(int64(len(p))) {
		r.to.Write(p)
	}
	r.job.mu.Lock()
	defer r.job.mu.Unlock()
	if r.job.wake != nil {
		close(r.job.wake)
		r.job.wake = nil
	}
	return len(p), nil
}

// lineMatcher compiles a pattern for lines; nil for "".
func lineMatcher(argument, pattern string) (*match.Matcher, error) {
	if pattern == "" {
		return nil, nil
	}
	m, err := match.Compile(pattern, match.Options{})
	if err != nil {
		return nil, errorf(CodeInvalidInput, "%s is not valid: %s. Give an RE2 pattern for a line", argument, show(patternFault(err)))
	}
	return m, nil
}
