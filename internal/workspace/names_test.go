package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
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
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()
	_, err = w.Resolve(fmt.Sprintf("link%d", maxLinks-1))
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
	w, err := New(ws, Options{Roots: []string{out}})
	require.NoError(t, err)
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
