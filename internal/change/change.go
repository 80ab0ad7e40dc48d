// Package change changes files: one call at a time, all files of a call or none, with copies of the old contents
// unless disabled.
//
//	set, err := files.Begin(ctx)
//	defer set.End()
//	f, err := set.Open(ctx, path, naming)  // a file, or the place for one: f.Info is nil then
//	...                                    // f.Content, f.Kind, f.Changed, f.Stale
//	done, err := set.Commit(ctx, change.Change{File: f, Content: content}, ...)
//
// An error that it words itself is a [fault.Error]. One of the system for a file comes as a [PathError].
package change

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"

	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/lock"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/replace"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/workspace"
)

const (
	// MaxFiles bounds the files that a call changes, each of which holds descriptors.
	MaxFiles = 100
	// maxBytes bounds the contents that a call holds, where Files.MaxFileBytes does not.
	maxBytes = 40_000_000
)

// Files changes files. The fields up to MaxFileBytes must be set, except WritableRoots, and so must Journal. It is
// safe for concurrent use.
type Files struct {
	Workspace     *workspace.Workspace
	WritableRoots []string    // where else files may be changed, as messages name them
	Seen          *seen.Store // what was last shown or written of files
	Spill         *spill.Dir  // where old contents are kept
	SpillName     string      // the name of Spill in messages
	MaxFileBytes  int64       // a larger file is not changed
	RequireRead   bool        // a file that was never shown is not changed
	NoCopies      bool        // old contents are not kept

	Redact *mask.Masker // masks secrets in what is shown of files, and in what edits know of them; nil masks none

	Form func(name string) *Form // the form that a file of that name must have, or nil; nil requires none

	Journal *Journal // shared by all Files of a workspace

	// Making wraps a change of files, by their absolute paths, for those who track changes; nil does not wrap it.
	Making func(ctx context.Context, paths []string, change func() error) error
}

// Set is the files that one call changes. Until End, no other call changes files, in any process
// that shares the spill directory.
type Set struct {
	files  *Files
	lock   *lock.Held // nil in a rehearsal
	kept   Copies
	opened int
	bytes  int64

	rehearsal *rehearsal // set if the call is a rehearsal
	expected  *rehearsal // the rehearsal whose changes must be made, or nil
}

// Change describes what to do with a file.
type Change struct {
	*File
	Content []byte // all new bytes; Commit keeps them
	Text    []byte // Content in UTF-8 if known; Commit derives it otherwise
	Remove  bool   // remove the file; Content is nil
	To      *File  // where to move it, a place without a file; nil to leave it
	Known   bool   // the model knows all of Content, because the call contains it
}

type Done struct {
	Changed  bool       // the content changed
	Created  bool       // there was no file before
	Diff     *diff.Diff // of its text
	Before   string     // the copy of the old content, as messages name it; "" if there is none
	WasStale bool       // it had changed since it was last shown or written
	Binary   bool       // it was not text, or is not now

	Redacted []mask.Finding // the secrets in the new lines that Diff shows
}

// Lines returns how many lines the change added and removed.
func (d Done) Lines() (added, removed int) {
	if d.Diff == nil {
		return 0, 0
	}
	return d.Diff.Added, d.Diff.Removed
}

// Begin waits until no other call changes files. The caller must End the set.
func (f *Files) Begin(ctx context.Context) (*Set, error) {
	if r := rehearsing(ctx); r != nil {
		return &Set{files: f, rehearsal: r}, nil
	}
	held, err := f.Journal.changing.Lock(ctx, f.Spill.Open, spill.LockName)
	switch {
	case err == nil:
		if len(held.Left) > 0 {
			f.removeTemps(held.Left)
		}
		return &Set{files: f, lock: held, expected: expected(ctx)}, nil
	case errors.Is(err, lock.ErrTimeout):
		return nil, fault.Errorf(fault.IOError, "another call has been changing files for half a minute; nothing "+
			"was changed. Try again")
	case ctx.Err() != nil, errors.Is(err, fs.ErrClosed):
		return nil, err
	}
	return nil, f.notKept(err)
}

// Open begins a set with the one file that a call changes. It refuses a path that leads nowhere before it waits for
// the lock.
func (f *Files) Open(ctx context.Context, name string, naming workspace.Naming) (*Set, *File, error) {
	first := naming
	if naming == workspace.AsNew { // similar names are looked for only once, with the lock
		first = workspace.AsWritten
	}
	if _, err := f.Target(ctx, name, first); err != nil {
		if _, err = f.Target(ctx, name, naming); err != nil {
			return nil, nil, err
		}
	}
	set, err := f.Begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	file, err := set.Open(ctx, name, naming)
	if err != nil {
		set.End()
		return nil, nil, err
	}
	return set, file, nil
}

// End lets other calls change files.
func (s *Set) End() {
	if s.lock != nil {
		s.lock.Unlock()
	}
}

