package tools

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/spillway-go/spillway/config"
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

// bashShows says which part of the output is shown.
func bashShows(s truncation.Strategy) string {
	switch s {
	case truncation.Tail:
		return bashDescription
	case truncation.TailChars:
		return strings.Replace(bashDescription, "Shows the last {Bash.MaxLines} lines or {Bash.MaxBytes} at most", "Shows the last {Bash.MaxBytes} at most", 1)
	case truncation.Head:
		return strings.Replace(bashDescription, "Shows the last", "Shows the first", 1)
	case truncation.HeadChars:
		return strings.Replace(bashDescription, "Shows the last {Bash.MaxLines} lines or {Bash.MaxBytes} at most", "Shows the first {Bash.MaxBytes} at most", 1)
	}
	return strings.Replace(bashDescription, "Shows the last {Bash.MaxLines} lines or {Bash.MaxBytes} at most", "Shows the beginning and the end, {Bash.MaxBytes} at most", 1)
}

// BashParams are the arguments of bash.
type BashParams struct {
	Command   string `json:"command" jsonschema:"the command, as bash -c takes it"`
	Cwd       string `json:"cwd,omitempty" jsonschema:"directory to run in, relative to the workspace; default the workspace"`
	TimeoutMs int    `json:"timeout_ms,omitempty" jsonschema:"milliseconds after which the command is ended; default {Bash.Timeout:ms}, at most {Bash.MaxTimeout:ms}"`
}

// BashResult is the result of bash.
type BashResult struct {
	Bounds

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
		timeout = cfg.MaxTimeout
		if int64(p.TimeoutMs) < timeout.Milliseconds() {
			timeout = time.Duration(p.TimeoutMs) * time.Millisecond
		}
	}
	out := newCapture(s.spill.NewWriter("bash"), bashPolicy(cfg))
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

// bashPolicy is how the output of a command is bounded.
func bashPolicy(cfg config.Bash) truncation.Policy {
	return truncation.Policy{
		Strategy: cfg.Strategy, Limits: truncation.Limits{Lines: cfg.MaxLines, Bytes: cfg.MaxBytes, Chars: cfg.MaxChars},
		First: cfg.FirstLines, Last: cfg.LastLines, Threshold: cfg.Threshold, Marker: cfg.Marker,
	}
}

// finishBash composes the text. full says that the whole output was more than is
// in the capture, and so must be kept however short the text is.
func (s *Suite) finishBash(res *BashResult, out *capture, full bool) {
	shown := out.result(truncation.Saved{})
	var notice truncation.Notice
	if shown.Truncated || full {
		path, err := out.spill.Keep()
		saved := truncation.Saved{Path: workspace.Quote(s.shownPath(path)), Err: err}
		if err == nil {
			res.FullOutputPath = saved.Path
		} else {
			res.SpillError = err.Error()
		}
		shown = out.result(saved)
		notice = out.notice(shown, saved)
		res.Truncation = &shown
	}
	res.set(shown)
	res.spilled = res.FullOutputPath
	text := shown.Text
	if out.other == nil && shown.Truncated && shown.NewlineDropped {
		text += "\n" // an empty last line is not to be taken for the blank line before the notice
	}
	if text == "" && !shown.Truncated {
		text = "(no output)"
	}
	text = truncation.Append(text, notice, truncation.Background(res.BackgroundPids))
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
	other  *truncation.Writer // of a strategy that is not the tail, or nil
}

func newCapture(w *spill.Writer, policy truncation.Policy) *capture {
	c := &capture{spill: w, tail: truncation.NewTailWriter(policy.Limits)}
	var to io.Writer = c.tail
	if policy.Strategy != truncation.Tail || policy.Marker != "" {
		c.other = policy.NewWriter()
		c.tail = truncation.NewTailWriter(progressLimits)
		to = io.MultiWriter(c.other, c.tail)
	}
	c.filter = terminal.NewFilter(to)
	return c
}

func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spill.Write(p)
	c.filter.Write(p)
	if c.other == nil && c.tail.Dropping() || c.other != nil && c.other.Truncated() {
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

// result is what is shown of the output, once it is whole, with a marker that
// names where all of it was saved.
func (c *capture) result(saved truncation.Saved) truncation.Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.filter.Close()
	if c.other == nil {
		return c.tail.Result()
	}
	c.other.SetSaved(saved)
	return c.other.Result()
}

// notice tells of the cut, unless the marker does, and says where the full output
// is.
func (c *capture) notice(shown truncation.Result, saved truncation.Saved) truncation.Notice {
	switch {
	case c.other == nil:
		return truncation.TailLines(shown, saved)
	case !shown.Truncated || saved.In(shown.Text):
		return ""
	}
	return saved.Notice()
}
