// Package checkpoint tracks what changes in the workspace of a suite, and puts it back. That includes changes by
// commands, such as sed -i, a formatter, a code generator or rm.
//
//	checkpoints := checkpoint.New()
//	suite, err := tools.New(cfg, checkpoints.Part())
//	id, err := checkpoints.Take(ctx)
//	...                                     // the agent works
//	_, err = checkpoints.Rewind(ctx, id)    // and all is as it was
//
// Results of bash and job then say which files the command has changed, and have these as Changes. What is covered are
// the files that git does not ignore (with [config.Checkpoint.Ignored] these too) and that no option hides, within
// Checkpoint.MaxBytes and Checkpoint.MaxFileBytes. Not covered are devices, FIFOs and sockets, owners and extended
// attributes of files that are made anew, setuid bits of other users' files, git's own files (index, refs, stash: they
// are never touched), what is outside of the workspace, and what is no file: processes, databases, the network. What a
// command has git ignore, by a rule in .gitignore, is not covered from that command on, and so is what the command has
// changed in it.
//
// The package adds about 0.4 MB to a program, and two looks at the workspace to a command, each of which takes up to
// twice as long as git status. A command that tools/permission knows to only read costs nothing.
package checkpoint

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/replace"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/tools"
)

// Checkpoints holds the checkpoints of one suite's workspace. It is safe for concurrent use.
type Checkpoints struct {
	mu sync.Mutex
	t  *tracking // nil before tools.New
}

// New returns the checkpoints of the suite that gets their part.
func New() *Checkpoints { return new(Checkpoints) }

// Part returns the part, for one call of tools.New.
func (c *Checkpoints) Part() tools.Part {
	return tools.Part{Path: "tools/checkpoint", Track: c.track}
}

// Checkpoint is a time to which files can be put back: when it was taken, or just before a change.
type Checkpoint struct {
	ID     string    // for Diff and Rewind
	Time   time.Time // when it was taken, or the change was found
	About  string    // what changed files, such as a command; "" if it was taken, or others changed them
	Calls  []string  // the calls that changed files; nil if it was taken
	Others bool      // something other than the suite's calls changed files
	Files  int       // how many files changed
}

// Take returns the id of a new checkpoint of the present state. The suite's first look at the workspace takes longest.
func (c *Checkpoints) Take(ctx context.Context) (id string, err error) {
	err = c.do(ctx, func(t *tracking) error {
		step, err := t.engine.Take("")
		id = step.ID
		return err
	})
	return id, err
}

// List returns the checkpoints, oldest first: those that were taken, and one before each change. It includes those of
// earlier processes on the same workspace, up to Undo.MaxAge.
func (c *Checkpoints) List(ctx context.Context) (list []Checkpoint, err error) {
	err = c.do(ctx, func(t *tracking) error {
		for _, s := range t.engine.Steps() {
			about, _ := t.Redact.String(s.About)
			one := Checkpoint{ID: s.ID, Time: s.At, About: about}
			_, one.Files = itemsOf(s.Changes)
			one.Calls, one.Others = callsOf(s.By)
			list = append(list, one)
		}
		return nil
	})
	return list, err
}

// Diff returns what has changed since a checkpoint, whatever changed it. The error is [tools.CodeNotFound] if there is
// no such checkpoint.
func (c *Checkpoints) Diff(ctx context.Context, id string) (*Diff, error) {
	var d *Diff
	err := c.do(ctx, func(t *tracking) error {
		plan, err := t.engine.Plan(ctx, id)
		if err == nil {
			d = t.diff(ctx, id, plan)
			d.of = c
		}
		return err
	})
	return d, err
}

// Rewound is the result of a rewind.
type Rewound struct {
	Undo  string   // the checkpoint before the rewind, for undoing it; "" if there was nothing to do
	Files []Change // what was put back; Created and the line counts are those of the undone change
	Left  []Change // what was left alone, because its old or its present content is not covered
}

// Rewind puts back all that has changed since a checkpoint, or nothing: files, links, modes and directories. Changes
// from outside of the suite's calls are put back only if others names their paths; otherwise the error is
// [tools.CodeStale], and names them. It is [tools.CodeNotFound] if there is no such checkpoint. What is not covered is
// left alone, and named in the result.
//
// Closing the suite waits for the end of a rewind. The suite's models are not told. Shorten the conversation to the same
// point, or tell them, and call Suite.Forget.
func (c *Checkpoints) Rewind(ctx context.Context, id string, others ...string) (Rewound, error) {
	d, err := c.Diff(ctx, id)
	if err != nil {
		return Rewound{}, err
	}
	return d.Rewind(ctx, others...)
}

// Rewind puts back what the Diff shows, like Checkpoints.Rewind. If anything else has changed since, it does nothing,
// and the error is [tools.CodeStale].
func (d *Diff) Rewind(ctx context.Context, others ...string) (r Rewound, err error) {
	err = d.of.do(ctx, func(t *tracking) error {
		for _, f := range d.Files {
			if f.Lost {
				r.Left = append(r.Left, f)
			} else {
				r.Files = append(r.Files, f)
			}
		}
		if len(r.Files) == 0 {
			return nil
		}
		t.rewinding.Lock()
		defer t.rewinding.Unlock()
		if t.closed.Load() {
			return errClosed
		}
		step, err := t.engine.Rewind(ctx, d.plan, others...)
		r.Undo = step.ID
		return err
	})
	if err != nil {
		return Rewound{}, err
	}
	return r, nil
}

