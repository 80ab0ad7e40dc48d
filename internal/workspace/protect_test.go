package workspace

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/stretchr/testify/require"
)

func TestProtect(t *testing.T) {
	ws, out := tree(t)
	need.Symlink(t, ws, filepath.Join(out, "back"))
	need.Symlink(t, "sub/none", filepath.Join(ws, "tonone"))
	require.NoError(t, os.Link(filepath.Join(ws, "a.txt"), filepath.Join(ws, "b.txt")))
	w := opened(t, ws, Options{Roots: []string{out}})
	for name, want := range map[string]error{
		".": ErrHoldsRoot, "..": ErrHoldsRoot, ws: ErrHoldsRoot, "/": ErrHoldsRoot, "sub/..": ErrHoldsRoot, "outdir/back": ErrHoldsRoot,
		"../out": ErrNotInside, out: ErrNotInside, "../none": ErrNotInside, ws + "x": ErrNotInside,
		"a\x00b": fs.ErrInvalid,
	} {
		err := w.Protect(name)
		if want == fs.ErrInvalid {
			require.Error(t, err)
			continue
		}
		require.ErrorIs(t, err, want, name)
	}
	require.Empty(t, maps.Collect(w.Protected()))
	_, err := w.Target("a.txt")
	require.NoError(t, err, "what was refused protects nothing")

	for _, name := range []string{"absdir/deep", "a.txt", filepath.Join(out, "back", "none"), "outdir", "tonone"} {
		require.NoError(t, w.Protect(name), name)
	}
	require.Equal(t, map[string]bool{
		filepath.Join(ws, "sub", "deep"): true, filepath.Join(ws, "a.txt"): false, filepath.Join(ws, "none"): false, out: true, filepath.Join(ws, "tonone"): false,
	}, maps.Collect(w.Protected()))
	for path, by := range map[string]string{
		"sub/deep": "absdir/deep", "sub/deep/x": "absdir/deep", "sub": "", "sub/deeper": "", "sub/b.txt": "", "a.txt": "a.txt", "a.txt.x": "",
		"none": filepath.ToSlash(filepath.Join(out, "back", "none")), "none/x/y": filepath.ToSlash(filepath.Join(out, "back", "none")), "sub/none": "tonone",
		"b.txt": "a.txt", // another name of the same file, as it would be in a file system that ignores case
	} {
		require.Equal(t, by, w.ProtectedBy(filepath.Join(ws, path)), path)
	}
	_, err = w.Target("sub/deep/x")
	protected, ok := err.(*fs.PathError).Err.(*ReadOnlyError)
	require.True(t, ok, "%v", err)
	require.EqualError(t, protected, "the path is in absdir/deep, which is read-only")
	require.ErrorIs(t, err, fs.ErrPermission)
	_, err = w.Target("sub/../a.txt")
	require.ErrorIs(t, err, fs.ErrPermission)
}

// Where nothing exists, what only looks like the name counts as it.
func TestFolded(t *testing.T) {
	for _, name := range []string{".GIT", ".g\u200cit", ".git.", ".git ", ".\uff47it"} {
		require.True(t, sameFolded([]string{".git"}, []string{name, "x"}), "%q", name)
	}
	require.True(t, sameFolded([]string{"a", "caf\u00e9"}, []string{"A", "cafe\u0301"}))
	require.True(t, sameFolded(nil, []string{"x"}))
	for _, name := range []string{"git", ".gitx", ".gi", ".git.x"} {
		require.False(t, sameFolded([]string{".git"}, []string{name}), name)
	}
}

// FuzzProtected: whatever path leads to a target, no name of the file is in what is protected.
func FuzzProtected(f *testing.F) {
	for _, name := range []string{
		"sub/deep/x", "SUB/deep/x", "absdir/deep", "sub/./deep//x", "./sub/x/../deep/y", "outdir/back/sub/deep/x", "\"sub/d\\145ep/x\"", "a.txt", "A.TXT",
		"chain", "todeep/x", "todeep/../x", "sub/deep/out", "sub/deep/out/x", "new/x", "todeep/../../a.txt",
	} {
		f.Add(name)
	}
	ws, out := tree(f)
	need.Symlink(f, ws, filepath.Join(out, "back"))
	need.Symlink(f, "sub/deep", filepath.Join(ws, "todeep"))
	need.Symlink(f, "../../new", filepath.Join(ws, "sub", "deep", "out"))
	w, err := New(ws, Options{Roots: []string{out}})
	require.NoError(f, err)
	defer w.Close()
	for _, name := range []string{"sub/deep", "a.txt", "later"} {
		require.NoError(f, w.Protect(name))
	}
	f.Fuzz(func(t *testing.T, name string) {
		target, err := w.Target(name)
		if err != nil {
			return
		}
		real, err := withoutLinks(target.Abs)
		require.NoError(t, err)
		for _, dir := range []string{filepath.Join(ws, "sub", "deep"), filepath.Join(ws, "a.txt"), filepath.Join(ws, "later")} {
			require.False(t, Within(dir, real), "%q leads to %q", name, real)
		}
	})
}
