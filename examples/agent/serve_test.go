package main

import (
	"bytes"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/examples/agent/loop"
)

// The model waits for a server and for tests that run beside it, once for each, and leaves
// nothing behind.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var out, stderr bytes.Buffer
	require.Equal(t, 0, loop.Run(t.Context(), parse, []string{"-provider", "serve"}, &out, &stderr), "%s", &stderr)
	same(t, "serve.golden", regexp.MustCompile(`(job-)[b-z2-9]{8}`).ReplaceAllString(timeless(out.String()), "${1}X"))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left, "the workspace is removed")
}

// What goes wrong is said, whatever it is.
func TestServeGivesUp(t *testing.T) {
	for want, results := range map[string][]string{
		"The greeter does not start:": {"mkfifo: ask: File exists"},
		"The tests do not start:":     {"[Job 1 is running.", "Command exited with code 1"},
		"It does not greet you:":      {"[Job 1 is running.", "[Job 2 is running.", "timeout: "},
		"The tests fail:":             {"[Job 1 is running.", "[Job 2 is running.", "Hello, Ada.", "[Job 2 exited with code 1."},
		"It does not stop:":           {"[Job 1 is running.", "[Job 2 is running.", "Hello, Ada.", "[Job 2 exited with code 0.", "[Job 1 is running."},
	} {
		s := newServe()
		s.step("")
		var reply loop.Reply
		for _, result := range results {
			reply = s.step(result)
		}
		require.Equal(t, give(want, results[len(results)-1]), reply)
	}
}
