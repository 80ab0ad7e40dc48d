package tools

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/internal/job"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/session"
	"github.com/spillway-go/spillway/truncation"
)

const bashDescription = `Run a command with %s, in the workspace. %s %s Shows %s; ` +
	`a notice names what stands out in the rest, and the file with all of it for read and grep. ` +
	`There is no terminal and no input. A command is ended if it runs longer than {Bash.Timeout} ` +
	`(timeout_ms can raise that) or prints more than {Bash.MaxCaptureBytes}%s.%s Processes started with & keep running.`

const bashJobs = ` With background=true it becomes a job: the call returns when it ends, after {Jobs.Settle}, or at ` +
	`the first line that matches ready_when. The job tool waits for it, reads on, gives it input and stops it.`

func describeBash(cfg config.Bash) string {
	lasts := "Each call has its own shell, so cd and export do not carry over (use cwd)."
	if cfg.KeepState {
		lasts = "The working directory and exported variables carry over to the next call; nothing else does."
		if proc.ShellName(cfg.Shell) == "bash" {
			lasts = "The working directory, exported variables, functions and aliases carry over to the next call; " +
				"nothing else does."
		}
	}
	if cfg.Setup != "" {
		lasts += " Each call starts in the environment of the project, which is set up already."
	}
	fails := ""
	if cfg.FailOnExit {
		fails = " An exit code other than 0 is an error."
	}
	also := ""
	if cfg.IdleTimeout > 0 {
		also = ", or prints nothing for {Bash.IdleTimeout}"
	}
	if cfg.MaxMemory > 0 {
		also += ", or holds more than {Bash.MaxMemory} of memory"
	}
	streams := "Returns stdout and stderr together, in the order they were written."
	if cfg.SplitStreams {
		streams = "Returns stdout first, then stderr."
	}
	return fmt.Sprintf(bashDescription, proc.ShellName(cfg.Shell), lasts, streams, capture.Describe(cfg), also, fails)
}

// BashParams are the arguments of bash.
type BashParams struct {
	Command   string `json:"command" jsonschema:"the command, passed to bash -c"`
	Cwd       string `json:"cwd,omitempty" jsonschema:"directory to run in, relative to the workspace"`
	Show      string `json:"show,omitempty" jsonschema:"part of a long output to show: tail, head, both (the first {first} and the last {last} lines) or digest (both ends and each line in between that stands out, such as an error, in 4KB); default {Bash.Strategy}" arg:"tail|head|both|digest"`
	TimeoutMs int    `json:"timeout_ms,omitempty" jsonschema:"time limit in milliseconds; default {Bash.Timeout:ms}, at most {Bash.MaxTimeout:ms}"`

	// The arguments of a job. A suite without the tool job refuses them.
	Background bool   `json:"background,omitempty" jsonschema:"run it as a job: if it has not ended after {Jobs.Settle}, return and leave it running"`
	ReadyWhen  string `json:"ready_when,omitempty" jsonschema:"with background: return at the first line that matches this RE2 pattern, or after timeout_ms"`
	TTY        bool   `json:"tty,omitempty" jsonschema:"with background: run it in a terminal, for programs that refuse a pipe"`
}

