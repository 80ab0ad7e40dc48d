package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/environ"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/told"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

// Suite holds the tools of a workspace. Create one with [New]. It is safe for concurrent
// use.
type Suite struct {
	cfg   config.Config // every default filled in
	ws    *workspace.Workspace
	spill *spill.Dir
	paths paths
	calls calls
	seen  *seen.Store // what was last shown or written of files
	told  *told.Store // what searches left out
	shown *seen.Pages // what was shown of files to each reader

	changes  changes
	searches searches
	pages    pages
	shell    *shell

	read  *binding[ReadParams, ReadResult]
	bash  *binding[BashParams, BashResult]
	grep  *binding[GrepParams, GrepResult]
	find  *binding[FindParams, FindResult]
	ls    *binding[LsParams, LsResult]
	write *binding[WriteParams, WriteResult]
	edit  *binding[EditParams, EditResult]
	patch *binding[ApplyPatchParams, ApplyPatchResult]
	job   *binding[JobParams, JobResult]

	isView   bool // of another suite, which owns ws, spill, and what shell runs
	sweeping sync.WaitGroup
	stop     chan struct{} // closed when the suite is, to end the sweeps
}

// maxSpillPath bounds the path of the spill directory as notices show it, so
// that the notice keeps within its allowance.
const maxSpillPath = 256

// New checks the configuration, opens the workspace, sweeps the spill directory and
// returns the suite, which the caller must close. The error joins a
// [*config.OptionError] for each option that is refused, or says that the workspace is
// not a directory. A failed sweep is ignored, and a slow one goes on in the background.
func New(cfg config.Config) (*Suite, error) {
	cfg, err := cfg.Resolved()
	if err != nil {
		return nil, err
	}
	ws, err := workspace.New(cfg.Workspace, workspace.Options{
		Roots: cfg.AllowedRoots, Writable: cfg.WritableRoots, Outside: cfg.AllowOutsideWorkspace,
	})
	if err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	s := &Suite{
		cfg: cfg, ws: ws, spill: spill.NewDirBelow(ws.AllowOwn(cfg.Spill.Dir)), stop: make(chan struct{}),
		seen: new(seen.Store), told: new(told.Store), shown: new(seen.Pages),
	}
	s.calls.cfg, s.calls.made, s.calls.stats, s.calls.running = &s.cfg, new(atomic.Int64), new(stats), new(atomic.Int64)
	env := new(environ.Cache)
	secrets := newRedactor(&s.cfg, env)
	s.paths = paths{ws: ws, spills: s.spill.Path(), redact: secrets}
	s.calls.redact = secrets
	if cfg.Ask != nil || !empty(cfg.Rules) {
		s.calls.rules = newRuling(cfg.Rules)
	}
	tools := &s.calls.tools
	files := &change.Files{
		Workspace: ws, WritableRoots: cfg.WritableRoots, Seen: s.seen,
		Spill: s.spill, SpillName: s.paths.shown(s.spill.Path()),
		MaxFileBytes: cfg.MaxFileBytes, RequireRead: cfg.Edit.RequireRead, NoCopies: cfg.Undo.Off,
		Redact: secrets,
	}
	s.changes = changes{cfg: &s.cfg, paths: &s.paths, tools: tools, files: files}
	s.searches = searches{cfg: &s.cfg, paths: &s.paths, tools: tools, mayRead: s.calls.rules.mayRead, told: s.told,
		sawPart: files.SawPart}
	s.pages = pages{
		cfg: &s.cfg, paths: &s.paths, tools: tools, redact: secrets, seen: s.seen, counts: new(textfile.Cache), pictures: pictures{
			maxFileBytes: cfg.MaxFileBytes, maxImageBytes: cfg.Read.MaxImageBytes, tools: tools, busy: make(chan struct{}, 1),
		}}
	if cfg.Read.Repeat == config.RepeatReceipt {
		s.pages.shown = s.shown
	}
	s.shell = &shell{
		cfg: &s.cfg, paths: &s.paths, tools: &s.calls.tools, spill: s.spill, procs: proc.NewGroup(), environ: env,
		redact: secrets,
	}
	s.bind()
	err = s.check()
	if err == nil && s.calls.tools.has("bash") {
		err = s.shell.openSandbox()
		s.bash.description += s.shell.describeSandbox()
	}
	if err == nil {
		err = s.shell.findShell()
	}
	if err == nil {
		err = s.openRecord()
	}
	if err != nil {
		s.shell.close()
		ws.Close()
		return nil, err
	}
	if cfg.Spill.SweepInterval >= 0 {
		s.sweep()
	}
	if cfg.Spill.SweepInterval > 0 {
		s.sweeping.Go(func() { s.sweepEvery(cfg.Spill.SweepInterval) })
	}
	return s, nil
}

