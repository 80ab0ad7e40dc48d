package checkpoint

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// LookAt is Look for calls that changed nothing but what given paths name, relative to the workspace and with slashes:
// it looks at these, at what is below them, and at the directories that they are in.
func (t *Tracker) LookAt(ctx context.Context, paths []string, who Who) (Step, Uncovered, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.looked || slices.ContainsFunc(paths, t.reachesFurther) {
		return t.lookFor(ctx, who)
	}
	named, above := make(map[string]bool), make(map[string]bool)
	for _, name := range paths {
		named[name] = true
		for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
			above[dir] = true
		}
	}
	l, err := t.walk(ctx, nil, func(name string) bool { return above[name] || in(named, name) })
	if err != nil {
		return Step{}, Uncovered{}, err
	}
	old := t.cut(paths, l.now)
	t.state = merged(t.state, l.now)
	step, err := t.changed(l.seen(compare(old, l.now)), who)
	maps.Copy(t.unseen, l.unseen)
	return step, l.uncovered, err
}

// cut removes paths and their parent directories from the state. now is what exists. If a directory has become
// something else, what was in it has gone too.
func (t *Tracker) cut(paths []string, now []entry) (old []entry) {
	dirs := make(map[string]bool)
	for _, e := range now {
		dirs[e.path] = e.stamp.mode.IsDir()
	}
	take := func(name string, below bool) {
		for _, mode := range []fs.FileMode{0, fs.ModeDir} {
			first, ok := t.find(name, mode)
			last := first
			if ok {
				last++
			}
			if below && mode.IsDir() {
				_, last = t.below(name)
			}
			old = append(old, t.state[first:last]...)
			t.state = slices.Delete(t.state, first, last)
		}
	}
	for _, name := range paths {
		for i, c := range name + "/" {
			if c != '/' {
				continue
			}
			whole := i == len(name) || !dirs[name[:i]]
			take(name[:i], whole)
			if whole {
				break
			}
		}
	}
	slices.SortFunc(old, order)
	return old
}

// find returns the index of a path in the state, or where to insert it. The order depends on whether the path is a
// directory.
func (t *Tracker) find(name string, mode fs.FileMode) (int, bool) {
	return slices.BinarySearchFunc(t.state, entry{path: name, stamp: stamp{mode: mode}}, order)
}

// at returns the version of a path at the last look.
func (t *Tracker) at(name string) Version {
	for _, mode := range []fs.FileMode{0, fs.ModeDir} {
		if i, ok := t.find(name, mode); ok {
			return t.state[i].version()
		}
	}
	return Version{}
}

// below returns the range of the state below a directory.
func (t *Tracker) below(dir string) (first, last int) {
	first, ok := t.find(dir, fs.ModeDir)
	if ok {
		first++
	}
	for last = first; last < len(t.state) && strings.HasPrefix(t.state[last].path, dir+"/"); {
		last++
	}
	return first, last
}

// merged merges two sorted lists, which have no entry in common.
func merged(state, more []entry) []entry {
	i, j := len(state)-1, len(more)-1
	state = append(state, more...)
	for at := len(state) - 1; j >= 0; at-- {
		if i >= 0 && order(state[i], more[j]) > 0 {
			state[at] = state[i]
			i--
		} else {
			state[at] = more[j]
			j--
		}
	}
	return state
}

// reachesFurther reports whether a change of a path can affect others: it may be a file of ignore rules, or have
// several names.
func (t *Tracker) reachesFurther(name string) bool {
	if strings.HasPrefix(path.Base(name), ".") {
		return true
	}
	i, ok := t.find(name, 0)
	return ok && t.state[i].stamp.several
}
