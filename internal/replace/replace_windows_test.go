package replace

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

// A file that may only be read is refused, and one with two names is written in place.
func TestReplaceOnWindows(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))
	w := opened(t, dir, workspace.Options{})
	target := at(t, w, "FILE")
	require.NoError(t, os.Chmod(path, 0o444))
	require.ErrorIs(t, target.Replace(t.Context(), []byte("new")), fs.ErrPermission)
	require.ErrorIs(t, remove(t.Context(), target), fs.ErrPermission)
	require.NoError(t, os.Chmod(path, 0o644))
	require.NoError(t, os.Link(path, filepath.Join(dir, "other")))
	require.NoError(t, target.Replace(t.Context(), []byte("longer than it was")))
	require.NoError(t, target.Replace(t.Context(), []byte("new")))
	require.Equal(t, "new", testkit.ReadFile(t, filepath.Join(dir, "other")))
	require.NoError(t, remove(t.Context(), target))
	require.Equal(t, []string{dir, filepath.Join(dir, "other")}, names(t, dir))
	for _, name := range []string{"a.txt:stream", "CON", "new/NUL", "new/a:b"} {
		_, err := w.Target(name)
		require.ErrorIs(t, err, workspace.ErrEscape, name)
	}
}
