package tools

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

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

func newBatch(t *testing.T) (*Suite, *turn, func(name string) *original) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("1\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b"), []byte("2\n"), 0o644))
	s, err := New(config.Config{Workspace: dir})
	require.NoError(t, err)
	turn, err := s.turn(t.Context(), share{})
	require.NoError(t, err)
	t.Cleanup(func() {
		turn.end()
		require.NoError(t, s.Close())
	})
	return s, turn, func(name string) *original {
		o, err := turn.open(t.Context(), name)
		require.NoError(t, err)
		return o
	}
}

func TestCommitChangesAll(t *testing.T) {
	s, turn, open := newBatch(t)
	done, err := turn.commit(t.Context(),
		change{original: open("a"), content: []byte("one\n")},
		change{original: open("b"), remove: true},
		change{original: open("new/c"), content: []byte("2\n"), mode: 0o700},
		change{original: open("new/d"), content: nil})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"a": "one\n", "new/": "", "new/c": "2\n", "new/d": ""}, filesIn(t, s.Workspace()))
	var said []string
	for _, c := range done {
		said = append(said, fmt.Sprint(c.Path, c.Created, c.Removed, c.LinesAdded, c.LinesRemoved, c.Before != ""))
	}
	require.Equal(t, []string{"afalse false 1 1 true", "bfalse true 0 1 true", "new/ctrue false 1 0 false", "new/dtrue false 0 0 false"}, said)
}

// The last of several changes fails in one way or the other: nothing has changed then.
func TestCommitChangesNothing(t *testing.T) {
	for name, fail := range map[string]struct {
		last func(t *testing.T, dir string, open func(string) *original) change
		want string
	}{
		"removes what is not there": {func(t *testing.T, dir string, open func(string) *original) change {
			return change{original: open("none"), remove: true}
		}, "not_found: none does not exist"},
		"changed meanwhile": {func(t *testing.T, dir string, open func(string) *original) change {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "c"), []byte("3\n"), 0o644))
			o := open("c")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "c"), []byte("longer\n"), 0o644))
			return change{original: o, content: []byte("mine\n")}
		}, "stale: c was changed by another program just now"},
		"created meanwhile": {func(t *testing.T, dir string, open func(string) *original) change {
			o := open("c")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "c"), []byte("3\n"), 0o644))
			return change{original: o, content: []byte("mine\n")}
		}, "stale: c was changed by another program just now"},
		"removed meanwhile": {func(t *testing.T, dir string, open func(string) *original) change {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "c"), []byte("3\n"), 0o644))
			o := open("c")
			require.NoError(t, os.Remove(filepath.Join(dir, "c")))
			return change{original: o, content: []byte("mine\n")}
		}, "stale: c was changed by another program just now"},
		"a file where a directory should be": {func(t *testing.T, dir string, open func(string) *original) change {
			o := open("c/d")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "c"), nil, 0o644))
			return change{original: o, content: []byte("mine\n")}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, turn, open := newBatch(t)
			changes := []change{
				{original: open("a"), content: []byte("one\n")},
				{original: open("b"), remove: true},
				{original: open("new/deep/c"), content: []byte("x\n")},
				fail.last(t, s.Workspace(), open),
			}
			before := filesIn(t, s.Workspace())
			_, err := turn.commit(t.Context(), changes...)
			require.ErrorContains(t, err, fail.want)
			require.Equal(t, before, filesIn(t, s.Workspace()))
		})
	}
}

// A context that ends at any moment ends a commit before it has changed anything, or not at
// all.
func TestCommitIsEnded(t *testing.T) {
	for n, done := 0, false; !done; n++ {
		s, turn, open := newBatch(t)
		changes := []change{{original: open("a"), content: []byte("one\n")}, {original: open("b"), remove: true}, {original: open("c/d"), content: nil}}
		before := filesIn(t, s.Workspace())
		_, err := turn.commit(testkit.EndsAfter(t.Context(), n), changes...)
		if done = err == nil; done {
			require.Greater(t, n, 8)
			require.Equal(t, map[string]string{"a": "one\n", "c/": "", "c/d": ""}, filesIn(t, s.Workspace()))
			continue
		}
		require.Equal(t, CodeAborted, CodeOf(err), "%v", err)
		require.Equal(t, before, filesIn(t, s.Workspace()), "after %d looks at the context", n)
	}
}

// A call neither opens nor holds more than it may.
func TestOpenIsBounded(t *testing.T) {
	s, turn, open := newBatch(t)
	for i := range maxOpened {
		open(fmt.Sprint("new", i))
	}
	_, err := turn.open(t.Context(), "a")
	require.ErrorContains(t, err, "too_large: a call changes at most 100 files. Make several calls")
	turn.opened = 0
	for _, name := range []string{"a", "b"} {
		require.NoError(t, os.Truncate(filepath.Join(s.Workspace(), name), s.cfg.MaxFileBytes))
		open(name)
	}
	require.NoError(t, os.WriteFile(filepath.Join(s.Workspace(), "c"), []byte("x"), 0o644))
	_, err = turn.open(t.Context(), "c")
	require.ErrorContains(t, err, "too_large: the files of one call are over 40MB together")

	// A single file is bounded by MaxFileBytes alone.
	turn.opened, turn.bytes = 0, 0
	s.cfg.MaxFileBytes = maxOpenedBytes + 1
	require.NoError(t, os.Truncate(filepath.Join(s.Workspace(), "c"), maxOpenedBytes+1))
	open("c")
}

// What Restore remembers is bounded, and its memory of the last stays.
func TestKeptFilesAreBounded(t *testing.T) {
	var k keptFiles
	for i := range 3 * maxKept {
		k.add(fmt.Sprint(i), keptFile{name: fmt.Sprint(i)})
		require.LessOrEqual(t, len(k.files), maxKept)
		require.Len(t, k.order, len(k.files))
	}
	_, ok := k.get(fmt.Sprint(2*maxKept - 1))
	require.False(t, ok)
	f, ok := k.get(fmt.Sprint(2 * maxKept))
	require.True(t, ok)
	require.Equal(t, fmt.Sprint(2*maxKept), f.name)
}
