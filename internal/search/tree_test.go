package search_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/told"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/stretchr/testify/require"
)

// tree makes files, and gives them to search.
func tree(t testing.TB, files map[string]string) search.Files {
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	tree := walk.Open(root)
	t.Cleanup(tree.Close)
	return search.Files{Tree: tree, Abs: dir, Wanted: func(string, string) bool { return true }, Searched: new(atomic.Int64),
		Bytes: new(atomic.Int64)}
}

func many(n int, text func(i int) string) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("d%d/f%04d", i%7, i)] = text(i)
	}
	return files
}

func query(t testing.TB, pattern string) search.Query {
	m, err := match.Compile(pattern, match.Options{Multiline: true})
	require.NoError(t, err)
	return search.Query{Matcher: m, MaxBytes: 1 << 20}
}

// TestTreeIsItsFilesInOrder compares with searches of each file alone, also where there
// is no room for what is found before it is visited.
func TestTreeIsItsFilesInOrder(t *testing.T) {
	files := many(300, func(i int) string {
		if i%50 == 7 {
			return strings.Repeat(fmt.Sprintf("x %d\ny\n", i), 3000)
		}
		return strings.Repeat("y\n", i%3) + strings.Repeat("x\nz\nz\nz\n", i%4)
	})
	f := tree(t, files)
	for _, q := range []search.Query{{}, {Around: search.Around{Before: 2, After: 2}}, {Around: search.Around{Before: 1}}, {Multiline: true, Around: search.Around{After: 1}}, {Count: true}, {Count: true, Most: 1}, {Most: 5}} {
		q.Matcher, q.MaxBytes = query(t, "x").Matcher, 1<<20
		var got, want []string
		line := func(list *[]string, path string, l search.Line) bool {
			if q.Most == 0 || l.Number < 2*q.Most { // there may be more than is needed
				*list = append(*list, fmt.Sprint(path, l.Number, string(l.Text), l.Begins))
			}
			return true
		}
		stats, err := q.Tree(t.Context(), f, func(f search.File, l search.Line) bool { return line(&got, f.Path, l) })
		require.NoError(t, err)
		require.Zero(t, stats)
		require.NoError(t, fs.WalkDir(os.DirFS(f.Abs), ".", func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text := strings.NewReader(files[path])
			_, err = q.File(t.Context(), text, text.Size(), func(l search.Line) bool { return line(&want, path, l) })
			return err
		}))
		require.NotEmpty(t, got)
		require.Equal(t, want, got, "%+v", q)
	}
}

func TestTreeStopsEarly(t *testing.T) {
	before := runtime.NumGoroutine()
	f := tree(t, many(2000, func(int) string { return "x" }))
	n := 0
	_, err := query(t, "x").Tree(t.Context(), f, func(search.File, search.Line) bool { n++; return n < 10 })
	require.NoError(t, err)
	require.Equal(t, 10, n)
	require.Less(t, f.Searched.Load(), int64(1000))
	// A goroutine is counted for a moment after it has said that it is done.
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > before && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}

func TestTreeEnds(t *testing.T) {
	f := tree(t, many(2000, func(int) string { return "x" }))
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, err := query(t, "x").Tree(ctx, f, func(search.File, search.Line) bool {
		if n++; n == 5 {
			cancel()
		}
		return true
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, n, 2000)
}

func TestTreeCannotBeRead(t *testing.T) {
	f := tree(t, nil)
	f.Tree.Close()
	_, err := query(t, "x").Tree(t.Context(), f, func(search.File, search.Line) bool { return true })
	require.Error(t, err)
}

func TestTreeSkips(t *testing.T) {
	f := tree(t, map[string]string{"a": "x", "binary": "x\x00", "large": strings.Repeat("x\n", 1<<20), "z": "x"})
	require.NoError(t, os.Symlink("a", filepath.Join(f.Abs, "link")))
	for _, large := range []bool{false, true} {
		f.Large = large
		n := 0
		q := query(t, "x")
		q.Most = 1
		stats, err := q.Tree(t.Context(), f, func(search.File, search.Line) bool { n++; return true })
		require.NoError(t, err)
		want := search.Stats{Binary: search.Counted{Files: 1, First: []string{"binary"}, Set: told.SetOf("binary")}}
		if large {
			require.Equal(t, want, stats)
			require.Equal(t, 2+2, n)
		} else {
			want.Large = search.Counted{Files: 1, First: []string{"large"}, Set: told.SetOf("large")}
			require.Equal(t, want, stats)
			require.Equal(t, 2, n)
		}
	}
}

// What git ignores is told of, or searched; a directory may be left out all the same.
func TestTreeLeavesOut(t *testing.T) {
	f := tree(t, map[string]string{".gitignore": "b\nout/\n", "a": "x", "b": "x", "out/c": "x", "out/d/e": "x", "skip/f": "x"})
	var ignored, found []string
	visit := func(f search.File, _ search.Line) bool { found = append(found, f.Path); return true }
	f.Options.Ignored = func(e walk.Entry) { ignored = append(ignored, e.Path()) }
	_, err := query(t, "x").Tree(t.Context(), f, visit)
	require.NoError(t, err)
	require.Equal(t, []string{"b", "out"}, ignored)
	require.Equal(t, []string{"a", "skip/f"}, found)
	f.Options.All, ignored, found = true, nil, nil
	f.Leave = func(e walk.Entry) bool { return e.Path() == "skip" || e.Path() == "out/d" }
	_, err = query(t, "x").Tree(t.Context(), f, visit)
	require.NoError(t, err)
	require.Empty(t, ignored)
	require.Equal(t, []string{"a", "b", "out/c"}, found)
}

// A file that does not say how long it is may have no end.
func TestFileWithoutLength(t *testing.T) {
	q := query(t, "x")
	for max, want := range map[int64]error{2000: nil, 1999: search.ErrTooLarge} {
		q.MaxBytes = max
		_, err := q.File(t.Context(), strings.NewReader(strings.Repeat("y\n", 1000)), 0, func(search.Line) bool { return true })
		require.Equal(t, want, err)
	}
}

func TestTreePanics(t *testing.T) {
	boom := errors.New("boom")
	f := tree(t, many(100, func(int) string { return "x" }))
	require.PanicsWithValue(t, boom, func() {
		query(t, "x").Tree(t.Context(), f, func(search.File, search.Line) bool { panic(boom) })
	})
	wanted := f
	wanted.Wanted = func(string, string) bool { panic(boom) }
	require.PanicsWithValue(t, boom, func() {
		query(t, "x").Tree(t.Context(), wanted, func(search.File, search.Line) bool { return true })
	})
	f.Searched = nil // which a worker needs
	require.Panics(t, func() {
		query(t, "x").Tree(t.Context(), f, func(search.File, search.Line) bool { return true })
	})
}
