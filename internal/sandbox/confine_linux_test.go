package sandbox

import (
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/internal/proc"
	"github.com/stretchr/testify/require"
)

// What does not confine a command is no sandbox.
func TestTry(t *testing.T) {
	g := proc.NewGroup()
	defer g.Close()
	run := trial(g.Run, proc.Unconfined{}, t.TempDir())
	require.ErrorContains(t, try(filepath.Join(t.TempDir(), "none"), nil, false, run), "nothing can be written to the private temporary directory")
	require.Regexp(t, "^(system calls are not filtered|a file outside could be written)$", try(t.TempDir(), nil, false, run))

	require.NoError(t, g.Close())
	require.ErrorIs(t, try(t.TempDir(), nil, false, run), proc.ErrClosed)
}

// A trial that does not end by itself is ended. It has no use for so much output.
func TestTryIsEnded(t *testing.T) {
	g := proc.NewGroup()
	defer g.Close()
	_, err := trial(g.Run, proc.Unconfined{}, t.TempDir())("yes", nil)
	require.ErrorContains(t, err, " after 10s")
}
