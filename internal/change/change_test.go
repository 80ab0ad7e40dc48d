package change

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testkit.InMemory()
	os.Exit(m.Run())
}

// filesIn is what the files of a workspace hold, without those of the suite.
func filesIn(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		switch {
		case err != nil || rel == ".":
		case d.IsDir() && d.Name() == ".clarvis":
			return fs.SkipDir
		case d.IsDir():
			all[filepath.ToSlash(rel)+"/"] = ""
		default:
			data, err := os.ReadFile(path)
			all[filepath.ToSlash(rel)] = string(data)
			return err
		}
		return err
	}))
	return all
}

func newSet(t *testing.T) (dir string, set *Set, open func(name string) *File) {
	dir = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("1\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b"), []byte("2\n"), 0o644))
	ws, err := workspace.New(dir, workspace.Options{})
	require.NoError(t, err)
	files := &Files{Workspace: ws, Seen: new(seen.Store), Spill: spill.NewDirBelow(ws.AllowOwn(".clarvis")), SpillName: ".clarvis", MaxFileBytes: 20_000_000, Journal: new(Journal)}
	set, err = files.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() {
		set.End()
		require.NoError(t, files.Spill.Close())
		ws.Close()
	})
	return ws.Dir(), set, func(name string) *File {
		f, err := set.Open(t.Context(), name, workspace.AsWritten)
		require.NoError(t, err)
		return f
	}
}

func TestCommitChangesAll(t *testing.T) {
	dir, set, open := newSet(t)
	done, err := set.Commit(t.Context(),
		Change{File: open("a"), Content: []byte("one\n")},
		Change{File: open("b"), To: open("new/c"), Content: []byte("2\n")},
		Change{File: open("new/d"), Content: nil})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"a": "one\n", "new/": "", "new/c": "2\n", "new/d": ""}, filesIn(t, dir))
	var said []string
	for _, d := range done {
		said = append(said, fmt.Sprint(d.Changed, d.Created, d.Diff.Added, d.Diff.Removed, d.Before != ""))
	}
	require.Equal(t, []string{"true false 1 1 true", "true false 0 0 true", "true true 0 0 false"}, said)
}

// The last of several changes fails in one way or the other: nothing has changed then.
func TestCommitChangesNothing(t *testing.T) {
	for name, fail := range map[string]struct {
		last func(t *testing.T, dir string, open func(string) *File) Change
		want string
	}{
		"removes what is not there": {func(t *testing.T, dir string, open func(string) *File) Change {
			return Change{File: open("none"), Remove: true}
		}, "none: remove none: file does not exist"},
		"changed meanwhile": {func(t *testing.T, dir string, open func(string) *File) Change {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "c"), []byte("3\n"), 0o644))
			o := open("c")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "c"), []byte("longer\n"), 0o644))
			return Change{File: o, Content: []byte("mine\n")}
		}, "c was changed by another program just now"},
		"created meanwhile": {func(t *testing.T, dir string, open func(string) *File) Change {
			o := open("c")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "c"), []byte("3\n"), 0o644))
			return Change{File: o, Content: []byte("mine\n")}
		}, "c was changed by another program just now"},
		"removed meanwhile": {func(t *testing.T, dir string, open func(string) *File) Change {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "c"), []byte("3\n"), 0o644))
			o := open("c")
			require.NoError(t, os.Remove(filepath.Join(dir, "c")))
			return Change{File: o, Content: []byte("mine\n")}
		}, "c was changed by another program just now"},
		"a file where a directory should be": {func(t *testing.T, dir string, open func(string) *File) Change {
			o := open("c/d")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "c"), nil, 0o644))
			return Change{File: o, Content: []byte("mine\n")}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir, set, open := newSet(t)
			changes := []Change{
				{File: open("a"), Content: []byte("one\n")},
				{File: open("b"), Remove: true},
				{File: open("new/deep/c"), Content: []byte("x\n")},
				fail.last(t, dir, open),
			}
			before := filesIn(t, dir)
			_, err := set.Commit(t.Context(), changes...)
			require.ErrorContains(t, err, fail.want)
			require.Equal(t, before, filesIn(t, dir))
		})
	}
}

