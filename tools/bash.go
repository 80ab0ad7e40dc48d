package tools

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

const bashDescription = `Run a command with %s, in the workspace. %s %s Shows %s; ` +
	`then a notice names the file that holds the full output, for read and grep. ` +
	`There is no terminal and no input. A command that runs longer than {Bash.Timeout} is ended, unless timeout_ms asks for more; ` +
	`one that prints more than {Bash.MaxCaptureBytes} is ended too.%s What is started with & keeps running.%s`

// bashJobs is what the description adds where there are jobs.
const bashJobs = ` With background=true it becomes a job, and the call returns when it has ended, after {Jobs.Settle}, ` +
	`or with ready_when at the first line that matches; job waits for it, reads on, gives it input and stops it.`

// describeBash says what lasts until the next call, and which part of the output is shown.
func describeBash(cfg config.Bash) string {
	lasts := "Each call has a shell of its own: cd and export do not last (use cwd)."
	if cfg.KeepState {
		lasts = "The working directory and exported variables last until the next call; nothing else of the shell does."
	}
	fails := ""
	if cfg.FailOnExit {
		fails = " An exit code other than 0 is an error."
	}
	streams := "stdout and stderr come back together, as they were written."
	if cfg.SplitStreams {
		streams = "stdout comes back first, then stderr."
	}
	size := "{Bash.MaxBytes}"
	if cfg.MaxChars > 0 {
		size = "{Bash.MaxChars} characters or " + size
	}
	lines := "{Bash.MaxLines} lines or "
	part := "the beginning and the end, " + size
	switch cfg.Strategy {
	case truncation.Tail:
		part = "the last " + lines + size
	case truncation.TailChars:
		part = "the last " + size
	case truncation.Head:
		part = "the first " + lines + size
	case truncation.HeadChars:
		part = "the first " + size
	}
	return fmt.Sprintf(bashDescription, proc.ShellName(cfg.Shell), lasts, streams, part+" at most", fails, describeSandbox(cfg))
}

// BashParams are the arguments of bash.
type BashParams struct {
	Command   string `json:"command" jsonschema:"the command, as bash -c takes it"`
	Cwd       string `json:"cwd,omitempty" jsonschema:"directory to run in, relative to the workspace"`
	Show      string `json:"show,omitempty" jsonschema:"which part of a long output: tail, head, or both ends (the first {Bash.FirstLines} and the last {Bash.LastLines} lines); default {Bash.Strategy}" arg:"tail|head|both"`
	TimeoutMs int    `json:"timeout_ms,omitempty" jsonschema:"milliseconds after which the command is ended; default {Bash.Timeout:ms}, at most {Bash.MaxTimeout:ms}"`

	// The arguments of a job. A suite without the tool job refuses them.
	Background bool   `json:"background,omitempty" jsonschema:"make it a job: return after {Jobs.Settle} if it has not ended by then, and let it go on"`
	ReadyWhen  string `json:"ready_when,omitempty" jsonschema:"with background: return at the first line that this RE2 pattern matches, or after timeout_ms; the job goes on"`
	TTY        bool   `json:"tty,omitempty" jsonschema:"with background: run it in a terminal, for a program that refuses a pipe"`
}

// BashResult is the result of bash.
type BashResult struct {
	Bounds

	Text string `json:"-"` // what is shown of the output, notices, and the exit code if it is not 0

	// Stdout and Stderr are what is shown of each, without notices. Without
	// Bash.SplitStreams, stderr is in Stdout too.
	Stdout, Stderr string `json:"-"`

	Truncation       *truncation.Result `json:"truncation,omitempty"`       // if something was left out
	StderrTruncation *truncation.Result `json:"stderrTruncation,omitempty"` // the same of stderr, where that is shown apart
	FullOutputPath   string             `json:"fullOutputPath,omitempty"`   // the file with every byte of the output, as read takes it
	FullStderrPath   string             `json:"fullStderrPath,omitempty"`   // the same of stderr, where that is shown apart
	SpillError       string             `json:"spillError,omitempty"`       // why there is no such file
	ExitCode         int                `json:"exitCode"`                   // -1 if the command did not exit by itself
	Signal           string             `json:"signal,omitempty"`           // the signal that ended it: "SIGSEGV"
	DurationMs       int64              `json:"durationMs"`                 // milliseconds that the command ran
	BackgroundPids   []int              `json:"backgroundPids,omitempty"`   // processes that it left running
	Sandbox          *Sandbox           `json:"sandbox,omitempty"`          // what confined it, if Bash.Sandbox is not off
	Cwd              string             `json:"cwd,omitempty"`              // with Bash.KeepState, where the next command starts, as its cwd takes it

	Job        int    `json:"job,omitempty"`        // the number of the job that goes on; 0 if the command has ended
	State      string `json:"state,omitempty"`      // of the job: see JobState
	OutputPath string `json:"outputPath,omitempty"` // the job's file with its output, as read takes it
	NewBytes   int64  `json:"newBytes,omitempty"`   // of the job's output so far
}

