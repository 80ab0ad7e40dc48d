package main

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), t.TempDir(), &out))
	require.Contains(t, out.String(), `level=INFO msg="tool call" id=toolu_01 tool=bash args="{\"command\":\"seq 100000\"}" duration=`)
	require.Contains(t, out.String(), "lines_produced=100000")
	require.Contains(t, out.String(), "truncated_by=lines spill=.clarvis/bash-")
	require.Contains(t, out.String(), `level=WARN msg="tool call" id=call-2 tool=read args="{\"path\":\"no such file\"}" duration=`)
	require.Contains(t, out.String(), "error=not_found")
	require.Contains(t, out.String(), "bash: calls 1, failed 0, truncated 1, ended by a limit 0; bytes produced 588895, ")
}

// A command of many lines, with quotes and escape sequences, is one short field of one line.
func TestHostileArguments(t *testing.T) {
	var out strings.Builder
	observe := observer(slog.New(slog.NewTextHandler(&out, nil)))
	observe(t.Context(), config.Event{ID: "a b\n", Tool: "bash", Args: []byte("\"" + strings.Repeat("é\n\x1b[31m level=ERROR \"", 100))})
	observe(t.Context(), config.Event{ID: "toolu_01", Tool: "job", Job: 1, JobState: "exited with code 0"})
	lines := strings.SplitAfter(out.String(), "\n")
	require.Len(t, lines, 3)
	require.Contains(t, lines[0], `id="a b\n" tool=bash args="\"é\n\x1b[31m level=ERROR \"é`)
	require.Contains(t, lines[0], `..." duration=`)
	require.Less(t, len(lines[0]), 700)
	require.Contains(t, lines[1], `msg=job id=toolu_01 job=1 state="exited with code 0" `)
}
