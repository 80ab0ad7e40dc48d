package tools

import (
	"strings"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

// jobCapture is what a capture knows of a job's output, which is shown in parts.
type jobCapture struct {
	goesOn bool   // the last line may go on
	part   bool   // this is a part that is to be shown
	path   string // the file, absolute, which has its name already; "" if it could not be made
	err    error  // why not all of the output is in there

	line  int64  // where the last line begins in the raw output
	lines int    // lines that were shown before
	bytes int64  // bytes of the raw output that were shown before
	from  int64  // where the last line began then
	half  string // what there was of it
}

// streams returns the captures of an output.
func (o *output) streams() []*capture {
	if o.stderr == nil {
		return []*capture{o.stdout}
	}
	return []*capture{o.stdout, o.stderr}
}

// size returns the number of bytes that were printed.
func (o *output) size() (n int64) {
	for _, c := range o.streams() {
		c.mu.Lock()
		n += c.spill.Size()
		c.mu.Unlock()
	}
	return n
}

// publish makes the capture a job's, and gives its file the name by which it can be read.
func (c *capture) publish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.job.goesOn = true
	c.job.path, c.job.err = c.spill.Publish()
}

// complete ends the file of a job.
func (c *capture) complete() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.job.goesOn = false
	_, c.job.err = c.spill.Keep()
}

// keep returns the path of the file with all of the output, which it ends unless it is a
// job's.
func (c *capture) keep() (path string, err error) {
	if c.job.part {
		return c.job.path, c.job.err
	}
	return c.spill.Keep()
}

// take returns what was printed since the last take, to be shown. bytes are those of the
// raw output.
func (c *capture) take() (part *capture, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	job := &c.job
	if job.half = ""; job.goesOn {
		job.half = string(c.filter.Pending())
		if _, err := c.spill.Publish(); err != nil {
			job.err = err
		}
	} else {
		c.filter.Close()
	}
	part = &capture{spill: c.spill, shown: c.shown, marked: c.marked, job: *job}
	part.job.part, part.job.goesOn = true, true
	bytes = c.spill.Size() - job.bytes
	job.bytes, job.from = c.spill.Size(), job.line
	job.lines += c.shown.Result().TotalLines
	c.renew()
	return part, bytes
}

// path returns the job's file as read takes it, or "".
func (j *Job) path() string {
	path := j.out.stdout.job.path
	if path == "" {
		return ""
	}
	return workspace.Quote(j.suite.shownPath(path))
}

// show returns what was printed since it was shown last, and how the job stands.
func (j *Job) show(told []notice.Notice) (BashResult, JobState) {
	j.showing.Lock()
	defer j.showing.Unlock()
	state := j.State() // before the output: an end comes with all of it
	if !state.Running {
		<-j.done
	}
	part, printed := &output{limits: j.out.limits}, int64(0)
	for _, c := range j.out.streams() {
		p, n := c.take()
		printed += n
		if half := strings.TrimSpace(show(p.job.half)); half != "" {
			told = append(told, notice.Unfinished(half))
		}
		if part.stdout == nil {
			part.stdout = p
		} else {
			part.stderr = p
		}
	}
	told = append(told, notice.Job{
		ID: j.id, State: state.State, Shell: !isClosed(j.process.Ended()), Any: state.Running,
		Output: truncation.Saved{Path: j.path(), Err: part.stdout.job.err},
	}.Notice())
	res := BashResult{NewBytes: printed, ExitCode: max(state.ExitCode, 0), Signal: state.Signal, Sandbox: j.suite.confined}
	j.suite.finishBash(&res, part, false, told)
	if !state.Running {
		j.mu.Lock()
		j.shown = true
		j.mu.Unlock()
	}
	return res, state
}
