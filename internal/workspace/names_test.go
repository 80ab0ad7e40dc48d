package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestKind(t *testing.T) {
	for mode, want := range map[fs.FileMode]string{
		0o644: "a file", fs.ModeDir: "a directory", fs.ModeNamedPipe: "a FIFO (named pipe)", fs.ModeSocket: "a socket", fs.ModeDevice: "a device",
		fs.ModeDevice | fs.ModeCharDevice: "a device", fs.ModeSymlink: "a symbolic link", fs.ModeIrregular: "not a regular file",
	} {
		require.Equal(t, want, Kind(mode))
	}
}

// The length of a path counts without its quotes, and quotes are looked at only where what is in
// them can be short enough.
func TestLengthOfPaths(t *testing.T) {
	ws, _ := tree(t)
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()
	const file = "a.txt"
	longest := strings.Repeat("./", (MaxPath-len(file))/2) + strings.Repeat("/", (MaxPath-len(file))%2) + file
	require.Len(t, longest, MaxPath)
	for _, path := range []string{longest, `"` + longest + `"`} {
		_, err = w.Resolve(path)
		require.NoError(t, err)
	}
	_, err = w.Resolve("/" + longest)
	require.ErrorIs(t, err, syscall.ENAMETOOLONG)
	for n, want := range map[int]string{MaxPath: "a", MaxPath + 1: `"\141`} {
		_, err = w.Resolve(`"` + strings.Repeat(`\141`, n) + `"`)
		var failed *fs.PathError
		require.ErrorAs(t, err, &failed)
		require.True(t, strings.HasPrefix(failed.Path, want), "%.10s", failed.Path)
	}
}

func TestChainsOfLinksAreBounded(t *testing.T) {
	ws, _ := tree(t)
	target := filepath.Join(ws, "a.txt")
	for i := range maxLinks + 1 {
		name := filepath.Join(ws, fmt.Sprintf("link%d", i))
		need.Symlink(t, target, name)
		target = name
	}
	w := opened(t, ws, Options{})
	_, err := w.Resolve(fmt.Sprintf("link%d", maxLinks-1))
	require.NoError(t, err)
	_, err = w.Resolve(fmt.Sprintf("link%d", maxLinks))
	require.ErrorIs(t, err, syscall.ELOOP)
}

// The program's own directory is found behind links above it, before it exists as well.
func TestAllowOwn(t *testing.T) {
	ws, out := tree(t)
	link := filepath.Join(filepath.Dir(ws), "link")
	need.Symlink(t, out, link)
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()
	for _, given := range []string{"sub/own", filepath.Join(ws, "sub", "own")} {
		base, rel := w.AllowOwn(given)
		require.Equal(t, [2]string{ws, filepath.Join("sub", "own")}, [2]string{base, rel})
	}
	base, rel := w.AllowOwn("absdir/own")
	require.Equal(t, [2]string{ws, filepath.Join("absdir", "own")}, [2]string{base, rel}, "no link in the workspace is followed")
	require.Len(t, w.roots, 1, "it is in the workspace")
	own := filepath.Join(out, "deep", "own")
	base, rel = w.AllowOwn(filepath.Join(link, "deep", "own"))
	require.Equal(t, [2]string{own, ""}, [2]string{base, rel})
	require.NoError(t, os.MkdirAll(own, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(own, "f"), nil, 0o644))
	for _, path := range []string{filepath.Join(own, "f"), filepath.Join(link, "deep", "own", "f")} {
		_, err = w.Resolve(path)
		require.NoError(t, err, path)
	}
	_, err = w.Resolve(filepath.Join(out, "secret"))
	require.ErrorIs(t, err, ErrEscape)
}

// A workspace that is closed opens nothing more, whether a root of it was open or not.
func TestClosed(t *testing.T) {
	ws, out := tree(t)
	w := opened(t, ws, Options{Roots: []string{out}})
	p, err := w.Resolve("a.txt")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	for _, path := range []string{"a.txt", "sub", filepath.Join(out, "secret")} {
		_, err = w.Resolve(path)
		require.ErrorIs(t, err, fs.ErrClosed, path)
	}
	_, _, err = p.OpenFile()
	require.ErrorIs(t, err, fs.ErrClosed)
}

