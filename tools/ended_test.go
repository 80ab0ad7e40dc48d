package tools

import (
	"context"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/stretchr/testify/require"
)

// Before the first end of a job, the hook that tells it allocates nothing.
func TestTellEndedCostsNothing(t *testing.T) {
	s, err := New(config.Config{Workspace: t.TempDir()})
	require.NoError(t, err)
	defer s.Close()
	h, c := tellEnded(s.shell.jobs, s.memory), &call{}
	next := func(context.Context, *call) reply { return reply{} }
	require.Zero(t, testing.AllocsPerRun(100, func() { h(t.Context(), c, next) }))
}
