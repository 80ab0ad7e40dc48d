package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/workspace"
)

// How a tool changes files: it takes the turn, opens what it is to change, decides, commits
// and reports.
//
//	t, err := s.turn(ctx, limits)
//	defer t.end()
//	o, err := t.open(ctx, path)            // a file, or the place for one: o.Info is nil then
//	...                                    // o.content, o.kind, o.changed, t.stale(o)
//	changes, err := t.commit(ctx, change{original: o, content: new}, ...)
//	res.Text = t.report(&res.Bounds, headline, changes...)
//
// All errors are those for the model.

const (
	// maxOpened bounds the files that a call changes, each of which holds descriptors.
	maxOpened = 100
	// maxOpenedBytes bounds what a call holds of them, where MaxFileBytes does not.
	maxOpenedBytes = 40_000_000
	// maxSpans bounds the places that the details of a change name.
	maxSpans = 1000
)

// turn is the right to change files, which one call at a time has among all suites that share
// the spill directory, also in other processes.
type turn struct {
	suite  *Suite
	limits share // of the report
	lock   *spill.Turn
	opened int
	bytes  int64
}

// change is what a file is to become.
type change struct {
	*original
	content []byte      // all of its bytes; commit keeps them
	remove  bool        // it is to be no more
	mode    fs.FileMode // of a new file, as of one that is moved; 0 is that of any new file
}

// FileChange is what a call did to a file.
type FileChange struct {
	Path         string       `json:"path"`               // as texts name it
	Created      bool         `json:"created,omitempty"`  // there was none
	Removed      bool         `json:"removed,omitempty"`  // there is none any more
	LinesAdded   int          `json:"linesAdded"`         // those that it did not have
	LinesRemoved int          `json:"linesRemoved"`       // those that it does not have any more
	Spans        []ChangeSpan `json:"spans,omitempty"`    // where these are, the first 1000
	Before       string       `json:"before,omitempty"`   // the file with what it held, for read and Suite.Restore; "" if there was none
	WasStale     bool         `json:"wasStale,omitempty"` // it had changed since the suite last showed or wrote it

	// Only apply_patch sets these: the path that the file had, and in what lines of the patch differ
	// from those of the file, for each hunk; absent if in nothing.
	MovedFrom string   `json:"movedFrom,omitempty"`
	Maps      []string `json:"maps,omitempty"`

	diff *diff.Diff // to show; nil where the headline says enough
}

// ChangeSpan is a run of lines that was replaced by another.
type ChangeSpan struct {
	Line    int `json:"line"`    // the first one, in the file as it is now, from 1
	Added   int `json:"added"`   // lines there
	Removed int `json:"removed"` // lines that are gone
}

// turn waits until no other call changes files.
func (s *Suite) turn(ctx context.Context, limits share) (*turn, error) {
	lock, err := s.spill.Lock(ctx)
	switch {
	case err == nil:
		s.removeStaged(lock.Left)
		return &turn{suite: s, limits: limits, lock: lock}, nil
	case errors.Is(err, spill.ErrLocked):
		return nil, errorf(CodeIOError, "another call changes files and has not ended for half a minute; nothing was changed. Try again")
	case ctx.Err() != nil, errors.Is(err, fs.ErrClosed):
		return nil, failure(err, "")
	}
	return nil, s.notKept(err)
}

// turnFor takes the turn and opens the one file that a call is to change. A path that leads
// nowhere is refused before, since the turn may take a while to come.
func (s *Suite) turnFor(ctx context.Context, limits share, name string) (*turn, *original, error) {
	if _, err := s.target(ctx, name); err != nil {
		return nil, nil, err
	}
	t, err := s.turn(ctx, limits)
	if err != nil {
		return nil, nil, err
	}
	o, err := t.open(ctx, name)
	if err != nil {
		t.end()
		return nil, nil, err
	}
	return t, o, nil
}

// notKept returns the error for content that cannot be kept: nothing is changed then.
func (s *Suite) notKept(err error) error {
	return &Error{Code: CodeIOError, Message: fmt.Sprintf("nothing was changed, because what files hold is kept in %s first, which is not possible: %s",
		show(s.shownPath(s.spill.Path())), show(errorText(err))), Err: err}
}

func (t *turn) end() { t.lock.End() }

// removeStaged removes the temporary files of a call whose process was killed, by its note. One
// that cannot be removed stays.
func (s *Suite) removeStaged(note []byte) {
	for i, path := range bytes.Split(note, []byte{0}) {
		if i < maxOpened && len(path) > 0 {
			_ = s.ws.RemoveTemp(string(path))
		}
	}
}

