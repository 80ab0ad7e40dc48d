package tools

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/terminal"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/spill"
	"github.com/spillway-go/spillway/truncation"
)

const bashDescription = `Run a command with bash, in the workspace. stdout and stderr come back together, as they were written. Shows the last ` +
	`{Bash.MaxLines} lines or {Bash.MaxBytes} at most; then a notice names the file that holds the full output, for read and grep. ` +
	`There is no terminal and no input. A command that runs longer than {Bash.Timeout} is ended, unless timeout_ms asks for more; ` +
	`one that prints more than {Bash.MaxCaptureBytes} is ended too. What is started with & keeps running.`

// BashParams are the arguments of bash.
type BashParams struct {
	Command   string `json:"command" jsonschema:"the command, as bash -c takes it"`
	Cwd       string `json:"cwd,omitempty" jsonschema:"directory to run in, relative to the workspace; default the workspace"`
	TimeoutMs int    `json:"timeout_ms,omitempty" jsonschema:"milliseconds after which the command is ended; default {Bash.Timeout}, at most {Bash.MaxTimeout}"`
}

// BashResult is the result of bash.
type BashResult struct {
	Text string `json:"-"` // the end of the output, notices, and the exit code if it is not 0

	Truncation     *truncation.Result `json:"truncation,omitempty"`     // if the beginning was left out
	FullOutputPath string             `json:"fullOutputPath,omitempty"` // the file with every byte of it, as read takes it
	SpillError     string             `json:"spillError,omitempty"`     // why there is no such file
	ExitCode       int                `json:"exitCode"`                 // -1 if the command did not exit by itself
	Signal         string             `json:"signal,omitempty"`         // the signal that ended it: "SIGSEGV"
	DurationMs     int64              `json:"durationMs"`
	BackgroundPids []int              `json:"backgroundPids,omitempty"` // processes that it left running
}

func (r BashResult) result() Result { return Result{Text: r.Text, Details: r} }

func (s *Suite) doBash(ctx context.Context, p BashParams) (BashResult, error) {
	dir, err := s.cwd(p.Cwd)
	if err != nil {
		return BashResult{}, err
	}
	cfg := s.cfg.Bash
	timeout := cfg.Timeout
	if p.TimeoutMs > 0 {
		timeout = min(time.Duration(min(p.TimeoutMs, int(cfg.MaxTimeout.Milliseconds())+1))*time.Millisecond, cfg.MaxTimeout)
	}
	out := newCapture(s.spill.NewWriter("bash"), truncation.Limits{Lines: cfg.MaxLines, Bytes: cfg.MaxBytes})
	defer out.spill.Close()
	defer watch(ctx, "bash", out.snapshot)()
	end, err := s.procs.Run(ctx, proc.Command{
		Script: p.Command, Dir: dir, Env: environment(cfg.Env), Timeout: timeout, MaxOutput: cfg.MaxCaptureBytes, Output: out,
	})
	if err != nil {
		return BashResult{}, s.notStarted(err, p)
	}
	res := BashResult{ExitCode: end.ExitCode, Signal: end.Signal, DurationMs: end.Duration.Milliseconds(), BackgroundPids: end.Background}
	s.finishBash(&res, out, end.Reason == proc.OutputLimit)
	return res, s.ended(ctx, end.Reason, timeout)
}

// cwd is the directory that a command runs in.
func (s *Suite) cwd(name string) (string, error) {
	if name == "" {
		return s.ws.Dir(), nil
	}
	path, err := s.resolve(name)
	if err != nil {
		return "", err
	}
	info, err := path.Stat()
	if err == nil && !info.IsDir() {
		err = &workspace.KindError{Path: path.Name, Mode: info.Mode(), Err: workspace.ErrNotDir}
	}
	if err != nil {
		return "", failure(err, name)
	}
	return path.Abs, nil
}

// notStarted is the error for a command that could not be started.
func (s *Suite) notStarted(err error, p BashParams) error {
	e := failure(err, p.Cwd)
	if e.Code == NotFound && p.Cwd == "" {
		e.Message = "the workspace does not exist any more"
	} else if e.Code == IOError {
		e.Message = "the command could not be started: " + show(err.Error())
	}
	return e
}

// ended is the error for a command that was ended from outside.
func (s *Suite) ended(ctx context.Context, reason proc.Reason, timeout time.Duration) error {
	switch reason {
	case proc.TimedOut:
		return errorf(Timeout, "the command ran longer than %v and was ended, with all that it started. Give it more time with timeout_ms (at most %d), or start it with & and look at its output later",
			timeout, s.cfg.Bash.MaxTimeout.Milliseconds())
	case proc.OutputLimit:
		return errorf(OutputLimit, "the command printed more than %s and was ended, with all that it started. Print less, or send the output to a file",
			truncation.FormatSize(s.cfg.Bash.MaxCaptureBytes))
	case proc.Canceled:
		if err := ctx.Err(); err != nil {
			return errorf(Aborted, "the call was cancelled and the command ended: %w", err)
		}
		return errorf(Aborted, "the suite was closed and the command ended")
	}
	return nil
}

// finishBash composes the text. full says that the whole output was more than is
// in the capture, and so must be kept however short the text is.
func (s *Suite) finishBash(res *BashResult, out *capture, full bool) {
	tail := out.result()
	var saved truncation.Saved
	if tail.Truncated || full {
		res.Truncation = &tail
		path, err := out.spill.Keep()
		saved = truncation.Saved{Path: workspace.Quote(s.shownPath(path)), Err: err}
		if err == nil {
			res.FullOutputPath = saved.Path
		} else {
			res.SpillError = err.Error()
		}
	}
	text := tail.Text
	if text == "" && !tail.Truncated {
		text = "(no output)"
	}
	text = truncation.Append(text, truncation.TailLines(tail, saved), truncation.Background(res.BackgroundPids))
	switch {
	case res.Signal != "":
		text = truncation.Paragraph(text, "Command was ended by signal "+res.Signal)
	case res.ExitCode > 0:
		text = truncation.Paragraph(text, fmt.Sprintf("Command exited with code %d", res.ExitCode))
	}
	res.Text = text
}

// capture takes the raw output of a command: every byte goes to the spill, and
// as a terminal would show it to the tail.
type capture struct {
	mu     sync.Mutex // a snapshot is taken while the command writes
	spill  *spill.Writer
	filter *terminal.Filter
	tail   *truncation.TailWriter
}

func newCapture(w *spill.Writer, limits truncation.Limits) *capture {
	tail := truncation.NewTailWriter(limits)
	return &capture{spill: w, filter: terminal.NewFilter(tail), tail: tail}
}

func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spill.Write(p)
	c.filter.Write(p)
	if c.tail.Dropping() {
		c.spill.Spill()
	}
	return len(p), nil
}

// snapshot is how far the output has come.
func (c *capture) snapshot() Update {
	c.mu.Lock()
	defer c.mu.Unlock()
	tail := c.tail.Result()
	shown := truncation.Truncate(tail.Text+string(c.filter.Pending()), truncation.Tail, progressLimits)
	return Update{Bytes: c.spill.Size(), Lines: tail.TotalLines, Tail: shown.Text}
}

// result is the end of the output, once it is whole.
func (c *capture) result() truncation.Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.filter.Close()
	return c.tail.Result()
}
