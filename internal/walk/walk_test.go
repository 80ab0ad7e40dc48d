package walk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testkit.InMemory()
	os.Exit(m.Run())
}

// trees are the tree below dir, opened in each way that there is.
func trees(t testing.TB, dir string) map[string]*Tree {
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	fast := Open(root)
	t.Cleanup(fast.Close)
	return map[string]*Tree{"as opened": fast, "through os.Root": {root: root, room: maxHeld}}
}

func walked(t testing.TB, tree *Tree, dir string, all bool) (paths []string, stats Stats) {
	stats, err := tree.Walk(t.Context(), dir, Options{All: all}, func(e Entry) error {
		p := e.Path()
		if e.Type.IsDir() {
			p += "/"
		}
		paths = append(paths, p)
		return nil
	})
	require.NoError(t, err)
	return paths, stats
}

func write(t testing.TB, path, text string) {
	testkit.WriteFile(t, path, text)
}

func TestIgnoredEntriesAreMarked(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"a.txt", "out/x", "out/sub/y", "out/.gitignore", "deep/keep.log", "deep/drop.log"} {
		write(t, filepath.Join(dir, f), "!x\n")
	}
	write(t, filepath.Join(dir, ".gitignore"), "out/\n*.log\n")
	write(t, filepath.Join(dir, "deep", ".gitignore"), "!keep.log\n")
	want := map[string]string{"out": "out/", "out/x": "out/", "out/sub": "out/", "out/sub/y": "out/", "out/.gitignore": "out/", "deep/drop.log": "deep/drop.log"}
	for name, tree := range trees(t, dir) {
		got, all := map[string]string{}, 0
		_, err := tree.Walk(t.Context(), dir, Options{All: true, Mark: true}, func(e Entry) error {
			all++
			if e.Ignored > 0 {
				got[e.Path()] = (e.Path() + "/")[:e.Ignored]
			}
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, want, got, name)
		_, err = tree.Walk(t.Context(), dir, Options{All: true}, func(e Entry) error {
			all--
			require.Zero(t, e.Ignored)
			return nil
		})
		require.NoError(t, err)
		require.Zero(t, all, name)
	}
}

func TestOrderAndWhatIsLeftOut(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"a-b", "a/c", "a/b/x", "a.txt", "ab", "out/x", "deep/keep.log", "deep/drop.log", ".git/config", "sub/.git", "Z", "é"} {
		write(t, filepath.Join(dir, f), "")
	}
	write(t, filepath.Join(dir, ".gitignore"), "out/\n*.log\n")
	write(t, filepath.Join(dir, "deep", ".gitignore"), "!keep.log\n")
	need.Symlink(t, "a", filepath.Join(dir, "link"))
	need.Symlink(t, "..", filepath.Join(dir, "a", "up"))
	want := []string{".gitignore", "Z", "a-b", "a.txt", "a/", "a/b/", "a/b/x", "a/c", "a/up", "ab", "deep/", "deep/.gitignore", "deep/keep.log", "link", "sub/", "é"}
	for name, tree := range trees(t, dir) {
		got, stats := walked(t, tree, dir, false)
		require.Equal(t, want, got, name)
		require.True(t, slices.IsSorted(got), "as sort sorts them")
		require.Zero(t, stats)
		all, _ := walked(t, tree, dir, true)
		require.Contains(t, all, "out/x", name)
		require.NotContains(t, all, ".git/config", name)
	}
}

// On random trees the files are git's: those of git ls-files, in its order.
func TestSameFilesAsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	names := []string{"a", "b", "ab", "a.go", "b.log", "x.tmp", "a-b", "é"}
	rules := []string{"a", "b/", "*.log", "!b.log", "/a", "a/b", "**/ab", "a/*", "!a/a.go", "*", "!*/", "!*.go", "x.*"}
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 6))
		dir := t.TempDir()
		var dirs = []string{dir}
		for range 12 {
			d := filepath.Join(dirs[r.IntN(len(dirs))], names[r.IntN(len(names))])
			if os.Mkdir(d, 0o755) == nil {
				dirs = append(dirs, d)
			}
		}
		for _, d := range dirs {
			for range r.IntN(6) {
				p := filepath.Join(d, names[r.IntN(len(names))])
				if _, err := os.Lstat(p); err != nil {
					write(t, p, "")
				}
			}
			if r.IntN(3) == 0 {
				var lines []string
				for range 1 + r.IntN(3) {
					lines = append(lines, rules[r.IntN(len(rules))])
				}
				write(t, filepath.Join(d, ".gitignore"), strings.Join(lines, "\n"))
			}
		}
		git := func(args ...string) string {
			cmd := exec.Command("git", args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "HOME="+dir, "XDG_CONFIG_HOME="+dir)
			out, err := cmd.Output()
			require.NoError(t, err)
			return string(out)
		}
		git("init", "-q", ".")
		t.Setenv("HOME", dir)
		t.Setenv("XDG_CONFIG_HOME", dir)
		want := strings.FieldsFunc(git("ls-files", "-z", "-o", "--exclude-standard"), func(r rune) bool { return r == 0 })
		slices.Sort(want) // git lists directories where the disk has them
		for name, tree := range trees(t, dir) {
			got, _ := walked(t, tree, dir, false)
			got = slices.DeleteFunc(got, func(p string) bool { return strings.HasSuffix(p, "/") })
			if len(want)+len(got) > 0 {
				require.Equal(t, want, got, "seed %d, %s", seed, name)
			}
		}
	}
}

