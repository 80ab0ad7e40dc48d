package checkpoint

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// Plan is what a rewind would do.
type Plan struct {
	// Changes are those since the step that the rewind undoes: each path is as Before again.
	Changes []Change
	// Lost are those that it leaves alone, as what the path held, or holds, is not covered.
	Lost []Change
	// Others are the paths that somebody else than the suite's calls has changed. A rewind is refused unless they are named.
	Others []string

	step string
}

// StaleError refuses a rewind: a path has changed since the plan was made, or was changed by others and is not named.
type StaleError struct{ Paths []string }

func (e *StaleError) Error() string {
	return "changed by others or since it was shown: " + strings.Join(e.Paths, ", ")
}

// Plan looks, and returns what a rewind to a step would do.
func (t *Tracker) Plan(ctx context.Context, id string) (Plan, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.plan(ctx, id)
}

func (t *Tracker) plan(ctx context.Context, id string) (Plan, error) {
	changes, err := t.since(ctx, id)
	p := Plan{step: id}
	for _, c := range changes {
		if !covered(c.Before) || !covered(c.After) {
			p.Lost = append(p.Lost, c)
			continue
		}
		p.Changes = append(p.Changes, c)
		if slices.Contains(c.By, Others) {
			p.Others = append(p.Others, c.Path)
		}
	}
	return p, err
}

// covered reports whether a path can be made to name that version again.
func covered(v Version) bool {
	switch v.Kind {
	case Special:
		return false
	case File, Link:
		return v.Whole.where != nowhere
	}
	return true
}

// Rewind does what a plan says, all of it or nothing. also names those of Plan.Others that are put back, too. It returns
// the step that it is, to which another rewind undoes it.
func (t *Tracker) Rewind(ctx context.Context, p Plan, also ...string) (Step, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, err := t.plan(ctx, p.step)
	if err != nil {
		return Step{}, err
	}
	if stale := differing(p.Changes, now.Changes); len(stale) > 0 {
		return Step{}, &StaleError{stale}
	}
	others := slices.DeleteFunc(slices.Clone(p.Others), func(path string) bool { return slices.Contains(also, path) })
	if len(others) > 0 {
		return Step{}, &StaleError{others}
	}
	if err := t.apply(ctx, p.Changes); err != nil {
		return Step{}, errors.Join(err, t.apply(context.WithoutCancel(ctx), inverse(p.Changes)))
	}
	step, _, err := t.lookFor(context.WithoutCancel(ctx), "rewind to "+p.step, []string{"rewind"})
	if err == nil && len(step.Changes) == 0 {
		err = t.add(step)
	}
	return step, err
}

// differing returns the paths of which one list of changes has something else than another.
func differing(a, b []Change) (paths []string) {
	all := make(map[string]Change)
	for _, c := range a {
		all[c.Path] = c
	}
	for _, c := range b {
		if o, ok := all[c.Path]; !ok || !o.Before.same(c.Before) || !o.After.same(c.After) {
			paths = append(paths, c.Path)
		}
		delete(all, c.Path)
	}
	for path := range all {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// inverse returns the changes that undo others.
func inverse(changes []Change) []Change {
	undo := make([]Change, len(changes))
	for i, c := range changes {
		undo[i] = Change{Path: c.Path, Before: c.After, After: c.Before}
	}
	return undo
}
