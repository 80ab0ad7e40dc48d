// Package checkpoint tracks what changes in a workspace, and puts it back.
//
// A Tracker looks at all files that git does not ignore. It compares their stamps, and reads the files whose stamps
// have changed. It saves only contents that exist nowhere else: a file that git has needs no copy.
package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Options configure a Tracker. All but Ignored and Skip must be set.
type Options struct {
	Dir          string                         // the workspace, an absolute path without links
	Root         func() (*os.Root, error)       // opens the workspace
	Tree         func(root *os.Root) *walk.Tree // the visible part of the workspace; it takes ownership of root
	Store        *os.Root                       // the directory for contents
	Skip         string                         // a directory that is not looked at, relative to Dir, with slashes
	Ignored      bool                           // cover files that git ignores, too
	MaxBytes     int64                          // limit for all saved contents
	MaxFileBytes int64                          // limit for a saved file

	// Replace changes the content of a file. It keeps the file's owner and attributes.
	Replace func(ctx context.Context, file workspace.Target, content []byte) error
}

// Tracker knows the files of a workspace. It is safe for concurrent use.
type Tracker struct {
	o     Options
	store *store
	log   *log

	mu      sync.Mutex
	looked  bool
	state   []entry           // of the last look
	unseen  map[string]bool   // what was ignored or hidden then, but not what is in it
	temps   []string          // files that this project makes for a moment
	inexact bool              // git may keep other bytes than files have, by what a look has found
	steps   []Step            // oldest first
	copies  map[string]string // SHA-256 of contents that git has, too, by their hashes there
}

// Others stands for everything but the suite's calls.
const Others = ""

// Step is a point in time whose later changes can be undone.
type Step struct {
	ID    string
	At    time.Time
	By    []string // the calls that made Changes, or [Others]
	About string   // what they did, or why the step was taken
	// Changes came with the step. Rewinding to it undoes them, and those of all later steps. A step from Take has
	// none.
	Changes []Change
}

