package tools

import (
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
	require.Equal(t, []string{"cmd/main.go"}, s.nearest(t.Context(), "mian.go", nearestNames))
	require.Empty(t, s.nearest(t.Context(), "mian.go", 1))
	require.Equal(t, []string{"cmd/main.go"}, s.nearest(t.Context(), "cmd/mian.go", 1), "the batch is looked at to its end")
}
