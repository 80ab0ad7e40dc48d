package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/advice"
	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/environ"
	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/redact"
	"github.com/spillway-go/spillway/internal/sandbox"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

const bashDescription = `Run a command with %s, in the workspace. %s %s Shows %s; ` +
	`a notice then names what stands out in the rest, and the file with all of it, which read and grep can open. ` +
	`There is no terminal and no input. A command is ended if it runs longer than {Bash.Timeout} ` +
	`(timeout_ms can raise that) or prints more than {Bash.MaxCaptureBytes}.%s Processes started with & keep running.`

// bashJobs is what the description adds where there are jobs.
const bashJobs = ` With background=true it becomes a job: the call returns when it ends, after {Jobs.Settle}, or at ` +
	`the first line that matches ready_when. The job tool waits for it, reads on, gives it input and stops it.`

// describeBash says what lasts until the next call, and which part of the output is shown.
func describeBash(cfg config.Bash) string {
	lasts := "Each call has its own shell, so cd and export do not carry over (use cwd)."
	if cfg.KeepState {
		lasts = "The working directory and exported variables carry over to the next call; nothing else of the shell does."
		if proc.ShellName(cfg.Shell) == "bash" {
			lasts = "The working directory, exported variables, functions and aliases carry over to the next call; " +
				"nothing else of the shell does."
		}
	}
	fails := ""
	if cfg.FailOnExit {
		fails = " An exit code other than 0 is an error."
	}
	streams := "Returns stdout and stderr together, in the order they were written."
	if cfg.SplitStreams {
		streams = "Returns stdout first, then stderr."
	}
	size := "{Bash.MaxBytes}"
	if cfg.MaxChars > 0 {
		size = "{Bash.MaxChars} characters or " + size
	}
	lines := "{Bash.MaxLines} lines or "
	part := "the beginning and the end, " + size
	switch cfg.Strategy {
	case truncation.Digest:
		part = "the beginning, the end and what stands out in between, " + size
	case truncation.Tail:
		part = "the last " + lines + size
	case truncation.TailChars:
		part = "the last " + size
	case truncation.Head:
		part = "the first " + lines + size
	case truncation.HeadChars:
		part = "the first " + size
	}
	return fmt.Sprintf(bashDescription, proc.ShellName(cfg.Shell), lasts, streams, part+" at most", fails)
}

// BashParams are the arguments of bash.
type BashParams struct {
	Command   string `json:"command" jsonschema:"the command, as bash -c takes it"`
	Cwd       string `json:"cwd,omitempty" jsonschema:"directory to run in, relative to the workspace"`
	Show      string `json:"show,omitempty" jsonschema:"part of a long output to show: tail, head, both (the first {Bash.FirstLines} and the last {Bash.LastLines} lines) or digest (both ends and each line in between that stands out, such as an error, in 4KB); default {Bash.Strategy}" arg:"tail|head|both|digest"`
	TimeoutMs int    `json:"timeout_ms,omitempty" jsonschema:"time limit in milliseconds; default {Bash.Timeout:ms}, at most {Bash.MaxTimeout:ms}"`

	// The arguments of a job. A suite without the tool job refuses them.
	Background bool   `json:"background,omitempty" jsonschema:"run it as a job: if it has not ended after {Jobs.Settle}, return and leave it running"`
	ReadyWhen  string `json:"ready_when,omitempty" jsonschema:"with background: return at the first line that matches this RE2 pattern, or after timeout_ms"`
	TTY        bool   `json:"tty,omitempty" jsonschema:"with background: run it in a terminal, for programs that refuse a pipe"`
}

