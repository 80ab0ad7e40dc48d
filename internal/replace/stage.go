package replace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spillway-go/spillway/internal/workspace"
)

// Staged is a prepared change of a file, so that several changes can be made together. Close must be called.
type Staged struct {
	target  Target
	op      string // "write" or "remove"
	parent  *parent
	dir     *os.Root // that of parent
	name    string
	content []byte
	old     fs.FileInfo // of the file that is replaced or removed, or nil
	inPlace bool        // overwrite the old content
	done    bool
}

// Stage prepares [Target.Replace].
func (t Target) Stage(ctx context.Context, content []byte) (*Staged, error) {
	p, err := t.openParent(ctx)
	if err != nil {
		return nil, t.failed("write", err)
	}
	s := &Staged{target: t, op: "write", parent: p, dir: p.dir, name: filepath.Base(t.rel), content: content}
	if err := s.prepare(ctx); err != nil {
		p.close(err)
		return nil, t.failed("write", err)
	}
	return s, nil
}

func (s *Staged) prepare(ctx context.Context) (err error) {
	if s.old, err = replaceable(s.dir, s.name); err != nil {
		return err
	}
	if s.old != nil {
		if s.inPlace, err = workspace.SeveralNames(s.dir, s.name, s.old); s.inPlace || err != nil {
			return err
		}
	}
	if err = s.writeTemp(ctx); errors.Is(err, errNotKept) {
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
	s := &Staged{target: t, op: "remove", parent: &parent{dir: dir, above: dir}, dir: dir, name: filepath.Base(t.rel)}
	if s.old, err = replaceable(dir, s.name); err == nil && s.old == nil {
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
	if s.inPlace || s.old != nil {
		return nil
	}
	return s.target.failed("chmod", s.dir.Chmod(s.target.temp, mode.Perm()))
}

// Commit makes the change. After an error it is not made, except as described at [Target.Replace].
func (s *Staged) Commit(ctx context.Context) error {
	var err error
	switch {
	case s.inPlace:
		err = s.overwrite(ctx)
	case ctx.Err() != nil:
		err = ctx.Err()
	case s.op == "remove":
		err = rename(ctx, s.dir, s.name, s.target.temp)
	default:
		err = rename(ctx, s.dir, s.target.temp, s.name)
	}
	if err != nil {
		return s.target.failed(s.op, err)
	}
	syncDir(s.dir)
	s.done = true
	return nil
}

// Undo undoes the change after Commit. before is the old content of a replaced file.
func (s *Staged) Undo(ctx context.Context, before []byte) error {
	var err error
	switch {
	case s.op == "remove":
		err = rename(ctx, s.dir, s.target.temp, s.name)
	case s.old == nil:
		err = s.dir.Remove(s.name)
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
		s.dir.Remove(s.target.temp)
	}
	s.parent.close(unmade)
}