// check refuses options that make no sense in this workspace.
func (s *Suite) check() error {
	if workspace.Within(s.spill.Path(), s.ws.Dir()) {
		return refuse(&s.cfg, "Spill.Dir", show(s.cfg.Spill.Dir),
			"a directory for full outputs alone, not the workspace or one above it")
	}
	for _, root := range s.cfg.WritableRoots {
		dir, _ := realPath(s.ws.Dir(), root)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return refuse(&s.cfg, "WritableRoots", show(root), "a directory that exists")
		}
	}
	if err := s.protect(); err != nil {
		return err
	}
	if n := len(quote.Name(s.paths.shown(s.spill.Path()))); n > maxSpillPath {
		value, want := fmt.Sprintf("a path of %d bytes", n), fmt.Sprintf("one of at most %d", maxSpillPath)
		return refuse(&s.cfg, "Spill.Dir", value, want)
	}
	if len(s.calls.tools.all) == 0 && !slices.Contains(s.cfg.Tools, config.NoTools) {
		return refuse(&s.cfg, "Tools", strings.Join(s.cfg.Tools, ", "), "more than what ReadOnly leaves out")
	}
	return nil
}

// protect keeps files in ReadOnlyRoots from being changed.
func (s *Suite) protect() error {
	for _, name := range s.cfg.ReadOnlyRoots {
		want := ""
		err := s.ws.Protect(name)
		switch {
		case errors.Is(err, workspace.ErrHoldsRoot):
			want = "a part of the workspace or of WritableRoots, not all of one (ReadOnly changes nothing at all)"
		case errors.Is(err, workspace.ErrNotInside):
			want = "inside of the workspace or of WritableRoots, as nothing is changed elsewhere"
		case err != nil:
			want = "a path that can be followed: " + quote.Inline(err.Error())
		}
		if want != "" {
			return refuse(&s.cfg, "ReadOnlyRoots", show(name), want)
		}
	}
	if by := s.ws.ProtectedBy(s.spill.Path()); by != "" {
		return refuse(&s.cfg, "Spill.Dir", show(s.cfg.Spill.Dir), "outside of ReadOnlyRoots, which have "+show(by))
	}
	return nil
}

func refuse(cfg *config.Config, option, value, want string) error {
	_, source, _ := cfg.Lookup(option)
	return &config.OptionError{Option: option, Value: value, Want: want, Source: source}
}

// bind makes the tools, and of these the list that the configuration asks for.
func (s *Suite) bind() {
	cfg, c := &s.cfg, &s.calls
	reads, writes := config.Effects{Reads: true}, config.Effects{Reads: true, Writes: true}
	runs := config.Effects{Reads: true, Writes: true, Executes: true}
	first, part := truncation.Head, cfg.Bash.Strategy
	describedBash := describeBash(cfg.Bash) + bashJobs
	s.read = bind(c, spec{"read", readDescription, reads, first, cfg.Read.MaxBytes}, s.pages.read)
	s.bash = bind(c, spec{"bash", describedBash, runs, part, cfg.Bash.MaxBytes}, s.shell.bash)
	s.grep = bind(c, spec{"grep", describeGrep(cfg.Grep), reads, first, cfg.Grep.MaxBytes}, s.searches.grep)
	s.find = bind(c, spec{"find", findDescription, reads, first, cfg.Find.MaxBytes}, s.searches.find)
	s.ls = bind(c, spec{"ls", lsDescription, reads, first, cfg.Ls.MaxBytes}, s.searches.ls)
	s.write = bind(c, spec{"write", writeDescription, writes, first, cfg.Write.MaxBytes}, s.changes.write)
	s.edit = bind(c, spec{"edit", editDescription, writes, first, cfg.Edit.MaxBytes}, s.changes.edit)
	s.patch = bind(c, spec{"apply_patch", applyPatchDescription, writes, first, cfg.Edit.MaxBytes}, s.changes.applyPatch)
	s.job = bind(c, spec{"job", jobDescription, runs, part, cfg.Bash.MaxBytes}, s.shell.job)
	for _, t := range []Tool{s.read, s.bash, s.grep, s.find, s.ls, s.write, s.edit, s.patch, s.job} {
		asked := slices.Contains(cfg.Tools, t.Name()) || len(cfg.Tools) == 0 && t != s.patch
		if asked && !(cfg.ReadOnly && EffectsOf(t).Writes) {
			s.calls.tools.all = append(s.calls.tools.all, t)
		}
	}
	s.bindJobs()
	s.bindReceipts()
	s.foresees()
}

