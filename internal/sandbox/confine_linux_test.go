package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/program"
	"github.com/spillway-go/spillway/internal/testkit"
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

// A trial that does not end by itself is ended. It runs rm, and has no use for so much output.
func TestTryIsEnded(t *testing.T) {
	rm, err := program.Find("rm")
	require.NoError(t, err)
	if !testkit.OwnMounts(t) {
		return
	}
	fake := filepath.Join(t.TempDir(), "rm")
	require.NoError(t, os.WriteFile(fake, []byte("#!/bin/sh\nyes | head -c 100000\n"), 0o755))
	testkit.Bind(t, fake, rm)
	g := proc.NewGroup()
	defer g.Close()
	require.ErrorContains(t, try(t.TempDir(), nil, false, trial(g.Run, proc.Unconfined{}, t.TempDir())), " after 10s")
}