// BashResult is the result of bash. Its Text has the output as shown, notices, and an exit code other than 0.
type BashResult struct {
	Shown

	Output string `json:"-"` // stdout and stderr as shown, without notices; stdout alone with Bash.SplitStreams
	Stderr string `json:"-"` // stderr as shown, with Bash.SplitStreams

	Truncation       *truncation.Result `json:"truncation,omitempty"`       // set if Output was cut
	StderrTruncation *truncation.Result `json:"stderrTruncation,omitempty"` // set if Stderr was cut
	FullOutputPath   string             `json:"fullOutputPath,omitempty"`   // the file with all output, for read; "" if all is shown as it is, or SpillError is set
	FullStderrPath   string             `json:"fullStderrPath,omitempty"`   // the same for stderr, with Bash.SplitStreams
	SpillError       string             `json:"spillError,omitempty"`       // why that file could not be written
	NotText          *NotText           `json:"notText,omitempty"`          // set if the output is not all UTF-8 text; about stderr if only that is not
	ExitCode         int                `json:"exitCode"`                   // -1 if the command did not exit by itself or goes on as a job
	Signal           string             `json:"signal,omitempty"`           // the signal that ended it, such as "SIGSEGV"
	DurationMs       int64              `json:"durationMs"`                 // milliseconds that it ran, or has run so far
	BackgroundPids   []int              `json:"backgroundPids,omitempty"`   // processes left running, as far as found

	// ProcessLimitReached is the limit of processes and threads if the command tried to exceed it; else 0.
	ProcessLimitReached int `json:"processLimitReached,omitempty"`

	// MemoryLimitReached is Bash.MaxMemory if the command was ended because it held more; else 0.
	MemoryLimitReached int64 `json:"memoryLimitReached,omitempty"`

	Network []config.HostUse `json:"network,omitempty"` // the hosts that it tried to reach; see Bash.Hosts

	Sandbox *SandboxInfo `json:"sandbox,omitempty"` // what confined it; nil if Bash.Sandbox is off
	Cwd     string       `json:"cwd,omitempty"`     // with Bash.KeepState, where the next command starts; in the form of the argument cwd

	Job        int    `json:"job,omitempty"`        // the job's number if the command goes on as a job; else 0
	State      string `json:"state,omitempty"`      // the state of the job, as in JobState
	OutputPath string `json:"outputPath,omitempty"` // the file with the job's output, for read
	NewBytes   int64  `json:"newBytes,omitempty"`   // bytes of the job's output so far

	WaitsForInput bool `json:"waitsForInput,omitempty"` // the job waits for input

	Changes      []FileChange `json:"changes,omitempty"`      // what it changed in the workspace, the first 100 files; needs the part tools/checkpoint
	ChangedFiles int          `json:"changedFiles,omitempty"` // how many files it changed
}

// NotText describes output that is not all UTF-8 text.
type NotText struct {
	Binary   bool   `json:"binary"`             // not text at all: Output has its first bytes, escaped
	Type     string `json:"type,omitempty"`     // the MIME type, if the binary format is known
	Encoding string `json:"encoding,omitempty"` // the likely encoding if not UTF-8; UTF-16 is shown decoded
	NULs     int64  `json:"nuls,omitempty"`     // NUL bytes, shown as U+2400
	Invalid  int64  `json:"invalid,omitempty"`  // invalid bytes, shown as U+FFFD
}

// SandboxInfo describes what confined a command.
type SandboxInfo struct {
	Engine      string   `json:"engine"`                // "landlock" or "bwrap"
	ABI         int      `json:"abi,omitempty"`         // Landlock's version in the kernel; 0 with bwrap
	NotEnforced []string `json:"notEnforced,omitempty"` // what it cannot prevent on this system
	Writable    []string `json:"writable,omitempty"`    // places other than the workspace and $TMPDIR
}