// Tools returns the tools of the suite: those of [config.ToolNames] that the configuration
// asks for, and then those that were added.
func (s *Suite) Tools() []Tool { return slices.Clone(s.calls.tools.list()) }

// Workspace returns the absolute path of the workspace, without symbolic links.
func (s *Suite) Workspace() string { return s.ws.Dir() }

// Call runs the tool of that name with arguments from a model: a JSON object, or nothing
// for one without keys. A name that is not in the suite is a Result with IsError. The
// error is nil unless ctx ended.
func (s *Suite) Call(ctx context.Context, name string, args json.RawMessage) (Result, error) {
	tools := &s.calls.tools
	if t := tools.tool(name); t != nil {
		return t.Call(ctx, args)
	}
	err := errorf(CodeInvalidInput, "there is no tool %s; there are %s", show(name), tools.names())
	if slices.Contains(config.ToolNames(), name) {
		err = tools.without(name)
	}
	return s.calls.refuse(ctx, "", made{"", s.calls.refused(args), time.Now()}, err), nil
}

// Read shows a file, or several. Like the methods of all tools it returns a failure as an
// [*Error], and beside it what was gathered before. If ctx ended, its code is
// [CodeAborted], and it wraps the error of ctx.
func (s *Suite) Read(ctx context.Context, p ReadParams) (ReadResult, error) {
	return s.read.typed(ctx, p)
}

// Bash runs a command. An exit code other than 0 is a result, and not a failure unless
// Config.Bash.FailOnExit is set. A command that was ended, by its timeout, its output limit or ctx, is both.
func (s *Suite) Bash(ctx context.Context, p BashParams) (BashResult, error) {
	return s.bash.typed(ctx, p)
}

// Grep searches files. Finding nothing is a result, not a failure.
func (s *Suite) Grep(ctx context.Context, p GrepParams) (GrepResult, error) {
	return s.grep.typed(ctx, p)
}

// Find lists files by name. Finding none is a result, not a failure.
func (s *Suite) Find(ctx context.Context, p FindParams) (FindResult, error) {
	return s.find.typed(ctx, p)
}

// Write creates a file or replaces what one holds.
func (s *Suite) Write(ctx context.Context, p WriteParams) (WriteResult, error) {
	return s.write.typed(ctx, p)
}

// Edit replaces text in a file. All edits of a call are made, or none.
func (s *Suite) Edit(ctx context.Context, p EditParams) (EditResult, error) {
	return s.edit.typed(ctx, p)
}

// ApplyPatch changes files as a patch says: all of it happens, or nothing.
func (s *Suite) ApplyPatch(ctx context.Context, p ApplyPatchParams) (ApplyPatchResult, error) {
	return s.patch.typed(ctx, p)
}

// Ls lists a directory, not recursively.
func (s *Suite) Ls(ctx context.Context, p LsParams) (LsResult, error) {
	return s.ls.typed(ctx, p)
}

// Job waits for a job, gives it input or a signal, and shows what it printed since the last
// call; without an ID it lists the jobs.
func (s *Suite) Job(ctx context.Context, p JobParams) (JobResult, error) {
	return s.job.typed(ctx, p)
}

// Close kills the jobs and the processes that commands left running, and refuses further calls.
// Running calls fail or finish; Close does not wait for them. Full outputs stay on disk.
// The error says if calls are missing in the record: see [config.Config.Record]. Calling Close again does nothing. Close of a view refuses further calls of that view, and ends nothing.
func (s *Suite) Close() error {
	if s.calls.closed.Swap(true) || s.isView {
		return nil
	}
	close(s.stop)
	s.sweeping.Wait()
	err := s.shell.close()
	s.spill.Close()
	s.ws.Close()
	return errors.Join(err, s.calls.record.close())
}

// sweep tidies the spill directory, which from then on keeps to its size. A failed sweep
// is ignored: it must not keep a suite from being built, and the next spill fails for the
// same reason, and says so.
func (s *Suite) sweep() {
	s.spill.Limit(spill.Options{
		MaxAge: s.cfg.Spill.MaxAge, UndoMaxAge: s.cfg.Undo.MaxAge, MaxTotalBytes: s.cfg.Spill.MaxTotalBytes,
	})
}

func (s *Suite) sweepEvery(interval time.Duration) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-tick.C:
			s.sweep()
		}
	}
}

// maxCount bounds numbers that a call gives, so that sums of a few of them do not overflow.
const maxCount = math.MaxInt >> 3
