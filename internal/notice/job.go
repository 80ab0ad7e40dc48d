package notice

import (
	"fmt"
	"time"

	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/truncation"
)

// Job is the state of a job.
type Job struct {
	ID     int
	State  string // "running", or how it ended
	Shell  bool   // the shell is running
	Any    bool   // some process of the job is running
	Output Saved
}

// Notice says how the job stands, and what can be done about it.
func (j Job) Notice() Notice {
	output := fmt.Sprintf("Output: %s", j.Output.Path)
	if j.Output.Err != nil {
		output = fmt.Sprintf("Output not saved: %v", j.Output.Err)
	}
	state := fmt.Sprintf("Job %d %s.", j.ID, j.State)
	switch {
	case j.Shell:
		state = fmt.Sprintf("Job %d is %s. Use job id=%d to wait for it, read on or stop it.", j.ID, j.State, j.ID)
	case j.Any:
		state = fmt.Sprintf("Job %d: %s. Use job id=%d to wait for them, read on or stop them.", j.ID, j.State, j.ID)
	}
	return Notice(state + " " + output)
}

// NoJobTimeout says that a call gave a timeout to a job, which has none.
const NoJobTimeout Notice = "timeout_ms has no effect without ready_when: a job runs until it ends or is stopped"

// JobsRunning says how many of the jobs in a list are running. It is empty if none is, as each of them says so.
func JobsRunning(running, all int) Notice {
	if running == 0 {
		return ""
	}
	return Notice(fmt.Sprintf("Still running: %d of %s", running, Count(all, "job")))
}

// JobState is the state of a job. Its zero value is that of a job that exited with code 0.
type JobState struct {
	Running bool   // the shell is running
	Code    int    // the exit code of the shell; -1 if it is not known
	Signal  string // the signal that ended the shell, or ""
	Sender  string // who sent it, such as "job"; "" if that is not known
	Any     bool   // the shell left processes running
	Left    int    // the number of these that were found
}

// String returns the state in words: "exited with code 1".
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
		how = "ended with an unknown exit code"
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

// Matched says which line of the output, counted from 1, a call waited for.
func Matched(line int, text string) Notice {
	return Notice(fmt.Sprintf("Line %d matches: %s", line, text))
}

// LinesBefore says which lines a part that ends at a match leaves out, as they are new too. It is empty if the part is
// whole. before is the number of lines of the file before it.
func LinesBefore(r truncation.Result, before int, file string) Notice {
	first, last := before+1, before+r.LinesRemoved()
	if last < first {
		return ""
	}
	lines := fmt.Sprintf("lines %d-%d", first, last)
	if first == last {
		lines = fmt.Sprintf("line %d", first)
	}
	by := byLimit(r.TruncatedBy, r.MaxBytes)
	return Notice(fmt.Sprintf("%s before these %s left out%s: %s of %s", Count(last-before, "line"),
		pluralOf(last-before, "was", "were"), by, lines, file))
}

// After says that a job has printed more than a part that ends at a match.
func After(left int64) Notice {
	if left == 0 {
		return ""
	}
	return Notice(fmt.Sprintf("The job printed %s after this line; the next call shows it", size.Format(left)))
}

// NotMatched says that no line matched before the deadline of a call.
func NotMatched(argument string, after time.Duration) Notice {
	return Notice(fmt.Sprintf("No line matched %s within %v", argument, after))
}

// NotMatchedYet says that no line matched before the job waited for input.
func NotMatchedYet(argument string) Notice {
	return Notice(fmt.Sprintf("No line matched %s before the job waited for input", argument))
}

// WaitsForInput says that a job is blocked until it gets input.
const WaitsForInput Notice = "The job waits for input"

// NeverMatched says that no line matched before the job ended.
func NeverMatched(argument string) Notice {
	return Notice(fmt.Sprintf("No line matched %s before the end", argument))
}

// Unfinished says that the last line of an output is not finished. It quotes the line unless text is empty.
func Unfinished(text string) Notice {
	if text == "" {
		return "The last line is not finished"
	}
	return Notice("The last line is not finished: " + text)
}

// Overran says that a command became a job at its timeout.
func Overran(timeout time.Duration) Notice {
	return Notice(fmt.Sprintf("The command ran longer than %v and continues as a job", timeout))
}
