package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), t.TempDir(), &out))
	require.Contains(t, out.String(), "level=INFO msg=\"tool call\" tool=bash")
	require.Contains(t, out.String(), "lines_produced=100000")
	require.Contains(t, out.String(), "truncated_by=lines spill=.clarvis/bash-")
	require.Contains(t, out.String(), "level=WARN msg=\"tool call\" tool=read")
	require.Contains(t, out.String(), "error=not_found")
	require.Contains(t, out.String(), "bash: calls 1, failed 0, truncated 1, ended by a limit 0; bytes produced 588895, ")
}
