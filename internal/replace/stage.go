package replace

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/spillway-go/spillway/internal/workspace"
)

// Staged is a change of a file that is prepared but not made yet, so that several can be made together. Close must be
// called.
type Staged struct {
	target  Target
	op      string // "write" or "remove"
	parent  *parent
	work    replacement
	inPlace bool
	done    bool
}

// Stage prepares [Target.Replace].
func (t Target) Stage(ctx context.Context, content []byte) (*Staged, error) {
	p, err := t.openParent(ctx)
	if err != nil {
		return nil, t.failed("write", err)
	}
	s := t.staged("write", p)
	s.work.content = content
	if err := s.prepare(ctx); err != nil {
		p.close(err)
		return nil, t.failed("write", err)
	}
	return s, nil
}

func (t Target) staged(op string, p *parent) *Staged {
	work := replacement{dir: p.dir, name: filepath.Base(t.rel), temp: t.temp}
	return &Staged{target: t, op: op, parent: p, work: work}
}

func (s *Staged) prepare(ctx context.Context) (err error) {
	r := &s.work
	if r.old, err = replaceable(r.dir, r.name); err != nil {
		return err
	}
	if r.old != nil {
		if s.inPlace, err = workspace.SeveralNames(r.dir, r.name, r.old); s.inPlace || err != nil {
			return err
		}
	}
	if err = r.prepare(ctx); errors.Is(err, errNotKept) {
		s.inPlace, err = true, nil
	}
	return err
}

// StageRemoval prepares the removal of the file. A link in the path stays, and a file that may not be written is not
// removed. The errors are those of Replace, and fs.ErrNotExist if there is no file.
func (t Target) StageRemoval(ctx context.Context) (*Staged, error) {
	if err := ctx.Err(); err != nil {
		return nil, t.failed("remove", err)
	}
	dir, err := t.Enter(t.root, filepath.Dir(t.rel))
	if err != nil {
		return nil, t.failed("remove", err)
	}
	s := t.staged("remove", &parent{dir: dir, above: dir})
	if s.work.old, err = replaceable(dir, s.work.name); err == nil && s.work.old == nil {
		err = fs.ErrNotExist
	}
	if err != nil {
		dir.Close()
		return nil, t.failed("remove", err)
	}
	return s, nil
}

// Chmod changes the mode of a new file. A file that is replaced keeps its mode.
func (s *Staged) Chmod(mode fs.FileMode) error {
	if s.inPlace || s.work.old != nil {
		return nil
	}
	return s.target.failed("chmod", s.work.dir.Chmod(s.work.temp, mode.Perm()))
}

// Commit makes the change. After an error it is not made, with the exception that [Target.Replace] names.
func (s *Staged) Commit(ctx context.Context) error {
	var err error
	switch {
	case s.inPlace:
		err = s.work.overwrite(ctx)
	case ctx.Err() != nil:
		err = ctx.Err()
	case s.op == "remove":
		err = rename(ctx, s.work.dir, s.work.name, s.work.temp)
	default:
		err = rename(ctx, s.work.dir, s.work.temp, s.work.name)
	}
	if err == nil {
		syncDir(s.work.dir)
	}
	s.done = err == nil
	return s.target.failed(s.op, err)
}

// Undo undoes the change after Commit. before is the old content of a file that was replaced.
func (s *Staged) Undo(ctx context.Context, before []byte) error {
	var err error
	switch {
	case s.op == "remove":
		err = rename(ctx, s.work.dir, s.work.temp, s.work.name)
	case s.work.old == nil:
		err = s.work.dir.Remove(s.work.name)
	default:
		return s.target.Replace(ctx, before)
	}
	s.done = err != nil
	return s.target.failed(s.op, err)
}

// Close removes the temporary file and, if the change was not made, the directories that were made for it.
func (s *Staged) Close() {
	var unmade error
	if !s.done {
		unmade = fs.ErrClosed
	}
	if s.done == (s.op == "remove") && !s.inPlace {
		s.work.dir.Remove(s.work.temp)
	}
	s.parent.close(unmade)
}