// named is a workspace with these files.
func named(t *testing.T, files ...string) *Workspace {
	t.Helper()
	dir := t.TempDir()
	for _, name := range files {
		testkit.WriteFile(t, filepath.Join(dir, filepath.FromSlash(name)), "")
	}
	w := opened(t, dir, Options{})
	return w
}

func TestTargetAs(t *testing.T) {
	w := named(t, "a–b/x", "dir/it’s", "@types/here", "types/x", "two—s", "two–s", "plain")
	need.Symlink(t, "nowhere", filepath.Join(w.Dir(), "li-nk"))
	require.NoError(t, os.WriteFile(filepath.Join(w.Dir(), "li–nk"), nil, 0o644))
	for _, tt := range []struct {
		name  string
		found string // by AsFound; "" if nothing is
		twin  string // what AsNew names; "" if it refuses nothing
		in    string // what exists of that
	}{
		{"plain", "plain", "", ""},
		{"new", "", "", ""},
		{"new/new", "", "", ""},
		{"a-b/x", "a–b/x", "a–b/x", "a–b/x"},
		{"a-b/y/z", "", "a–b/y/z", "a–b"},
		{"@a-b/y", "", "a–b/y", "a–b"},
		{"`a-b/x`", "a–b/x", "a–b/x", "a–b/x"},
		{"dir/it's", "dir/it’s", "dir/it’s", "dir/it’s"},
		{"dir/it's/y", "", "dir/it’s/y", "dir/it’s"},
		{"dir/its", "", "", ""},
		{"@plain", "plain", "plain", "plain"},
		{"@new", "", "", ""},
		{"@dir/y", "", "dir/y", "dir"},
		{"@types/x", "types/x", "", ""}, // @types exists, and so is meant
		{"@types/y", "", "", ""},
		{"two-s", "", "two", "two"},
		{"li-nk", "", "", ""}, // it exists, although what it leads to does not
		{`"a-b/x"`, "", "", ""},
		{`"@plain"`, "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, err := w.TargetAs(tt.name, AsFound)
			require.Equal(t, tt.found != "", err == nil && found.Info != nil, "%v", err)
			if tt.found != "" {
				require.Equal(t, tt.found, found.Name)
				require.Equal(t, tt.found != tt.name, found.Correction != nil)
			}
			_, err = w.TargetAs(tt.name, AsNew)
			twin, refused := errors.AsType[*TwinError](err)
			require.Equal(t, tt.twin != "", refused, "%v", err)
			if tt.twin == "two" { // either of them
				require.Contains(t, []string{"two—s", "two–s"}, twin.Like.Name)
			} else if refused {
				require.Equal(t, tt.twin, twin.Name)
				require.Equal(t, tt.in, twin.Like.Name)
			}
			_, err = w.TargetAs(tt.name, AsWritten)
			_, refused = errors.AsType[*TwinError](err)
			require.False(t, refused)
		})
	}
}

// A path that exists costs nothing more than without corrections.
func TestExactNamesCostNothing(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates, too")
	}
	w := named(t, "dir/a–b", "dir/a-b")
	const name = "dir/a-b"
	cost := func(find func() error) float64 {
		return testing.AllocsPerRun(20, func() {
			assert.NoError(t, find())
		})
	}
	target := cost(func() error { _, err := w.Target(name); return err })
	for _, naming := range []Naming{AsWritten, AsFound, AsNew} {
		require.Equal(t, target, cost(func() error { _, err := w.TargetAs(name, naming); return err }))
	}
	require.Equal(t, cost(func() error { _, err := w.Resolve(name); return err }),
		cost(func() error { _, err := w.Find(name); return err }))
}

// Names that look like a new one are looked for in a number of entries.
func TestLookingForTwinsIsBounded(t *testing.T) {
	w := named(t, "a–b")
	left := 0
	r, err := w.reach("a-b", &left)
	require.NoError(t, err)
	require.Equal(t, []string{"a-b"}, r.rest)
	for i := range 20 {
		require.NoError(t, os.WriteFile(filepath.Join(w.Dir(), fmt.Sprint(i)), nil, 0o644))
	}
	left = 30
	r, err = w.reach("a-b", &left)
	require.NoError(t, err)
	require.Empty(t, r.rest)
	require.Equal(t, 9, left)
}
