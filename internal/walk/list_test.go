package walk

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// A directory for whose names there is no room at once is walked as any other.
func TestListingsInParts(t *testing.T) {
	dir := t.TempDir()
	for i := range 2000 {
		name := fmt.Sprintf("%d-%s", i*7919%2000, strings.Repeat("x", i%40))
		switch i % 10 {
		case 0:
			write(t, filepath.Join(dir, name, "in"), "")
		case 1:
			write(t, filepath.Join(dir, "sub", name), "")
		default:
			write(t, filepath.Join(dir, name), "")
		}
	}
	write(t, filepath.Join(dir, "sub", ".gitignore"), "5*\n")
	write(t, filepath.Join(dir, ".gitignore"), "1*\n!12*\n")
	for name, tree := range trees(t, dir) {
		want, _ := walked(t, tree, dir, false)
		require.True(t, slices.IsSorted(want))
		tree.room = 1
		got, stats := walked(t, tree, dir, false)
		require.Equal(t, want, got, name)
		require.Zero(t, stats)
	}
}

// No listing holds more than its room, and a file of rules is seen wherever it stands.
func TestListingHoldsNoMoreThanItsRoom(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".gitignore"), "")
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
	for i := range 500 {
		write(t, filepath.Join(dir, fmt.Sprintf("!%03d", i)), "")
	}
	for name, tree := range trees(t, dir) {
		l := listing{compare: compare, room: 50 * (headBytes + orderBytes + 4)}
		var all []string
		for n := 0; n == 0 || l.more; n++ {
			require.NoError(t, l.read(t.Context(), tree, "."), name)
			require.LessOrEqual(t, l.held, l.room, name)
			require.NotEmpty(t, l.order, name)
			require.True(t, l.rules && l.repository, name)
			for _, at := range l.order {
				all = append(all, strings.Clone(l.entry(at).Name))
			}
			require.Less(t, n, 30, name)
		}
		require.Len(t, all, 502, name)
	}
}

func TestPage(t *testing.T) {
	dir := t.TempDir()
	var want []string
	n := testkit.Some(5000)
	for i := range n {
		want = append(want, fmt.Sprintf("%04d", i))
		write(t, filepath.Join(dir, want[i]), "")
	}
	byName := func(a, b Dirent) int { return strings.Compare(a.Name, b.Name) }
	for name, tree := range trees(t, dir) {
		for _, room := range []int{maxHeld, 100 * (headBytes + orderBytes + 4)} {
			tree.room = room
			for _, tt := range []struct{ offset, limit int }{{0, 10}, {0, n}, {n / 4, 100}, {n - 10, 100}, {n, 1}, {2 * n, 1}, {n - 1, 1}, {0, 1 << 30}} {
				page, total, err := tree.Page(t.Context(), ".", byName, tt.offset, tt.limit)
				require.NoError(t, err)
				require.Equal(t, n, total, name)
				from := min(tt.offset, n)
				if whole := min(tt.limit, n-from); room == maxHeld || whole == 0 {
					require.Len(t, page, whole, "%s %+v", name, tt)
				} else {
					require.NotEmpty(t, page, "%s %+v", name, tt) // there is not room for all
				}
				for i, e := range page {
					require.Equal(t, want[from+i], e.Name, "%s %+v", name, tt)
				}
			}
		}
	}
}

// Wherever the context ends, a walk ends with its error, and lists nothing behind.
func TestWalkEndsWithItsContext(t *testing.T) {
	dir := t.TempDir()
	for i := range 3000 {
		write(t, filepath.Join(dir, fmt.Sprint(i%3), fmt.Sprint(i)), "")
	}
	for name, tree := range trees(t, dir) {
		for n := 0; ; n += 331 {
			ctx := testkit.EndsAfter(t.Context(), n)
			visited := 0
			_, err := tree.Walk(ctx, dir, Options{}, func(Entry) error {
				visited++
				require.GreaterOrEqual(t, ctx.Left(), 0, name)
				return nil
			})
			if err == nil {
				require.Equal(t, 3003, visited, name)
				break
			}
			require.ErrorIs(t, err, context.Canceled, name)
			require.Negative(t, ctx.Left(), name)
		}
	}
}

// A sort whose context ends compares little from then on.
func TestSortEnds(t *testing.T) {
	var compared atomic.Int64
	l := listing{compare: func(a, b Dirent) int { compared.Add(1); return compare(a, b) }}
	for i := range 100_000 {
		l.names.add(Dirent{Name: fmt.Sprint(i * 7919 % 100_000)})
	}
	require.ErrorIs(t, l.sort(testkit.EndsAfter(t.Context(), 3)), context.Canceled)
	require.Less(t, compared.Load(), int64(5*fewEntries))
	require.NoError(t, l.sort(t.Context()))
	require.True(t, slices.IsSortedFunc(l.order, l.inOrder))
}

// Reading a directory looks at the context for each part of it.
func TestReadDirEnds(t *testing.T) {
	dir := t.TempDir()
	for i := range 6000 {
		write(t, filepath.Join(dir, fmt.Sprint(i)), "")
	}
	for name, tree := range trees(t, dir) {
		n := 0
		err := tree.ReadDir(testkit.EndsAfter(t.Context(), 1), ".", func(string, os.FileMode) error { n++; return nil })
		require.ErrorIs(t, err, context.Canceled, name)
		require.Less(t, n, 6000, name)
		require.Positive(t, n, name)
	}
}

func TestTooDeep(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	name := strings.Repeat("d", 200) + "/"
	if err := root.MkdirAll(strings.Repeat(name, 22), 0o755); err != nil {
		t.Skip(err)
	}
	for kind, tree := range trees(t, dir) {
		got, stats := walked(t, tree, dir, false)
		require.Len(t, got, maxPath/len(name)+1, kind)
		require.Equal(t, 1, stats.Unreadable, kind)
	}
}

// A file of rules that is too long is told of.
func TestCut(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a", ".gitignore"), strings.Repeat("#\n", 100_000)+"x\n")
	write(t, filepath.Join(dir, "a", "b", ".gitignore"), strings.Repeat("#\n", 100_000)+"x\n")
	write(t, filepath.Join(dir, "a", "x"), "")
	for name, tree := range trees(t, dir) {
		got, stats := walked(t, tree, dir, false)
		require.Contains(t, got, "a/x", name)
		require.Equal(t, 2, stats.Cut, name)
		require.Equal(t, 100_000, stats.FirstCut.Lines, name)
		require.True(t, strings.HasSuffix(filepath.ToSlash(stats.FirstCut.File), "/a/.gitignore"), stats.FirstCut.File)
	}
}
