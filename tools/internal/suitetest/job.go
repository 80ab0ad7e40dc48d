package suitetest

import (
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// JobOf makes a call of job for a reader, and returns the output that it shows.
func JobOf(t testing.TB, s *tools.Suite, reader string, p tools.JobParams) string {
	t.Helper()
	res, err := s.Job(tools.WithConversation(t.Context(), reader), p)
	require.NoError(t, err)
	shown, _, _ := strings.Cut(res.Text, "\n\n[")
	return shown
}

// Long is longer than any test: what waits for it waits for something else.
const Long = 120_000

// Started starts a job that says ready first.
func Started(t testing.TB, s *tools.Suite, command string) int {
	t.Helper()
	need.Shell(t)
	res, err := s.Bash(t.Context(), tools.BashParams{Command: "echo ready; " + command, Background: true, ReadyWhen: "^ready$", TimeoutMs: Long})
	require.NoError(t, err)
	require.NotZero(t, res.Job, res.Text)
	require.True(t, strings.HasPrefix(res.Text, "ready\n"), res.Text)
	return res.Job
}

// Job makes a call of job.
func Job(t testing.TB, s *tools.Suite, p tools.JobParams) tools.JobResult {
	t.Helper()
	res, err := s.Job(t.Context(), p)
	require.NoError(t, err)
	return res
}
