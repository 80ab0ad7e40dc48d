package checkpoint_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/workspace"
)

// write writes a file of the workspace.
func (p *place) write(name, text string) {
	p.t.Helper()
	testkit.WriteFile(p.t, p.path(name), text)
}

func (p *place) take() checkpoint.Step {
	p.t.Helper()
	p.lookOthers()
	s, err := p.c.Take("")
	require.NoError(p.t, err)
	return s
}

// lookOthers looks for nobody's call.
func (p *place) lookOthers() {
	p.t.Helper()
	_, _, err := p.c.Look(p.t.Context(), checkpoint.By(""))
	require.NoError(p.t, err)
}

// resume looks first, as another process.
func (p *place) resume() {
	p.t.Helper()
	_, err := p.c.Resume(p.t.Context())
	require.NoError(p.t, err)
}

// look looks for a call.
func (p *place) look() ([]checkpoint.Change, checkpoint.Uncovered) {
	p.t.Helper()
	s, uncovered, err := p.c.Look(p.t.Context(), checkpoint.By("", "call"))
	require.NoError(p.t, err)
	return s.Changes, uncovered
}

func (p *place) plan(s checkpoint.Step) checkpoint.Plan {
	p.t.Helper()
	p.lookOthers()
	plan, err := p.c.Plan(p.t.Context(), s.ID)
	require.NoError(p.t, err)
	return plan
}

func (p *place) rewind(s checkpoint.Step) checkpoint.Plan {
	p.t.Helper()
	plan := p.plan(s)
	_, err := p.c.Rewind(p.t.Context(), plan)
	require.NoError(p.t, err)
	return plan
}

func paths(changes []checkpoint.Change) (list []string) {
	for _, c := range changes {
		list = append(list, c.Path)
	}
	return list
}

// kept returns how many bytes of contents are kept.
func (p *place) kept() (n int64) {
	p.t.Helper()
	entries, err := os.ReadDir(p.store)
	require.NoError(p.t, err)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !strings.HasPrefix(e.Name(), "log-") {
			n += info.Size()
		}
	}
	return n
}

// A renamed file is one change.
func TestRenamed(t *testing.T) {
	p := newPlace(t)
	p.write("a", "text")
	p.track(nil)
	step := p.take()
	require.NoError(t, os.Rename(p.path("a"), p.path("b")))
	changes, _ := p.look()
	require.Len(t, changes, 1)
	require.Equal(t, "b", changes[0].Path)
	require.Equal(t, "a", changes[0].From)
	p.rewind(step)
	p.same(map[string]string{"a": "-rw-r--r-- text"}, nil)
}

// What is too large, or has no room, is known to change but not covered, and named.
func TestUncovered(t *testing.T) {
	p := newPlace(t)
	p.write("large", strings.Repeat("x", 2<<20))
	p.write("a", strings.Repeat("a", 900_000))
	p.write("b", strings.Repeat("b", 900_000))
	p.track(func(o *checkpoint.Options) { o.MaxBytes = 1_000_000 })
	step := p.take()
	require.EqualValues(t, 900_000, p.kept())
	p.write("large", "other")
	p.write("a", "A")
	p.write("b", "B")
	changes, uncovered := p.look()
	require.Equal(t, []string{"a", "b", "large"}, paths(changes))
	require.Zero(t, uncovered.Large, "they are small now")
	plan := p.rewind(step)
	require.Equal(t, []string{"a"}, paths(plan.Changes))
	require.Equal(t, []string{"b", "large"}, paths(plan.Lost))
	require.Equal(t, "B", testkit.ReadFile(t, p.path("b")))
}

// What others have changed is put back only if it is named, and what has changed since a plan never.
func TestStale(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.write("b", "one")
	p.track(nil)
	step := p.take()
	p.write("a", "two")
	p.look()
	p.write("b", "two") // after the look: by others
	plan := p.plan(step)
	require.Equal(t, []string{"b"}, plan.Others)
	var stale *checkpoint.StaleError
	_, err := p.c.Rewind(t.Context(), plan)
	require.ErrorAs(t, err, &stale)
	require.Equal(t, []string{"b"}, stale.Paths)
	require.Equal(t, "two", testkit.ReadFile(t, p.path("a")), "nothing is put back")
	_, err = p.c.Rewind(t.Context(), plan, "b")
	require.NoError(t, err)
	p.same(map[string]string{"a": "-rw-r--r-- one", "b": "-rw-r--r-- one"}, nil)

	p.write("a", "three")
	p.look()
	plan = p.plan(step)
	p.write("a", "four")
	_, err = p.c.Rewind(t.Context(), plan, "a", "b")
	require.ErrorAs(t, err, &stale)
	require.Equal(t, []string{"a"}, stale.Paths)
	require.Equal(t, "four", testkit.ReadFile(t, p.path("a")))
}

