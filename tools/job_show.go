package tools

import (
	"context"
	"time"

	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
)

// JobMatch is the line that a call of job waited for.
type JobMatch struct {
	Line int    `json:"line"` // its number in the whole output, from 1
	Text string `json:"text"` // the line, up to 200 characters of it
}

// awaited is what a call has waited for.
type awaited struct {
	found capture.Match
	input bool // the job waits for input, and nothing was found
}

// await returns when the job has ended, when search finds a line, when the job waits for input if reading is not nil,
// after d, or when ctx ends. When the suite is closed, the job ends.
func await(ctx context.Context, j *Job, search *capture.Search, reading *proc.Reading, d time.Duration) awaited {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	if reading == nil {
		return awaited{found: search.Await(ctx, j.process.Gone())}
	}
	over, waits := make(chan struct{}), false
	go func() {
		defer close(over)
		waits = j.waitsForInput(ctx, *reading)
	}()
	found := search.Await(ctx, over)
	cancel()
	<-over
	return awaited{found, waits && found.Line == 0}
}

// notice says what the wait for argument, which is "" if there was no pattern, has come to.
func (a awaited) notice(j *Job, argument string, waited time.Duration) notice.Notice {
	switch {
	case a.found.Line > 0:
		return notice.Matched(a.found.Line, a.found.Text)
	case argument == "" && a.input:
		return notice.WaitsForInput
	case argument == "":
		return ""
	case isClosed(j.process.Gone()):
		return notice.NeverMatched(argument)
	case a.input:
		return notice.NotMatchedYet(argument)
	}
	return notice.NotMatched(argument, waited)
}

// showJob returns what was printed since it was shown last to a reader, up to the line that the call found, if any,
// and how the job stands. The error is that of ctx.
func (s *shell) showJob(
	ctx context.Context, j *Job, reader *capture.Reader, end awaited, notices []notice.Notice,
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
	if end.found.Line > 0 {
		shown, left, err = reader.TakeUntil(ctx, end.found, s.cfg.Jobs.ReadyLines)
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
		if line == "" || end.input { // which is a question then
			continue
		}
		if text.Repeated || line == end.found.Text {
			line = ""
		}
		notices = append(notices, notice.Unfinished(line))
	}
	if !state.Running {
		notices = append(notices, notice.After(left))
	}
	notices = append(notices, notice.ProcessLimit(crowded))
	said := notice.Join(notices...)
	notices = append(notices, notice.Job{
		ID: j.id, State: state.State, Shell: !isClosed(j.process.Ended()), Any: state.Running, Output: j.out.File(),
	}.Notice())
	res := BashResult{
		NewBytes: printed, ExitCode: max(state.ExitCode, 0), Signal: state.Signal,
		Sandbox: j.box, ProcessLimitReached: crowded,
	}
	s.finishBash(&res, shown, "(no new output)", notices)
	res.said = said // that of the job may be out of date when it is read again
	if !state.Running {
		s.jobs.mu.Lock()
		j.shown = j.shown || left == 0
		s.jobs.mu.Unlock()
	}
	return res, state, nil
}
