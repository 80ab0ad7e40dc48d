package tools

import (
	"context"
	"fmt"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/job"
	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/told"
	"github.com/spillway-go/spillway/truncation"
)

func (s *shell) checkBackground(p BashParams) error {
	switch {
	case (p.Background || p.ReadyWhen != "" || p.TTY) && s.jobs == nil:
		return errorf(CodeInvalidInput, "this suite has no jobs: leave out background, ready_when and tty. "+
			"Put & after the command to start it in the background")
	case (p.ReadyWhen != "" || p.TTY) && !p.Background:
		return errorf(CodeInvalidInput, "ready_when and tty are for jobs: "+
			"set background=true as well, or leave them out")
	}
	return nil
}

// lateStart is the least time that the start of a job may take, however short its timeout is.
const lateStart = 5 * time.Second

// runJob runs a command as a job, or as a command that becomes a job: when the host says so, when the call must be
// answered, or at its timeout with OnTimeoutBackground. If the command ends within the wait, the result is that of any
// other command.
func (s *shell) runJob(ctx context.Context, run *bashRun, command proc.Command) (BashResult, error) {
	call, _ := ctx.Value(insideKey{}).(inside)
	command.StartTimeout = max(command.Timeout, lateStart)
	if run.Background {
		command.KeepState, command.Detached, command.Input, command.Terminal = false, true, !run.TTY, run.TTY
		command.StartTimeout = max(command.StartTimeout, s.cfg.Bash.Timeout) // a short wait still starts a job
	}
	j, err := s.jobs.Start(ctx, job.Command{
		Command: command, Printed: run.out, CallID: call.id, Confined: run.confined, Tracked: run.tracked,
		Begins:   func(j *job.Job) { s.calls.Start(call.id, j) },
		Overruns: s.cfg.Bash.OnTimeout == config.OnTimeoutBackground,
		Event: func() config.Event {
			trace := traceOf(ctx)
			return config.Event{
				ID: call.id, Conversation: readerOf(ctx), TraceParent: trace.parent, TraceState: trace.state,
			}
		},
	})
	if err != nil {
		return s.ranBash(ctx, run, proc.Outcome{}, err)
	}
	run.job, run.wait = j, job.UntilAnswer(ctx, run.timeout, s.cfg.Jobs.Settle)
	if run.Background {
		s.awaitStart(ctx, run)
	} else {
		var due <-chan time.Time
		if run.wait < run.timeout {
			due = time.After(run.wait)
		}
		run.why = j.AwaitTimeout(due)
	}
	end, ended := j.Settle(ctx)
	if !ended {
		return s.startedJob(context.WithoutCancel(ctx), run), nil
	}
	if run.ready == nil || run.end.Found.Line > 0 {
		run.waited = ""
	}
	return s.ranBash(ctx, run, end, nil)
}

func (s *shell) awaitStart(ctx context.Context, run *bashRun) {
	until := job.Until{Search: run.out.Reader().Search(run.ready), Input: true, Longest: min(run.wait, s.cfg.Jobs.Settle)}
	if run.ready != nil {
		until.Argument, until.Longest = "ready_when", run.wait
	}
	run.end = run.job.Await(ctx, until)
	run.waited = run.end.Notice
}

func (s *shell) startedJob(ctx context.Context, run *bashRun) BashResult {
	if !run.Background {
		switch run.why {
		case proc.TimedOut:
			run.waited = notice.Overran(run.wait)
		case proc.IdleOut:
			run.waited = notice.WentIdle(s.cfg.Bash.IdleTimeout)
		default:
			run.waited = notice.MovedToBackground
		}
	}
	notices := []notice.Notice{s.toldOf(run.setup), run.waited}
	if s.ws.HidesNow() {
		notices = append(notices, s.toldOfHidden(ctx))
	}
	switch {
	case run.ready != nil || !run.Background:
		notices = append(notices, notice.Lowered("timeout_ms", int64(run.TimeoutMs), s.cfg.Bash.MaxTimeout.Milliseconds()))
	case run.TimeoutMs > 0:
		notices = append(notices, notice.NoJobTimeout)
	}
	if run.Show != "" && run.Show != string(truncation.Digest) && run.end.Found.Line > 0 {
		notices = append(notices, notice.NoShow)
	}
	shown, _ := s.showJob(ctx, run.job, jobReader(ctx, run.job), job.Call{Awaited: run.end}, notices...) // cannot end
	res, state := shown.BashResult, shown.state
	res.WaitsForInput, res.Sandbox = run.end.Input, (*SandboxInfo)(run.confined.Facts())
	res.Job, res.State, res.OutputPath = state.Job, state.State, state.OutputPath
	res.ExitCode, res.Signal, res.BackgroundPids = state.ExitCode, state.Signal, state.BackgroundPids
	res.DurationMs = state.AgeMs
	return res
}

// lineMatcher compiles a pattern for lines. It returns nil for "".
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

func jobReader(ctx context.Context, j *job.Job) *capture.Reader {
	if readerOf(ctx) == nobody {
		return j.Output().NewReader()
	}
	return j.Reader(readerOf(ctx))
}

type jobShown struct {
	BashResult
	state JobState
}

// showJob returns what was printed since the reader's last call, up to the matching line, if any, and the state of the
// job. The error is that of ctx.
func (s *shell) showJob(
	ctx context.Context, j *job.Job, reader *capture.Reader, c job.Call, notices ...notice.Notice,
) (jobShown, error) {
	c.Lines = s.cfg.Jobs.ReadyLines
	c.First = func(shell bool) bool {
		return firstTime(ctx, &s.memory.told, told.Message{Kind: fmt.Sprint("job ", j.ID()), Set: told.SetOf(fmt.Sprint(shell))})
	}
	shown, err := j.Show(ctx, reader, c)
	if err != nil {
		return jobShown{}, err
	}
	state := shown.State
	if !state.Running {
		s.memory.sawEnd(ctx, j)
	}
	notices = append(notices, shown.Notices...)
	limited := told.Message{Kind: fmt.Sprint("job ", j.ID(), " limit")}
	if shown.ProcessLimit > 0 && firstTime(ctx, &s.memory.told, limited) {
		notices = append(notices, notice.ProcessLimit(shown.ProcessLimit))
	}
	swollen := told.Message{Kind: fmt.Sprint("job ", j.ID(), " memory")}
	if shown.MemoryLimit > 0 && firstTime(ctx, &s.memory.told, swollen) {
		notices = append(notices, notice.MemoryLimit(shown.MemoryLimit))
	}
	uses := j.Confined().Hosts()
	for _, said := range j.Confined().Refused() {
		if firstTime(ctx, &s.memory.told, told.Message{Kind: fmt.Sprint("job ", j.ID(), " refused"), Set: told.SetOf(string(said))}) {
			notices = append([]notice.Notice{said}, notices...)
		}
	}
	altered := j.Tracked().Changes(ctx)
	notices = append(notices, altered.Notice)
	said := notice.Join(notices...)
	res := BashResult{
		NewBytes: shown.NewBytes, ExitCode: max(state.ExitCode, 0), Signal: state.Signal,
		ProcessLimitReached: shown.ProcessLimit, MemoryLimitReached: shown.MemoryLimit,
	}
	res.Network, res.hosts = uses, uses
	res.altered(altered)
	s.finishBash(&res, j.Confined(), shown.Streams, "(no new output)", append(notices, shown.Stands))
	res.said = said // the job's own state may have changed since
	return jobShown{res, JobState(state)}, nil
}
