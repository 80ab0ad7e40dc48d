package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/sandbox"
	"github.com/spillway-go/spillway/internal/size"
)

// maxEnded is how many ended jobs are kept at most, the newest, whether their end was shown
// or not.
const maxEnded = 64

// jobs are those of a suite. A nil one has none.
type jobs struct {
	cfg       config.Config
	readers   capture.Readers
	recording sync.WaitGroup // jobs whose files are not kept yet, or whose end the observer was not told

	// mu guards all below, and what changes in each job. Nobody takes the lock of an output, or of
	// a process, while holding it.
	mu       sync.Mutex
	all      []*Job // in the order of their numbers
	last     int    // the number given last
	reserved int    // jobs that run, and commands that may become one
	recorded int64  // bytes in the files of jobs that run
}

// Job is a command that goes on after the call that started it. [Suite.Jobs] lists those of
// a suite. It is safe for concurrent use.
type Job struct {
	jobs    *jobs
	sandbox *sandbox.Sandbox
	call    string   // the id of the call that started it
	trace   trace    // that the call belongs to
	box     *Sandbox // describes it, or nil
	command string
	tty     bool // it has a terminal
	process *proc.Process
	out     *capture.Output
	began   time.Time
	cancel  context.CancelFunc // of the context of the process
	detach  func() bool        // keeps that from ending with the call's, or reports that it has
	done    chan struct{}      // closed when nothing of it runs and its file is whole

	// jobs.mu guards these.
	id     int       // 0 while it is a command that may become a job
	size   int64     // bytes that count in jobs.recorded
	ended  time.Time // zero until done is closed
	shown  bool      // its end was shown
	sender string    // who sent the last signal: "job", ...
	sent   []string  // the signals that this may be
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

func (js *jobs) list() []*Job {
	if js == nil {
		return nil
	}
	js.mu.Lock()
	defer js.mu.Unlock()
	js.tidy()
	return slices.Clone(js.all)
}

// State returns how the job stands.
func (j *Job) State() JobState {
	s := JobState{Job: j.id, Command: j.command, ExitCode: -1, Running: true, OutputPath: j.out.File().Path,
		Bytes: j.out.Size()}
	state := notice.JobState{Running: true}
	select {
	case <-j.process.Ended():
		end := j.process.Wait()
		s.ExitCode, s.Signal = end.ExitCode, end.Signal
		state = notice.JobState{Code: end.ExitCode, Signal: end.Signal, Sender: j.whoSent(end)}
		s.BackgroundPids, s.Running = j.process.Left()
		state.Left, state.Any = len(s.BackgroundPids), s.Running
	default:
	}
	s.State = state.String()
	j.jobs.mu.Lock()
	defer j.jobs.mu.Unlock()
	ended := j.ended
	if ended.IsZero() {
		ended = time.Now()
	}
	s.AgeMs = ended.Sub(j.began).Milliseconds()
	return s
}

// whoSent tells who sent the signal that ended the shell, or "".
func (j *Job) whoSent(end proc.Outcome) string {
	j.jobs.mu.Lock()
	defer j.jobs.mu.Unlock()
	switch {
	case end.Reason == proc.OutputLimit:
		return "the limit of " + size.Format(j.jobs.cfg.Bash.MaxCaptureBytes) + " of output"
	case end.Reason == proc.Canceled:
		return "the end of the suite"
	case slices.Contains(j.sent, end.Signal):
		return j.sender
	}
	return ""
}

// Wait returns when nothing of the job runs any more, or with the error of ctx.
func (j *Job) Wait(ctx context.Context) error {
	select {
	case <-j.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Stop asks every process of the job to end (SIGTERM), kills those that are left after two
// seconds, and waits for that as Wait does.
func (j *Job) Stop(ctx context.Context) error {
	j.signal("the program", signalTerminate)
	return j.Wait(ctx)
}

// The signals that a job may be sent.
const (
	signalInterrupt = "interrupt"
	signalTerminate = "terminate"
	signalKill      = "kill"
)

// sends notes who sends signals.
func (j *Job) sends(sender string, signals ...string) {
	j.jobs.mu.Lock()
	defer j.jobs.mu.Unlock()
	j.sender, j.sent = sender, signals
}

// signal sends a signal.
func (j *Job) signal(sender, name string) error {
	switch name {
	case signalInterrupt:
		j.sends(sender, "SIGINT")
		return j.process.Interrupt()
	case signalTerminate:
		j.sends(sender, "SIGTERM", "SIGKILL")
		j.process.Terminate()
	case signalKill:
		j.sends(sender, "SIGKILL")
		j.process.Kill()
	}
	return nil
}

// reserve makes room for one more job, or says which there are.
func (js *jobs) reserve() *Error {
	js.mu.Lock()
	defer js.mu.Unlock()
	js.tidy()
	if js.reserved < js.cfg.Jobs.Max {
		js.reserved++
		return nil
	}
	are, one := "are", "one"
	if js.reserved == 1 {
		are, one = "is", "it"
	}
	running := js.names(func(j *Job) bool { return j.ended.IsZero() })
	return errorf(CodeDenied, "%s %s running, the most that there may be. Stop %[3]s with job signal=terminate, "+
		"or wait for %[3]s: %[4]s", notice.Count(js.reserved, "job"), are, one, running)
}

// release gives back what reserve took.
func (js *jobs) release() {
	js.mu.Lock()
	defer js.mu.Unlock()
	js.reserved--
}

// names names jobs, a few of them in full.
func (js *jobs) names(which func(*Job) bool) string {
	const most = 8
	var names []string
	more := 0
	for _, j := range js.all {
		switch {
		case !which(j):
		case len(names) < most:
			names = append(names, fmt.Sprintf("%d (%s)", j.id, quote.Short(show(j.command), 40)))
		default:
			more++
		}
	}
	if more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// adopt makes a job of a command.
func (js *jobs) adopt(j *Job) {
	j.out.Publish()
	js.mu.Lock()
	js.last++
	j.id = js.last
	js.all = append(js.all, j)
	js.mu.Unlock()
	j.record(j.out.Size())
	js.recording.Add(1)
	go j.finish()
}

// find returns the job with that number.
func (js *jobs) find(id int) (*Job, *Error) {
	js.mu.Lock()
	defer js.mu.Unlock()
	js.tidy()
	for _, j := range js.all {
		if j.id == id {
			return j, nil
		}
	}
	there := "The jobs are"
	switch len(js.all) {
	case 0:
		return nil, errorf(CodeNotFound, "there is no job %d, nor any other. bash with background=true starts one", id)
	case 1:
		there = "The only one is"
	}
	return nil, errorf(CodeNotFound, "there is no job %d. %s %s", id, there, js.names(func(*Job) bool { return true }))
}

// tidy forgets ended jobs: those that were shown a while ago, and the oldest where there are
// many.
func (js *jobs) tidy() {
	ended := 0
	for i := len(js.all) - 1; i >= 0; i-- {
		j := js.all[i]
		if j.ended.IsZero() {
			continue
		}
		ended++
		if ended > maxEnded || j.shown && time.Since(j.ended) > js.cfg.Jobs.Keep {
			js.all = slices.Delete(js.all, i, i+1)
			js.readers.Drop(j.out)
		}
	}
}

// wait returns when the processes of all jobs have ended, their files are whole, and the observer was told.
func (js *jobs) wait() {
	if js != nil {
		js.recording.Wait()
	}
}

// record counts what a job has printed. Together they may print no more than the spill
// directory holds: the one that would print more is ended, and record returns false.
func (j *Job) record(n int64) bool {
	js, most := j.jobs, j.jobs.cfg.Spill.MaxTotalBytes
	js.mu.Lock()
	fits := j.id == 0 || js.recorded+n <= most
	if fits && j.id > 0 {
		js.recorded, j.size = js.recorded+n, j.size+n
	}
	kill := !fits && !slices.Contains(j.sent, "SIGKILL")
	if kill {
		j.sender, j.sent = "the limit of "+size.Format(most)+" for the output of all jobs", []string{"SIGKILL"}
	}
	js.mu.Unlock()
	if kill {
		j.process.Kill()
	}
	return fits
}

// finish completes the files of a job when that has ended.
func (j *Job) finish() {
	js := j.jobs
	defer js.recording.Done() // also if the observer ends the goroutine
	<-j.process.Gone()
	j.cancel()
	if end := j.process.Wait(); end.Reason != proc.Exited || end.Signal != "" {
		j.out.Cut()
	}
	j.out.Complete()
	js.mu.Lock()
	j.ended = time.Now()
	js.recorded -= j.size
	js.reserved--
	js.mu.Unlock()
	j.sandbox.Undo()
	close(j.done)
	j.tell(context.Background(), j.State().State)
}

// tell tells the observer of the job.
func (j *Job) tell(ctx context.Context, state string) {
	if observe := j.jobs.cfg.Observe; observe != nil {
		defer func() { _ = recover() }() // whoever watches a job must not end it
		observe(ctx, j.event(state))
	}
}

// event describes the job.
func (j *Job) event(state string) config.Event {
	return config.Event{
		ID: j.call, Tool: "job", Job: j.id, JobState: state, Began: j.began, Duration: time.Since(j.began),
		BytesProduced: int(j.out.Size()), SpillPath: j.out.File().Path,
		TraceParent: j.trace.parent, TraceState: j.trace.state,
	}
}
