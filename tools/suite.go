package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Suite holds the tools of a workspace. Create one with [New]. It is safe for concurrent
// use.
type Suite struct {
	*shared
	cfg    config.Config // every default filled in
	rules  *ruling       // nil where every call is made
	call   handler       // makes a call
	tools  *toolset
	own    []*bound // every tool of the library, whether the suite has it or not
	shell  *shell
	closed atomic.Bool
	outer  func() bool // of a view: what it is a view of is closed; nil of a suite

	sweeping sync.WaitGroup
	stop     chan struct{} // closed when the suite is, to end the sweeps
}

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
	sh := newShared(cfg, ws)
	if cfg, err = sh.open(cfg); err != nil {
		sh.close()
		return nil, err
	}
	var rules *ruling
	if cfg.Ask != nil || !empty(cfg.Rules) {
		rules = newRuling(cfg.Rules)
	}
	s := assemble(cfg, sh, rules, nil, nil)
	s.stop = make(chan struct{})
	if cfg.Spill.SweepInterval >= 0 {
		s.sweep()
	}
	if cfg.Spill.SweepInterval > 0 {
		s.sweeping.Go(func() { s.sweepEvery(cfg.Spill.SweepInterval) })
	}
	return s, nil
}

// Tools returns the tools of the suite: those of [config.ToolNames] that the configuration
// asks for, and then those that were added.
func (s *Suite) Tools() (list []Tool) {
	for _, t := range s.tools.list() {
		list = append(list, t.public())
	}
	return list
}

// Workspace returns the absolute path of the workspace, without symbolic links.
func (s *Suite) Workspace() string { return s.paths.ws.Dir() }

// Call runs the tool of that name with arguments from a model: a JSON object, or nothing
// for one without keys. A name that is not in the suite is a Result with IsError. The
// error is nil unless ctx ended.
func (s *Suite) Call(ctx context.Context, name string, args json.RawMessage) (Result, error) {
	c := &call{tool: s.tools.tool(name), name: name, raw: args, began: time.Now()}
	res := s.call(ctx, c).result(c)
	return res, ended(ctx, res)
}

// Read shows a file, or several. Like the methods of all tools it returns a failure as an
// [*Error], and beside it what was gathered before. If ctx ended, its code is
// [CodeAborted], and it wraps the error of ctx.
func (s *Suite) Read(ctx context.Context, p ReadParams) (ReadResult, error) {
	return typed[ReadResult](ctx, s.library("read"), p)
}

// Bash runs a command. An exit code other than 0 is a result, and not a failure unless
// Config.Bash.FailOnExit is set. A command that was ended, by its timeout, its output limit or ctx, is both.
func (s *Suite) Bash(ctx context.Context, p BashParams) (BashResult, error) {
	return typed[BashResult](ctx, s.library("bash"), p)
}

// Grep searches files. Finding nothing is a result, not a failure.
func (s *Suite) Grep(ctx context.Context, p GrepParams) (GrepResult, error) {
	return typed[GrepResult](ctx, s.library("grep"), p)
}

// Find lists files by name. Finding none is a result, not a failure.
func (s *Suite) Find(ctx context.Context, p FindParams) (FindResult, error) {
	return typed[FindResult](ctx, s.library("find"), p)
}

// Write creates a file or replaces what one holds.
func (s *Suite) Write(ctx context.Context, p WriteParams) (WriteResult, error) {
	return typed[WriteResult](ctx, s.library("write"), p)
}

// Edit replaces text in a file. All edits of a call are made, or none.
func (s *Suite) Edit(ctx context.Context, p EditParams) (EditResult, error) {
	return typed[EditResult](ctx, s.library("edit"), p)
}

// ApplyPatch changes files as a patch says: all of it happens, or nothing.
func (s *Suite) ApplyPatch(ctx context.Context, p ApplyPatchParams) (ApplyPatchResult, error) {
	return typed[ApplyPatchResult](ctx, s.library("apply_patch"), p)
}

// Ls lists a directory, not recursively.
func (s *Suite) Ls(ctx context.Context, p LsParams) (LsResult, error) {
	return typed[LsResult](ctx, s.library("ls"), p)
}

// Job waits for a job, gives it input or a signal, and shows what it printed since the last
// call; without an ID it lists the jobs.
func (s *Suite) Job(ctx context.Context, p JobParams) (JobResult, error) {
	return typed[JobResult](ctx, s.library("job"), p)
}

// Close kills the jobs and the processes that commands left running, and refuses further calls.
// Running calls fail or finish; Close does not wait for them. Full outputs stay on disk.
// The error says if calls are missing in the record: see [config.Config.Record]. Calling Close again does nothing. Close of a view refuses further calls of that view, and ends nothing.
func (s *Suite) Close() error {
	if s.closed.Swap(true) || s.outer != nil {
		return nil
	}
	close(s.stop)
	s.sweeping.Wait()
	return s.shared.close()
}

// isClosed reports whether the suite is closed, or one that it is a view of.
func (s *Suite) isClosed() bool { return s.closed.Load() || s.outer != nil && s.outer() }

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
