package commands_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// These tests hold with and without control groups (.ci/as no-cgroups).

const (
	// hog holds 25 MB until it is killed: tail cannot write what it has kept.
	hog = `head -c 30M /dev/zero | tail -c 25M | sleep 300`
	// some holds 5 MB.
	some = `head -c 6M /dev/zero | tail -c 5M | sleep 300`
)

const (
	limit     = 16 << 20
	heldMore  = "held more than 16MB of memory"
	holdLess  = "Hold less at a time: run fewer processes at once, or work on the data in parts. The limit is Bash.MaxMemory, which the user can raise"
	swollen   = "memory_limit: the command held more than 16MB of memory and was ended, "
	toldOfJob = "The job held more than 16MB of memory and was ended. " + holdLess
)

// memorySuite is a suite whose commands may hold 16 MB.
func memorySuite(t *testing.T, bash config.Bash) *tools.Suite {
	need.Proc(t)
	bash.MaxMemory = limit
	return newSuite(t, config.Config{Bash: bash}, nil)
}

// requireSwollen checks the result of a command that printed begun and was ended at its limit.
func requireSwollen(t *testing.T, res tools.Result) {
	t.Helper()
	require.True(t, res.IsError, res.Text)
	require.True(t, strings.HasPrefix(res.Text, swollen), res.Text)
	require.Contains(t, res.Text, ". "+holdLess+"\n\nbegun") // a shell may say what was killed
	details := suitetest.DetailsOf(t, res)
	require.Equal(t, []any{"memory_limit", float64(limit), float64(-1)},
		[]any{details["error"], details["memoryLimitReached"], details["exitCode"]})
}

// TestMaxMemory has commands hold more than they may: the machine keeps its memory, and the text says
// why the command has ended (anthropics/claude-code#68647: 128 GB; #85457, #60488).
func TestMaxMemory(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"one process":             hog,
		"the shell itself":        `x=$(head -c 25M /dev/zero | tr '\0' x); sleep 300`,
		"several together":        `for i in 1 2 3 4 5; do ` + some + ` & done; wait`,
		"many small":              `for i in $(seq 30); do head -c 1500K /dev/zero | tail -c 1M | sleep 300 & done; wait`,
		"in a session of its own": `setsid -f sh -c '` + hog + `' >/dev/null 2>&1; sleep 300`,
		"an orphan":               `(setsid sh -c '` + hog + `' &) ; sleep 300`,
		"the shell goes on":       `sh -c '` + hog + `' || sleep 300`,
		"the shell ends":          `mkfifo kept; exec 9<>kept; head -c 30M /dev/zero | tail -c 25M >kept; exit 0`,
		"without an environment":  `env -i sh -c '` + hog + `'; sleep 300`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := memorySuite(t, config.Bash{})
			requireSwollen(t, call(t, s, "bash", tools.BashParams{Command: "echo begun; " + command}))
			require.Equal(t, "5242880\n", call(t, s, "bash", tools.BashParams{
				Command: "head -c 6M /dev/zero | tail -c 5M | wc -c"}).Text, "the next command is not touched")
		})
	}
}

// TestMaxMemoryIn ends commands that are confined, have a state or go on after their timeout.
func TestMaxMemoryIn(t *testing.T) {
	t.Parallel()
	for _, engine := range []config.Sandbox{config.SandboxLandlock, config.SandboxBwrap} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s, err := tools.New(config.Config{Workspace: dir, Bash: config.Bash{Sandbox: engine, MaxMemory: limit}}, all.Parts()...)
			need.Sandbox(t, err)
			t.Cleanup(func() { s.Close() })
			requireSwollen(t, call(t, s, "bash", tools.BashParams{Command: "echo begun; " + hog}))
		})
	}
	t.Run("KeepState", func(t *testing.T) {
		t.Parallel()
		s := memorySuite(t, config.Bash{KeepState: true})
		call(t, s, "bash", tools.BashParams{Command: "export A=kept"})
		requireSwollen(t, call(t, s, "bash", tools.BashParams{Command: "export A=lost; echo begun; " + hog}))
		require.Equal(t, "kept\n", call(t, s, "bash", tools.BashParams{Command: "echo $A"}).Text)
	})
	t.Run("OnTimeout", func(t *testing.T) {
		t.Parallel()
		s := memorySuite(t, config.Bash{OnTimeout: config.OnTimeoutBackground})
		job := 0
		for timeout := 100; job == 0; timeout *= 2 { // it may be over before the shell has started
			res, _ := s.Bash(t.Context(), tools.BashParams{Command: awaitFile + hog, TimeoutMs: timeout})
			job = res.Job
		}
		requireJobSwollen(t, s, job)
	})
	t.Run("Setup", func(t *testing.T) {
		t.Parallel()
		s := memorySuite(t, config.Bash{Setup: hog})
		text := call(t, s, "bash", tools.BashParams{Command: "echo hi"}).Text
		require.Contains(t, text, "Bash.Setup, which prepares the environment of commands, "+heldMore+" (Bash.MaxMemory) and was ended.")
	})
	t.Run("description", func(t *testing.T) {
		s := memorySuite(t, config.Bash{})
		i := slices.IndexFunc(s.Tools(), func(tool tools.Tool) bool { return tool.Name() == "bash" })
		require.Contains(t, s.Tools()[i].Description(), "or holds more than 16MB of memory.")
	})
}

// awaitFile waits for the file go.
const awaitFile = `while [ ! -e go ]; do sleep 0.1; done; `

// requireJobSwollen has a job that awaits the file go grow, and checks that it says why it has ended.
func requireJobSwollen(t *testing.T, s *tools.Suite, id int) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(s.Workspace(), "go"), nil, 0o600))
	res, err := s.Job(t.Context(), tools.JobParams{ID: id, WaitMs: suitetest.Long})
	require.NoError(t, err)
	require.False(t, res.Running, res.Text)
	require.Contains(t, res.Text, toldOfJob)
	require.EqualValues(t, limit, res.MemoryLimitReached)
	res, err = s.Job(t.Context(), tools.JobParams{ID: id})
	require.NoError(t, err)
	require.NotContains(t, res.Text, heldMore, "twice")
	require.EqualValues(t, limit, res.MemoryLimitReached)
}

// TestMaxMemoryOfJobs has jobs grow later, in the shell and in what it has left.
func TestMaxMemoryOfJobs(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"the shell runs":  `echo begun; ` + awaitFile + hog + `; sleep 300`,
		"the shell ended": `echo begun; (` + awaitFile + hog + `) & exit 0`,
	} {
		t.Run(name, func(t *testing.T) {
			s := memorySuite(t, config.Bash{})
			res, err := s.Bash(t.Context(), tools.BashParams{Command: command, Background: true, ReadyWhen: "begun"})
			require.NoError(t, err)
			require.NotZero(t, res.Job, res.Text)
			require.NotContains(t, res.Text, "memory")
			requireJobSwollen(t, s, res.Job)
		})
	}
}
