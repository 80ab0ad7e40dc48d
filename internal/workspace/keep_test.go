package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/stretchr/testify/require"
)

func TestPlace(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
	need.Symlink(t, filepath.Join("a", "b"), filepath.Join(dir, "rel"))
	need.Symlink(t, filepath.Join(dir, "a"), filepath.Join(dir, "abs"))
	need.Symlink(t, "nothing", filepath.Join(dir, "dangling"))
	need.Symlink(t, "loop", filepath.Join(dir, "loop"))
	for path, want := range map[string]string{
		"": "", ".": "", "a": "a", "./a//b/": "a/b", "file": "file", "new/file": "new/file", "a/../file": "file",
		"rel": "a/b", "rel/x": "a/b/x", "rel/..": "a", "abs/b": "a/b", "abs/../file": "file", "rel/../../file": "file",
		"dangling": "nothing", "dangling/x": "nothing/x", "file/x": "file/x", dir + "/rel": "a/b", "../" + filepath.Base(dir): "",
	} {
		abs, ok := Place(dir, path)
		require.True(t, ok, path)
		require.Equal(t, filepath.Join(dir, want), abs, path)
		abs, ok = PlaceIn(dir, path)
		require.True(t, ok, path)
		require.Equal(t, filepath.Join(dir, want), abs, path)
	}
	for _, path := range []string{"loop", "loop/x", "new/../file", "a\x00", strings.Repeat("x/", MaxPath)} {
		_, ok := Place(dir, path)
		require.False(t, ok, "%.20q", path)
		_, ok = PlaceIn(dir, path)
		require.False(t, ok, "%.20q", path)
	}
}

// A file that was found by a link is opened by the path to which that led.
func TestFindReal(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"one", "two"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644))
	}
	link := filepath.Join(dir, "link")
	need.Symlink(t, "one", link)
	w, err := New(dir, Options{})
	require.NoError(t, err)
	defer w.Close()
	real, err := w.FindReal("`link`")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(w.Dir(), "one"), real.Abs, "however it is written")
	real, err = w.FindReal("link")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(w.Dir(), "one"), real.Abs)
	require.Equal(t, "link", real.Name)
	require.NoError(t, os.Remove(link))
	need.Symlink(t, "two", link)
	f, _, err := real.OpenFile()
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, real.Abs, filepath.Join(w.Dir(), f.Name()[strings.LastIndexAny(f.Name(), `/\`)+1:]))

	ctx := Keep(t.Context(), []string{real.Abs})
	require.True(t, Keeps(ctx) && Kept(ctx, real.Abs) && Kept(t.Context(), "/"))
	again, err := w.FindReal("link")
	require.NoError(t, err)
	require.False(t, Kept(ctx, again.Abs))
	require.False(t, Kept(Keep(t.Context(), nil), real.Abs), "nowhere")
}
