package change

import (
	"context"
	"sync"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/seen"
)

// Plan is what a call would change, as a person was shown it before the call. The zero value expects nothing. It is
// safe for concurrent use.
type Plan struct {
	mu    sync.Mutex
	shown *rehearsal // the last rehearsal, or nil
}

// Rehearsed is a change that would be made, with its effect.
type Rehearsed struct {
	Change
	Done // without Before
}

// rehearsal is a run of a call that changes nothing.
type rehearsal struct {
	opened  map[string]seen.Sum // contents of the files that the call opened; the zero Sum for a missing one
	steps   []planned
	changes []Rehearsed
	failed  bool // the call would fail, and change nothing
}

type planned struct {
	abs, to string
	after   seen.Sum // zero if removed
}

type (
	rehearsalKey struct{}
	planKey      struct{}
)

// Rehearse runs a call without changing anything: its sets take no lock, Commit only describes, and nothing counts as
// shown. The plan then expects what was rehearsed, unless ctx has ended.
func (p *Plan) Rehearse(ctx context.Context, call func(context.Context) error) ([]Rehearsed, error) {
	r := &rehearsal{opened: map[string]seen.Sum{}}
	err := call(context.WithValue(ctx, rehearsalKey{}, r))
	if ctx.Err() != nil { // the call may continue with r
		return nil, ctx.Err()
	}
	changes := r.changes
	r.failed, r.changes = err != nil, nil
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown = r
	return changes, err
}

// Expect returns a context for the call itself: its sets make exactly the changes that the plan expects at their
// beginning, or are stale.
func (p *Plan) Expect(ctx context.Context) context.Context {
	return context.WithValue(ctx, planKey{}, p)
}

func expected(ctx context.Context) *rehearsal {
	p, _ := ctx.Value(planKey{}).(*Plan)
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shown
}

func rehearsing(ctx context.Context) *rehearsal {
	r, _ := ctx.Value(rehearsalKey{}).(*rehearsal)
	return r
}

// notAsShown returns the error if a file would make the call differ from what was shown.
func notAsShown(name string) error {
	return fault.Errorf(fault.Stale, "%s has changed since the user was shown what this call would do; nothing was "+
		"changed. Make the call again", quote.Value(name))
}

// asShown returns an error if an opened file differs from the rehearsal's.
func (r *rehearsal) asShown(f *File) error {
	if r.failed { // it will fail again, or Commit refuses it
		return nil
	}
	if sum, ok := r.opened[f.Abs]; !ok || sum != f.sum {
		return notAsShown(f.Name)
	}
	return nil
}

// expects returns an error if the changes differ from the rehearsal's.
func (r *rehearsal) expects(changes []Change) error {
	for i, c := range changes {
		if r.failed || len(r.steps) != len(changes) || r.steps[i] != c.planned() {
			return notAsShown(c.Name)
		}
	}
	return nil
}

func (c Change) planned() planned {
	p := planned{abs: c.Abs}
	if !c.Remove {
		p.after = seen.SumOf(c.Content)
	}
	if c.To != nil {
		p.to = c.To.Abs
	}
	return p
}

// rehearse describes changes as far as possible without making them.
func (r *rehearsal) rehearse(ctx context.Context, changes []Change) ([]Done, error) {
	done := make([]Done, len(changes))
	for i, c := range changes {
		if done[i].Changed = c.changes(); done[i].Changed {
			if err := c.Check(c.Remove || c.To != nil); err != nil {
				return nil, about(err, c.Name)
			}
			if c.To != nil {
				if err := c.To.Check(false); err != nil {
					return nil, about(err, c.To.Name)
				}
			}
			c.describe(&done[i])
		}
		r.steps = append(r.steps, c.planned())
		r.changes = append(r.changes, Rehearsed{c, done[i]})
	}
	return done, ctx.Err()
}
