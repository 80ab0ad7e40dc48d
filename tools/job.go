package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/listing"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/truncation"
)

const jobDescription = `Wait for a job that bash started with background=true, read what it printed since the ` +
	`last call, give it input, or stop it. ` +
	`One call waits until the job ends, a line matches until, or wait_ms has passed: do not poll. ` +
	`Without an id, lists the jobs. Shows output as bash does; a notice gives the job's state and the ` +
	`file with all of its output.`

// jobWait is how long a call waits that gives no time.
const jobWait = 30 * time.Second

// JobParams are the arguments of job. None is required.
type JobParams struct {
	ID     int    `json:"id,omitempty" jsonschema:"the number of the job; leave it out to list all jobs"`
	WaitMs int    `json:"wait_ms,omitempty" jsonschema:"longest wait in milliseconds; default 30000, or {Jobs.Settle:ms} with input alone; at most {Bash.MaxTimeout:ms}"`
	Until  string `json:"until,omitempty" jsonschema:"wait for a line that matches this RE2 pattern; without it, wait for the end"`
	Input  string `json:"input,omitempty" jsonschema:"text for its stdin: an answer or several, each with its line break: y\\nname\\n; \\u0004 at the end closes stdin"`
	Signal string `json:"signal,omitempty" jsonschema:"signal to send: interrupt is Ctrl-C; terminate ends all its processes, by force after two seconds; kill ends them at once" arg:"interrupt|terminate|kill"`
}

// JobResult is the result of job.
type JobResult struct {
	Bounds

	Text string `json:"-"` // what is shown of the output, and notices; or the list of jobs

	JobState            `json:"-"`         // are fields of this result too, all zero if it lists the jobs
	NewBytes            int64              `json:"newBytes"`                      // bytes printed since the last call of this reader
	Match               *JobMatch          `json:"match,omitempty"`               // the line that until matched; nil if none did
	WaitsForInput       bool               `json:"waitsForInput,omitempty"`       // the job has read its input and is blocked until it gets more
	Truncation          *truncation.Result `json:"truncation,omitempty"`          // set if something was left out of what is new
	ProcessLimitReached int                `json:"processLimitReached,omitempty"` // how many processes and threads it could have, if it tried to start more; else 0
	Jobs                []JobState         `json:"jobs,omitempty"`                // set of a call without an id: all jobs, those that run first
}

// MarshalJSON leaves out the state of a job where there is none.
func (r JobResult) MarshalJSON() ([]byte, error) {
	type rest JobResult
	var state *JobState
	if r.Job > 0 {
		state = &r.JobState
	}
	return json.Marshal(struct {
		rest
		*JobState
	}{rest(r), state})
}

func (r *JobResult) result() Result { return Result{Text: r.Text, Details: *r} }

func (r *JobResult) parts() (*string, *Bounds) { return &r.Text, &r.Bounds }

func (s *shell) job(ctx context.Context, p JobParams) (JobResult, error) {
	if s.jobs == nil {
		return JobResult{}, errorf(CodeDenied, "there are no jobs, as this suite does not have the tool bash")
	}
	if p.ID == 0 {
		if p != (JobParams{}) {
			return JobResult{}, errorf(CodeInvalidInput, "id is missing: it says which job is meant. "+
				"Without any argument job lists them")
		}
		return s.listJobs(), nil
	}
	until, err := lineMatcher("until", p.Until)
	if err != nil {
		return JobResult{}, err
	}
	j, bad := s.jobs.find(p.ID)
	if bad != nil {
		return JobResult{}, bad
	}
	if err := j.readsOn(ctx, p); err != nil {
		return JobResult{}, err
	}
	defer watch(ctx, "job", progressOf(j.out))()
	reader := s.jobs.reader(ctx, j)
	search, wait := reader.Search(until), s.jobWait(p)
	var before *proc.Reading
	if p.Input != "" && p.Signal == "" {
		reading, _ := j.process.Reading()
		before = &reading
	}
	if err := j.act(p); err != nil {
		return JobResult{}, err
	}
	end := await(ctx, j, search, before, wait)
	if err := ctx.Err(); err != nil {
		return JobResult{}, j.aborted(err)
	}
	var res JobResult
	var notices []notice.Notice
	if found := end.found; found.Line > 0 {
		res.Match = &JobMatch{found.Line, found.Text}
		j.tell(ctx, "matched")
	}
	argument := ""
	if until != nil {
		argument = "until"
	}
	notices = append(notices, end.notice(j, argument, wait), s.lowered("wait_ms", p.WaitMs))
	shown, state, err := s.showJob(ctx, j, reader, end, notices)
	if err != nil {
		return JobResult{}, j.aborted(err)
	}
	res.Bounds, res.Text, res.JobState, res.NewBytes = shown.Bounds, shown.Text, state, shown.NewBytes
	res.WaitsForInput = end.input
	res.Truncation, res.ProcessLimitReached = shown.Truncation, shown.ProcessLimitReached
	return res, nil
}

