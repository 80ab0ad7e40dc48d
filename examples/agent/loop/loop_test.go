package loop

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// turns is a model that says what it is told to, and calls do before every turn.
type turns struct {
	replies []Reply
	do      func()
}

func (m *turns) Next(ctx context.Context, _ Input) (Reply, error) {
	if m.do != nil {
		m.do()
	}
	r := m.replies[0]
	m.replies = m.replies[1:]
	return r, ctx.Err()
}

func (m *turns) Cut(int) {}

// A signal ends the call, which is shown as far as it came; nothing keeps running.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pid := filepath.Join(dir, "pid")
	m := &turns{replies: []Reply{{Text: "I wait.", Calls: []Call{{ID: "1", Name: "bash",
		Args: json.RawMessage(`{"command": "echo begun; sleep 1000 & echo $! > tmp; mv tmp pid; wait"}`)}}}}}
	m.do = func() {
		go func() {
			for ctx.Err() == nil {
				if _, err := os.Stat(pid); err == nil {
					cancel()
				}
				time.Sleep(time.Millisecond)
			}
		}()
	}
	script := newTranscript(&out)
	suite, err := tools.New(config.Config{Workspace: dir, Observe: script.observe}, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	defer suite.Close()
	a := agent{model: m, suite: suite, out: script, mind: newMemory(suite, 0)}
	require.ErrorIs(t, a.run(ctx, "Wait."), context.Canceled)
	require.Regexp(t, `(?s)\nI wait\.\n● bash command='echo begun; .*\n  │ aborted: .*begun\n  └ `, out.String())

	requireGone(t, pid)
}

// requireGone fails if the process runs whose number is in a file. Whoever waits for
// it is not this program: it may be a zombie for a while.
func requireGone(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	if state, err := os.ReadFile("/proc/" + strings.TrimSpace(string(data)) + "/stat"); err == nil {
		require.Contains(t, string(state), ") Z ", "the process is still running")
	}
}

// The program says that it was interrupted as the shell does.
func TestInterruptedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	parse := func(args []string, stderr io.Writer) (Task, error) {
		flags := NewFlags()
		prompt, err := flags.Parse(args, stderr)
		require.NoError(t, err)
		cfg, err := flags.Config()
		return Task{Config: cfg, Prompt: prompt, Model: func(*tools.Suite) Provider { return &turns{replies: []Reply{{}}} }}, err
	}
	var out, stderr bytes.Buffer
	require.Equal(t, ExitInterrupted, Run(ctx, parse, []string{"-workspace", t.TempDir()}, &out, &stderr))
	require.Equal(t, "agent: interrupted\n", stderr.String())
}

// A model that never comes to an end is stopped.
func TestEndless(t *testing.T) {
	suite, err := tools.New(config.Config{Workspace: t.TempDir()}, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	defer suite.Close()
	m := &turns{}
	for range maxTurns + 1 {
		m.replies = append(m.replies, Reply{Calls: []Call{{ID: "1", Name: "ls", Args: json.RawMessage(`{}`)}}})
	}
	a := agent{model: m, suite: suite, out: newTranscript(&bytes.Buffer{}), mind: newMemory(suite, 0)}
	require.EqualError(t, a.run(t.Context(), "Go."), "no answer after 100 turns")
	require.Len(t, m.replies, 1)
}

func TestRepository(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "a/b/c"), 0o755))
	above, err := repository(dir)
	require.NoError(t, err)
	none, err := repository(filepath.Join(dir, "a/b/c"))
	require.NoError(t, err)
	if above == dir {
		require.Equal(t, filepath.Join(dir, "a/b/c"), none)
	} else { // a repository has the temporary directory in it
		require.Equal(t, above, none)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a/.git"), []byte("gitdir: elsewhere\n"), 0o644))
	found, err := repository(filepath.Join(dir, "a/b/c"))
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "a"), found)
}
