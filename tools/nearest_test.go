package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/stretchr/testify/require"
)

// TestNearestLooksAtSoManyNames and no more: how long that takes does not decide.
func TestNearestLooksAtSoManyNames(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "cmd"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cmd", "main.go"), nil, 0o644))
	s, err := New(config.Config{Workspace: dir})
	require.NoError(t, err)
	defer s.Close()
	require.Equal(t, []string{"cmd/main.go"}, s.paths.nearest(t.Context(), "mian.go", nearestNames))
	require.Empty(t, s.paths.nearest(t.Context(), "mian.go", 1))
	require.Equal(t, []string{"cmd/main.go"}, s.paths.nearest(t.Context(), "cmd/mian.go", 1), "the batch is looked at to its end")
}

// A name that is like the missing one outlasts the directories that are read after it.
func TestNearestKeepsItsNames(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "below"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), nil, 0o644))
	for i := range 50 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "below", fmt.Sprintf("%030d", i)), nil, 0o644))
	}
	s, err := New(config.Config{Workspace: dir})
	require.NoError(t, err)
	defer s.Close()
	require.Equal(t, []string{"main.go"}, s.paths.nearest(t.Context(), "mian.go", nearestNames))
}
