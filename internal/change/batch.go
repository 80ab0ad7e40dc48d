package change

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/replace"
)

type step struct {
	*File
	content []byte
	remove  bool
	mode    fs.FileMode // of a moved file; 0 is the default of a new file
}

// making makes the steps, and tells those who track changes.
func (s *Set) making(ctx context.Context, steps []step) error {
	if s.files.Making == nil || len(steps) == 0 {
		return s.makeAll(ctx, steps)
	}
	paths := make([]string, len(steps))
	for i, step := range steps {
		paths[i] = step.Abs
	}
	return s.files.Making(ctx, paths, func() error { return s.makeAll(ctx, steps) })
}

// makeAll makes the steps in order. If one fails, it undoes the earlier ones.
func (s *Set) makeAll(ctx context.Context, steps []step) error {
	var temps []string
	for _, step := range steps {
		temps = append(temps, step.Temp())
	}
	if err := s.lock.Note([]byte(strings.Join(temps, "\x00"))); err != nil {
		return s.files.notKept(err)
	}
	staged := make([]*replace.Staged, 0, len(steps))
	defer func() {
		for _, one := range slices.Backward(staged) {
			one.Close()
		}
	}()
	for _, step := range steps {
		stage := func() (*replace.Staged, error) { return step.Stage(ctx, step.content) }
		if step.remove {
			stage = func() (*replace.Staged, error) { return step.StageRemoval(ctx) }
		}
		one, err := stage()
		if err == nil {
			staged = append(staged, one)
			if step.mode != 0 {
				err = one.Chmod(step.mode)
			}
		}
		if err != nil {
			return about(err, step.Name)
		}
	}
	for i, step := range steps {
		err := step.asOpened()
		if err == nil {
			err = staged[i].Commit(ctx)
		}
		if err == nil {
			continue
		}
		for i, made := range slices.Backward(steps[:i]) {
			if undo := staged[i].Undo(context.WithoutCancel(ctx), made.Content); undo != nil {
				return &NotUndoneError{Err: about(err, step.Name), Name: made.Name, Undo: undo}
			}
		}
		return about(err, step.Name)
	}
	return nil
}
