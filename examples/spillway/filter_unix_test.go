//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/stretchr/testify/require"
)

func TestRunFilter(t *testing.T) {
	t.Parallel()
	e := config.Event{Tool: "read", Text: "a secret"}
	script := filepath.Join(t.TempDir(), "filter")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nsed -n 's/.*\"Text\":\"\\([^\"]*\\)\".*/[\\1]/p'\n"), 0o700))
	for command, want := range map[string]string{
		script: "[a secret]", "echo a b": "a b", "printf 'x\ny'": "x\ny", "true": "", "cat > /dev/null; echo $((1+1))": "2",
	} {
		text, err := runFilter(t.Context(), command, e, time.Minute)
		require.NoError(t, err, command)
		require.Equal(t, want, text, command)
	}
	began := time.Now()
	for command, want := range map[string]string{
		"false": "exit status 1", "no-such-program": "not found", "sleep 600": "did not end within", "sleep 600 | cat": "did not end within",
		"cat /dev/zero": "printed over", "echo partly; exit 3": "exit status 3",
	} {
		patience := time.Minute
		if strings.HasPrefix(command, "sleep") {
			patience = 100 * time.Millisecond
		}
		text, err := runFilter(t.Context(), command, e, patience)
		require.ErrorContains(t, err, want, command)
		require.Empty(t, text, command)
	}
	require.Less(t, time.Since(began), 5*time.Minute)
}

// A filter that ends, and one that is ended, leaves no process.
func TestFilterLeavesNothing(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"sleep 600 & echo $! > child; echo done":             "has left a process that keeps its output open",
		"sleep 600 > /dev/null & echo $! > child; echo done": "",
		"sleep 600 & echo $! > child; exit 3":                "exit status 3",
		"sleep 600 & echo $! > child; cat /dev/zero":         "printed over",
		"sleep 600 & echo $! > child; wait":                  "did not end within",
	} {
		dir := t.TempDir()
		patience := time.Minute
		if strings.HasSuffix(command, "wait") {
			patience = 3 * time.Second
		}
		text, err := runFilter(t.Context(), "cd "+dir+"; "+command, config.Event{Text: "x"}, patience)
		if want == "" {
			require.NoError(t, err, command)
			require.Equal(t, "done", text, command)
		} else {
			require.ErrorContains(t, err, want, command)
		}
		gone(t, pidIn(t, filepath.Join(dir, "child")))
	}
}

// No result gets around a filter that fails.
func TestCallIsFiltered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a secret\n"), 0o600))
	opts := options{filter: "false"}
	cfg := config.Config{Workspace: dir}
	opts.filtered(&cfg)
	suite, err := newSuite(cfg, unasked)
	require.NoError(t, err)
	defer suite.Close()
	res, err := suite.Call(t.Context(), "read", []byte(`{"path":"a.txt"}`))
	require.NoError(t, err)
	require.True(t, res.IsError)
	require.Contains(t, res.Text, "the filter failed: exit status 1")
	require.NotContains(t, res.Text, "secret")
}