// A walk tells where it turned back, and does not enter what visit leaves out.
func TestTurnsBack(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{".git/x", "a.log", "b/c.log", "b/d", "out/x/y", "z/x"} {
		write(t, filepath.Join(dir, f), "")
	}
	write(t, filepath.Join(dir, ".gitignore"), "out/\n*.log\n")
	for name, tree := range trees(t, dir) {
		var ignored, got []string
		_, err := tree.Walk(t.Context(), dir, Options{Ignored: func(e Entry) { ignored = append(ignored, e.Path()) }}, func(e Entry) error {
			if got = append(got, e.Path()); e.Name == "z" {
				return fs.SkipDir
			}
			return nil
		})
		require.NoError(t, err, name)
		require.Equal(t, []string{"a.log", "b/c.log", "out"}, ignored, name)
		require.Equal(t, []string{".gitignore", "b", "b/d", "z"}, got, name)
	}
}

func TestEnds(t *testing.T) {
	dir := t.TempDir()
	for i := range 50 {
		write(t, filepath.Join(dir, fmt.Sprint(i%7), fmt.Sprint(i)), "")
	}
	broken := errors.New("broken")
	for name, tree := range trees(t, dir) {
		for give, want := range map[error]error{broken: broken, fs.SkipAll: nil} {
			n := 0
			_, err := tree.Walk(t.Context(), dir, Options{}, func(Entry) error {
				if n++; n == 3 {
					return give
				}
				return nil
			})
			require.Equal(t, want, err, name)
			require.Equal(t, 3, n, name)
		}
		ctx, cancel := context.WithCancel(t.Context())
		_, err := tree.Walk(ctx, dir, Options{}, func(e Entry) error {
			cancel()
			return nil
		})
		require.ErrorIs(t, err, context.Canceled, name)
	}
}

func TestUnreadableDirectories(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	need.Modes(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "closed", "x"), "")
	write(t, filepath.Join(dir, "open", "y"), "")
	require.NoError(t, os.Chmod(filepath.Join(dir, "closed"), 0))
	defer os.Chmod(filepath.Join(dir, "closed"), 0o755)
	for name, tree := range trees(t, dir) {
		got, stats := walked(t, tree, dir, false)
		require.Equal(t, []string{"closed/", "open/", "open/y"}, got, name)
		require.Equal(t, Stats{Unreadable: 1}, stats, name)
	}
}

func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "d", "file"), "content")
	need.Symlink(t, "d/file", filepath.Join(dir, "link"))
	need.Symlink(t, "d", filepath.Join(dir, "dlink"))
	for name, tree := range trees(t, dir) {
		f, size, err := tree.OpenFile("d/file")
		require.NoError(t, err, name)
		require.Equal(t, int64(7), size, name)
		data, err := io.ReadAll(f)
		require.NoError(t, err, name)
		require.Equal(t, "content", string(data), name)
		require.NoError(t, f.Close(), name)

		_, _, err = tree.OpenFile("link")
		require.ErrorIs(t, err, workspace.ErrNotRegular, name)
		_, _, err = tree.OpenFile("none")
		require.ErrorIs(t, err, fs.ErrNotExist, name)
		_, _, err = tree.OpenFile("d")
		require.ErrorIs(t, err, workspace.ErrNotRegular, name)
	}
}

func BenchmarkWalk(b *testing.B) {
	dir := b.TempDir()
	for i := range 5000 {
		write(b, filepath.Join(dir, fmt.Sprint(i%100), fmt.Sprint(i%10), fmt.Sprint(i)), "")
	}
	for name, tree := range trees(b, dir) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				walked(b, tree, dir, false)
			}
		})
	}
}
