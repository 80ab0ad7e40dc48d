package checkpoint

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Plan describes a rewind.
type Plan struct {
	// Changes are what the rewind undoes: each path becomes its Before again.
	Changes []Change
	// Lost are changes that it leaves alone, because the old or the present content is not covered.
	Lost []Change
	// Others are paths that something other than the suite's calls has changed. A rewind is refused unless they are
	// named.
	Others []string

	step string
}

// StaleError refuses a rewind: a path has changed since the plan was made, or was changed by others and is not named.
type StaleError struct{ Paths []string }

func (e *StaleError) Error() string {
	return "changed by others or since it was shown: " + strings.Join(e.Paths, ", ")
}

// Plan returns the plan of a rewind to a step, as of the last look.
func (t *Tracker) Plan(ctx context.Context, id string) (Plan, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.plan(ctx, id)
}

func (t *Tracker) plan(ctx context.Context, id string) (Plan, error) {
	changes, err := t.since(id)
	if err != nil {
		return Plan{}, err
	}
	root, err := t.o.Root()
	if err != nil {
		return Plan{}, err
	}
	defer root.Close()
	git := t.git()
	defer git.close()
	p := Plan{step: id}
	for _, c := range changes {
		if err := ctx.Err(); err != nil {
			return Plan{}, err
		}
		if !t.covers(c.Before, git) || !t.covers(c.After, git) || !t.isNow(root, c, git) {
			p.Lost = append(p.Lost, c)
			continue
		}
		p.Changes = append(p.Changes, c)
	}
	p.leaveFull(root)
	for _, c := range p.Changes {
		if slices.Contains(c.By, Others) {
			p.Others = append(p.Others, c.Path)
		}
	}
	return p, nil
}

// leaveFull has the plan leave directories that took the place of something else and hold what it does not remove.
func (p *Plan) leaveFull(root *os.Root) {
	removed := make(map[string]bool)
	for _, c := range p.Changes {
		removed[c.Path] = c.Before.Kind == Absent
	}
	p.Changes = slices.DeleteFunc(p.Changes, func(c Change) bool {
		full := c.After.Kind == Dir && c.Before.Kind != Dir && c.Before.Kind != Absent && !emptied(root, c.Path, removed)
		if full {
			p.Lost = append(p.Lost, c)
		}
		return full
	})
	slices.SortFunc(p.Lost, byPath)
}

// emptied reports whether all that is in a directory is removed.
func emptied(root *os.Root, dir string, removed map[string]bool) bool {
	d, err := root.Open(dir)
	if err != nil {
		return true // as far as is known
	}
	defer d.Close()
	entries, _ := d.ReadDir(-1)
	return !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		name := dir + "/" + e.Name()
		return !removed[name] || e.IsDir() && !emptied(root, name, removed)
	})
}

// covers reports whether a path can be made to name that version again. What git had may have gone, and what was kept may
// have been changed: one such file must not keep others from being put back.
func (t *Tracker) covers(v Version, git *gitReader) bool {
	switch {
	case v.Kind == Special:
		return false
	case v.Kind != File:
		return true
	}
	_, err := t.content(v, git)
	return err == nil
}

// isNow reports whether a path is still what a change made of it. If it is ignored or hidden by now, it is not
// covered, so the answer is no.
func (t *Tracker) isNow(root *os.Root, c Change, git *gitReader) bool {
	now := t.at(c.Path)
	if now.Kind == Absent {
		if _, err := root.Lstat(c.Path); err == nil {
			return false
		}
	}
	return t.equal(now, c.After, git)
}

// Rewind looks, and carries out a plan, completely or not at all. also names those of Plan.Others to put back. It returns its own
// step, to which another rewind undoes it.
func (t *Tracker) Rewind(ctx context.Context, p Plan, also ...string) (Step, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, _, err := t.lookFor(ctx, By("")); err != nil {
		return Step{}, err
	}
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
		return Step{}, err
	}
	t.removeTemps()
	step, _, err := t.lookFor(context.WithoutCancel(ctx), By("rewind to "+p.step, "rewind"))
	if err == nil && len(step.Changes) == 0 {
		err = t.add(step)
	}
	return step, err
}

// stale reports whether a path differs from the last look. Its mode may differ, because the rewind may have changed it
// under another name of the file.
func (t *Tracker) stale(name string, info fs.FileInfo) bool {
	if info.IsDir() {
		return false
	}
	i, ok := t.find(name, 0)
	if !ok {
		return true
	}
	now, then := renamed(stampOf(info)), renamed(t.state[i].stamp)
	now.mode, then.mode = now.mode.Type(), then.mode.Type()
	return now != then
}

// differing returns the paths in which two lists of changes differ.
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