// Sweeps, also of other processes, neither stop a change nor take what it keeps before that is too old.
func TestCommitDuringSweeps(t *testing.T) {
	dir, set, open := newSet(t)
	own := filepath.Join(dir, ".clarvis")
	done := make(chan struct{})
	var sweeps sync.WaitGroup
	defer sweeps.Wait()
	defer close(done)
	sweeps.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				_, err := spill.Sweep(context.Background(), own, spill.Options{MaxAge: 1, UndoMaxAge: time.Hour})
				assert.NoError(t, err)
			}
		}
	})
	for i := range 50 {
		a, b := open("a"), open("b")
		changed, err := set.Commit(t.Context(), Change{File: a, Content: fmt.Append(nil, "a", i)}, Change{File: b, Content: fmt.Append(nil, "b", i)})
		require.NoError(t, err)
		for j, f := range []*File{a, b} {
			require.Equal(t, string(f.Content), testkit.ReadFile(t, filepath.Join(dir, changed[j].Before)))
		}
	}
}

// A file that somebody has put there under the name of a copy is no copy.
func TestRestoreOfAPlantedFile(t *testing.T) {
	dir, set, _ := newSet(t)
	planted := "before-" + strings.Repeat("A", 26) + ".log"
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".clarvis", planted), []byte("2\n"), 0o600))
	_, _, err := set.files.Restore(t.Context(), planted)
	require.ErrorContains(t, err, "this suite knows no change that kept "+planted)
}

// A call that waits for others gives up, and says so.
func TestBeginIsBusy(t *testing.T) {
	_, set, _ := newSet(t)
	other := &Files{Workspace: set.files.Workspace, Spill: set.files.Spill, SpillName: ".clarvis", Journal: new(Journal)}
	synctest.Test(t, func(t *testing.T) {
		_, err := other.Begin(t.Context())
		require.EqualError(t, err, "another call has been changing files for half a minute; nothing was changed. Try again")
	})
}

// Without copies, files are changed and removed as ever.
func TestCommitWithoutCopies(t *testing.T) {
	dir, set, open := newSet(t)
	set.files.NoCopies = true
	done, err := set.Commit(t.Context(), Change{File: open("a"), Content: []byte("one\n")}, Change{File: open("b"), Remove: true})
	require.NoError(t, err)
	for _, d := range done {
		require.True(t, d.Changed)
		require.Empty(t, d.Before)
	}
	require.Equal(t, map[string]string{"a": "one\n"}, filesIn(t, dir))
	require.Empty(t, set.files.Journal.last)
	require.Empty(t, testkit.Must(t, filepath.Glob, filepath.Join(dir, ".clarvis", "*.log*")))
}

// A context that ends at any moment ends a commit before it has changed anything, or not at
// all.
func TestCommitIsEnded(t *testing.T) {
	for n, done := 0, false; !done; n++ {
		dir, set, open := newSet(t)
		changes := []Change{{File: open("a"), Content: []byte("one\n")}, {File: open("b"), Remove: true}, {File: open("c/d"), Content: nil}}
		before := filesIn(t, dir)
		_, err := set.Commit(testkit.EndsAfter(t.Context(), n), changes...)
		if done = err == nil; done {
			require.Greater(t, n, 8)
			require.Equal(t, map[string]string{"a": "one\n", "c/": "", "c/d": ""}, filesIn(t, dir))
			continue
		}
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, before, filesIn(t, dir), "after %d looks at the context", n)
	}
}

// A call neither opens nor holds more than it may.
func TestOpenIsBounded(t *testing.T) {
	dir, set, open := newSet(t)
	for i := range MaxFiles {
		open(fmt.Sprint("new", i))
	}
	_, err := set.Open(t.Context(), "a", workspace.AsWritten)
	require.ErrorContains(t, err, "a call changes at most 100 files. Make several calls")
	set.opened = 0
	for _, name := range []string{"a", "b"} {
		require.NoError(t, os.Truncate(filepath.Join(dir, name), set.files.MaxFileBytes))
		open(name)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c"), []byte("x"), 0o644))
	_, err = set.Open(t.Context(), "c", workspace.AsWritten)
	require.ErrorContains(t, err, "the files of one call are over 40MB together")

	// A single file is bounded by MaxFileBytes alone.
	set.opened, set.bytes = 0, 0
	set.files.MaxFileBytes = maxBytes + 1
	require.NoError(t, os.Truncate(filepath.Join(dir, "c"), maxBytes+1))
	open("c")
}

// What Restore remembers is bounded, and its memory of the last stays.
func TestJournalIsBounded(t *testing.T) {
	var h Journal
	for i := range 3 * maxHistory {
		h.add(undo{copied: fmt.Sprint(i), name: fmt.Sprint(i)})
		require.Len(t, h.last, min(i+1, maxHistory))
	}
	_, ok := h.find(fmt.Sprint(2*maxHistory - 1))
	require.False(t, ok)
	f, ok := h.find(fmt.Sprint(2 * maxHistory))
	require.True(t, ok)
	require.Equal(t, fmt.Sprint(2*maxHistory), f.name)
}