func (s *shell) timeout(p BashParams) time.Duration {
	if p.TimeoutMs > 0 {
		return time.Duration(min(int64(p.TimeoutMs), s.cfg.Bash.MaxTimeout.Milliseconds())) * time.Millisecond
	}
	return s.cfg.Bash.Timeout
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
	state, setup := s.state.Load(), (*setupRun)(nil)
	if s.setup != nil {
		if state, setup, err = s.startState(ctx); err != nil {
			return BashResult{}, failure(err, "")
		}
	}
	if err := state.Check(ctx); err != nil {
		return BashResult{}, err
	}
	dir, err := s.openCwd(ctx, p.Cwd, state.Left(), timeout)
	if err != nil {
		return BashResult{}, err
	}
	if state == nil {
		state = session.New(s.ws.Dir(), s.environ.Get())
	}
	if s.ws.Hides() {
		line := s.reader.Read(part.Command{Text: p.Command, Dir: dir.name, Env: state.Env})
		if err := line.HiddenNamed(ctx); err != nil {
			return BashResult{}, failure(err, "")
		}
	}
	out := s.newOutput(p)
	defer watch(ctx, "bash", progressOf(out))()
	run := &bashRun{BashParams: p, timeout: timeout, ready: ready, out: out, dir: dir, state: state, setup: setup}
	run.confined = s.sandbox.Command(context.WithoutCancel(ctx), func() config.Call { return s.hostCall(ctx, p) })
	command := proc.Command{
		Script: p.Command, Shell: cfg.Shell, KeepState: cfg.KeepState, Dir: dir.name, OpenDir: dir.open, Env: state.Env,
		Define:  state.Define(),
		Timeout: timeout, IdleTimeout: cfg.IdleTimeout, MaxOutput: cfg.MaxCaptureBytes, MaxProcesses: cfg.MaxProcesses,
		MaxMemory: cfg.MaxMemory, Output: out.Stdout(), Stderr: out.Stderr(), Sandbox: run.confined.Sandbox(),
	}
	run.tracked = s.track(ctx, run)
	if s.jobs != nil {
		return s.runJob(ctx, run, command)
	}
	end, err := s.procs.Run(ctx, command)
	return s.ranBash(ctx, run, end, err)
}

type bashRun struct {
	BashParams
	timeout time.Duration
	ready   *match.Matcher // compiled ReadyWhen, or nil
	out     *capture.Output
	dir     workDir
	state   *session.State // the state that it started with
	setup   *setupRun      // the setup run that state comes from, or nil

	confined part.Confined
	tracked  part.Tracked

	// For a job, or a command that may become one.
	job    *job.Job
	end    job.Awaited   // what ended the wait of the call
	wait   time.Duration // how long the call waits: until its timeout, or until it must be answered
	why    proc.Reason   // why it became a job: see AwaitTimeout
	waited notice.Notice // how the wait ended, if the model should know
}

func (s *shell) ranBash(ctx context.Context, run *bashRun, end proc.Outcome, err error) (BashResult, error) {
	defer run.out.Close()
	run.tracked.Ended()
	if err != nil {
		return BashResult{}, s.notStarted(err, run.Cwd)
	}
	cfg := s.cfg.Bash
	res := BashResult{
		ExitCode: end.ExitCode, Signal: end.Signal, DurationMs: end.Duration.Milliseconds(),
		BackgroundPids: end.Background, Sandbox: (*SandboxInfo)(run.confined.Facts()), ProcessLimitReached: end.ProcessLimit,
	}
	if end.Reason == proc.MemoryLimit {
		res.MemoryLimitReached = cfg.MaxMemory
	}
	var notices []notice.Notice
	if run.setup != nil {
		notices = append(notices, s.toldOf(run.setup))
	}
	if s.ws.HidesNow() {
		notices = append(notices, s.toldOfHidden(ctx))
	}
	notices = append(notices, run.waited,
		notice.Lowered("timeout_ms", int64(run.TimeoutMs), cfg.MaxTimeout.Milliseconds()), notice.ProcessLimit(end.ProcessLimit),
		exit.Background(end.Background), run.dir.said)
	run.confined.Ended(len(end.Background) > 0)
	res.Network = run.confined.Hosts()
	res.hosts = res.Network
	notices = append(run.confined.Refused(), notices...)
	if cfg.KeepState && !run.Background && end.Reason == proc.Exited {
		state, changed := run.state.After(run.Command, cfg.Shell, s.reader, s.ws, end.State)
		if state != nil {
			s.state.Store(state)
			res.Cwd = quote.Name(s.ws.Shown(state.Dir))
		}
		notices = append(notices, changed...)
	}
	altered := run.tracked.Changes(ctx)
	res.altered(altered)
	notices = append(notices, altered.Notice)
	if end.Reason != proc.Exited || end.Signal != "" {
		run.out.Cut()
	}
	if end.Reason == proc.Exited && end.ExitCode > 0 { // otherwise Reason explains the code
		run.out.Fail()
	}
	s.finishBash(&res, run.confined, run.out.Finish(end.Reason == proc.OutputLimit), "(no output)", notices)
	if line := exit.LastLine(end); line != "" {
		res.Text = notice.Paragraph(res.Text, line)
	}
	return res, exit.Error(ctx, end, cfg, run.timeout, s.jobs != nil)
}