// aborted returns the error for a call whose context has ended. What is new is for the next call.
func (j *Job) aborted(err error) error {
	return &Error{Code: CodeAborted, Message: fmt.Sprintf("the call was cancelled; job %d goes on", j.id), Err: err}
}

// jobWait returns how long a call waits.
func (s *shell) jobWait(p JobParams) time.Duration {
	switch {
	case p.WaitMs > 0:
		return time.Duration(min(int64(p.WaitMs), s.cfg.Bash.MaxTimeout.Milliseconds())) * time.Millisecond
	case p.Input != "" && p.Until == "" && p.Signal == "":
		return s.cfg.Jobs.Settle
	}
	return min(jobWait, s.cfg.Bash.MaxTimeout)
}

// Ctrl-C and Ctrl-D, which do without a terminal what they do in one.
const (
	interruptInput = "\x03"
	endOfInput     = "\x04"
)

// act gives the job what a call has for it.
func (j *Job) act(p JobParams) error {
	switch {
	case j.tty && strings.Contains(p.Input, interruptInput):
		j.sends("job", "SIGINT") // through the terminal
	case p.Input == interruptInput:
		p.Input, p.Signal = "", cmp.Or(p.Signal, signalInterrupt)
	}
	if p.Input != "" {
		text, last := strings.CutSuffix(p.Input, endOfInput)
		err := j.process.Input(text, last)
		switch {
		case errors.Is(err, proc.ErrNoInput):
			return errorf(CodeInvalidInput, "job %d has no input: it was not started with background=true", j.id)
		case errors.Is(err, proc.ErrInputEnded):
			return errorf(CodeInvalidInput, "the input of job %d is closed. Its state: %s", j.id, j.State().State)
		case errors.Is(err, proc.ErrInputFull):
			return errorf(CodeInvalidInput, "job %d does not read its input: what it has not read, with these %d bytes, is "+
				"over the limit. Wait for it to read, or give it less", j.id, len(p.Input))
		}
	}
	if p.Signal == "" {
		return nil
	}
	if err := j.signal("job", p.Signal); err != nil {
		return errorf(CodeInvalidInput, "signal=%s cannot be sent: %w. Use signal=terminate", p.Signal, err)
	}
	return nil
}

// listJobs returns the list of all jobs, first of those that run.
func (s *shell) listJobs() (res JobResult) {
	var running, ended []JobState
	for _, j := range s.jobs.list() {
		if state := j.State(); state.Running {
			running = append(running, state)
		} else {
			ended = append(ended, state)
		}
	}
	if res.Jobs = slices.Concat(running, ended); len(res.Jobs) == 0 {
		res.Text = "(no jobs)"
		return res
	}
	list := listing.New[jobRow](s.cfg.Bash.MaxLines, s.cfg.Bash.MaxBytes)
	for _, state := range res.Jobs {
		list.Add(jobRow(state))
	}
	_, text := list.Result()
	res.set(text)
	res.Text = notice.Append(text.Text, notice.ListLimit(text), notice.JobsRunning(len(running), len(res.Jobs)))
	return res
}

// jobRow is a job as the list shows it.
type jobRow JobState

func (r jobRow) String() string {
	age := (time.Duration(r.AgeMs) * time.Millisecond).Round(time.Second)
	output := ""
	if r.OutputPath != "" {
		output = " in " + r.OutputPath
	}
	return fmt.Sprintf("%d: %s, for %v, %s%s: %s", r.Job, r.State, age, size.Format(r.Bytes), output, show(r.Command))
}