func (r BashResult) result() Result { return Result{Text: r.Text, Details: r} }

func (s *Suite) doBash(ctx context.Context, p BashParams) (BashResult, error) {
	cfg := s.cfg.Bash
	timeout := s.timeout(p)
	if err := s.checkBackground(p); err != nil {
		return BashResult{}, err
	}
	state := s.state.get()
	dir, err := s.openCwd(ctx, p.Cwd, state.Dir, timeout)
	if err != nil {
		return BashResult{}, err
	}
	if state.Dir == "" {
		state = proc.State{Dir: s.ws.Dir(), Env: s.environ.Get(cfg.Env)}
	}
	kind := "bash"
	if p.Background {
		kind = "job"
	}
	out := s.newOutput(kind, p.Show)
	defer watch(ctx, "bash", out.snapshot)()
	command := proc.Command{
		Script: p.Command, Shell: cfg.Shell, KeepState: cfg.KeepState, Dir: dir.name, OpenDir: dir.open, Env: state.Env,
		Timeout: timeout, MaxOutput: cfg.MaxCaptureBytes, Output: out.stdout, Sandbox: s.sandbox,
	}
	if out.stderr != nil {
		command.Stderr = out.stderr
	}
	run := bashRun{BashParams: p, out: out, dir: dir, state: state}
	if p.Background || s.jobs != nil && cfg.OnTimeout == onTimeoutBackground {
		return s.startJob(ctx, run, command)
	}
	end, err := s.procs.Run(ctx, command)
	return s.ranBash(ctx, run, end, err)
}

// bashRun is a command that was started.
type bashRun struct {
	BashParams
	out   *output
	dir   workDir
	state proc.State      // what it was started with
	told  []notice.Notice // of the wait for it, if that is worth saying
}

// ranBash returns the result of a command that has ended.
func (s *Suite) ranBash(ctx context.Context, run bashRun, end proc.Outcome, err error) (BashResult, error) {
	defer run.out.close()
	if err != nil {
		return BashResult{}, s.notStarted(err, run.Cwd)
	}
	res := BashResult{ExitCode: end.ExitCode, Signal: end.Signal, DurationMs: end.Duration.Milliseconds(), BackgroundPids: end.Background, Sandbox: s.confined}
	notices := append(run.told, background(end.Background), s.directoryGone(run.dir.gone))
	if s.cfg.Bash.KeepState && !run.Background && end.Reason == proc.Exited {
		notices = append(notices, s.keep(&res, end.State, run.state)...)
	}
	s.finishBash(&res, run.out, end.Reason == proc.OutputLimit, notices)
	if end.Reason == proc.Exited && end.ExitCode != 0 {
		res.Text = notice.Paragraph(res.Text, lastLine(end))
	}
	return res, s.ended(ctx, end, s.timeout(run.BashParams))
}

// timeout returns how long a command may run.
func (s *Suite) timeout(p BashParams) time.Duration {
	timeout := s.cfg.Bash.Timeout
	if p.TimeoutMs > 0 {
		timeout = s.cfg.Bash.MaxTimeout
		if int64(p.TimeoutMs) < timeout.Milliseconds() {
			timeout = time.Duration(p.TimeoutMs) * time.Millisecond
		}
	}
	return timeout
}

// lastLine says how a command ended whose exit code is not 0.
func lastLine(end proc.Outcome) string {
	switch {
	case end.Signal != "":
		return "Command was ended by signal " + end.Signal
	case end.ExitCode < 0:
		return "The exit code is not known: the program that ran the command ignores SIGCHLD, or waits for all of its children"
	}
	return fmt.Sprintf("Command exited with code %d", end.ExitCode)
}

// background tells of the processes that a command left running.
func background(pids []int) notice.Notice {
	var first []notice.Running
	for _, pid := range pids[:min(len(pids), notice.MaxRunning)] {
		line, _ := cutLine([]byte(workspace.Printable(proc.CommandLine(pid))), maxCommandLine, "...")
		first = append(first, notice.Running{Pid: pid, Command: string(line)})
	}
	return notice.Background(first, len(pids))
}

// maxCommandLine is how many characters of the command of a process are shown.
const maxCommandLine = 60

