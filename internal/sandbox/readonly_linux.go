//go:build linux && (amd64 || arm64)

package sandbox

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spillway-go/spillway/internal/workspace"
)

// readOnly keeps commands from changing Policy.ReadOnly. bubblewrap binds what exists read-only. A
// command could move the directory above aside and make another one, so each directory above is
// bound to itself, as are those above hidden files. Only those that existed at first are: a command that is running already could put
// a link in place of a later one, which bubblewrap would follow.
type readOnly struct {
	policy  Policy
	places  []string   // where commands write
	parents []*os.File // the directories between a place and what is in it
}

// hold opens the directories above what is read-only.
func (p Policy) hold(places []string) (r readOnly, err error) {
	r = readOnly{policy: p, places: places}
	for _, root := range p.ReadOnly {
		for _, place := range places {
			for _, path := range between(place, root.Dir) {
				if slices.Contains(names(r.parents), path) {
					continue
				}
				if len(r.parents) == maxDirs {
					return r, fmt.Errorf("what ReadOnlyRoots names is in more than %d directories", maxDirs)
				}
				dir, err := openDir(path)
				if err != nil {
					break // it does not exist yet
				}
				r.parents = append(r.parents, dir)
			}
		}
	}
	r.holdHidden(p)
	return r, nil
}

// holdHidden opens the directories above what is hidden, too: a command that moves one would take the file out from under
// what hides it, and have the next command see it. Those beyond maxDirs can be moved.
func (r *readOnly) holdHidden(p Policy) {
	if p.Hidden == nil {
		return
	}
	for _, e := range p.Hidden() {
		for _, path := range between(p.Workspace, e.Path) {
			if len(r.parents) == maxDirs {
				return
			}
			if slices.Contains(names(r.parents), path) {
				continue
			}
			dir, err := openDir(path)
			if err != nil {
				break
			}
			r.parents = append(r.parents, dir)
		}
	}
}

// between returns the directories below place in which path is, the outermost first.
func between(place, path string) (dirs []string) {
	if !workspace.Within(place, path) {
		return nil
	}
	for dir := filepath.Dir(path); len(dir) > len(place); dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	return dirs
}

// covers reports whether nothing at a path can be changed or made.
func (r readOnly) covers(path string) bool {
	return slices.ContainsFunc(r.policy.ReadOnly, func(root ReadOnly) bool { return workspace.Within(root.Dir, path) })
}

// held returns those of the parents that are still where they were.
func (r readOnly) held() (dirs []string) {
	var moved []string
	for _, parent := range r.parents {
		dir := parent.Name()
		inMoved := slices.ContainsFunc(moved, func(above string) bool { return workspace.Within(above, dir) })
		if inMoved || !isAt(parent) {
			moved = append(moved, dir)
			continue
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// binds returns what to bind to itself, and what to bind read-only, for the next command. gaps says what that command
// can change nevertheless.
func (r readOnly) binds() (dirs, roots, gaps []string) {
	dirs = r.held()
	for _, root := range r.policy.ReadOnly {
		if root.Linked {
			gaps = append(gaps, "replacing the link by which ReadOnlyRoots names "+root.Dir)
		}
		place, ok := r.placeOf(root.Dir)
		if !ok {
			continue
		}
		real, err := filepath.EvalSymlinks(root.Dir)
		loose := slices.ContainsFunc(between(place, root.Dir), func(dir string) bool { return !slices.Contains(dirs, dir) })
		switch {
		case err != nil && !isLink(root.Dir):
			gaps = append(gaps, "making "+root.Dir+", which does not exist")
		case err != nil || real != root.Dir:
			gaps = append(gaps, "changing "+root.Dir+", as that is a link now")
		// A link that takes the place of a parent now would show what commands must not see.
		case loose && len(r.policy.Readable)+len(r.policy.Services) > 0:
			gaps = append(gaps, "changing "+root.Dir+", which is in a directory that was made later than the suite")
		case loose:
			gaps = append(gaps, "moving "+root.Dir+" away with a directory that was made later than the suite")
			fallthrough
		default:
			roots = append(roots, root.Dir)
		}
	}
	if len(roots) > 0 {
		gaps = append(gaps, "changing what ReadOnlyRoots names while a program outside replaces it: "+
			"until the command ends that began before")
	}
	return dirs, roots, gaps
}

// placeOf returns the innermost directory where commands write that holds a path.
func (r readOnly) placeOf(path string) (place string, ok bool) {
	for _, dir := range r.places {
		if workspace.Within(dir, path) && len(dir) > len(place) {
			place, ok = dir, true
		}
	}
	return place, ok
}

// nested returns the options that bind directories to themselves, the outer ones first: a bind hides those below it.
func nested(dirs []string) (args []string) {
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) })
	for _, dir := range slices.Compact(dirs) {
		args = append(args, "--bind", dir, dir)
	}
	return args
}
