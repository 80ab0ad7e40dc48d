// Package checkpoint knows what changes in a workspace, and puts it back.
//
// A Tracker looks at all files that git does not ignore: by what the file system says of them, and at the content of
// those alone that it says has changed. What a file held is kept where nothing else holds it: a file that git has as it is needs no copy.
package checkpoint

import (
	"bytes"
	"context"
	"os"
	"slices"
	"sync"

	"github.com/spillway-go/spillway/internal/walk"
)

// Options are those of a Tracker. All but Ignored and Skip must be set.
type Options struct {
	Dir          string                         // the workspace, an absolute path without links
	Root         func() (*os.Root, error)       // opens the workspace
	Tree         func(root *os.Root) *walk.Tree // what may be seen of it; it takes ownership of root
	Store        *os.Root                       // where contents are kept
	Skip         string                         // a directory that is not looked at, relative to Dir, with slashes
	Ignored      bool                           // cover what git ignores, too
	MaxBytes     int64                          // of all that is kept
	MaxFileBytes int64                          // of a file that is kept

	// Replace gives a file of the workspace, by its relative path, another content, and keeps its owner and attributes.
	Replace func(ctx context.Context, path string, content []byte) error
}

// Tracker knows the files of a workspace. It is safe for concurrent use.
type Tracker struct {
	o     Options
	store *store

	mu      sync.Mutex
	looked  bool
	state   []entry // of the last look
	steps   []step
	running []string // the calls whose commands run
}

// Others stands for whoever is not a call of the suite.
const Others = ""

// keepLoose copies what changed files held from those objects of git that have a file of their own: git may remove such
// an object as soon as no commit and no index names it. Those in packs were part of a commit.
func (t *Tracker) keepLoose(changes []Change) {
	g := gitReader{dir: t.o.Dir, limit: t.o.MaxFileBytes}
	defer g.close()
	for i, c := range changes {
		if c.Before.Whole.where != inGit || !g.loose(c.Before.Whole.value) {
			continue
		}
		data, err := g.read(c.Before)
		if err != nil {
			continue
		}
		if sum, err := t.store.put(bytes.NewReader(data), t.o.MaxFileBytes); err == nil {
			changes[i].Before.Whole = content{kept, sum}
		}
	}
}

// step is what one look found.
type step struct {
	changes []Change
}

// New returns a tracker that has not looked yet.
func New(o Options) (*Tracker, error) {
	s, err := openStore(o.Store, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	return &Tracker{o: o, store: s}, nil
}

// Look finds what has changed since the last look. by are the calls that may have changed it; none if it was somebody
// else. The first look finds nothing.
func (t *Tracker) Look(ctx context.Context, by ...string) ([]Change, Uncovered, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lookLocked(ctx, by)
}

func (t *Tracker) lookLocked(ctx context.Context, by []string) ([]Change, Uncovered, error) {
	now, uncovered, err := t.look(ctx)
	if err != nil {
		return nil, uncovered, err
	}
	var changes []Change
	if t.looked {
		changes = compare(t.state, now)
	}
	t.state, t.looked = now, true
	if len(changes) > 0 {
		if len(by) == 0 {
			by = []string{Others}
		}
		for i := range changes {
			changes[i].By = slices.Clone(by)
		}
		t.keepLoose(changes)
		t.steps = append(t.steps, step{changes})
	}
	return changes, uncovered, nil
}

// Take looks, and returns a mark: what is changed from now on is what has changed since.
func (t *Tracker) Take(ctx context.Context) (mark int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, _, err = t.lookLocked(ctx, nil)
	return len(t.steps), err
}

// Since looks, and returns what has changed since a mark.
func (t *Tracker) Since(ctx context.Context, mark int) ([]Change, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.since(ctx, mark)
}

func (t *Tracker) since(ctx context.Context, mark int) ([]Change, error) {
	if _, _, err := t.lookLocked(ctx, nil); err != nil {
		return nil, err
	}
	var lists [][]Change
	for _, s := range t.steps[mark:] {
		lists = append(lists, s.changes)
	}
	return total(lists...), nil
}
