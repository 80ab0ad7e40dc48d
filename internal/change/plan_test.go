package change

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

// commit is a call that moves b to the name, and writes a.
func commit(files *Files, content, name string) func(context.Context) error {
	return func(ctx context.Context) error {
		set, err := files.Begin(ctx)
		if err != nil {
			return err
		}
		defer set.End()
		a, err := set.Open(ctx, "a", workspace.AsWritten)
		if err != nil {
			return err
		}
		b, err := set.Open(ctx, "b", workspace.AsWritten)
		if err != nil {
			return err
		}
		to, err := set.Open(ctx, name, workspace.AsWritten)
		if err != nil {
			return err
		}
		_, err = set.Commit(ctx, Change{File: a, Content: []byte(content)}, Change{File: b, To: to, Content: b.Content})
		return err
	}
}

// A call does what was rehearsed last, or nothing.
func TestPlan(t *testing.T) {
	fails := errors.New("it fails")
	for name, tt := range map[string]struct {
		rehearse func(p *Plan, files *Files)
		stale    bool
	}{
		"nothing":       {func(*Plan, *Files) {}, false},
		"the same":      {func(p *Plan, files *Files) { p.Rehearse(t.Context(), commit(files, "x\n", "to/c")) }, false},
		"other content": {func(p *Plan, files *Files) { p.Rehearse(t.Context(), commit(files, "y\n", "to/c")) }, true},
		"another place": {func(p *Plan, files *Files) { p.Rehearse(t.Context(), commit(files, "x\n", "to/d")) }, true},
		"a failure":     {func(p *Plan, _ *Files) { p.Rehearse(t.Context(), func(context.Context) error { return fails }) }, true},
		"no change":     {func(p *Plan, _ *Files) { p.Rehearse(t.Context(), func(context.Context) error { return nil }) }, true},
		"the same at last": {func(p *Plan, files *Files) {
			p.Rehearse(t.Context(), commit(files, "y\n", "to/c"))
			p.Rehearse(t.Context(), commit(files, "x\n", "to/c"))
		}, false},
		"one that was ended": {func(p *Plan, files *Files) {
			p.Rehearse(t.Context(), commit(files, "x\n", "to/c"))
			ended, cancel := context.WithCancel(t.Context())
			_, err := p.Rehearse(ended, func(context.Context) error { cancel(); return fails })
			require.Equal(t, context.Canceled, err)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir, set, _ := newSet(t)
			files := set.files
			set.End()
			set.lock = nil // which the clean-up gives up otherwise
			before := filesIn(t, dir)
			var p Plan
			tt.rehearse(&p, files)
			require.Equal(t, before, filesIn(t, dir))
			err := commit(files, "x\n", "to/c")(p.Expect(t.Context()))
			if !tt.stale {
				require.NoError(t, err)
				require.Equal(t, map[string]string{"a": "x\n", "to/": "", "to/c": "2\n"}, filesIn(t, dir))
				return
			}
			var e *fault.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, fault.Stale, e.Code)
			require.Equal(t, before, filesIn(t, dir))
		})
	}
}

// What a rehearsal can know of the disk, it says as the call would.
func TestRehearsalLooksAtTheDisk(t *testing.T) {
	need.Modes(t)
	if os.Geteuid() == 0 {
		t.Skip("root may write to any file")
	}
	dir, set, _ := newSet(t)
	files := set.files
	set.End()
	set.lock = nil
	for _, name := range []string{"a", "b"} {
		require.NoError(t, os.Chmod(filepath.Join(dir, name), 0o444))
		_, err := new(Plan).Rehearse(t.Context(), commit(files, "x\n", "to/c"))
		require.ErrorIs(t, err, fs.ErrPermission)
		require.ErrorContains(t, err, name)
		require.NoError(t, os.Chmod(filepath.Join(dir, name), 0o644))
	}
	_, err := new(Plan).Rehearse(t.Context(), commit(files, "x\n", "to/c"))
	require.NoError(t, err)
}

// A call that was allowed in one place opens nothing in another.
func TestOpenElsewhere(t *testing.T) {
	dir, set, _ := newSet(t)
	ctx := workspace.Keep(t.Context(), []string{filepath.Join(dir, "b")})
	_, err := set.Open(ctx, "b", workspace.AsWritten)
	require.NoError(t, err)
	for _, name := range []string{"a", "c"} {
		_, err = set.Open(ctx, name, workspace.AsWritten)
		require.ErrorContains(t, err, name+" leads elsewhere")
	}
}
