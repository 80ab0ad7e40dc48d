package tools

import (
	"context"
	"encoding/json"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/job"
	"github.com/spillway-go/spillway/internal/listing"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/truncation"
)

const jobDescription = `Wait for a job that bash started with background=true, read what it printed since the ` +
	`last call, give it input, or stop it. ` +
	`One call waits until the job ends, a line matches the pattern in until, or wait_ms has passed: do not poll. ` +
	`Without an id, lists the jobs. Shows output as bash does; a notice gives the job's state and the ` +
	`file with all its output.`

// jobWait is how long a call waits that names no time.
const jobWait = 30 * time.Second

// JobParams are the arguments of job. None is required.
type JobParams struct {
	ID     int    `json:"id,omitempty" jsonschema:"the number of the job; leave it out to list all jobs"`
	WaitMs int    `json:"wait_ms,omitempty" jsonschema:"longest wait in milliseconds; default 30000, or {Jobs.Settle:ms} with input alone; at most {Bash.MaxTimeout:ms}"`
	Until  string `json:"until,omitempty" jsonschema:"wait for a line that matches this RE2 pattern; without it, wait for the end"`
	Input  string `json:"input,omitempty" jsonschema:"text for its stdin: one or more answers, each with its line break: y\\nname\\n; \\u0004 at the end closes stdin"`
	Signal string `json:"signal,omitempty" jsonschema:"signal to send: interrupt is Ctrl-C; terminate ends all its processes, by force after two seconds; kill ends them at once" arg:"interrupt|terminate|kill"`
}

// JobResult is the result of job. Its Text is the new output as shown and notices, or the list of jobs.
type JobResult struct {
	Shown

	Output string `json:"-"` // the new output as shown, without notices; stdout alone with Bash.SplitStreams
	Stderr string `json:"-"` // new stderr as shown, with Bash.SplitStreams

	JobState            `json:"-"`         // zero in a list of jobs
	NewBytes            int64              `json:"newBytes"`                      // bytes printed since this reader's last call
	Match               *JobMatch          `json:"match,omitempty"`               // the line that matched until
	WaitsForInput       bool               `json:"waitsForInput,omitempty"`       // the job is blocked until it gets more input
	Truncation          *truncation.Result `json:"truncation,omitempty"`          // set if the new output was cut
	ProcessLimitReached int                `json:"processLimitReached,omitempty"` // the limit of processes and threads if the command tried to exceed it; else 0
	MemoryLimitReached  int64              `json:"memoryLimitReached,omitempty"`  // bytes of memory, if the job was ended because it held more; else 0
	Network             []config.HostUse   `json:"network,omitempty"`             // the hosts that it tried to reach since its start, in that order
	Changes             []FileChange       `json:"changes,omitempty"`             // what it changed in the workspace since the last call that showed that, the first 100 files; needs the part tools/checkpoint
	ChangedFiles        int                `json:"changedFiles,omitempty"`        // how many files it changed
	Jobs                []JobState         `json:"jobs,omitempty"`                // all jobs, running ones first; for a call without an id
}

// MarshalJSON omits the state where there is no job.
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

