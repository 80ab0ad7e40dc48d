package job

import (
	"context"
	"slices"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/size"
)

// Command is a command that starts as a job if it is Detached, and otherwise may become one.
type Command struct {
	proc.Command
	Overruns bool                // it also becomes a job at its Timeout or IdleTimeout
	Printed  *capture.Output     // its output
	CallID   string              // the call that starts it
	Event    func() config.Event // unless nil, returns the fields that all events of the job share: the call, its trace
	Confined part.Confined       // its confinement
	Tracked  part.Tracked        // tracks its changes
	Begins   func(*Job)          // unless nil, called before it starts
}

// Start starts a command. If it starts as a job, there must be room for one.
func (r *Registry) Start(ctx context.Context, c Command) (*Job, error) {
	j := &Job{registry: r, began: time.Now(), overran: make(chan struct{}), begun: make(chan struct{}),
		settled: make(chan struct{}), done: make(chan struct{})}
	defer close(j.begun)
	if c.Detached {
		if err := r.reserve(j); err != nil {
			c.OpenDir.Close() // as Procs.Start does
			return nil, err
		}
	} else if c.Overruns {
		c.Overrun = func(why proc.Reason) bool { return j.overrun(why) == nil }
	}
	j.command, c.Printed.Admit = c, j.admit
	if c.Begins != nil {
		c.Begins(j)
	}
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j.cancel, j.detach = cancel, context.AfterFunc(ctx, cancel) // until the caller knows the job
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

// overrun lets a command continue, or returns an error if there is no room for one more job.
func (j *Job) overrun(why proc.Reason) error {
	if err := j.registry.reserve(j); err != nil {
		return err
	}
	j.why = why
	close(j.overran)
	return nil
}

// Background makes a job of a command that its call waits for, and returns when it is one. The error says that there
// is no room, that it is a job already, or that it has ended.
func (j *Job) Background() error {
	if j.command.Detached {
		return fault.Errorf(fault.Denied, "the command was started as a job already")
	}
	const over = "the command has ended, or its call was cancelled, before it could become a job"
	if <-j.begun; j.process == nil {
		return fault.Errorf(fault.NotFound, over)
	}
	var full error
	moved := j.process.Detach(func() bool {
		full = j.overrun(proc.Exited)
		return full == nil
	})
	if full != nil {
		return full
	}
	<-j.settled
	switch r := j.registry; {
	case r.number(j) == 0:
		return fault.Errorf(fault.NotFound, over)
	case !moved:
		return j.Already()
	}
	return nil
}

func (j *Job) Already() error {
	return fault.Errorf(fault.Denied, "the command is job %d already", j.registry.number(j))
}

// number returns the number of a job, which is 0 before it is one.
func (r *Registry) number(j *Job) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return j.id
}

// AwaitTimeout waits until the command has ended, or may continue as a job, and returns why: TimedOut, IdleOut, or
// Exited for Background. When due receives, the call must be answered, and the command becomes a job if there is room.
func (j *Job) AwaitTimeout(due <-chan time.Time) (why proc.Reason) {
	for {
		select {
		case <-j.overran:
			return j.why
		case <-j.process.Ended():
			return proc.Exited
		case <-due:
			j.process.Detach(func() bool { return j.overrun(proc.TimedOut) == nil })
		}
	}
}

// Settle decides what happens to a command when the call has waited long enough. A running command becomes a job if
// there is room and the call was not canceled, because after that nobody would know of the job. Settle returns false
// for a job. Otherwise it waits for the end.
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
	close(j.settled)
	defer j.cancel()
	end = j.process.Wait()
	r.mu.Lock()
	r.release(j)
	r.mu.Unlock()
	if !known && j.command.Detached && len(end.Background) > 0 {
		j.process.Kill() // processes that the shell left
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
	close(j.settled) // before anyone is told, who may call Background
	j.admit(printed)
	r.ending.Add(1)
	go j.finish()
	j.tell(ctx, Started)
}

// admit counts the output of a job, or of a command that may become one. If all together would exceed MaxBytes, this
// one is ended, and admit returns false.
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

// finish completes the files of an ended job.
func (j *Job) finish() {
	r, out := j.registry, j.command.Printed
	defer r.ending.Done() // even if the observer ends the goroutine
	<-j.process.Gone()
	j.cancel()
	end := j.process.Wait()
	if end.Reason != proc.Exited || end.Signal != "" {
		out.Cut()
	}
	if end.Reason == proc.Exited && end.ExitCode > 0 { // otherwise the reason is known
		out.Fail()
	}
	out.Complete()
	r.mu.Lock()
	j.ended = time.Now()
	r.recorded -= j.size
	r.release(j)
	r.mu.Unlock()
	j.command.Confined.Ended(false)
	j.command.Tracked.Ended()
	r.someEnded.Store(true)
	close(j.done)
	j.tell(context.Background(), j.State().State)
}

func (j *Job) tell(ctx context.Context, state string) {
	if j.registry.Observe == nil {
		return
	}
	defer func() { _ = recover() }() // watching must not end the job
	var e config.Event
	if j.command.Event != nil {
		e = j.command.Event()
	}
	e.Tool, e.Job, e.JobState = "job", j.id, state
	e.Began, e.Duration = j.began, time.Since(j.began)
	e.BytesProduced, e.SpillPath = int(j.command.Printed.Size()), j.command.Printed.File().Path
	e.Network = j.command.Confined.Hosts()
	if isClosed(j.done) && j.registry.Details != nil {
		e.Details = j.registry.Details(j.State())
	}
	j.registry.Observe(ctx, e)
}

// Cancelled returns the error for a call to a job whose context has ended with err. The next call shows the new
// output.
func (j *Job) Cancelled(err error) error {
	f := fault.Errorf(fault.Aborted, "the call was cancelled; job %d continues", j.id)
	f.Err = err
	return f
}
