package job

import (
	"context"

	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
)

// Shown is what a call shows of a job.
type Shown struct {
	State        State
	Streams      []capture.Text // what is new of them
	NewBytes     int64          // printed since the last call of the reader
	ProcessLimit int            // how many processes and threads the job could have, if it tried to start more; else 0
	Notices      []notice.Notice
	Stands       notice.Notice // how the job stands, which may be out of date later
}

// Show returns what the job has printed since the reader was last shown it, and its state. If the call found a line,
// the output ends with that line and has at most lines lines, and the observer is told. The error is that of ctx.
func (j *Job) Show(ctx context.Context, reader *capture.Reader, end Awaited, lines int) (Shown, error) {
	if end.Found.Line > 0 {
		j.tell(ctx, Matched)
	}
	res := Shown{State: j.State()} // before the output: an end comes with all of it
	if !res.State.Running {
		<-j.done
	}
	if j.shellEnded() {
		res.ProcessLimit = j.process.Wait().ProcessLimit
	}
	var left int64
	var err error
	if end.Found.Line > 0 {
		res.Streams, left, err = reader.TakeUntil(ctx, end.Found, lines)
	} else {
		res.Streams, err = reader.Take(ctx)
	}
	if err != nil {
		return Shown{}, err
	}
	for _, text := range res.Streams {
		res.NewBytes += text.Printed
		line := text.Unfinished
		if line == "" || end.Input { // which is a question then
			continue
		}
		if text.Repeated || line == end.Found.Text {
			line = ""
		}
		res.Notices = append(res.Notices, notice.Unfinished(line))
	}
	if !res.State.Running {
		res.Notices = append(res.Notices, notice.After(left))
		j.registry.mu.Lock()
		j.shown = j.shown || left == 0
		j.registry.mu.Unlock()
	}
	res.Notices = append(res.Notices, notice.ProcessLimit(res.ProcessLimit))
	res.Stands = notice.Job{
		ID: j.id, State: res.State.State, Shell: !j.shellEnded(), Any: res.State.Running, Output: j.command.Printed.File(),
	}.Notice()
	return res, nil
}

// Unknown returns the error for a call that should continue where its reader stopped, if the reader is unknown.
// identify says how to change that, or is "".
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
