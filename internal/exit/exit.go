// Package exit tells the reader of a call how its command ended.
package exit

import (
	"context"
	"fmt"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
)

// LastLine describes the end of a command that exited by itself with a code other than 0. It is "" for others.
func LastLine(end proc.Outcome) string {
	switch {
	case end.Reason != proc.Exited || end.ExitCode == 0:
		return ""
	case end.Signal != "":
		return BySignal(end.Signal)
	case end.ExitCode < 0:
		return "The exit code is unknown: " +
			"the program that ran the command ignores SIGCHLD, or waits for all its children"
	}
	return WithCode(end.ExitCode)
}

// WithCode says that a command exited with a code.
func WithCode(code int) string { return fmt.Sprintf("Command exited with code %d", code) }

// BySignal says that a signal ended a command.
func BySignal(signal string) string { return "Command was ended by signal " + signal }

// maxCommandLine is how many characters of the command of a process are shown.
const maxCommandLine = 60

func Background(pids []int) notice.Notice {
	var first []notice.Running
	for _, pid := range pids[:min(len(pids), notice.MaxRunning)] {
		command := quote.Short(quote.Inline(proc.CommandLine(pid)), maxCommandLine)
		first = append(first, notice.Running{Pid: pid, Command: command})
	}
	return notice.Background(first, len(pids))
}

// Error returns the error for a command that was ended from outside or, with FailOnExit, whose exit code is not 0.
// timeout is that of the call; jobs says whether the suite has jobs.
func Error(ctx context.Context, end proc.Outcome, cfg config.Bash, timeout time.Duration, jobs bool) error {
	all, rest := ", with everything that it started", ""
	if end.Uncertain {
		rest = ", but something that it started may still be running"
		all = rest
	}
	instead := "start it with & and look at its output later"
	if jobs {
		instead = "start it with background=true and wait for it with job"
	}
	switch end.Reason {
	case proc.IdleOut:
		return fault.Errorf(fault.Timeout, "the command printed nothing for %v and was ended%s. Make it print what it "+
			"does, as with an option like -v, or %s", cfg.IdleTimeout, all, instead)
	case proc.TimedOut:
		if timeout == cfg.MaxTimeout {
			return fault.Errorf(fault.Timeout, "the command ran longer than %v, the maximum, and was ended%s. "+
				"To give it more time, %s", timeout, all, instead)
		}
		return fault.Errorf(fault.Timeout, "the command ran longer than %v and was ended%s. Give it more time with "+
			"timeout_ms (at most %d), or %s", timeout, all, cfg.MaxTimeout.Milliseconds(), instead)
	case proc.OutputLimit:
		return fault.Errorf(fault.OutputLimit, "the command printed more than %s and was ended%s. "+
			"Print less, or send the output to a file", size.Format(cfg.MaxCaptureBytes), all)
	case proc.MemoryLimit:
		return fault.Errorf(fault.MemoryLimit, "the command held more than %s of memory and was ended%s. %s",
			size.Format(cfg.MaxMemory), all, notice.HoldLess)
	case proc.Canceled:
		if err := ctx.Err(); err != nil {
			return &fault.Error{Code: fault.Aborted, Message: "the call was cancelled and the command ended" + rest, Err: err}
		}
		return fault.Errorf(fault.Aborted, "the suite was closed and the command ended%s", rest)
	case proc.Exited:
		if line := LastLine(end); cfg.FailOnExit && line != "" {
			return fault.Errorf(fault.IOError, "%s. If that is expected, end the command with || true", line)
		}
	}
	return nil
}
