package tools

import (
	"context"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/stretchr/testify/require"
)

// A call that ends while it reads what others have seen takes nothing from the next one.
func TestReaderCanceled(t *testing.T) {
	need.Shell(t)
	s, err := New(config.Config{Workspace: t.TempDir()})
	require.NoError(t, err)
	defer s.Close()
	_, err = s.Bash(t.Context(), BashParams{Command: "echo ready; read x", Background: true, ReadyWhen: "ready"})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(WithReader(t.Context(), "a"))
	cancel()
	j := s.Jobs()[0]
	_, _, err = s.shell.showJob(ctx, j, s.shell.jobs.reader(ctx, j), awaited{}, nil)
	require.ErrorIs(t, err, context.Canceled)
	res, err := s.Job(WithReader(t.Context(), "a"), JobParams{ID: 1, WaitMs: 1})
	require.NoError(t, err)
	require.Contains(t, res.Text, "ready\n")
}
