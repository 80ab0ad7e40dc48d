package tools

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/stretchr/testify/require"
)

// What does not confine a command is no sandbox.
func TestProbe(t *testing.T) {
	s, err := New(config.Config{Workspace: t.TempDir()})
	require.NoError(t, err)
	defer s.Close()
	require.ErrorContains(t, s.probe(nil, filepath.Join(t.TempDir(), "none"), nil), "nothing can be written to the private temporary directory")
	require.Regexp(t, "^(system calls are not filtered|a file outside could be written)$", s.probe(nil, t.TempDir(), nil))

	bin := t.TempDir() // the trial runs rm, and has no use for so much output
	require.NoError(t, os.WriteFile(filepath.Join(bin, "rm"), []byte("#!/bin/sh\nyes | head -c 100000\n"), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	require.ErrorContains(t, s.probe(nil, t.TempDir(), nil), " after 10s")

	require.NoError(t, s.Close())
	require.ErrorIs(t, s.probe(nil, t.TempDir(), nil), proc.ErrClosed)
}
