package commands_test

import (
	"os"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestMaxProcesses has a command and a job start more than they may, in a shell that does not try
// again.
func TestMaxProcesses(t *testing.T) {
	t.Parallel()
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	if unix.Access("/sys/fs/cgroup/pids/cgroup.procs", unix.W_OK) != nil || !strings.Contains(string(mounts), " - cgroup2 ") {
		t.Skip("control groups do not bound processes here, or not those below that of this program")
	}
	s, err := tools.New(config.Config{Workspace: t.TempDir(), Bash: config.Bash{Shell: "dash", MaxProcesses: 64}}, all.Parts()...)
	if err != nil {
		t.Skip(err)
	}
	defer s.Close()
	const told = "The command reached its limit of 64 processes and threads, and could start no more."
	many := `i=0; while [ $i -lt 100 ]; do sleep 100 & i=$((i+1)); done`
	for _, call := range []tools.BashParams{
		{Command: many},
		{Command: many, Background: true, ReadyWhen: "Cannot fork"},
	} {
		res, err := s.Bash(t.Context(), call)
		require.NoError(t, err)
		require.Contains(t, res.Text, told)
		require.Equal(t, 64, res.ProcessLimitReached)
	}
	// dash ends when it cannot fork, and a shell around it goes on.
	command := "echo begun; read line; (" + many + "); sleep 100"
	res, err := s.Bash(t.Context(), tools.BashParams{Command: command, Background: true, ReadyWhen: "begun"})
	require.NoError(t, err)
	require.NotContains(t, res.Text, "its limit")
	job, err := s.Job(t.Context(), tools.JobParams{ID: res.Job, Input: "\n", Until: "Cannot fork"})
	require.NoError(t, err)
	require.Contains(t, job.Text, told, "while it runs")
	require.Equal(t, 64, job.ProcessLimitReached)
	job, err = s.Job(t.Context(), tools.JobParams{ID: res.Job, Signal: "terminate"})
	require.NoError(t, err)
	require.NotContains(t, job.Text, told, "twice")
	require.Equal(t, 64, job.ProcessLimitReached)
	res, err = s.Bash(t.Context(), tools.BashParams{Command: "echo a & wait"})
	require.NoError(t, err)
	require.Equal(t, "a\n", res.Text)
}
