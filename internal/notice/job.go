package notice

import (
	"fmt"
	"time"
)

// Job says how a job stands, and what can be done about it.
type Job struct {
	ID     int
	State  string // "running", or how it ended
	Shell  bool   // the shell runs
	Any    bool   // something of it runs
	Output Saved
}

// Notice says how the job stands.
func (j Job) Notice() Notice {
	output := fmt.Sprintf("Output: %s", j.Output.Path)
	if j.Output.Err != nil {
		output = fmt.Sprintf("Output not saved: %v", j.Output.Err)
	}
	switch {
	case j.Shell:
		return Notice(fmt.Sprintf("Job %d is %s. Use job id=%d to wait for it, read on or stop it. %s", j.ID, j.State, j.ID, output))
	case j.Any:
		return Notice(fmt.Sprintf("Job %d: %s. Use job id=%d to wait for them, read on or stop them. %s", j.ID, j.State, j.ID, output))
	}
	return Notice(fmt.Sprintf("Job %d %s. %s", j.ID, j.State, output))
}

// NoJobTimeout says that a call gave a timeout to a job, which has none.
const NoJobTimeout Notice = "timeout_ms has no effect without ready_when: a job runs until it ends or is stopped"

// JobsRunning says how many of all jobs in a list run.
func JobsRunning(running, all int) Notice {
	return Notice(fmt.Sprintf("Still running: %d of %s", running, Count(all, "job")))
}

// JobState is how a job stands. The zero value is one that exited with code 0.
type JobState struct {
	Running bool   // the shell runs
	Code    int    // of the shell; -1 if it is not known
	Signal  string // that ended the shell, or ""
	Sender  string // who sent it, as "job"; "" if it was nobody known
	Any     bool   // the shell has left something running
	Left    int    // of that, the processes that were found
}

// String returns the state as notices have it: "exited with code 1".
func (j JobState) String() string {
	how := ""
	switch {
	case j.Running:
		return "running"
	case j.Signal != "" && j.Sender == "":
		how = fmt.Sprintf("ended by signal %s (not sent by job)", j.Signal)
	case j.Signal != "":
		how = fmt.Sprintf("ended by signal %s (sent by %s)", j.Signal, j.Sender)
	case j.Code < 0:
		how = "ended with a code that is not known"
	default:
		how = fmt.Sprintf("exited with code %d", j.Code)
	}
	switch {
	case !j.Any:
		return how
	case j.Left == 0:
		return "shell " + how + ", processes may still be running"
	}
	return fmt.Sprintf("shell %s, %d %s still running", how, j.Left, pluralOf(j.Left, "process", "processes"))
}

// Matched says which line a call waited for, counted from 1 in the whole output.
func Matched(line int, text string) Notice {
	return Notice(fmt.Sprintf("Line %d matches: %s", line, text))
}

// NotMatched says that a call waited for a line in vain.
func NotMatched(argument string, after time.Duration) Notice {
	return Notice(fmt.Sprintf("No line matched %s within %v", argument, after))
}

// NeverMatched says that what a call waited for has ended without that line.
func NeverMatched(argument string) Notice {
	return Notice(fmt.Sprintf("No line matched %s before the end", argument))
}

// Unfinished says that the last line of an output has no end yet. It quotes the line unless
// text is empty.
func Unfinished(text string) Notice {
	if text == "" {
		return "The last line is not finished"
	}
	return Notice("The last line is not finished: " + text)
}

// Overran says that a command became a job at its timeout.
func Overran(timeout time.Duration) Notice {
	return Notice(fmt.Sprintf("The command ran longer than %v and goes on as a job", timeout))
}
