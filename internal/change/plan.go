package change

import (
	"context"
	"sync"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/seen"
)

// Plan is what a call would change, as somebody was shown it before the call. The zero value expects nothing. It is
// safe for concurrent use.
type Plan struct {
	mu    sync.Mutex
	shown *rehearsal // the last one, or nil
}

// Rehearsed is a change that would be made, and what it would do.
type Rehearsed struct {
	Change
	Done // without Before
}

// rehearsal is one run of a call that changes nothing.
type rehearsal struct {
	opened  map[string]seen.Sum // what the files hold that the call looked at; the zero Sum where there is none
	steps   []planned
	changes []Rehearsed
	failed  bool // the call would, and changes nothing
}

// planned is what becomes of a file.
type planned struct {
	abs, to string
	after   seen.Sum // zero if it is removed
}

type (
	rehearsalKey struct{}
	planKey      struct{}
)

// Rehearse makes a call that changes nothing: its sets take no lock, and Commit only says what it would do. Nothing
// remembers that files were shown. The plan then expects what was rehearsed, unless ctx has ended.
func (p *Plan) Rehearse(ctx context.Context, call func(context.Context) error) ([]Rehearsed, error) {
	r := &rehearsal{opened: map[string]seen.Sum{}}
	err := call(context.WithValue(ctx, rehearsalKey{}, r))
	if ctx.Err() != nil { // the call may go on with r
		return nil, ctx.Err()
	}
	changes := r.changes
	r.failed, r.changes = err != nil, nil
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown = r
	return changes, err
}

// Expect returns a context for the call itself: its sets change what the plan expects when they begin, or are stale.
func (p *Plan) Expect(ctx context.Context) context.Context {
	return context.WithValue(ctx, planKey{}, p)
}

// expected returns what a call is expected to do, or nil.
func expected(ctx context.Context) *rehearsal {
	p, _ := ctx.Value(planKey{}).(*Plan)
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shown
}

// rehearsing returns the rehearsal that a call is, or nil.
func rehearsing(ctx context.Context) *rehearsal {
	r, _ := ctx.Value(rehearsalKey{}).(*rehearsal)
	return r
}

// notAsShown returns the error for a file with which the call would not do what was shown.
func notAsShown(name string) error {
	return fault.Errorf(fault.Stale, "%s has changed since the user was shown what this call would do; nothing was "+
		"changed. Make the call again", quote.Value(name))
}

// asShown returns an error if an opened file is not one that the rehearsal has seen.
func (r *rehearsal) asShown(f *File) error {
	if r.failed { // it fails again, or Commit refuses it
		return nil
	}
	if sum, ok := r.opened[f.Abs]; !ok || sum != f.sum {
		return notAsShown(f.Name)
	}
	return nil
}

// expects returns an error if changes are not those of the rehearsal.
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

// rehearse says what changes would do, as far as that can be told without making them.
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
