package tools

import (
	"context"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/job"
)

// bindJobs sees to it that there are jobs, or that bash says nothing of them: they need
// both tools.
func (s *Suite) bindJobs() {
	if s.calls.tools.has("job") && s.calls.tools.has("bash") {
		if s.shell.jobs == nil {
			s.shell.jobs = job.New(job.Options{
				Procs: s.shell.procs, Max: s.cfg.Jobs.Max, Keep: s.cfg.Jobs.Keep, MaxBytes: s.cfg.Spill.MaxTotalBytes,
				Observe: s.calls.observeJob,
			})
		}
		return
	}
	s.shell.jobs = nil
	s.bash.description = fill(describeBash(s.cfg.Bash), s.cfg)
	s.bash.leaveOut("background", "ready_when", "tty")
}

// observeJob records the end of a job, and tells who watches the suite of every event.
func (c *calls) observeJob(ctx context.Context, e config.Event) {
	if e.JobState != job.Started && e.JobState != job.Matched {
		c.record.job(e)
	}
	if c.cfg.Observe != nil {
		c.cfg.Observe(ctx, e)
	}
}

// Jobs returns the jobs of the suite, those that run and those that have ended and are not
// forgotten, in the order of their start.
func (s *Suite) Jobs() (jobs []*Job) {
	for _, j := range s.shell.jobs.List() {
		jobs = append(jobs, &Job{j})
	}
	return jobs
}