// BashResult is the result of bash.
type BashResult struct {
	Bounds

	Text string `json:"-"` // what is shown of the output, notices, and the exit code if it is not 0

	Output string `json:"-"` // what is shown of stdout and stderr, or of stdout alone with Bash.SplitStreams, without notices
	Stderr string `json:"-"` // what is shown of stderr, with Bash.SplitStreams; else ""

	Truncation       *truncation.Result `json:"truncation,omitempty"`       // set if something was left out of Output
	StderrTruncation *truncation.Result `json:"stderrTruncation,omitempty"` // set if something was left out of Stderr
	FullOutputPath   string             `json:"fullOutputPath,omitempty"`   // the file with every byte of the output, as read takes it; "" if all is shown as it is, or SpillError is set
	FullStderrPath   string             `json:"fullStderrPath,omitempty"`   // the same of stderr, with Bash.SplitStreams
	SpillError       string             `json:"spillError,omitempty"`       // why there is no such file, though one is needed; else ""
	NotText          *NotText           `json:"notText,omitempty"`          // set if the output has more than text in UTF-8; of stderr if only that has
	ExitCode         int                `json:"exitCode"`                   // of the command; -1 if it did not exit by itself, or goes on as a job
	Signal           string             `json:"signal,omitempty"`           // the signal that ended it, such as "SIGSEGV"; "" if none did
	DurationMs       int64              `json:"durationMs"`                 // milliseconds that the command ran, or has run so far
	BackgroundPids   []int              `json:"backgroundPids,omitempty"`   // processes that it left running, as far as they were found

	// ProcessLimitReached is how many processes and threads it could have, if it tried to start more; else 0.
	ProcessLimitReached int `json:"processLimitReached,omitempty"`

	Sandbox *Sandbox `json:"sandbox,omitempty"` // what confined it; nil if Bash.Sandbox is off
	Cwd     string   `json:"cwd,omitempty"`     // with Bash.KeepState, where the next command starts, as its cwd takes it; else ""

	Job        int    `json:"job,omitempty"`        // the number of the job that goes on; 0 if the command has ended
	State      string `json:"state,omitempty"`      // of the job, as in JobState; "" if there is none
	OutputPath string `json:"outputPath,omitempty"` // the job's file with its output, as read takes it; "" if there is none
	NewBytes   int64  `json:"newBytes,omitempty"`   // bytes of the job's output so far; 0 if there is none

	WaitsForInput bool `json:"waitsForInput,omitempty"` // the job is blocked until it gets input
}

// NotText says what an output has besides text in UTF-8.
type NotText struct {
	Binary   bool   `json:"binary"`             // it is not text: Output has its first bytes, in escapes
	Type     string `json:"type,omitempty"`     // the MIME type, if Binary is set and the type is known
	Encoding string `json:"encoding,omitempty"` // the one that it seems to have, if not UTF-8; what is in UTF-16 is shown decoded
	NULs     int64  `json:"nuls,omitempty"`     // its NUL bytes, which are shown as U+2400
	Invalid  int64  `json:"invalid,omitempty"`  // its bytes that are not valid UTF-8, which are shown as U+FFFD
}

func (r BashResult) result() Result { return Result{Text: r.Text, Details: r} }

// shell runs the commands of bash, and the jobs that they may become.
type shell struct {
	cfg   *config.Config
	paths *paths
	tools *toolset
	spill *spill.Dir
	procs *proc.Group

	environ  *environ.Cache
	redact   *redact.Redactor // or nil
	sandbox  *sandbox.Sandbox // or nil
	confined *Sandbox         // describes it
	jobs     *jobs            // nil where there are none

	// state is what the last command left for the next one, with Bash.KeepState; nil before that. Of commands that
	// run at once, the one that ends last decides. Nothing runs between commands: a shell that lived on would be lost
	// with the first command that hangs.
	state atomic.Pointer[kept]
}

// close ends what commands have left running, and the jobs.
func (s *shell) close() error {
	err := s.procs.Close()
	s.jobs.wait()
	s.sandbox.Close()
	return err
}

func (s *shell) bash(ctx context.Context, p BashParams) (BashResult, error) {
	if err := s.checkBackground(p); err != nil {
		return BashResult{}, err
	}
	ready, err := lineMatcher("ready_when", p.ReadyWhen)
	if err != nil {
		return BashResult{}, err
	}
	cfg, timeout := s.cfg.Bash, s.timeout(p)
	state, err := s.stateFor(ctx)
	if err != nil {
		return BashResult{}, err
	}
	dir, err := s.openCwd(ctx, p.Cwd, state, timeout)
	if err != nil {
		return BashResult{}, err
	}
	if state == nil {
		state = &kept{State: proc.State{Dir: s.paths.ws.Dir(), Env: s.environ.Get(cfg.Env)}}
	}
	out := s.newOutput(p)
	defer watch(ctx, "bash", progressOf(out))()
	run := &bashRun{BashParams: p, timeout: timeout, ready: ready, out: out, dir: dir, state: state, box: s.confinement()}
	command := proc.Command{
		Script: p.Command, Shell: cfg.Shell, KeepState: cfg.KeepState, Dir: dir.name, OpenDir: dir.open, Env: state.Env,
		Define:  state.defined.Code(),
		Timeout: timeout, MaxOutput: cfg.MaxCaptureBytes, MaxProcesses: cfg.MaxProcesses,
		Output: out.Stdout(), Stderr: out.Stderr(), Sandbox: s.sandbox,
	}
	switch {
	case p.Background:
		return s.runJob(ctx, run, command)
	case s.jobs != nil && cfg.OnTimeout == config.OnTimeoutBackground:
		return s.runOrAdopt(ctx, run, command)
	}
	end, err := s.procs.Run(ctx, command)
	return s.ranBash(ctx, run, end, err)
}