func (s *shell) job(ctx context.Context, p JobParams) (JobResult, error) {
	if s.jobs == nil {
		return JobResult{}, errorf(CodeDenied, "there are no jobs, because this suite does not have the tool bash")
	}
	if p.ID == 0 {
		if p != (JobParams{}) {
			return JobResult{}, errorf(CodeInvalidInput, "id is missing: it says which job is meant. "+
				"Without arguments job lists them")
		}
		return s.listJobs(ctx), nil
	}
	pattern, err := lineMatcher("until", p.Until)
	if err != nil {
		return JobResult{}, err
	}
	j, err := s.jobs.Find(p.ID)
	if err != nil {
		return JobResult{}, err
	}
	if readerOf(ctx) == nobody && p.Signal == "" {
		return JobResult{}, j.Unknown(adviceOf(ctx))
	}
	defer watch(ctx, "job", progressOf(j.Output()))()
	reader := jobReader(ctx, j)
	until := job.Until{Search: reader.Search(pattern), Longest: job.UntilAnswer(ctx, s.jobWait(p), s.cfg.Jobs.Settle)}
	if pattern != nil {
		until.Argument = "until"
	}
	until.Input = p.Signal == "" // which may end what waits
	if p.Input != "" {
		until.Before = j.Reading()
	}
	sent, err := j.Act(p.Input, p.Signal)
	if err != nil {
		return JobResult{}, err
	}
	if sent && p.Signal != "interrupt" { // a reader that ends a job expects its end
		s.memory.sawEnd(ctx, j)
	}
	end := j.Await(ctx, until)
	if err := ctx.Err(); err != nil {
		return JobResult{}, j.Cancelled(err)
	}
	c := job.Call{Awaited: end, Sent: sent, Gave: p.Input != ""}
	shown, err := s.showJob(ctx, j, reader, c, end.Notice,
		notice.Lowered("wait_ms", int64(p.WaitMs), until.Longest.Milliseconds()))
	if err != nil {
		return JobResult{}, j.Cancelled(err)
	}
	res := JobResult{
		Shown: shown.Shown, Output: shown.Output, Stderr: shown.Stderr, JobState: shown.state, NewBytes: shown.NewBytes, WaitsForInput: end.Input,
		Truncation: shown.Truncation, ProcessLimitReached: shown.ProcessLimitReached,
		MemoryLimitReached: shown.MemoryLimitReached, Network: shown.Network, Changes: shown.Changes, ChangedFiles: shown.ChangedFiles,
	}
	if end.Found.Line > 0 {
		res.Match = &JobMatch{end.Found.Line, end.Found.Text}
	}
	return res, nil
}

func (s *shell) jobWait(p JobParams) time.Duration {
	switch {
	case p.WaitMs > 0:
		return time.Duration(min(int64(p.WaitMs), s.cfg.Bash.MaxTimeout.Milliseconds())) * time.Millisecond
	case p.Input != "" && p.Until == "" && p.Signal == "":
		return s.cfg.Jobs.Settle
	}
	return min(jobWait, s.cfg.Bash.MaxTimeout)
}

func (s *shell) listJobs(ctx context.Context) (res JobResult) {
	states, running := s.jobs.States()
	if len(states) == 0 {
		res.Text = "(no jobs)"
		return res
	}
	list := listing.New[job.State](s.cfg.Bash.MaxLines, s.cfg.Bash.MaxBytes)
	for _, state := range states {
		list.Add(state)
		res.Jobs = append(res.Jobs, JobState(state))
	}
	_, text := list.Result()
	res.set(text)
	for _, state := range states[:min(text.OutputLines, len(states))] {
		if j, err := s.jobs.Find(state.Job); err == nil && !state.Running {
			s.memory.sawEnd(ctx, j)
		}
	}
	res.Text = notice.Append(text.Text, notice.ListLimit(text), notice.JobsRunning(running, len(states)))
	return res
}

// Job is a command that goes on after the call that started it. [Suite.Jobs] lists those of
// a suite. It is safe for concurrent use.
type Job job.Job

// JobState describes a job.
type JobState struct {
	Job            int    `json:"job"`                      // its number, from 1
	Command        string `json:"command"`                  // as given
	State          string `json:"state"`                    // "running", or how it ended, such as "exited with code 0"
	Running        bool   `json:"running"`                  // the shell or a process that it left runs
	ExitCode       int    `json:"exitCode"`                 // of the shell; -1 while it runs or if a signal ended it
	Signal         string `json:"signal,omitempty"`         // the signal that ended the shell, such as "SIGTERM"
	BackgroundPids []int  `json:"backgroundPids,omitempty"` // processes that the ended shell left running, as far as found
	OutputPath     string `json:"outputPath,omitempty"`     // the file with its output, for read; "" if the file cannot be written
	Bytes          int64  `json:"bytes"`                    // bytes printed so far
	AgeMs          int64  `json:"ageMs"`                    // milliseconds from its start to now or its end
}

// JobMatch is the line that a call of job waited for.
type JobMatch struct {
	Line int    `json:"line"` // its number in the whole output, from 1
	Text string `json:"text"` // its first 200 characters
}

// State returns the state of the job.
func (j *Job) State() JobState { return JobState((*job.Job)(j).State()) }

// Wait returns when nothing of the job runs any more, or with the error of ctx.
func (j *Job) Wait(ctx context.Context) error { return (*job.Job)(j).Wait(ctx) }

// Stop asks every process of the job to end (SIGTERM), kills those that are left after two
// seconds, and waits for that as Wait does.
func (j *Job) Stop(ctx context.Context) error { return (*job.Job)(j).Stop(ctx) }