// finishBash composes the text. nothing replaces an empty output.
func (s *shell) finishBash(
	res *BashResult, confined part.Confined, shown []capture.Text, nothing string, notices []notice.Notice,
) {
	for _, stream := range shown {
		res.redacted("", stream.Redacted)
	}
	refused := confined.Notices(res.ExitCode > 0 || res.Signal != "", capture.Strings(shown)...)
	notices = slices.Concat(refused, []notice.Notice{notice.Redacted(mask.Summary(res.secrets))}, notices)
	all := capture.Compose(shown, nothing, notices)
	res.Text, res.Output, res.Truncation, res.FullOutputPath = all.Text, all.Parts[0].Text, all.Parts[0].Cut, shown[0].Saved.Path
	whole := shown[0].Result
	if len(shown) > 1 {
		res.Stderr, res.StderrTruncation, res.FullStderrPath = all.Parts[1].Text, all.Parts[1].Cut, shown[1].Saved.Path
		whole = plus(whole, shown[1].Result)
		whole.MaxLines, whole.MaxBytes, whole.MaxChars = s.cfg.Bash.MaxLines, s.cfg.Bash.MaxBytes, int(s.cfg.Bash.Policy.Chars)
	}
	if all.Err != nil {
		res.SpillError = all.Err.Error()
	}
	if n := all.NotText; n.Any() {
		res.NotText = &NotText{n.Binary, n.Type, cmp.Or(n.Encoding, n.Likely), n.NULs, n.Invalid}
	}
	res.set(whole)
	res.output = all.Output
	res.spilled, res.partly, res.before = cmp.Or(res.FullOutputPath, res.FullStderrPath), all.Unsaved, shown[0].Before
	if res.spilled == res.FullOutputPath {
		res.stderr = res.FullStderrPath
	}
	res.said = notice.Join(notices...)
	res.beside = res.said
}

func (s *shell) newOutput(p BashParams) *capture.Output {
	kind := "bash"
	if p.Background {
		kind = "job"
	}
	return capture.New(capture.Options{
		Spill: s.spill, Kind: kind, Redact: s.redact, Recent: progressTail, Split: s.cfg.Bash.SplitStreams,
		Policy: capture.Policy(s.cfg.Bash, p.Show), Reads: s.tools.has("read"),
		Name: func(path string) string { return quote.Name(s.ws.Shown(path)) },
		Open: func(path string) (*os.File, error) {
			p, err := s.ws.Resolve(quote.Name(path))
			if err != nil {
				return nil, err
			}
			f, _, err := p.OpenFile()
			return f, err
		},
	})
}

func progressOf(out *capture.Output) func() Update {
	return func() (u Update) {
		u.Bytes, u.Lines, u.Tail = out.Snapshot()
		return u
	}
}

func (s *shell) hostCall(ctx context.Context, p BashParams) config.Call {
	args, _ := encode(p) // texts and numbers always encode
	preview := func(context.Context) (string, error) {
		text, _ := s.redact.String(p.Command)
		return text, nil
	}
	return config.Call{ID: callID(ctx), Tool: "bash", Args: args, Effects: everything, Preview: preview}
}