// timeout returns how long a command may run.
func (s *shell) timeout(p BashParams) time.Duration {
	if p.TimeoutMs > 0 {
		return time.Duration(min(int64(p.TimeoutMs), s.cfg.Bash.MaxTimeout.Milliseconds())) * time.Millisecond
	}
	return s.cfg.Bash.Timeout
}

// bashRun is a command that was started.
type bashRun struct {
	BashParams
	timeout time.Duration
	ready   *match.Matcher // of ReadyWhen, or nil
	out     *capture.Output
	dir     workDir
	state   *kept    // what it was started with
	box     *Sandbox // what confines it, or nil

	// Of a job, or a command that may become one.
	job    *Job
	end    awaited       // what the call has waited for
	waited notice.Notice // says how the wait ended, if that is worth saying
}

// ranBash returns the result of a command that has ended.
func (s *shell) ranBash(ctx context.Context, run *bashRun, end proc.Outcome, err error) (BashResult, error) {
	defer run.out.Close()
	if err != nil {
		return BashResult{}, s.notStarted(err, run.Cwd)
	}
	res := BashResult{
		ExitCode: end.ExitCode, Signal: end.Signal, DurationMs: end.Duration.Milliseconds(),
		BackgroundPids: end.Background, Sandbox: run.box, ProcessLimitReached: end.ProcessLimit,
	}
	notices := []notice.Notice{run.waited, s.lowered("timeout_ms", run.TimeoutMs), notice.ProcessLimit(end.ProcessLimit),
		background(end.Background), run.dir.said}
	if s.cfg.Bash.KeepState && !run.Background && end.Reason == proc.Exited {
		notices = append(notices, s.keep(&res, run.Command, end.State, run.state)...)
	}
	if end.Reason != proc.Exited || end.Signal != "" {
		run.out.Cut()
	}
	s.finishBash(&res, run.out.Finish(end.Reason == proc.OutputLimit), "(no output)", notices)
	if end.Reason == proc.Exited && end.ExitCode != 0 {
		res.Text = notice.Paragraph(res.Text, lastLine(end))
	}
	return res, s.ended(ctx, end, run.timeout)
}

// lowered says that an argument asks for more than the longest timeout.
func (s *shell) lowered(argument string, ms int) notice.Notice {
	return notice.Lowered(argument, int64(ms), s.cfg.Bash.MaxTimeout.Milliseconds())
}

// lastLine says how a command ended whose exit code is not 0.
func lastLine(end proc.Outcome) string {
	switch {
	case end.Signal != "":
		return "Command was ended by signal " + end.Signal
	case end.ExitCode < 0:
		return "The exit code is not known: " +
			"the program that ran the command ignores SIGCHLD, or waits for all of its children"
	}
	return fmt.Sprintf("Command exited with code %d", end.ExitCode)
}