// New returns a tracker that has not looked yet.
func New(o Options) (*Tracker, error) {
	s, err := openStore(o.Store, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	l, err := openLog(o.Store)
	if err != nil {
		return nil, err
	}
	return &Tracker{o: o, store: s, log: l, copies: make(map[string]string)}, nil
}

// Close ends the tracker. Saved contents stay.
func (t *Tracker) Close() error { return t.log.close() }

// Who says which calls may have changed what a look has found, and what they do. It is asked when that has been found.
type Who func() (about string, by []string)

// By returns a Who for these calls; without any it was somebody else.
func By(about string, calls ...string) Who {
	return func() (string, []string) { return about, calls }
}

// Look finds what has changed since the last look. The first look finds nothing.
func (t *Tracker) Look(ctx context.Context, who Who) (Step, Uncovered, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lookFor(ctx, who)
}

func (t *Tracker) lookFor(ctx context.Context, who Who) (Step, Uncovered, error) {
	l, err := t.look(ctx)
	if err != nil {
		return Step{}, Uncovered{}, err
	}
	var changes []Change
	if t.looked {
		changes = l.seen(compare(t.state, l.now))
	}
	t.state, t.unseen, t.temps, t.looked = l.now, l.unseen, l.temps, true
	step, err := t.changed(changes, who)
	return step, l.uncovered, err
}

// changed returns the step that changes are, and adds it if there are any.
func (t *Tracker) changed(changes []Change, who Who) (Step, error) {
	about, by := who()
	step := t.newStep(about)
	if len(changes) == 0 {
		return step, nil
	}
	step.Changes, step.By = changes, by
	if len(by) == 0 {
		step.By = []string{Others}
	}
	t.keepLoose(step.Changes)
	return step, t.add(step)
}

func (t *Tracker) newStep(about string) Step {
	at := time.Now()
	if n := len(t.steps); n > 0 && !at.After(t.steps[n-1].At) {
		at = t.steps[n-1].At.Add(1) // so that times order the steps
	}
	return Step{ID: spill.NewID(), At: at, About: about}
}

// add adds a step, and logs it for other processes.
func (t *Tracker) add(s Step) error {
	t.steps = append(t.steps, s)
	return t.log.write(s)
}

// keepLoose copies old contents from git's loose objects: git may remove such an object once no commit and no index
// names it. Objects in packs belong to a commit.
func (t *Tracker) keepLoose(changes []Change) {
	g := t.git()
	defer g.close()
	for _, c := range changes {
		object := c.Before.Whole.value
		if c.Before.Whole.where != inGit || t.copies[object] != "" || !g.loose(object) {
			continue
		}
		data, err := g.read(c.Before)
		if err != nil {
			continue
		}
		if sum, err := t.store.put(bytes.NewReader(data), int64(len(data)), t.o.MaxFileBytes); err == nil {
			t.copies[object] = sum
		}
	}
	for i := range changes {
		t.copied(&changes[i])
	}
}

// copied makes a change refer to copies instead of git's objects.
func (t *Tracker) copied(c *Change) {
	for _, v := range []*Version{&c.Before, &c.After} {
		if sum := t.copies[v.Whole.value]; v.Whole.where == inGit && sum != "" {
			v.Whole = content{kept, sum}
		}
	}
}

// Contents reads contents, and opens the repository once for all of them. Close it. It is not safe for concurrent use.
type Contents struct {
	t   *Tracker
	git *gitReader
}

func (t *Tracker) Contents() Contents { return Contents{t, t.git()} }

// Of returns the content of a file, or the target of a link. For an uncovered file it returns an error.
func (c Contents) Of(v Version) ([]byte, error) {
	if v.Kind == Link {
		return []byte(v.Whole.value), nil
	}
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	return c.t.content(v, c.git)
}

func (c Contents) Close() { c.git.close() }

func (t *Tracker) content(v Version, git *gitReader) ([]byte, error) {
	switch v.Whole.where {
	case kept:
		return t.store.read(v.Whole.value, v.Size)
	case inGit:
		return git.read(v)
	}
	return nil, errors.New("its content is not kept")
}

func (t *Tracker) git() *gitReader { return &gitReader{dir: t.o.Dir, limit: t.o.MaxFileBytes} }

// Resume is the first look. It takes over the steps of other processes, and finds what has changed since.
func (t *Tracker) Resume(ctx context.Context) (Uncovered, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	steps, err := readLogs(t.o.Store)
	if err != nil {
		return Uncovered{}, err
	}
	_, uncovered, err := t.lookFor(ctx, By(""))
	if err != nil {
		return uncovered, err
	}
	t.removeTemps()
	t.steps = steps
	last := make(map[string]Version)
	for _, s := range steps {
		for _, c := range s.Changes {
			if c.From != "" {
				last[c.From] = Version{}
			}
			last[c.Path] = c.After
		}
	}
	git := t.git()
	defer git.close()
	since := t.newStep("")
	since.By = []string{Others}
	for _, name := range slices.Sorted(maps.Keys(last)) {
		c := Change{Path: name, Before: last[name], After: t.at(name)}
		if !in(t.unseen, name) && !t.alike(c.Before, c.After, git) {
			since.Changes = append(since.Changes, c)
		}
	}
	if len(since.Changes) > 0 {
		err = t.add(since)
	}
	return uncovered, err
}

// alike is equal, but takes contents of which one is not known for the same: the limits of another process may have been
// others.
func (t *Tracker) alike(a, b Version, git *gitReader) bool {
	if a.Known() && b.Known() {
		return t.equal(a, b, git)
	}
	return a.Kind == b.Kind && a.Mode == b.Mode && a.Size == b.Size
}

// equal reports whether two versions are the same, wherever their contents are kept.
func (t *Tracker) equal(a, b Version, git *gitReader) bool {
	if a.Kind != File || b.Kind != File || a.Whole.where == b.Whole.where {
		return a.same(b)
	}
	if a.Mode != b.Mode || a.Size != b.Size {
		return false
	}
	one, err := t.content(a, git)
	other, err2 := t.content(b, git)
	return err == nil && err2 == nil && bytes.Equal(one, other)
}

// Take returns a step without changes, from which on changes count that the last look has not found.
func (t *Tracker) Take(about string) (Step, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	step := t.newStep(about)
	return step, t.add(step)
}

// Total merges consecutive steps. Only a single step has renamed files.
func (t *Tracker) Total(steps []Step) (changes []Change) {
	switch len(steps) {
	case 0:
		return nil
	case 1:
		for _, c := range steps[0].Changes {
			c.By = steps[0].By
			changes = append(changes, c)
		}
		return changes
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.total(steps)
}

func (t *Tracker) Steps() []Step {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.steps)
}

// ErrUnknown is the error for the id of a step that does not exist.
var ErrUnknown = errors.New("there is no such checkpoint")

func (t *Tracker) since(id string) ([]Change, error) {
	first := slices.IndexFunc(t.steps, func(s Step) bool { return s.ID == id })
	if first < 0 {
		return nil, fmt.Errorf("%w: %s", ErrUnknown, quote.Inline(id))
	}
	return t.total(t.steps[first:]), nil
}
