package files_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// Where it is not known who calls, job lists and ends jobs and does not read on; the refusal does nothing, names the
// file and says what to do.
func TestNobodyReadsOn(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	ctx := tools.WithConversation(t.Context(), "", "Send a key")
	res, err := s.Bash(ctx, tools.BashParams{Background: true, ReadyWhen: "^ready$", TimeoutMs: long,
		Command: "echo ready; while read line; do echo got $line; done"})
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(res.Text, "ready\n"), res.Text)
	for _, p := range []tools.JobParams{{ID: res.Job}, {ID: res.Job, Input: "x\n"}, {ID: res.Job, Until: "ready"}} {
		_, err = s.Job(ctx, p)
		require.Equal(t, tools.CodeDenied, tools.CodeOf(err), err)
		require.Contains(t, err.Error(), "Read "+res.OutputPath+", ")
		require.Contains(t, err.Error(), ". Send a key")
	}
	list, err := s.Job(ctx, tools.JobParams{})
	require.NoError(t, err)
	require.Contains(t, list.Text, "1: running")
	require.Equal(t, "ready", jobOf(t, s, "a", tools.JobParams{ID: res.Job, Input: "y\n", Until: "^ready$"})) // x was not typed
	require.Equal(t, "got y", jobOf(t, s, "a", tools.JobParams{ID: res.Job, Until: "got"}))
	ended, err := s.Job(ctx, tools.JobParams{ID: res.Job, Signal: "kill"})
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(ended.Text, "ready\ngot y\n"), ended.Text) // all of it
	_, err = s.Job(ctx, tools.JobParams{ID: 7})
	require.Equal(t, tools.CodeNotFound, tools.CodeOf(err), err)
}

// What is shown and told to nobody is neither remembered, nor taken for what others were shown and told.
func TestNobodyIsTold(t *testing.T) {
	t.Parallel()
	cfg, files := leavingOut()
	cfg.Read.Repeat = config.RepeatReceipt
	files["long.txt"] = countedLines(100)
	s := newSuite(t, cfg, files)
	for _, ctx := range []context.Context{
		tools.WithConversation(t.Context(), "", ""), tools.WithConversation(t.Context(), "", ""), t.Context(),
	} {
		res, err := s.Grep(ctx, tools.GrepParams{Pattern: "needle"})
		require.NoError(t, err)
		require.Contains(t, res.Text, toldIgnored)
		page, err := s.Read(ctx, tools.ReadParams{Path: "long.txt"})
		require.NoError(t, err)
		require.Equal(t, countedLines(100), page.Text)
	}
}

// The events of a call, and those of the job that it starts, have its trace. What is no trace is left out.
func TestTrace(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	const parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"
	events := make(chan config.Event, 10)
	s := newSuite(t, config.Config{Observe: func(_ context.Context, e config.Event) { events <- e }}, nil)
	for _, tt := range []struct{ parent, state, wantParent, wantState string }{
		{parent, "a=1,b=2", parent, "a=1,b=2"},
		{parent, "", parent, ""},
		{parent, strings.Repeat("x", 513), parent, ""},
		{parent, "a\n", parent, ""},
		{"", "a=1", "", ""},
		{parent + "-", "a=1", "", ""},
		{strings.ToUpper(parent), "", "", ""},
		{"ff" + parent[2:], "", "", ""},
		{"00-" + strings.Repeat("0", 32) + parent[35:], "", "", ""},
		{parent[:36] + strings.Repeat("0", 16) + "-01", "", "", ""},
	} {
		_, err := s.Ls(tools.WithTrace(t.Context(), tt.parent, tt.state), tools.LsParams{})
		require.NoError(t, err)
		e := <-events
		require.Equal(t, tt.wantParent, e.TraceParent, tt)
		require.Equal(t, tt.wantState, e.TraceState, tt)
	}
	ctx := tools.WithTrace(t.Context(), parent, "a=1")
	res, err := s.Bash(ctx, tools.BashParams{Background: true, ReadyWhen: "^up$", TimeoutMs: long, Command: "echo up; read x"})
	require.NoError(t, err)
	_, err = s.Job(t.Context(), tools.JobParams{ID: res.Job, Input: "\n", WaitMs: long})
	require.NoError(t, err)
	for ended := 0; ended < 2; {
		e := <-events
		if e.Tool == "job" && e.Job == 0 {
			require.Empty(t, e.TraceParent)
			ended++
			continue
		}
		require.Equal(t, parent, e.TraceParent, e)
		require.Equal(t, "a=1", e.TraceState, e)
		if strings.HasPrefix(e.JobState, "exited") {
			ended++
		}
	}
}

// A full output is opened by the name that a result gives it, and nothing else is.
func TestOpenOutput(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	dir := t.TempDir()
	s := newSuite(t, config.Config{Workspace: dir}, map[string]string{"a.txt": "secret\n"})
	res := call(t, s, "bash", tools.BashParams{Command: "seq 5000"})
	file := res.FullOutputPath()
	require.Equal(t, ".clarvis", filepath.Dir(file))
	for _, name := range []string{file, filepath.Base(file), filepath.Join(dir, file)} {
		f, err := s.OpenOutput(name)
		require.NoError(t, err)
		text, err := io.ReadAll(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		require.Equal(t, 5000, strings.Count(string(text), "\n"))
	}
	call(t, s, "write", tools.WriteParams{Path: "a.txt", Content: "new\n"})
	copies, err := filepath.Glob(filepath.Join(dir, ".clarvis", "before-*.log"))
	require.NoError(t, err)
	require.Len(t, copies, 1)
	const linked, fifo = "bash-23456bcd.log", "bash-23456bcf.log"
	need.Symlink(t, "../a.txt", filepath.Join(dir, ".clarvis", linked))
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".clarvis", fifo), 0o700))
	for _, name := range []string{"", ".", "..", "a.txt", "../a.txt", ".gitignore", copies[0], linked, fifo, "bash-99999zzz.log", "turn.lock"} {
		_, err := s.OpenOutput(name)
		require.Error(t, err, name)
	}
	_, err = s.OpenOutput("bash-99999zzz.log")
	require.Equal(t, tools.CodeNotFound, tools.CodeOf(err), err)
	require.Empty(t, call(t, s, "ls", tools.LsParams{}).FullOutputPath())
	require.NoError(t, s.Close())
	_, err = s.OpenOutput(file)
	require.Equal(t, tools.CodeDenied, tools.CodeOf(err), err)
}
