package job

import (
	"context"

	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
)

// Report is what a call shows of a job.
type Report struct {
	State        State
	Streams      []capture.Text // new output
	NewBytes     int64          // printed since the last call of the reader
	ProcessLimit int            // the limit of processes and threads if the job tried to exceed it; else 0
	MemoryLimit  int64          // the limit of memory if the job was ended because it held more; else 0
	Notices      []notice.Notice
	Stands       notice.Notice // the state of the job, which may be out of date later
}

// Call is a call that shows a job.
type Call struct {
	Awaited
	Lines int  // lines to show if it found one
	Sent  bool // it sent the job a signal
	Gave  bool // it gave the job input

	// First reports whether the reader is told for the first time how to use the job, while the shell runs or after it
	// has left processes. Nil means always.
	First func(shell bool) bool
}

// Show returns the output that is new to the reader, and the state of the job. If the call found a line, the output
// ends with that line, and the observer is told. The error is that of ctx.
func (j *Job) Show(ctx context.Context, reader *capture.Reader, c Call) (Report, error) {
	if c.Found.Line > 0 {
		j.tell(ctx, Matched)
	}
	var res Report
	var shell, known bool
	res.State, shell = j.state(c.Sent) // before the output, so that an ended job has all of it
	if !res.State.Running {
		<-j.done
	}
	var left int64
	var err error
	if c.Found.Line > 0 {
		res.Streams, left, err = reader.TakeUntil(ctx, c.Found, c.Lines)
	} else {
		res.Streams, err = reader.Take(ctx)
	}
	if err != nil {
		return Report{}, err
	}
	res.ProcessLimit = j.process.ProcessLimit() // after the output, which may say that a process could not be started
	res.MemoryLimit = j.process.MemoryLimit()
	for _, text := range res.Streams {
		res.NewBytes += text.Printed
	}
	if res.State.Running && c.First != nil {
		known = !c.First(shell)
	}
	how := j.id // set if the notice says how to give input
	if c.Gave {
		how = 0
	}
	res.Notices = j.said(res, c, how)
	if !res.State.Running {
		res.Notices = append(res.Notices, notice.After(left))
		j.registry.mu.Lock()
		j.shown = j.shown || left == 0
		j.registry.mu.Unlock()
	}
	res.Stands = notice.Job{
		ID: j.id, State: res.State.State, Shell: shell, Any: res.State.Running,
		None: !res.State.Running && j.process.NoneLeft(), Known: known, Output: j.command.Printed.File(),
	}.Notice()
	return res, nil
}

// takesInput reports whether a call can give the job input.
func (j *Job) takesInput() bool { return j.command.Input || j.command.Terminal }

// said says what the call found or waits for, without quoting a line at the end of the output. how is the job if the
// notice says how to give it input, else 0.
func (j *Job) said(res Report, c Call, how int) (said []notice.Notice) {
	last := capture.LastLine(res.Streams)
	if c.Found.Line > 0 {
		line := c.Found.Text
		if line == last {
			line = ""
		}
		said = append(said, notice.Matched(c.Found.Line, line))
	}
	if c.Input {
		return append(said, notice.WaitsForInput(how)) // the last line is then the question
	}
	for _, text := range res.Streams {
		line := text.Unfinished
		if line == "" || !j.takesInput() || !res.State.Running {
			continue
		}
		if text.Repeated || line == last || line == c.Found.Text {
			line = ""
		}
		said = append(said, notice.Unfinished{Text: line, ID: how}.Notice())
	}
	return said
}

// Unknown returns the error for a call that should continue where its reader stopped, if the reader is unknown.
// identify, unless "", says how to change that.
func (j *Job) Unknown(identify string) error {
	file := "the file with its output"
	if path := j.command.Printed.File().Path; path != "" {
		file = quote.Value(path)
	}
	if identify != "" {
		identify = ". " + identify
	}
	return fault.Errorf(fault.Denied, "job shows what is new since your last call, and your calls cannot be told from "+
		"others. Nothing was done. Read %s, with a negative offset for its end, or give signal to end the job%s",
		file, identify)
}
