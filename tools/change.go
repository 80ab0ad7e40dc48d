package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/workspace"
)

// How a tool changes files: it takes the turn, opens what it is to change, decides, commits
// and reports.
//
//	t, err := s.turn(ctx, limits, path)
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

// original is a file that a call is to change, or the place for one.
type original struct {
	workspace.Target               // Name to show; Info is nil if there is no file
	content          []byte        // all of its bytes, as they are
	kind             textfile.Info // what they are
	changed          bool          // they are not what this suite has last shown or written
	known            *seen.Version // what that was, or nil
	sum              seen.Sum
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

// turn waits until no other call changes files. Paths that lead nowhere are refused before.
func (s *Suite) turn(ctx context.Context, limits share, names ...string) (*turn, error) {
	for _, name := range names {
		if _, err := s.target(ctx, name); err != nil {
			return nil, err
		}
	}
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

// turnFor takes the turn and opens the one file that a call is to change.
func (s *Suite) turnFor(ctx context.Context, limits share, name string) (*turn, *original, error) {
	t, err := s.turn(ctx, limits, name)
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

// notKept is the error for content that cannot be kept: nothing is changed then.
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

// open looks at a file, or at the place for one. With what earlier opens hold, the
// content is bounded.
func (t *turn) open(ctx context.Context, name string) (*original, error) {
	s := t.suite
	if t.opened++; t.opened > maxOpened {
		return nil, errorf(CodeTooLarge, "a call changes at most %d files. Make several calls", maxOpened)
	}
	target, err := s.target(ctx, name)
	if err != nil {
		return nil, err
	}
	o := &original{Target: target}
	if o.Info != nil {
		if err := t.load(o, name); err != nil {
			return nil, err
		}
		o.sum = seen.SumOf(o.content)
	}
	o.known = s.lastSeen(o, name)
	o.changed = o.known != nil && !o.known.Is(o.sum, o.Info)
	return o, nil
}

// target finds the place that a path means.
func (s *Suite) target(ctx context.Context, name string) (workspace.Target, error) {
	if err := ctx.Err(); err != nil {
		return workspace.Target{}, failure(err, name)
	}
	target, err := s.ws.Target(name)
	switch {
	case err != nil && s.ws.Gone():
		return target, errorf(CodeNotFound, "%s", goneMessage)
	case err != nil:
		return target, unchanged(err, name)
	}
	return target, nil
}

// load reads the file.
func (t *turn) load(o *original, name string) error {
	f, info, err := o.OpenFile()
	if err != nil {
		return unchanged(err, name)
	}
	defer f.Close()
	if most := t.suite.cfg.MaxFileBytes; info.Size() > most {
		return errorf(CodeTooLarge, "%s is %s, over the limit of %s for files that are changed here", show(o.Name), notice.FileSize(info.Size()), notice.FileSize(most))
	}
	if t.bytes += info.Size(); t.opened > 1 && t.bytes > maxOpenedBytes {
		return errorf(CodeTooLarge, "the files of one call are over %s together. Make several calls", notice.FileSize(maxOpenedBytes))
	}
	o.content = make([]byte, info.Size())
	if _, err := io.ReadFull(f, o.content); err != nil {
		return unchanged(err, name)
	}
	o.kind = sniffed(o.content)
	o.Info = info
	return nil
}

// lastSeen is what this suite has last shown or written of a file, or nil. A file that was
// read by a link is remembered by that.
func (s *Suite) lastSeen(o *original, name string) *seen.Version {
	paths := []string{o.Abs}
	if p, err := s.ws.Resolve(name); err == nil && p.Abs != o.Abs {
		paths = append(paths, p.Abs)
	}
	return s.seen.Latest(paths...)
}

// glimpsed remembers the files that grep has shown lines of, unless more is known of them.
func (s *Suite) glimpsed(lines []GrepLine) {
	last := ""
	for _, l := range lines {
		if l.Path == last || l.Line == 0 {
			continue
		}
		last = l.Path
		path, err := s.ws.Resolve(workspace.Quote(l.Path))
		if err != nil || s.seen.Latest(path.Abs) != nil {
			continue
		}
		if info, err := path.Stat(); err == nil {
			s.seen.Put(path.Abs, seen.Glimpsed(info))
		}
	}
}

// textOf is the text of a file in UTF-8, without a byte order mark.
func textOf(content []byte) []byte {
	info := sniffed(content)
	if info.Binary || info.Encoding == textfile.UTF8 {
		return content
	}
	var text bytes.Buffer
	text.Grow(len(content)*3/2 + bytes.MinRead) // the most that UTF-16 needs
	text.ReadFrom(info.Reader(bytes.NewReader(content)))
	return text.Bytes()
}

func sniffed(content []byte) textfile.Info {
	return textfile.Sniff(content[:min(len(content), textfile.SniffLen)])
}

// mayChange is nil, or the error for a file that was never shown, if the suite wants that.
func (t *turn) mayChange(o *original) error {
	if t.suite.cfg.Edit.RequireRead && o.Info != nil && o.known == nil {
		return errorf(CodeStale, "%s was not read yet, and nothing was changed. Read it, then make the call again", show(o.Name))
	}
	return nil
}

// stale is the error for a file that has changed since it was last shown, with the text to show
// beside it: what has changed. From then on that counts as shown.
func (t *turn) stale(o *original, b *Bounds) (text string, err error) {
	const since = "%s has changed since it was last shown or written here, and was left alone. "
	name := show(o.Name)
	switch {
	case o.Info == nil:
		t.suite.seen.Put(o.Abs, seen.Version{})
		return "", errorf(CodeStale, since+"It does not exist any more. Make the call again to create it", name)
	case o.known.Content == nil || o.kind.Binary:
		return "", errorf(CodeStale, since+"Read it, then make the call again", name)
	}
	changes := diff.New(textOf(o.known.Content), textOf(o.content))
	text = t.report(b, "", FileChange{Path: o.Name, diff: changes})
	if changes.Large || b.Truncated || b.linesCut {
		return text, errorf(CodeStale, since+"Some of what has changed follows. Read it, then make the call again", name)
	}
	t.suite.seen.Put(o.Abs, seen.Version{Sum: o.sum, Content: o.content})
	return text, errorf(CodeStale, since+"What has changed follows. Make the call again with that in mind", name)
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

// asOpened returns an error if the file is not the one that was opened.
func (o *original) asOpened() error {
	now, err := o.Lstat()
	switch {
	case o.Info == nil && errors.Is(err, fs.ErrNotExist):
		return nil
	case o.Info != nil && errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case o.Info != nil && textfile.Unchanged(o.Info, now):
		return nil
	}
	return errorf(CodeStale, "%s was changed by another program just now, and was left alone. Make the call again", show(o.Name))
}

// unchanged is failure for a file that could not be changed.
func unchanged(err error, path string) *Error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, workspace.ErrOwn):
		return &Error{CodePermissionDenied, show(path) + " is where this suite keeps its own files. Use another path", err, nil}
	case errors.Is(err, fs.ErrPermission):
		return &Error{CodePermissionDenied, show(path) + " may not be written; nothing was changed. See its mode and owner with ls -l, or write another file", err, nil}
	case errors.Is(err, syscall.ENOTDIR):
		return &Error{CodeNotADirectory, show(path) + " leads through a file as if that were a directory. Use another path", err, nil}
	case errors.Is(err, syscall.EROFS):
		return &Error{CodePermissionDenied, show(path) + " is on a file system that may only be read. Write another file", err, nil}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &Error{CodeIOError, fmt.Sprintf("no room on the disk for %s; nothing was changed. Remove files that are not needed, then try again", show(path)), err, nil}
	}
	return failure(err, path)
}
