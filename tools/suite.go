package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/workspace"
)

// New checks the configuration, opens the workspace, sweeps the spill directory and
// returns the suite, which the caller must close. The error joins a
// [*config.OptionError] for each option that is refused, or says that the workspace is
// not a directory. A failed sweep is ignored, and a slow one goes on in the background.
//
// The suite has the parts that it is given, each once: see [Part].
func New(cfg config.Config, parts ...Part) (*Suite, error) {
	set, err := part.Join(parts)
	if err != nil {
		return nil, err
	}
	if cfg, err = resolved(cfg, set); err != nil {
		return nil, err
	}
	ws, err := workspace.New(cfg.Workspace, workspace.Options{
		Roots: cfg.AllowedRoots, Writable: cfg.WritableRoots, Outside: cfg.AllowOutsideWorkspace,
	})
	if err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	cfg.Ask = oneQuestion(cfg.Ask)
	sh, cfg, err := newShared(cfg, ws, set)
	if err != nil {
		return nil, err
	}
	s := assemble(cfg, sh, newMemory(cfg), set.Judge(cfg), nil, nil)
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
func (s *Suite) Tools() []Tool {
	var list []Tool
	for _, t := range s.tools.list() {
		list = append(list, t.public())
	}
	return list
}

// CallingSuite returns the suite or view that makes the call of a context, for a tool of your own that calls others: the
// calls that it makes there keep to the same rules. It is nil outside of calls.
func CallingSuite(ctx context.Context) *Suite {
	by, _ := ctx.Value(insideKey{}).(inside)
	suite, _ := by.suite.(*Suite)
	return suite
}

// Workspace returns the absolute path of the workspace, without symbolic links.
func (s *Suite) Workspace() string { return s.paths.Workspace.Dir() }

// Call runs the tool of that name with arguments from a model: a JSON object, or nothing
// for one without keys. A name that is not in the suite is a Result with IsError. The
// error is nil unless ctx ended.
func (s *Suite) Call(ctx context.Context, name string, args json.RawMessage) (Result, error) {
	c := &call{name: name, raw: args, began: time.Now()}
	s.call(ctx, c)
	return c.result, ended(ctx, c.result)
}

// Read shows a file, or several. Like the methods of all tools it returns a failure as an [*Error], and what was
// gathered before it. If ctx ended, the code is [CodeAborted], and the error wraps that of ctx.
func (s *Suite) Read(ctx context.Context, p ReadParams) (ReadResult, error) {
	return typed[ReadResult](ctx, s.libraryTool("read"), p)
}

// Bash runs a command. An exit code other than 0 is a result, and not a failure unless
// Config.Bash.FailOnExit is set. A command that was ended, by its timeout, its output limit or ctx, is both.
func (s *Suite) Bash(ctx context.Context, p BashParams) (BashResult, error) {
	return typed[BashResult](ctx, s.libraryTool("bash"), p)
}

// Grep searches files. Finding nothing is a result, not a failure.
func (s *Suite) Grep(ctx context.Context, p GrepParams) (GrepResult, error) {
	return typed[GrepResult](ctx, s.libraryTool("grep"), p)
}

// Find lists files by name. Finding none is a result, not a failure.
func (s *Suite) Find(ctx context.Context, p FindParams) (FindResult, error) {
	return typed[FindResult](ctx, s.libraryTool("find"), p)
}

// Write creates a file or replaces its content.
func (s *Suite) Write(ctx context.Context, p WriteParams) (WriteResult, error) {
	return typed[WriteResult](ctx, s.libraryTool("write"), p)
}

// Edit replaces text in a file. All edits of a call are made, or none.
func (s *Suite) Edit(ctx context.Context, p EditParams) (EditResult, error) {
	return typed[EditResult](ctx, s.libraryTool("edit"), p)
}

// Ls lists a directory, not recursively.
func (s *Suite) Ls(ctx context.Context, p LsParams) (LsResult, error) {
	return typed[LsResult](ctx, s.libraryTool("ls"), p)
}

// Job waits for a job, gives it input or a signal, and shows what it printed since the last
// call; without an ID it lists the jobs.
func (s *Suite) Job(ctx context.Context, p JobParams) (JobResult, error) {
	return typed[JobResult](ctx, s.libraryTool("job"), p)
}

// Jobs returns the jobs of the suite in the order of their start: those that run, and those that ended recently
// ([config.Jobs]).
func (s *Suite) Jobs() []*Job {
	var list []*Job
	for _, j := range s.shell.jobs.List() {
		list = append(list, (*Job)(j))
	}
	return list
}

// Stats returns the sums of the calls so far, by tool. A tool that was not called has no entry.
func (s *Suite) Stats() Stats { return s.stats.sums() }

// Restore gives a file the content that it had before a change. before is the Before of one of the suite's last 1000
// [FileChange] values. A file that was removed, or moved away, is put back: the result says that it is created, and
// the file it was moved to is left alone. A change that created a file has no Before: remove the file to undo it. The
// present content of the file is kept in turn; the result names that copy.
//
// The error is [CodeStale] if the file or the copy has changed since, and nothing is put back. It is [CodeNotFound] if
// this suite made no such change or a sweep has removed the copy, and [CodeDenied] if the suite is closed or keeps no
// copies (Undo.Off).
func (s *Suite) Restore(ctx context.Context, before string) (FileChange, error) {
	if s.isClosed() {
		return FileChange{}, errorf(CodeDenied, "the suite is closed")
	}
	if s.cfg.Undo.Off {
		return FileChange{}, errorf(CodeDenied, "nothing can be put back, because with the option Undo.Off this "+
			"suite keeps no copies. Unset it before changes that may have to be undone")
	}
	if before != "" {
		before = filepath.Base(filepath.FromSlash(before))
	}
	c, done, err := s.files.Restore(ctx, before)
	if err != nil {
		return FileChange{}, failure(err, before)
	}
	return fileChange(c, done), nil
}

// Forget tells the suite that models have lost what they were shown: a conversation was cut, compacted or begun anew,
// or the host shortened a result. From then on read shows every line again, and grep and find tell again what they
// left out, in all conversations. The suite still notices that a file has changed since it was shown or written.
//
// With the names of ended conversations ([WithConversation]), it forgets only these, including what they were shown of
// jobs.
func (s *Suite) Forget(conversations ...string) {
	receipts := s.memory.receipts
	if len(conversations) == 0 {
		s.memory.told.Forget()
		if receipts != nil {
			receipts.Forget()
		}
	}
	for _, name := range conversations {
		s.memory.told.ForgetReader(name)
		if receipts != nil {
			receipts.ForgetReader(name)
		}
		s.shell.jobs.Forget(name)
	}
}

// Close kills the jobs and the processes that commands left running, and refuses further calls. Running calls fail or
// finish; Close does not wait for them. Full outputs stay on disk. Before Close returns, it reports the end of every
// job to [config.Config.Observe]. Calling Close again does nothing. Closing a view refuses further calls of that view,
// and ends nothing.
func (s *Suite) Close() error {
	if s.closed.Swap(true) || s.outer != nil {
		return nil
	}
	close(s.stop)
	s.sweeping.Wait()
	return s.shared.close()
}

// sweep tidies the spill directory, and bounds its size from then on. A failed sweep is ignored: it must not keep a
// suite from being built, and the next spill fails for the same reason and says so.
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

// FullOutputPath returns the file with the full output of a call, for read; "" if there is none. For a job, it is the
// job's file.
func (r Result) FullOutputPath() string { return r.Shown().spilled }

// OpenOutput opens a file with a full output, by the name in results or the last part of that name. It opens no other
// file; neither rules nor the guard are asked. The error is an [*Error], whose code is [CodeNotFound] if there is no
// such output, or not any more. The caller closes the file. Secrets in it are replaced as Config.Redact says, even if
// a command has changed the file.
func (s *Suite) OpenOutput(name string) (io.ReadCloser, error) {
	if s.isClosed() {
		return nil, errorf(CodeDenied, "the suite is closed")
	}
	f, err := s.spill.OpenOutput(path.Base(filepath.ToSlash(name)))
	if err != nil {
		return nil, failure(err, name)
	}
	if s.redact.Off() {
		return f, nil
	}
	return struct {
		io.Reader
		io.Closer
	}{s.redact.Reader(f, false), f}, nil
}