// do calls f after a look at the workspace, while no call changes files.
func (c *Checkpoints) do(ctx context.Context, f func(*tracking) error) error {
	c.mu.Lock()
	t := c.t
	c.mu.Unlock()
	if t == nil {
		return failed(tools.CodeDenied, "these checkpoints belong to no suite: hand their Part to tools.New first")
	}
	t.making.Lock()
	defer t.making.Unlock()
	if t.closed.Load() {
		return errClosed
	}
	err := t.lookAlone(ctx)
	if err == nil {
		err = f(t)
	}
	stale, isStale := errors.AsType[*checkpoint.StaleError](err)
	switch {
	case err == nil || err == errClosed:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, checkpoint.ErrUnknown):
		return failed(tools.CodeNotFound, "%v. List has those that there are", err)
	case isStale:
		return failed(tools.CodeStale, "nothing was put back: %s changed by somebody else than the suite, or since the "+
			"difference was shown. Look at it again, and name those that are to be put back all the same", namedPaths(stale.Paths))
	}
	return &tools.Error{Code: tools.CodeIOError, Message: quote.Inline(err.Error()), Err: err}
}

var errClosed = failed(tools.CodeDenied, "the suite is closed")

// maxStale is how many paths an error names.
const maxStale = 20

func namedPaths(paths []string) string {
	names := make([]string, 0, maxStale)
	for _, p := range paths[:min(len(paths), maxStale)] {
		names = append(names, quote.Name(p))
	}
	text := strings.Join(names, ", ")
	if more := len(paths) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if len(paths) == 1 {
		return text + " was"
	}
	return text + " were"
}

func failed(code tools.Code, format string, args ...any) error {
	return &tools.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// callsOf separates the suite's calls from others.
func callsOf(by []string) (calls []string, others bool) {
	for _, id := range by {
		if id == checkpoint.Others {
			others = true
		} else {
			calls = append(calls, id)
		}
	}
	return calls, others
}

func (c *Checkpoints) track(p part.Tracking) (part.Tracker, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.t != nil {
		return nil, errors.New("checkpoint: these checkpoints have a suite already; make others with New")
	}
	store, err := openStore(p.Config, p.Workspace)
	if err != nil {
		return nil, err
	}
	t := &tracking{Tracking: p, store: store}
	if t.engine, err = checkpoint.New(t.options()); err != nil {
		store.Close()
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	_ = t.engine.Sweep(p.Config.Undo.MaxAge) // a failed sweep must not keep a suite from being built
	c.t = t
	return t, nil
}

func (t *tracking) options() checkpoint.Options {
	cfg, ws := t.Config.Checkpoint, t.Workspace
	o := checkpoint.Options{
		Dir: ws.Dir(), Store: t.store, Ignored: cfg.Ignored, MaxBytes: cfg.MaxBytes, MaxFileBytes: cfg.MaxFileBytes,
		Root: func() (*os.Root, error) {
			path, err := ws.Resolve(".")
			if err != nil {
				return nil, err
			}
			return path.OpenDir()
		},
		Tree: func(root *os.Root) *walk.Tree { return t.Tree(root, ws.Dir()) },
		Replace: func(ctx context.Context, file workspace.Target, content []byte) error {
			return replace.At(file).Replace(ctx, content)
		},
	}
	if spills, ok := workspace.Under(ws.Dir(), t.Spill.Path()); ok {
		o.Skip = filepath.ToSlash(spills)
	}
	return o
}

// openStore opens the directory for the former contents of a workspace, or makes it.
func openStore(cfg config.Config, ws *workspace.Workspace) (*os.Root, error) {
	dir := cfg.Checkpoint.Dir
	refuse := func(want string) error {
		_, source, _ := cfg.Lookup("Checkpoint.Dir")
		return &config.OptionError{Option: "Checkpoint.Dir", Value: cmp.Or(quote.Value(dir), "empty"), Want: want, Source: source}
	}
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, refuse("a directory, because there is none for the user's caches (" + err.Error() + ")")
		}
		dir = filepath.Join(cache, "spillway", "checkpoint")
	} else if !filepath.IsAbs(dir) {
		dir = filepath.Join(ws.Dir(), dir)
	}
	if real, err := ws.RealPath(dir); err == nil {
		dir = real
	}
	if workspace.Within(ws.Dir(), dir) {
		return nil, refuse("a directory outside of the workspace, where no command removes it")
	}
	sum := sha256.Sum256([]byte(ws.Dir()))
	dir = filepath.Join(dir, hex.EncodeToString(sum[:8]))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, refuse("a directory that can be made: " + quote.Inline(err.Error()))
	}
	store, err := spill.OpenOwn(dir)
	if err != nil {
		return nil, refuse("a directory that can be opened: " + quote.Inline(err.Error()))
	}
	return store, nil
}
