package tools

import (
	"context"
	"time"

	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/notice"
)

// JobMatch is the line that a call of job waited for.
type JobMatch struct {
	Line int    `json:"line"` // its number in the whole output, from 1
	Text string `json:"text"` // the line, up to 200 characters of it
}

// await returns when the job has ended, when search finds a line, after d, or when ctx ends. When the suite is
// closed, the job ends.
func await(ctx context.Context, j *Job, search *capture.Search, d time.Duration) capture.Match {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	return search.Await(ctx, j.process.Gone())
}

// found says what the wait for argument has found.
func (j *Job) found(f capture.Match, argument string, waited time.Duration) notice.Notice {
	switch {
	case f.Line > 0:
		return notice.Matched(f.Line, f.Text)
	case isClosed(j.process.Gone()):
		return notice.NeverMatched(argument)
	}
	return notice.NotMatched(argument, waited)
}

// showJob returns what was printed since it was shown last to a reader, up to the line that was found, if any, and how
// the job stands. The error is that of ctx.
func (s *shell) showJob(
	ctx context.Context, j *Job, reader *capture.Reader, found capture.Match, notices []notice.Notice,
) (BashResult, JobState, error) {
	state := j.State() // before the output: an end comes with all of it
	if !state.Running {
		<-j.done
	}
	crowded := 0
	if isClosed(j.process.Ended()) {
		crowded = j.process.Wait().ProcessLimit
	}
	var shown []capture.Text
	var left int64
	var err error
	if found.Line > 0 {
		shown, left, err = reader.TakeUntil(ctx, found, s.cfg.Jobs.ReadyLines)
	} else {
		shown, err = reader.Take(ctx)
	}
	if err != nil {
		return BashResult{}, state, err
	}
	printed := int64(0)
	for _, text := range shown {
		printed += text.Printed
		line := text.Unfinished
		if line == "" {
			continue
		}
		if text.Repeated || line == found.Text {
			line = ""
		}
		notices = append(notices, notice.Unfinished(line))
	}
	if !state.Running {
		notices = append(notices, notice.After(left))
	}
	notices = append(notices, notice.ProcessLimit(crowded), notice.Job{
		ID: j.id, State: state.State, Shell: !isClosed(j.process.Ended()), Any: state.Running, Output: j.out.File(),
	}.Notice())
	res := BashResult{
		NewBytes: printed, ExitCode: max(state.ExitCode, 0), Signal: state.Signal,
		Sandbox: s.confined, ProcessLimitReached: crowded,
	}
	s.finishBash(&res, shown, "(no new output)", notices)
	if !state.Running {
		s.jobs.mu.Lock()
		j.shown = j.shown || left == 0
		s.jobs.mu.Unlock()
	}
	return res, state, nil
}
