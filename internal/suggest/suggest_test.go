package suggest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

// all leaves out nothing.
func all(string) bool { return false }

// TestLooksAtSoManyNames and no more: how long that takes does not decide.
func TestLooksAtSoManyNames(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "cmd"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cmd", "main.go"), nil, 0o644))
	ws, err := workspace.New(dir, workspace.Options{})
	require.NoError(t, err)
	defer ws.Close()
	require.Equal(t, []string{"cmd/main.go"}, paths(t.Context(), ws, "mian.go", maxNames, all))
	require.Empty(t, paths(t.Context(), ws, "mian.go", 1, all))
	require.Equal(t, []string{"cmd/main.go"}, paths(t.Context(), ws, "cmd/mian.go", 1, all), "the batch is looked at to its end")
}

// A name that is like the missing one outlasts the directories that are read after it.
func TestKeepsItsNames(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "below"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), nil, 0o644))
	for i := range 50 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "below", fmt.Sprintf("%030d", i)), nil, 0o644))
	}
	ws, err := workspace.New(dir, workspace.Options{})
	require.NoError(t, err)
	defer ws.Close()
	require.Equal(t, []string{"main.go"}, paths(t.Context(), ws, "mian.go", maxNames, all))
}