// background returns the notice for the processes that a command left running.
func background(pids []int) notice.Notice {
	var first []notice.Running
	for _, pid := range pids[:min(len(pids), notice.MaxRunning)] {
		command := quote.Short(quote.Inline(proc.CommandLine(pid)), maxCommandLine)
		first = append(first, notice.Running{Pid: pid, Command: command})
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
	said notice.Notice // that the last command's directory cannot be opened, or what was corrected in the path
}

// openCwd opens the directory that a command runs in: that of the name, or, without one, the last command's. It
// returns when ctx ends or the timeout is over, even if the file system hangs.
func (s *shell) openCwd(ctx context.Context, name string, last *kept, timeout time.Duration) (workDir, error) {
	opening, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	dir, err := abandoned(patience, func(ctx context.Context, name string) (dir workDir, err error) {
		if name == "" && last != nil {
			dir.name = last.Dir
			if dir.open, err = workspace.HoldDir(last.Dir); err == nil {
				if workspace.Kept(ctx, last.Dir) {
					return dir, nil
				}
				dir.open.Close()
				return workDir{}, errorf(CodeStale, "another command has changed the working directory since this call was "+
					"allowed. Make the call again, with cwd")
			}
			dir.said = notice.DirectoryGone(show(s.paths.shown(last.Dir)))
		}
		path, err := s.paths.resolve(ctx, name)
		if err != nil {
			return workDir{}, err
		}
		dir.name, dir.said = path.Abs, notice.Join(dir.said, corrected(path))
		if dir.open, err = path.HoldDir(); err != nil {
			return workDir{}, failureOf(advice.Entering, err, cmp.Or(name, "."))
		}
		return dir, nil
	})(opening, name)
	if err == context.DeadlineExceeded && ctx.Err() == nil {
		err = errorf(CodeTimeout, "the directory %s could not be opened within %v, as its file system does not answer; "+
			"the command was not started. Use another directory", show(cmp.Or(name, ".")), timeout)
	}
	return dir, err
}

// ended returns the error for a command that was ended from outside.
func (s *shell) ended(ctx context.Context, end proc.Outcome, timeout time.Duration) error {
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
		if timeout == s.cfg.Bash.MaxTimeout {
			return errorf(CodeTimeout, "the command ran longer than %v, the maximum, and was ended%s. To give it more time, %s",
				timeout, all, instead)
		}
		return errorf(CodeTimeout, "the command ran longer than %v and was ended%s. Give it more time with timeout_ms "+
			"(at most %d), or %s", timeout, all, s.cfg.Bash.MaxTimeout.Milliseconds(), instead)
	case proc.OutputLimit:
		return errorf(CodeOutputLimit, "the command printed more than %s and was ended%s. "+
			"Print less, or send the output to a file", size.Format(s.cfg.Bash.MaxCaptureBytes), all)
	case proc.Canceled:
		if err := ctx.Err(); err != nil {
			return &Error{Code: CodeAborted, Message: "the call was cancelled and the command ended" + rest, Err: err}
		}
		return errorf(CodeAborted, "the suite was closed and the command ended%s", rest)
	case proc.Exited:
		if s.cfg.Bash.FailOnExit && end.ExitCode != 0 {
			return errorf(CodeIOError, "%s. Where that is expected, end the command with || true", lastLine(end))
		}
	}
	return nil
}

// finishBash composes the text. nothing stands for one without output.
func (s *shell) finishBash(res *BashResult, shown []capture.Text, nothing string, notices []notice.Notice) {
	stdout := shown[0]
	refused := s.explain(res.ExitCode > 0 || res.Signal != "", stdout.Text, stderrOf(shown))
	for _, stream := range shown {
		res.redacted("", stream.Redacted)
	}
	notices = slices.Concat(refused, []notice.Notice{s.undo(), res.redactedNotice()}, notices)
	composed := capture.Compose(shown, nothing, notices)
	res.Output, res.Truncation, res.FullOutputPath = composed.Parts[0].Text, composed.Parts[0].Cut, stdout.Saved.Path
	whole, failed := stdout.Result, stdout.Saved.Err
	if len(shown) > 1 {
		stderr := shown[1]
		res.Stderr, res.StderrTruncation, res.FullStderrPath = composed.Parts[1].Text, composed.Parts[1].Cut, stderr.Saved.Path
		failed = cmp.Or(failed, stderr.Saved.Err)
		whole = plus(whole, stderr.Result)
		whole.MaxLines, whole.MaxBytes, whole.MaxChars = s.cfg.Bash.MaxLines, s.cfg.Bash.MaxBytes, s.cfg.Bash.MaxChars
	}
	if failed != nil {
		res.SpillError = failed.Error()
	}
	res.set(whole)
	res.spilled = cmp.Or(res.FullOutputPath, res.FullStderrPath)
	if res.spilled == res.FullOutputPath {
		res.stderr = res.FullStderrPath
	}
	for _, stream := range shown {
		res.partly = res.partly || stream.Saved.Path == "" && stream.TotalBytes > 0
		if res.NotText == nil && stream.NotText.Any() {
			n := stream.NotText
			res.NotText = &NotText{n.Binary, n.Type, cmp.Or(n.Encoding, n.Likely), n.NULs, n.Invalid}
		}
	}
	res.before = stdout.Before
	res.said = notice.Join(notices...)
	res.beside = res.said
	res.Text = composed.Text
}

// notStarted returns the error for a command that could not be started.
func (s *shell) notStarted(err error, cwd string) error {
	if !errors.Is(err, proc.ErrDir) {
		return failureOf(advice.Starting, err, "")
	}
	e := failure(err, cmp.Or(cwd, "."))
	if s.paths.ws.Gone() {
		e.Message = workspace.ErrGone.Error()
	}
	return e
}
