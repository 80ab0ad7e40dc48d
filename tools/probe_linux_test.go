package tools

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/program"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// What does not confine a command is no sandbox.
func TestProbe(t *testing.T) {
	s, err := New(config.Config{Workspace: t.TempDir()})
	require.NoError(t, err)
	defer s.Close()
	require.ErrorContains(t, s.shell.probe(nil, filepath.Join(t.TempDir(), "none"), nil), "nothing can be written to the private temporary directory")
	require.Regexp(t, "^(system calls are not filtered|a file outside could be written)$", s.shell.probe(nil, t.TempDir(), nil))

	require.NoError(t, s.Close())
	require.ErrorIs(t, s.shell.probe(nil, t.TempDir(), nil), proc.ErrClosed)
}

// A trial that does not end by itself is ended. It runs rm, and has no use for so much output.
func TestProbeIsEnded(t *testing.T) {
	rm, err := program.Find("rm")
	require.NoError(t, err)
	if !testkit.OwnMounts(t) {
		return
	}
	fake := filepath.Join(t.TempDir(), "rm")
	require.NoError(t, os.WriteFile(fake, []byte("#!/bin/sh\nyes | head -c 100000\n"), 0o755))
	testkit.Bind(t, fake, rm)
	s, err := New(config.Config{Workspace: t.TempDir()})
	require.NoError(t, err)
	defer s.Close()
	require.ErrorContains(t, s.shell.probe(nil, t.TempDir(), nil), " after 10s")
}
