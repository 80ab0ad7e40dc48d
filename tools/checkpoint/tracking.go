package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// tracking records which calls of a suite have changed what.
type tracking struct {
	part.Tracking
	engine *checkpoint.Tracker
	store  *os.Root

	// making is read-locked while a call changes files that it names, and locked during a look: a look must neither
	// see half of such a change nor take it for an outside one.
	making sync.RWMutex
	closed atomic.Bool

	rewinding sync.Mutex // held while files are put back, for which the workspace must be open

	mu        sync.Mutex
	looked    bool
	runs      []*run // those that may have changed something since the last look
	uncovered checkpoint.Uncovered
}

// run is a command, or a tool of the program, that may change any file.
type run struct {
	part.Doing
	t *tracking

	// Guarded by t.mu.
	ended   bool
	steps   []checkpoint.Step // not yet reported to the model
	unknown error             // why a look failed
}

const maxAbout = 100

func (t *tracking) Begin(ctx context.Context, d part.Doing) part.Tracked {
	r := &run{Doing: d, t: t}
	r.About = quote.Short(quote.Inline(d.About), maxAbout)
	err := t.look(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs, r.unknown = append(t.runs, r), err
	return r
}

// look finds what has changed, and attributes it to everything that ran meanwhile, or else to others.
func (t *tracking) look(ctx context.Context) error {
	t.making.Lock()
	defer t.making.Unlock()
	return t.lookAlone(ctx)
}

// lookAlone is look with making held.
func (t *tracking) lookAlone(ctx context.Context) error {
	t.mu.Lock()
	looked := t.looked
	ended := slices.DeleteFunc(slices.Clone(t.runs), func(r *run) bool { return !r.ended })
	t.mu.Unlock()

	// Whoever begins or ends during the look may have made what it finds.
	var step checkpoint.Step
	var uncovered checkpoint.Uncovered
	var err error
	if looked {
		step, uncovered, err = t.engine.Look(ctx, t.running)
	} else {
		uncovered, err = t.engine.Resume(ctx)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.uncovered = uncovered
	if len(step.Changes) > 0 {
		for _, r := range t.runs {
			if slices.Contains(step.By, r.Call) {
				r.steps = append(r.steps, step)
			}
		}
	}
	if err != nil {
		return err
	}
	t.looked = true
	t.runs = slices.DeleteFunc(t.runs, func(r *run) bool { return slices.Contains(ended, r) })
	return nil
}

// running returns the calls that may have made the changes of a look, and what they do.
func (t *tracking) running() (about string, calls []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	outer := !slices.ContainsFunc(t.runs, func(r *run) bool { return !r.Outer })
	var said []string
	for _, r := range t.runs {
		if r.Outer == outer && !slices.Contains(calls, r.Call) {
			calls, said = append(calls, r.Call), append(said, r.About)
		}
	}
	return strings.Join(said, "; "), calls
}

func (t *tracking) Change(ctx context.Context, call string, paths []string, change func() error) error {
	var names []string
	for _, abs := range paths {
		if name, ok := workspace.Under(t.Workspace.Dir(), abs); ok {
			names = append(names, filepath.ToSlash(name))
		}
	}
	if len(names) == 0 {
		return change()
	}
	if !t.hasLooked() {
		_ = t.look(ctx) // if it fails, the next look takes the call's changes for an outside change
	}
	t.making.RLock()
	defer t.making.RUnlock()
	_, _, before := t.engine.LookAt(ctx, names, t.running)
	err := change()
	if before == nil {
		about := "change of " + quote.Short(quote.Inline(strings.Join(names, ", ")), maxAbout)
		_, _, _ = t.engine.LookAt(context.WithoutCancel(ctx), names, func() (string, []string) { return about, []string{call} })
	}
	return err
}

func (t *tracking) hasLooked() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.looked
}

func (t *tracking) Close() {
	t.closed.Store(true)
	t.rewinding.Lock() // a rewind goes on to its end
	defer t.rewinding.Unlock()
	go func() { // a look at a disk that does not answer may go on
		t.making.Lock()
		defer t.making.Unlock()
		t.engine.Close()
		t.store.Close()
	}()
}

func (r *run) Ended() {
	r.t.mu.Lock()
	defer r.t.mu.Unlock()
	r.ended = true
}

func (r *run) Changes(ctx context.Context) part.Altered {
	if ctx.Err() != nil {
		return part.Altered{} // the next look finds the changes
	}
	err := r.t.look(ctx)
	if ctx.Err() != nil {
		return part.Altered{}
	}
	r.t.mu.Lock()
	err = errors.Join(r.unknown, err)
	steps := r.steps
	r.steps, r.unknown = nil, nil
	r.t.mu.Unlock()
	altered := r.t.described(ctx, r.t.engine.Total(steps))
	if err != nil {
		altered.Notice = notice.Join(altered.Notice, notice.ChangesUnknown(quote.Value(fmt.Sprint(err))))
	}
	return altered
}