// notKept returns the error if a content cannot be kept. Nothing is changed then.
func (f *Files) notKept(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err // f.SpillName says where
	}
	first := "the old content is kept"
	if f.NoCopies {
		first = "calls that change files take a lock"
	}
	e := fault.Errorf(fault.IOError, "nothing was changed, because %s in %s first, and that failed: %s",
		first, quote.Value(f.SpillName), quote.Value(err.Error()))
	e.Err = err
	return e
}

// removeTemps removes the temporary files of a call whose process was killed, from the note in the lock. One that
// cannot be removed stays.
func (f *Files) removeTemps(note []byte) {
	for i, path := range bytes.Split(note, []byte{0}) {
		if i < MaxFiles && len(path) > 0 {
			_ = replace.RemoveTemp(f.Workspace, string(path))
		}
	}
}

// Commit makes all the changes, or none, and describes each. Old contents are kept first, unless Files.NoCopies is
// set.
func (s *Set) Commit(ctx context.Context, changes ...Change) ([]Done, error) {
	if s.rehearsal != nil {
		return s.rehearsal.rehearse(ctx, changes)
	}
	if s.expected != nil {
		if err := s.expected.expects(changes); err != nil {
			return nil, err
		}
	}
	done := make([]Done, len(changes))
	var writes, removals []step
	for i, c := range changes {
		done[i].Changed = c.changes()
		switch {
		case !done[i].Changed: // the model knows the content that it sent
			s.files.Seen.Put(c.Abs, seen.Version{Sum: c.sum, Content: c.Content, Lines: c.shown(c.File.Text(), &diff.Diff{})})
		case c.To != nil:
			writes = append(writes, step{File: c.To, content: c.Content, mode: c.Info.Mode()})
			removals = append(removals, step{File: c.File, remove: true})
		case c.Remove:
			removals = append(removals, step{File: c.File, remove: true})
		default:
			writes = append(writes, step{File: c.File, content: c.Content})
		}
	}
	var err error
	for i, c := range changes {
		if c.Info != nil && done[i].Changed && !s.files.NoCopies {
			if done[i].Before, err = s.keep(ctx, c.File); err != nil {
				return nil, err
			}
		}
	}
	// Removals come last, because everything before them can be undone exactly.
	if err := s.making(ctx, append(writes, removals...)); err != nil {
		return nil, err
	}
	for i, c := range changes {
		if done[i].Changed {
			s.note(c, &done[i])
		}
	}
	return done, nil
}

// Rewrite returns the change that replaces the file's text, like Encode, or an error if the whole file may not be
// replaced. encoding is the one that the call names, or "".
func (f *File) Rewrite(text, encoding string) (Change, error) {
	if err := f.MayChange(); err != nil {
		return Change{}, err
	}
	if f.Changed {
		return Change{}, &StaleError{f}
	}
	if _, err := f.DecodeAs(encoding); err != nil {
		return Change{}, err
	}
	if err := cmp.Or(f.InForm(), f.secretsGone()); err != nil {
		return Change{}, err
	}
	c, err := f.Encode(text)
	if err != nil {
		return Change{}, err
	}
	c.Known = true
	return c, c.KeepsForm()
}

func (c Change) changes() bool {
	return c.Info == nil || c.Remove || c.To != nil || !bytes.Equal(c.Content, c.File.Content)
}

// describe fills in d and returns the new text.
func (c Change) describe(d *Done) (text []byte) {
	text = c.NewText()
	d.Created, d.WasStale = c.Info == nil, c.Changed
	d.Binary = c.Kind.Binary || c.NewKind().Binary
	if d.Binary {
		d.Diff = diff.New(c.File.Text(), text)
		return text
	}
	shown, _ := c.File.Shown()
	d.Diff, d.Redacted = c.Diff(shown, text)
	return text
}

// note records a change that was made, and describes it.
func (s *Set) note(c Change, d *Done) {
	text := c.describe(d)
	var now seen.Version
	if !c.Remove {
		now = seen.Version{Sum: seen.SumOf(c.Content), Content: c.Content, Lines: c.shown(text, d.Diff)}
	}
	if c.To != nil {
		s.files.Seen.Put(c.To.Abs, now)
		now = seen.Version{}
	}
	s.files.Seen.Put(c.Abs, now)
	if d.Before != "" {
		s.files.Journal.add(undo{d.Before, c.Name, c.Abs, c.sum, now.Sum})
		d.Before = s.files.SpillName + "/" + d.Before
	}
}

// shown returns the lines of the new content, whose text is given, that the model knows.
func (c Change) shown(text []byte, changes *diff.Diff) seen.Lines {
	switch {
	case c.Known:
		return seen.AllLines(diff.Lines(text))
	case c.seen == nil || c.Changed:
		return seen.Lines{}
	}
	return c.seen.Lines.Changed(changes)
}

func (c Change) NewKind() textfile.Info { return c.KindOf(c.Content) }

// NewText returns the new content in UTF-8, without a byte order mark.
func (c Change) NewText() []byte {
	if c.Text != nil {
		return c.Text
	}
	return textIn(c.Content, c.NewKind())
}

func (c Change) NewName() string {
	if c.To != nil {
		return c.To.Name
	}
	return c.Name
}
