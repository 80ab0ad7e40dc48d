package tools

import (
	"context"
	"time"

	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
)

// checkBackground refuses arguments that make no sense.
func (s *shell) checkBackground(p BashParams) error {
	switch {
	case (p.Background || p.ReadyWhen != "" || p.TTY) && s.jobs == nil:
		return errorf(CodeInvalidInput, "this suite has no jobs: leave out background, ready_when and tty. "+
			"Put & behind the command to start it in the background")
	case (p.ReadyWhen != "" || p.TTY) && !p.Background:
		return errorf(CodeInvalidInput, "ready_when and tty are for jobs: "+
			"set background=true as well, or leave them out")
	}
	return nil
}

// start starts a command that is to be a job, or may become one.
func (s *shell) start(ctx context.Context, run *bashRun, command proc.Command) error {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j := &Job{
		jobs: s.jobs, sandbox: s.sandbox, box: run.box, call: callID(ctx), trace: traceOf(ctx), command: run.Command, tty: run.TTY, out: run.out,
		began: time.Now(), cancel: cancel, done: make(chan struct{}),
	}
	run.job, run.out.Admit = j, j.record
	j.detach = context.AfterFunc(ctx, cancel) // until the caller knows of the job
	var err error
	if j.process, err = s.procs.Start(own, command); err != nil {
		cancel()
	}
	return err
}

// runJob starts a job, and waits for what the call waits for. One that ends before that is like any
// other command.
func (s *shell) runJob(ctx context.Context, run *bashRun, command proc.Command) (BashResult, error) {
	if err := s.jobs.reserve(); err != nil {
		command.OpenDir.Close()
		run.out.Close()
		return BashResult{}, err
	}
	command.KeepState, command.Detached, command.Input, command.Terminal = false, true, !run.TTY, run.TTY
	command.Timeout = max(command.Timeout, s.cfg.Bash.Timeout) // of the start alone: the wait keeps the call's
	if err := s.start(ctx, run, command); err != nil {
		s.jobs.release()
		return s.ranBash(ctx, run, proc.Outcome{}, err)
	}
	wait, argument, reading := s.cfg.Jobs.Settle, "", new(proc.Reading)
	if run.ready != nil {
		wait, argument, reading = run.timeout, "ready_when", nil
	}
	run.end = await(ctx, run.job, run.out.Reader().Search(run.ready), reading, wait)
	run.waited = run.end.notice(run.job, argument, wait)
	return s.settled(ctx, run, true)
}

// runOrAdopt runs a command that becomes a job at its timeout, if there may be one more.
func (s *shell) runOrAdopt(ctx context.Context, run *bashRun, command proc.Command) (BashResult, error) {
	overran := make(chan struct{})
	command.Overrun = func() bool {
		if s.jobs.reserve() != nil {
			return false
		}
		close(overran)
		return true
	}
	if err := s.start(ctx, run, command); err != nil {
		return s.ranBash(ctx, run, proc.Outcome{}, err)
	}
	select {
	case <-overran:
	case <-run.job.process.Ended():
	}
	run.waited = notice.Overran(run.timeout)
	return s.settled(ctx, run, isClosed(overran))
}

func isClosed[T any](c <-chan T) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// settled returns the result of a call whose wait is over. reserved says that there is room for the
// command among the jobs.
func (s *shell) settled(ctx context.Context, run *bashRun, reserved bool) (BashResult, error) {
	j := run.job
	known := j.detach()
	if known && reserved && !isClosed(j.process.Gone()) {
		return s.startedJob(ctx, run), nil
	}
	defer j.cancel()
	end := j.process.Wait()
	if reserved {
		s.jobs.release()
	}
	if !known && run.Background && len(end.Background) > 0 {
		j.process.Kill() // what the shell has left
		end.Reason, end.Background = proc.Canceled, nil
	}
	if run.ready == nil || run.end.found.Line > 0 {
		run.waited = ""
	}
	return s.ranBash(ctx, run, end, nil)
}

// startedJob returns the result of a call whose command goes on as a job.
func (s *shell) startedJob(ctx context.Context, run *bashRun) BashResult {
	j, notices := run.job, []notice.Notice{run.waited}
	s.jobs.adopt(j)
	j.tell(ctx, "started")
	if run.end.found.Line > 0 {
		j.tell(ctx, "matched")
	}
	switch {
	case run.ready != nil || !run.Background:
		notices = append(notices, s.lowered("timeout_ms", run.TimeoutMs))
	case run.TimeoutMs > 0:
		notices = append(notices, notice.NoJobTimeout)
	}
	res, state, _ := s.showJob(context.WithoutCancel(ctx), j, s.jobs.reader(ctx, j), run.end, notices)
	res.WaitsForInput = run.end.input
	res.Job, res.State, res.OutputPath = state.Job, state.State, state.OutputPath
	res.ExitCode, res.Signal, res.BackgroundPids = state.ExitCode, state.Signal, state.BackgroundPids
	res.DurationMs = state.AgeMs
	return res
}

// lineMatcher compiles a pattern for lines; nil for "".
func lineMatcher(argument, pattern string) (*match.Matcher, error) {
	if pattern == "" {
		return nil, nil
	}
	m, err := match.Compile(pattern, match.Options{})
	if err != nil {
		return nil, errorf(CodeInvalidInput, "%s is not valid: %s. Give an RE2 pattern for a line", argument,
			show(hint.PatternFault(err)))
	}
	return m, nil
}