// If one path cannot be put back, none is.
func TestAllOrNothing(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.write("b", "one")
	p.write("z", "one")
	p.track(func(o *checkpoint.Options) {
		replace := o.Replace
		o.Replace = func(ctx context.Context, file workspace.Target, content []byte) error {
			if file.Name == "b" {
				return errors.New("no")
			}
			return replace(ctx, file, content)
		}
	})
	step := p.take()
	p.write("a", "two")
	p.write("b", "two")
	require.NoError(t, os.Remove(p.path("z")))
	p.write("z/x", "in place of a file")
	p.look()
	before := p.snapshot()
	_, err := p.c.Rewind(t.Context(), p.plan(step))
	require.ErrorContains(t, err, "b: no")
	p.same(before, nil)
}

// A directory that was made stays if it holds what git ignores.
func TestIgnoredStays(t *testing.T) {
	p := newPlace(t)
	p.write(".gitignore", "*.o\n")
	p.track(nil)
	step := p.take()
	p.write("new/x", "x")
	p.write("new/y.o", "y")
	p.look()
	p.rewind(step)
	p.same(map[string]string{".gitignore": "-rw-r--r-- *.o\n", "new": "drwxr-xr-x", "new/y.o": "-rw-r--r-- y"}, nil)

	p.track(func(o *checkpoint.Options) { o.Ignored = true })
	step = p.take()
	p.write("new/y.o", "z")
	p.look()
	p.rewind(step)
	require.Equal(t, "y", testkit.ReadFile(t, p.path("new/y.o")))
}

// A workspace of too many files is refused, and is known as before.
func TestTooMany(t *testing.T) {
	p := newPlace(t)
	p.write("dir/a", "one")
	p.track(nil)
	step := p.take()
	defer checkpoint.SetMaxEntries(3)()
	p.write("dir/b", "two")
	p.look()
	p.write("dir/c", "three")
	_, _, err := p.c.Look(t.Context(), checkpoint.By("", "call"))
	require.ErrorIs(t, err, checkpoint.ErrTooMany)
	require.NoError(t, os.Remove(p.path("dir/c")))
	require.Equal(t, []string{"dir/b"}, paths(p.rewind(step).Changes))
}

// What was removed from the store is named; what a file still holds is kept again as soon as the file is read again.
func TestStoreRemoved(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.write("b", "two")
	p.track(nil)
	step := p.take()
	entries, err := os.ReadDir(p.store)
	require.NoError(t, err)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "log-") {
			require.NoError(t, os.Remove(filepath.Join(p.store, e.Name())))
		}
	}
	require.NoError(t, os.Chtimes(p.path("a"), time.Time{}, time.Unix(0, 0)))
	changes, _ := p.look()
	require.Empty(t, changes)
	p.write("a", "three")
	require.NoError(t, os.Chtimes(p.path("b"), time.Time{}, time.Now().Add(-time.Hour)))
	p.look()
	p.write("b", "four")
	p.look()
	require.Empty(t, p.rewind(step).Lost)

	kept := filepath.Join(p.store, fmt.Sprintf("%x", sha256.Sum256([]byte("two"))))
	step = p.take()
	p.write("b", "four")
	p.look()
	require.NoError(t, os.Remove(kept))
	require.Equal(t, []string{"b"}, paths(p.rewind(step).Lost))
}

// A change that comes so soon after a look that the file has the same times is found.
func TestSameTick(t *testing.T) {
	p := newPlace(t)
	p.write("a", "0")
	p.track(nil)
	p.look()
	for i := range testkit.Some(200) {
		require.NoError(t, os.WriteFile(p.path("a"), []byte(strconv.Itoa((i+1)%2)), 0o644))
		changes, _ := p.look()
		require.Equal(t, []string{"a"}, paths(changes), i)
	}
}

// Temporary files of this project are not reported, and stay as long as somebody may be about to rename them.
func TestTemp(t *testing.T) {
	p := newPlace(t)
	p.track(nil)
	p.look()
	name := ".spillway-" + strings.Repeat("A", 26) + ".tmp"
	p.write(name, "half")
	changes, _ := p.look()
	require.Empty(t, changes)
	p.track(nil)
	p.resume()
	require.FileExists(t, p.path(name))
	require.NoError(t, os.Chtimes(p.path(name), time.Time{}, time.Now().Add(-time.Hour)))
	p.track(nil)
	p.resume()
	require.NoFileExists(t, p.path(name))
}

// A tracker that has found nothing leaves nothing but contents.
func TestNoLog(t *testing.T) {
	p := newPlace(t)
	p.track(nil)
	p.look()
	require.NoError(t, p.c.Close())
	entries, err := os.ReadDir(p.store)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// A file for which there is no room does not seem to change when it is no longer new.
func TestUncoveredAges(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.track(func(o *checkpoint.Options) { o.MaxBytes = 1 })
	p.look()
	time.Sleep(60 * time.Millisecond) // ctime cannot be set
	changes, uncovered := p.look()
	require.Empty(t, changes)
	require.Equal(t, 1, uncovered.Large)
}
