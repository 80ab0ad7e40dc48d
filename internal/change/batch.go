package change

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/replace"
)

// batch is files that are changed together.
type batch struct {
	writes, removals []step
	staged           []*replace.Staged // of the steps
}

// step changes one path.
type step struct {
	*File
	content []byte
	remove  bool
	mode    fs.FileMode // of a file that was moved here; 0 is that of any new file
}

func (b *batch) add(c Change) {
	switch {
	case c.To != nil:
		b.writes = append(b.writes, step{File: c.To, content: c.Content, mode: c.Info.Mode()})
		b.removals = append(b.removals, step{File: c.File, remove: true})
	case c.Remove:
		b.removals = append(b.removals, step{File: c.File, remove: true})
	default:
		b.writes = append(b.writes, step{File: c.File, content: c.Content})
	}
}

// steps returns all steps. What is removed comes last: until then everything can be undone as it was.
func (b *batch) steps() []step { return slices.Concat(b.writes, b.removals) }

func (b *batch) stage(ctx context.Context, set *Set) error {
	var temps []string
	for _, s := range b.steps() {
		temps = append(temps, s.Temp())
	}
	if err := set.lock.Note([]byte(strings.Join(temps, "\x00"))); err != nil {
		return set.files.notKept(err)
	}
	for _, s := range b.steps() {
		staged, err := s.stage(ctx)
		if staged != nil {
			b.staged = append(b.staged, staged)
		}
		if err != nil {
			return about(err, s.Name)
		}
	}
	return nil
}

func (s step) stage(ctx context.Context) (*replace.Staged, error) {
	if s.remove {
		return s.StageRemoval(ctx)
	}
	staged, err := s.Stage(ctx, s.content)
	if err == nil && s.mode != 0 {
		err = staged.Chmod(s.mode)
	}
	return staged, err
}

// commit makes the steps one after the other, and undoes those that were made when one fails.
func (b *batch) commit(ctx context.Context) error {
	steps := b.steps()
	for i, s := range steps {
		err := s.asOpened()
		if err == nil {
			err = b.staged[i].Commit(ctx)
		}
		if err == nil {
			continue
		}
		for i, s := range slices.Backward(steps[:i]) {
			if undo := b.staged[i].Undo(context.WithoutCancel(ctx), s.Content); undo != nil {
				return &NotUndoneError{Err: about(err, s.Name), Name: s.Name, Undo: undo}
			}
		}
		return about(err, s.Name)
	}
	return nil
}

func (b *batch) close() {
	for _, staged := range slices.Backward(b.staged) {
		staged.Close()
	}
}