// commit makes all the changes, or none. What the files held is kept first. A change that
// changes nothing is left out of the result.
func (t *turn) commit(ctx context.Context, changes ...change) ([]FileChange, error) {
	changes = slices.DeleteFunc(slices.Clone(changes), func(c change) bool {
		same := !c.remove && c.Info != nil && bytes.Equal(c.content, c.original.content)
		if same { // who made the call knows that
			t.suite.seen.Put(c.Abs, seen.Version{Sum: c.sum, Content: c.content})
		}
		return same
	})
	before, err := t.keep(ctx, changes)
	if err != nil {
		return nil, err
	}
	var b batch
	defer b.end()
	if err := b.stage(ctx, t, changes); err != nil {
		return nil, err
	}
	if err := b.commit(ctx, changes); err != nil {
		return nil, err
	}
	done := make([]FileChange, len(changes))
	for i, c := range changes {
		done[i] = t.done(c, before[i])
	}
	return done, nil
}

// commitOne is commit of one change. What changes nothing has only the path.
func (t *turn) commitOne(ctx context.Context, o *original, content []byte) (FileChange, error) {
	changes, err := t.commit(ctx, change{original: o, content: content})
	if err != nil || len(changes) == 0 {
		return FileChange{Path: o.Name}, err
	}
	return changes[0], nil
}

// keep copies what the files hold to the spill directory, and returns the names of the copies.
func (t *turn) keep(ctx context.Context, changes []change) ([]string, error) {
	names := make([]string, len(changes))
	var first *spill.Writer
	for i, c := range changes {
		if err := ctx.Err(); err != nil {
			return nil, failure(err, c.Name)
		}
		if c.Info == nil {
			continue
		}
		w := t.suite.spill.NewWriter(beforeKind)
		if first == nil {
			first = w
		} else {
			w = first.Beside(beforeKind)
		}
		w.Spill() // or it would hold a copy
		w.Write(c.original.content)
		path, err := w.Keep()
		if err != nil {
			return nil, t.suite.notKept(err)
		}
		names[i] = filepath.Base(path)
	}
	return names, nil
}

// done notes a change that was made.
func (t *turn) done(c change, before string) FileChange {
	s := t.suite
	f := FileChange{Path: c.Name, Created: c.Info == nil, Removed: c.remove, WasStale: c.changed}
	now := seen.Version{Content: c.content}
	if !c.remove {
		now.Sum = seen.SumOf(c.content)
	}
	s.seen.Put(c.Abs, now)
	if before != "" {
		s.kept.add(before, keptFile{c.Name, c.Abs, now.Sum})
		f.Before = s.shownPath(filepath.Join(s.spill.Path(), before))
	}
	f.compare(diff.New(textOf(c.original.content), textOf(c.content)))
	if f.Created || f.Removed || c.kind.Binary || sniffed(c.content).Binary {
		f.diff = nil
	}
	return f
}

// compare notes in what the content differs from the one before.
func (f *FileChange) compare(d *diff.Diff) {
	f.diff, f.LinesAdded, f.LinesRemoved = d, d.Added, d.Removed
	for _, c := range d.Changes[:min(len(d.Changes), maxSpans)] {
		f.Spans = append(f.Spans, ChangeSpan{c.New, c.Added, c.Removed})
	}
}

// batch is files that are changed together.
type batch struct {
	staged []*workspace.Staged
}

// stage prepares all the changes.
func (b *batch) stage(ctx context.Context, t *turn, changes []change) error {
	var temps []string
	for _, c := range changes {
		temps = append(temps, c.Temp())
	}
	if err := t.lock.Note([]byte(strings.Join(temps, "\x00"))); err != nil {
		return t.suite.notKept(err)
	}
	for _, c := range changes {
		staged, err := c.stage(ctx)
		if staged != nil {
			b.staged = append(b.staged, staged)
		}
		if err != nil {
			return unchanged(err, c.Name)
		}
	}
	return nil
}

func (c change) stage(ctx context.Context) (*workspace.Staged, error) {
	if c.remove {
		return c.StageRemoval(ctx)
	}
	staged, err := c.Stage(ctx, c.content)
	if err == nil && c.mode != 0 {
		err = staged.Chmod(c.mode)
	}
	return staged, err
}

// commit makes the changes one after the other, and undoes those that were made when one
// fails.
func (b *batch) commit(ctx context.Context, changes []change) error {
	for i, c := range changes {
		err := c.asOpened()
		if err == nil {
			err = b.staged[i].Commit(ctx)
		}
		if err == nil {
			continue
		}
		failed := unchanged(err, c.Name)
		for i, c := range slices.Backward(changes[:i]) {
			if undone := b.staged[i].Undo(context.WithoutCancel(ctx), c.original.content); undone != nil {
				return errorf(CodeIOError, "%s. %s was changed before that, and could not be changed back: %s. Read it", failed.Message, show(c.Name), show(errorText(undone)))
			}
		}
		return failed
	}
	return nil
}

// end removes what was prepared and not used.
func (b *batch) end() {
	for _, staged := range slices.Backward(b.staged) {
		staged.Close()
	}
}
