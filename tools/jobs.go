package tools

import (
	"context"
	"slices"
	"sync"

	"github.com/spillway-go/spillway/internal/job"
)

// Job is a command that goes on after the call that started it. [Suite.Jobs] lists those of
// a suite. It is safe for concurrent use.
type Job struct{ job *job.Job }

// handles keep the [Job] of each job, so that a program can tell jobs apart by them.
type handles struct {
	mu   sync.Mutex
	list []*Job
}

// of returns the handles of all jobs there are.
func (h *handles) of(jobs []*job.Job) []*Job {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []*Job
	for _, j := range jobs {
		handle := &Job{j}
		if i := slices.IndexFunc(h.list, func(old *Job) bool { return old.job == j }); i >= 0 {
			handle = h.list[i]
		}
		list = append(list, handle)
	}
	h.list = list
	return slices.Clone(list)
}

// JobState is how a job stands.
type JobState struct {
	Job            int    `json:"job"`                      // its number, from 1
	Command        string `json:"command"`                  // as it was given
	State          string `json:"state"`                    // "running", or how it ended: "exited with code 0"
	Running        bool   `json:"running"`                  // the shell, or something that it left, runs
	ExitCode       int    `json:"exitCode"`                 // of the shell; -1 while it runs, and if a signal ended it
	Signal         string `json:"signal,omitempty"`         // the signal that ended the shell, such as "SIGTERM"; "" if none did
	BackgroundPids []int  `json:"backgroundPids,omitempty"` // what an ended shell has left running, as far as it was found
	OutputPath     string `json:"outputPath,omitempty"`     // the file with its output, as read takes it; "" if that cannot be written
	Bytes          int64  `json:"bytes"`                    // bytes printed so far
	AgeMs          int64  `json:"ageMs"`                    // milliseconds since its start, up to its end
}

// JobMatch is the line that a call of job waited for.
type JobMatch struct {
	Line int    `json:"line"` // its number in the whole output, from 1
	Text string `json:"text"` // the line, up to 200 characters of it
}

// State returns how the job stands.
func (j *Job) State() JobState { return JobState(j.job.State()) }

// Wait returns when nothing of the job runs any more, or with the error of ctx.
func (j *Job) Wait(ctx context.Context) error { return j.job.Wait(ctx) }

// Stop asks every process of the job to end (SIGTERM), kills those that are left after two
// seconds, and waits for that as Wait does.
func (j *Job) Stop(ctx context.Context) error { return j.job.Stop(ctx) }
