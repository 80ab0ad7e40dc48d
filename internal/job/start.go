package job

import (
	"context"
	"slices"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/size"
)

// Command is a command that starts as a job if it is Detached, and otherwise may become one at its Timeout.
type Command struct {
	proc.Command
	Printed *capture.Output // what it prints
	Event   config.Event    // has what is the same in all events of the job: the call that started it, and its trace
	Ended   func()          // called when it has ended as a job, before anybody is told
}

// Start starts a command. If it starts as a job, there must be room for one.
func (r *Registry) Start(ctx context.Context, c Command) (*Job, error) {
	j := &Job{registry: r, began: time.Now(), overran: make(chan struct{}), done: make(chan struct{})}
	if c.Detached {
		if err := r.reserve(j); err != nil {
			c.OpenDir.Close() // as Procs.Start does
			return nil, err
		}
	} else {
		c.Overrun = j.overrun
	}
	j.command, c.Printed.Admit = c, j.admit
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j.cancel, j.detach = cancel, context.AfterFunc(ctx, cancel) // until the caller knows of the job
	var err error
	if j.process, err = r.Procs.Start(own, c.Command); err != nil {
		cancel()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.release(j)
		return nil, err
	}
	return j, nil
}

// overrun reports whether a command whose timeout is over may go on.
func (j *Job) overrun() bool {
	if j.registry.reserve(j) != nil {
		return false
	}
	close(j.overran)
	return true
}

// AwaitTimeout waits until the command has ended, or may continue after its timeout.
func (j *Job) AwaitTimeout() {
	select {
	case <-j.overran:
	case <-j.process.Ended():
	}
}

// Settle decides what becomes of a command when the wait of the call that started it is over. A command that still runs
// becomes a job if there is room for it and the call has not been cancelled, for then nobody would know of the job.
// Settle returns false for a job. Otherwise it waits for the end.
func (j *Job) Settle(ctx context.Context) (end proc.Outcome, ended bool) {
	r := j.registry
	known := j.detach()
	r.mu.Lock()
	reserved := j.reserved
	r.mu.Unlock()
	if known && reserved && !isClosed(j.process.Gone()) {
		j.adopt(ctx)
		return end, false
	}
	defer j.cancel()
	end = j.process.Wait()
	r.mu.Lock()
	r.release(j)
	r.mu.Unlock()
	if !known && j.command.Detached && len(end.Background) > 0 {
		j.process.Kill() // what the shell has left
		end.Reason, end.Background = proc.Canceled, nil
	}
	return end, true
}

func (j *Job) adopt(ctx context.Context) {
	j.command.Printed.Publish()
	r := j.registry
	r.mu.Lock()
	r.last++
	j.id = r.last
	r.all = append(r.all, j)
	printed := j.size
	j.size = 0
	r.mu.Unlock()
	j.admit(printed)
	r.ending.Add(1)
	go j.finish()
	j.tell(ctx, Started)
}

// admit counts what a job has printed, also before it is one. Together they may print no more than MaxBytes: the one that
// would print more is ended, and admit returns false.
func (j *Job) admit(n int64) bool {
	r := j.registry
	r.mu.Lock()
	fits := j.id == 0 || r.recorded+n <= r.MaxBytes
	if fits {
		j.size += n
		if j.id > 0 {
			r.recorded += n
		}
	}
	kill := !fits && !slices.Contains(j.sent, "SIGKILL")
	if kill {
		j.sender = "the limit of " + size.Format(r.MaxBytes) + " for the output of all jobs"
		j.sent = []string{"SIGKILL"}
	}
	r.mu.Unlock()
	if kill {
		j.process.Kill()
	}
	return fits
}

// finish completes the files of a job when that has ended.
func (j *Job) finish() {
	r, out := j.registry, j.command.Printed
	defer r.ending.Done() // also if the observer ends the goroutine
	<-j.process.Gone()
	j.cancel()
	if end := j.process.Wait(); end.Reason != proc.Exited || end.Signal != "" {
		out.Cut()
	}
	out.Complete()
	r.mu.Lock()
	j.ended = time.Now()
	r.recorded -= j.size
	r.release(j)
	r.mu.Unlock()
	j.command.Ended()
	r.someEnded.Store(true)
	close(j.done)
	j.tell(context.Background(), j.State().State)
}

func (j *Job) tell(ctx context.Context, state string) {
	if j.registry.Observe == nil {
		return
	}
	defer func() { _ = recover() }() // whoever watches a job must not end it
	e := j.command.Event
	e.Tool, e.Job, e.JobState = "job", j.id, state
	e.Began, e.Duration = j.began, time.Since(j.began)
	e.BytesProduced, e.SpillPath = int(j.command.Printed.Size()), j.command.Printed.File().Path
	j.registry.Observe(ctx, e)
}

// Cancelled returns the error for a call to a job whose context has ended with err. The next call shows the new output.
func (j *Job) Cancelled(err error) error {
	f := fault.Errorf(fault.Aborted, "the call was cancelled; job %d continues", j.id)
	f.Err = err
	return f
}
