package notice

import (
	"fmt"
	"time"

	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/truncation"
)

type Job struct {
	ID     int
	State  string // "running", or how it ended
	Shell  bool   // the shell is running
	Any    bool   // some process of the job is running
	None   bool   // certainly no process is running
	Known  bool   // the reader was already told what to do about a job
	Output Saved
}

// Notice describes the state of the job, and what to do about it.
func (j Job) Notice() Notice {
	output := fmt.Sprintf("Output: %s", j.Output.Path)
	if j.Output.Err != nil {
		output = fmt.Sprintf("Output not saved: %v", j.Output.Err)
	}
	state, hint := fmt.Sprintf("Job %d %s", j.ID, j.State), ""
	switch {
	case j.None:
		state += ". None of its processes is left"
	case j.Shell:
		state = fmt.Sprintf("Job %d is %s", j.ID, j.State)
		hint = fmt.Sprintf(". Use job id=%d to wait for it, read on or stop it", j.ID)
	case j.Any:
		state = fmt.Sprintf("Job %d: %s", j.ID, j.State)
		hint = fmt.Sprintf(". Use job id=%d to wait for them, read on or stop them", j.ID)
	}
	if j.Known {
		hint = ""
	}
	return Notice(state + hint + ". " + output)
}

func inputOf(id int) string { return fmt.Sprintf(`job id=%d input="...\n"`, id) }

const NoJobTimeout Notice = "timeout_ms has no effect without ready_when"

const NoShow Notice = "show has no effect where ready_when matches"

// JobsRunning says how many jobs of a list are running. It is empty for none, because each line then says so.
func JobsRunning(running, all int) Notice {
	if running == 0 {
		return ""
	}
	return Notice(fmt.Sprintf("Still running: %d of %s", running, Count(all, "job")))
}

// JobState is the state of a job. The zero value is that of a job that exited with code 0.
type JobState struct {
	Running bool   // the shell is running
	Code    int    // the exit code of the shell; -1 if unknown
	Signal  string // the signal that ended the shell, or ""
	Sender  string // the sender of the signal, such as [ThisCall]; "" if unknown
	Any     bool   // the shell left processes running
	Left    int    // how many of these were found
}

// Senders of a signal that are calls of job.
const (
	ThisCall = "this call"
	ACall    = "a call of job"
)

// String returns the state in words, such as "exited with code 1".
func (j JobState) String() string {
	how := ""
	switch {
	case j.Running:
		return "running"
	case j.Signal != "" && j.Sender == "":
		how = fmt.Sprintf("ended by signal %s (not sent by %s)", j.Signal, ACall)
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

// Matched says which line of the output, counted from 1, matched. It quotes the line unless text is empty.
func Matched(line int, text string) Notice {
	if text != "" {
		text = ": " + text
	}
	return Notice(fmt.Sprintf("Line %d matches%s", line, text))
}

// LinesBefore says which new lines before a match are left out. It is empty if none are. before is the number of lines
// of the file before the part.
func LinesBefore(r truncation.Result, before int, file string) Notice {
	first, last := before+1, before+r.LinesRemoved()
	by := byLimit(r.TruncatedBy, r.MaxBytes)
	switch {
	case last < first:
		return ""
	case first == last:
		return Notice(fmt.Sprintf("Line %d of %s was left out before these%s", first, file, by))
	}
	return Notice(fmt.Sprintf("Lines %d-%d of %s were left out before these%s", first, last, file, by))
}

func After(left int64) Notice {
	if left == 0 {
		return ""
	}
	return Notice(fmt.Sprintf("The job printed %s after this line; the next call shows it", size.Format(left)))
}

func NotMatched(argument string, after time.Duration) Notice {
	return Notice(fmt.Sprintf("No line matched the pattern in %s within %v", argument, after))
}

// WaitsForInput says that a job is blocked until it gets input and, unless id is 0, how to give it that.
func WaitsForInput(id int) Notice {
	if id == 0 {
		return "The job waits for input"
	}
	return Notice("The job waits for input: use " + inputOf(id))
}

func NeverMatched(argument string) Notice {
	return Notice(fmt.Sprintf("No line matched the pattern in %s before the end", argument))
}

// Unfinished describes a job that accepts input and whose last line of output is unfinished.
type Unfinished struct {
	Text string // the line, to quote it
	ID   int    // of the job, to say how to give it input; 0 to leave that out
}

func (u Unfinished) Notice() Notice {
	n := "The job may wait for input"
	if u.ID > 0 {
		n += ": use " + inputOf(u.ID)
	}
	if u.Text != "" {
		n += ". Its last line: " + u.Text
	}
	return Notice(n)
}

func Overran(timeout time.Duration) Notice {
	return Notice(fmt.Sprintf("The command ran longer than %v and continues as a job", timeout))
}

const MovedToBackground Notice = "The user moved the command to the background, and it continues as a job"

func WentIdle(after time.Duration) Notice {
	return Notice(fmt.Sprintf("The command printed nothing for %v and continues as a job", after))
}