// workDir is a directory that a command runs in, held open so that it stays the one that
// was found.
type workDir struct {
	name string // absolute
	open *os.File
	gone string // the directory in its place that could not be opened
}

// openCwd opens the directory that a command runs in: that of the name, or, without one,
// the last command's. It returns when ctx ends or the timeout is over, even if the file
// system hangs.
func (s *Suite) openCwd(ctx context.Context, name, last string, timeout time.Duration) (workDir, error) {
	opening, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	dir, err := abandoned(patience, func(ctx context.Context, name string) (workDir, error) {
		if name != "" || last == "" {
			return s.cwd(ctx, name)
		}
		if open, err := workspace.HoldDir(last); err == nil {
			return workDir{name: last, open: open}, nil
		}
		dir, err := s.cwd(ctx, "")
		dir.gone = last
		return dir, err
	})(opening, name)
	if err == context.DeadlineExceeded && ctx.Err() == nil {
		err = errorf(CodeTimeout, "the directory %s could not be opened within %v, as its file system does not answer; the command was not started. Use another directory", show(cmp.Or(name, ".")), timeout)
	}
	return dir, err
}

func (s *Suite) cwd(ctx context.Context, name string) (workDir, error) {
	path, err := s.resolve(ctx, name)
	if err != nil {
		return workDir{}, err
	}
	open, err := path.HoldDir()
	if err != nil {
		return workDir{}, failure(err, cmp.Or(name, "."))
	}
	return workDir{name: path.Abs, open: open}, nil
}

// ended returns the error for a command that was ended from outside.
func (s *Suite) ended(ctx context.Context, end proc.Outcome, timeout time.Duration) error {
	all, rest := ", with all that it started", ""
	if end.Uncertain {
		rest = ", but something that it started may still be running"
		all = rest
	}
	switch end.Reason {
	case proc.TimedOut:
		instead := "start it with & and look at its output later"
		if s.jobs != nil {
			instead = "start it with background=true and wait for it with job"
		}
		return errorf(CodeTimeout, "the command ran longer than %v and was ended%s. Give it more time with timeout_ms (at most %d), or %s",
			timeout, all, s.cfg.Bash.MaxTimeout.Milliseconds(), instead)
	case proc.OutputLimit:
		return errorf(CodeOutputLimit, "the command printed more than %s and was ended%s. Print less, or send the output to a file",
			truncation.FormatSize(s.cfg.Bash.MaxCaptureBytes), all)
	case proc.Canceled:
		if err := ctx.Err(); err != nil {
			return errorf(CodeAborted, "the call was cancelled and the command ended%s: %w", rest, err)
		}
		return errorf(CodeAborted, "the suite was closed and the command ended%s", rest)
	case proc.Exited:
		if s.cfg.Bash.FailOnExit && end.ExitCode != 0 {
			return errorf(CodeIOError, "%s. Where that is expected, end the command with || true", lastLine(end))
		}
	}
	return nil
}

// stderrLabel stands above what was printed to stderr, where that is shown apart.
const stderrLabel = "stderr:\n"

// finishBash composes the text. full says that the command printed more than was
// captured, so that what there is must be kept however short the text is.
func (s *Suite) finishBash(res *BashResult, out *output, full bool, notices []notice.Notice) {
	s.divide(out, full)
	stdout := s.showStream(out.stdout, full)
	res.Truncation, res.FullOutputPath, res.SpillError = stdout.cut, stdout.path, stdout.spillError
	res.Stdout = stdout.Text
	whole := stdout.Result
	text, told := stdout.Text, stdout.notice
	if out.stderr != nil {
		stderr := s.showStream(out.stderr, full)
		res.StderrTruncation, res.FullStderrPath = stderr.cut, stderr.path
		res.SpillError = cmp.Or(res.SpillError, stderr.spillError)
		res.Stderr = stderr.Text
		if stderr.TotalBytes > 0 {
			text = notice.Paragraph(notice.Append(text, told), stderrLabel+stderr.Text)
			told = stderr.notice
		}
		whole = plus(whole, stderr.Result)
		whole.MaxLines, whole.MaxBytes, whole.MaxChars = s.cfg.Bash.MaxLines, s.cfg.Bash.MaxBytes, s.cfg.Bash.MaxChars
	}
	res.set(whole)
	res.spilled = cmp.Or(res.FullOutputPath, res.FullStderrPath)
	if text == "" && !whole.Truncated {
		text = "(no output)"
		if out.stdout.job.part {
			text = "(no new output)"
		}
	}
	text = notice.Append(text, append([]notice.Notice{told, s.explain(res.ExitCode > 0 || res.Signal != "", res.Stdout, res.Stderr)}, notices...)...)
	res.Text = text
}
