package commands_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// Each reader is shown what is new to it, whoever started the job, and whenever it looks first.
func TestReaders(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	for _, split := range []bool{false, true} {
		s := newSuite(t, config.Config{Bash: config.Bash{SplitStreams: split}}, nil)
		res, err := s.Bash(tools.WithConversation(t.Context(), "a"), tools.BashParams{Background: true, ReadyWhen: "^ready$", TimeoutMs: long,
			Command: "echo ready; while read line; do echo got $line; echo \"seen $line\" >&2; done; echo end; exit 3"})
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(res.Text, "ready\n"), res.Text)
		id := res.Job
		got := func(lines ...string) string {
			var out, errs strings.Builder
			for _, line := range lines {
				switch {
				case line == "ready" || line == "end":
					fmt.Fprintf(&out, "%s\n", line)
				case split:
					fmt.Fprintf(&out, "got %s\n", line)
					fmt.Fprintf(&errs, "seen %s\n", line)
				default:
					fmt.Fprintf(&out, "got %s\nseen %s\n", line, line)
				}
			}
			if errs.Len() > 0 {
				out.WriteString("\nstderr:\n" + errs.String())
			}
			return strings.TrimSuffix(out.String(), "\n")
		}
		for _, line := range []string{"one", "two"} {
			jobOf(t, s, "", tools.JobParams{ID: id, Input: line + "\n", Until: "seen " + line, WaitMs: long})
		}
		all := len("ready\n" + "got one\nseen one\n" + "got two\nseen two\n")
		require.Eventually(t, func() bool { return s.Jobs()[0].State().Bytes == int64(all) }, time.Minute, time.Millisecond,
			"of two streams, one may come later")
		require.Equal(t, got("one", "two"), jobOf(t, s, "a", tools.JobParams{ID: id, WaitMs: 1}), "split %v", split)
		require.Equal(t, "(no new output)", jobOf(t, s, "a", tools.JobParams{ID: id, WaitMs: 1}))
		require.Equal(t, got("ready", "one", "two"), jobOf(t, s, "b", tools.JobParams{ID: id, WaitMs: 1}))
		require.Equal(t, got("ready", "one", "two"), jobOf(t, s, "c", tools.JobParams{ID: id, Until: "seen two", WaitMs: long}), "a line is new to each")
		require.Equal(t, got("end"), jobOf(t, s, "b", tools.JobParams{ID: id, Input: "\x04", WaitMs: long}))
		require.Equal(t, got("end"), jobOf(t, s, "a", tools.JobParams{ID: id}))
		require.Contains(t, jobOf(t, s, "", tools.JobParams{ID: id}), "end")
		require.Equal(t, got("ready", "one", "two", "end"), jobOf(t, s, "late", tools.JobParams{ID: id}))
		require.Equal(t, "(no new output)", jobOf(t, s, "late", tools.JobParams{ID: id}))
		s.Forget("late")
		require.Equal(t, got("ready", "one", "two", "end"), jobOf(t, s, "late", tools.JobParams{ID: id}))
		require.Equal(t, "(no new output)", jobOf(t, s, "a", tools.JobParams{ID: id}), "no other is forgotten")
	}
}

// A prompt, which has no end, is shown to each reader once.
func TestReadersPrompt(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, "read x; printf 'Name? '; read x; echo hello $x; read x")
	job(t, s, tools.JobParams{ID: id, Input: "\n", WaitMs: 1})
	for _, reader := range []string{"a", "b"} {
		require.Equal(t, "ready\nName? ", jobOf(t, s, reader, tools.JobParams{ID: id, Until: "Name", WaitMs: long}), reader)
		require.Equal(t, "(no new output)", jobOf(t, s, reader, tools.JobParams{ID: id, WaitMs: 1}), reader)
	}
	require.Equal(t, "hello you", jobOf(t, s, "a", tools.JobParams{ID: id, Input: "you\n", Until: "hello", WaitMs: long}))
	require.Equal(t, "hello you", jobOf(t, s, "b", tools.JobParams{ID: id, WaitMs: 1}))
}

// A suite remembers 256 positions, those used last.
func TestReadersBound(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, "read x")
	for n := range 256 {
		require.Equal(t, "ready", jobOf(t, s, fmt.Sprint(n), tools.JobParams{ID: id, WaitMs: 1}))
	}
	require.Equal(t, "(no new output)", jobOf(t, s, "0", tools.JobParams{ID: id, WaitMs: 1}))
	require.Equal(t, "ready", jobOf(t, s, "one more", tools.JobParams{ID: id, WaitMs: 1}))
	require.Equal(t, "(no new output)", jobOf(t, s, "0", tools.JobParams{ID: id, WaitMs: 1}))
	require.Equal(t, "ready", jobOf(t, s, "1", tools.JobParams{ID: id, WaitMs: 1}), "it was forgotten, and shown all of it again")
}

// Where the file is gone, readers share what the suite itself holds.
func TestReadersWithoutFile(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, "read x; echo on; read x")
	files, err := filepath.Glob(filepath.Join(s.Workspace(), ".clarvis", "job-*.log"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoError(t, os.Remove(files[0]))
	require.Equal(t, "on", jobOf(t, s, "a", tools.JobParams{ID: id, Input: "\n", Until: "on", WaitMs: long}))
	require.Equal(t, "(no new output)", jobOf(t, s, "b", tools.JobParams{ID: id, WaitMs: 1}))
}

// Readers that look at the same time are each shown every line once.
func TestReadersAtOnce(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, "for i in $(seq 200); do echo line $i; done; read x")
	job(t, s, tools.JobParams{ID: id, Input: "\n", WaitMs: long}) // its end
	var readers sync.WaitGroup
	for n := range 8 {
		readers.Go(func() {
			var all strings.Builder
			ctx := tools.WithConversation(context.Background(), fmt.Sprint(n%4))
			for range 3 {
				res, err := s.Job(ctx, tools.JobParams{ID: id, WaitMs: 1})
				if err != nil {
					t.Error(err)
				}
				all.WriteString(res.Text)
			}
			if n := strings.Count(all.String(), "line 200\n"); n > 1 {
				t.Errorf("a line was shown %d times", n)
			}
		})
	}
	readers.Wait()
}
