package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
)

// Job is a command that continues after the call that started it, or may do so. It is safe for concurrent use.
type Job struct {
	registry *Registry
	command  Command
	process  *proc.Process
	began    time.Time
	cancel   context.CancelFunc // of the context of the process
	detach   func() bool        // keeps that context from ending with the call's, or reports that it has ended
	overran  chan struct{}      // closed when the command may continue after its timeout
	begun    chan struct{}      // closed when process is set, or never will be
	why      proc.Reason        // set before overran is closed: TimedOut, IdleOut, or Exited for Background
	settled  chan struct{}      // closed when it is decided whether it is a job
	done     chan struct{}      // closed when nothing of it runs and its file is complete

	// Guarded by registry.mu.
	id       int       // 0 while it is a command that may become a job
	reserved bool      // it has a place in the registry
	size     int64     // bytes printed; those of running jobs count in registry.recorded
	ended    time.Time // zero until done is about to be closed
	shown    bool      // its end was shown
	sender   string    // the sender of the last signal: notice.ACall, ...
	sent     []string  // the signals that may have been sent
}

type State struct {
	Job            int
	Command        string
	State          string // "running", or how it ended
	Running        bool   // the shell, or a process that it left, runs
	ExitCode       int    // of the shell; -1 while it runs, or if a signal ended it
	Signal         string // that ended the shell, or ""
	BackgroundPids []int  // processes that an ended shell left running, as far as found
	OutputPath     string // "" if there is no file
	Bytes          int64  // printed so far
	AgeMs          int64  // from its start to now or its end
}

// String returns the state as shown in the list of jobs.
func (s State) String() string {
	age := (time.Duration(s.AgeMs) * time.Millisecond).Round(time.Second)
	output := ""
	if s.OutputPath != "" {
		output = " in " + s.OutputPath
	}
	return fmt.Sprintf("%d: %s, for %v, %s%s: %s", s.Job, s.State, age, size.Format(s.Bytes), output,
		quote.Value(s.Command))
}

func (j *Job) State() State {
	s, _ := j.state(false)
	return s
}

// state returns the state of the job for a call, which may have sent it a signal, and whether the shell still runs.
func (j *Job) state(sent bool) (s State, shell bool) {
	out := j.command.Printed
	s = State{Job: j.id, Command: j.command.Script, ExitCode: -1, Running: true, OutputPath: out.File().Path,
		Bytes: out.Size()}
	state := notice.JobState{Running: true}
	if shell = !j.shellEnded(); !shell {
		end := j.process.Wait()
		s.ExitCode, s.Signal = end.ExitCode, end.Signal
		state = notice.JobState{Code: end.ExitCode, Signal: end.Signal, Sender: j.whoSent(end)}
		if sent && state.Sender == notice.ACall {
			state.Sender = notice.ThisCall
		}
		s.BackgroundPids, s.Running = j.process.Left()
		state.Left, state.Any = len(s.BackgroundPids), s.Running
	}
	s.State = state.String()
	j.registry.mu.Lock()
	defer j.registry.mu.Unlock()
	ended := j.ended
	if ended.IsZero() {
		ended = time.Now()
	}
	s.AgeMs = ended.Sub(j.began).Milliseconds()
	return s, shell
}

// whoSent returns the sender of the signal that ended the shell, or "".
func (j *Job) whoSent(end proc.Outcome) string {
	j.registry.mu.Lock()
	defer j.registry.mu.Unlock()
	switch {
	case end.Reason == proc.OutputLimit:
		return "the limit of " + size.Format(j.command.MaxOutput) + " of output"
	case end.Reason == proc.MemoryLimit:
		return "the limit of " + size.Format(j.command.MaxMemory) + " of memory"
	case end.Reason == proc.Canceled:
		return "the end of the suite"
	case slices.Contains(j.sent, end.Signal):
		return j.sender
	}
	return ""
}

// ID returns the number of the job.
func (j *Job) ID() int { return j.id }

// Command returns the command as given.
func (j *Job) Command() string { return j.command.Script }

func (j *Job) Tracked() part.Tracked { return j.command.Tracked }

func (j *Job) Confined() part.Confined { return j.command.Confined }

func (j *Job) Output() *capture.Output { return j.command.Printed }

// Reader returns the named reader of the output: see [capture.Readers].
func (j *Job) Reader(name string) *capture.Reader {
	return j.registry.readers.Get(j.command.Printed, name)
}

func (j *Job) shellEnded() bool { return isClosed(j.process.Ended()) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Wait waits until no process of the job runs, or returns the error of ctx.
func (j *Job) Wait(ctx context.Context) error {
	select {
	case <-j.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Stop asks every process of the job to end, kills those left after two seconds, and waits like Wait.
func (j *Job) Stop(ctx context.Context) error {
	j.signal("the program", terminate)
	return j.Wait(ctx)
}

const (
	interrupt = "interrupt"
	terminate = "terminate"
	kill      = "kill"
)

func (j *Job) signal(sender, name string) error {
	switch name {
	case interrupt:
		j.sends(sender, "SIGINT")
		return j.process.Interrupt()
	case terminate:
		j.sends(sender, "SIGTERM", "SIGKILL")
		j.process.Terminate()
	case kill:
		j.sends(sender, "SIGKILL")
		j.process.Kill()
	}
	return nil
}

func (j *Job) sends(sender string, signals ...string) {
	if j.shellEnded() {
		return
	}
	j.registry.mu.Lock()
	defer j.registry.mu.Unlock()
	j.sender, j.sent = sender, signals
}

// Ctrl-C and Ctrl-D, which are carried out even without a terminal.
const (
	interruptInput = "\x03"
	endOfInput     = "\x04"
)

// Act gives the job input and sends it a signal (interrupt, terminate or kill), each unless it is "". It reports
// whether that may end the shell.
func (j *Job) Act(input, signal string) (sent bool, err error) {
	sent = !j.shellEnded() && (signal != "" || strings.Contains(input, interruptInput))
	switch {
	case j.command.Terminal && strings.Contains(input, interruptInput):
		j.sends(notice.ACall, "SIGINT") // through the terminal
	case input == interruptInput:
		input, signal = "", cmp.Or(signal, interrupt)
	}
	if input != "" {
		text, last := strings.CutSuffix(input, endOfInput)
		err := j.process.Input(text, last)
		switch {
		case errors.Is(err, proc.ErrNoInput):
			return false, fault.Errorf(fault.InvalidInput,
				"job %d has no input: it was not started with background=true", j.id)
		case errors.Is(err, proc.ErrInputEnded):
			return false, fault.Errorf(fault.InvalidInput,
				"the input of job %d is closed. Its state: %s", j.id, j.State().State)
		case errors.Is(err, proc.ErrInputFull):
			return false, fault.Errorf(fault.InvalidInput, "job %d does not read its input: these %d bytes and what it "+
				"has not read yet are over the limit. Wait for it to read, or give it less", j.id, len(input))
		}
	}
	if err := j.signal(notice.ACall, signal); err != nil {
		return false, fault.Errorf(fault.InvalidInput, "signal=%s cannot be sent: %w. Use signal=terminate", signal, err)
	}
	return sent, nil
}
