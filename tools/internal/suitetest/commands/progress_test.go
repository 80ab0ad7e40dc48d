package commands_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

func TestProgress(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	seen := make(map[string]tools.Update) // the first update for each file that a command waits for
	updates := 0
	ctx := tools.WithProgress(t.Context(), func(u tools.Update) {
		updates++
		for name, end := range map[string]string{"half": "\n1000\nhalf a li", "whole": "\n1000\nhalf a line\n"} {
			if _, ok := seen[name]; !ok && strings.HasSuffix(u.Tail, end) {
				seen[name] = u
				reached(t, s, name)
			}
		}
	})
	_, err := s.Bash(ctx, tools.BashParams{Command: "seq 1000; printf 'half a li'; " + waitFor("half") + "; echo ne; " + waitFor("whole")})
	require.NoError(t, err)
	half, whole := seen["half"], seen["whole"]
	require.Equal(t, "bash", half.Tool)
	require.Positive(t, half.Elapsed)
	require.Greater(t, whole.Elapsed, half.Elapsed)
	require.Equal(t, 20, strings.Count(half.Tail, "\n")+1)
	require.Equal(t, int64(3893+len("half a line\n")), whole.Bytes)
	require.Equal(t, 1001, whole.Lines)

	updates = 0
	began := time.Now()
	_, err = s.Bash(ctx, tools.BashParams{Command: "sleep 0.3"})
	require.NoError(t, err)
	require.LessOrEqual(t, updates, 1+int(time.Since(began)/time.Second), "nothing has changed")
}

// waitFor is a command that waits until reached is called.
func waitFor(name string) string { return "until [ -e " + name + " ]; do sleep 0.01; done" }

func reached(t *testing.T, s *tools.Suite, name string) {
	if err := os.WriteFile(filepath.Join(s.Workspace(), name), nil, 0o600); err != nil {
		t.Error(err)
	}
}

// TestProgressKeepsLinesApart has more lines than are held before one that is not whole.
func TestProgressKeepsLinesApart(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	for _, bash := range []config.Bash{{}, {MaxBytes: 1024}, {Strategy: truncation.Head}} {
		s := newSuite(t, config.Config{Bash: bash}, nil)
		last := ""
		ctx := tools.WithProgress(t.Context(), func(u tools.Update) {
			if last = u.Tail; strings.HasSuffix(last, "half a li") {
				reached(t, s, "half")
			}
		})
		_, err := s.Bash(ctx, tools.BashParams{Command: "seq 3000; printf 'half a li'; " + waitFor("half"), TimeoutMs: 60_000})
		require.NoError(t, err)
		require.True(t, strings.HasSuffix(last, "\n2999\n3000\nhalf a li"), last)
	}
}

// TestProgressVisited hears of a search that finds nothing.
func TestProgressVisited(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "0")
	require.NoError(t, os.WriteFile(file, bytes.Repeat([]byte("abcdefghijklmno\n"), 1<<16), 0o600))
	s := newSuite(t, config.Config{Workspace: dir}, nil)
	most := make(chan int, 1)
	most <- 0
	ctx := tools.WithProgress(t.Context(), func(u tools.Update) {
		if u.Tool == "grep" && u.Lines == 0 {
			most <- max(<-most, u.Visited)
		}
	})
	for n := 1; n < 1<<14; n *= 2 {
		seen := <-most
		most <- seen
		if seen > 0 {
			require.LessOrEqual(t, seen, n)
			return
		}
		for i := n; i < 2*n; i++ {
			require.NoError(t, os.Link(file, filepath.Join(dir, fmt.Sprint(i))))
		}
		res, err := s.Grep(ctx, tools.GrepParams{Pattern: "(?i)(a[^b]|o[a-z]p)$"})
		require.NoError(t, err)
		require.Zero(t, res.Matches)
	}
	t.Fatal("16 GB were searched without an update")
}

// TestProgressPanics has the function panic that is told: the call goes on.
func TestProgressPanics(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	calls := make(chan bool, 100)
	ctx := tools.WithProgress(t.Context(), func(tools.Update) {
		calls <- true
		reached(t, s, "told")
		panic("report")
	})
	res, err := s.Bash(ctx, tools.BashParams{Command: "echo 1; " + waitFor("told") + "; for i in 2 3 4; do echo $i; sleep 0.15; done"})
	require.NoError(t, err)
	require.Equal(t, "1\n2\n3\n4\n", res.Text)
	require.Len(t, calls, 1)
}

// TestBashEndsWithItsContext, also if what it waits for besides the command does not end:
// here the function that is told, otherwise the disk that takes the output.
func TestBashEndsWithItsContext(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	ctx, cancel := context.WithCancel(t.Context())
	ctx = tools.WithProgress(ctx, func(tools.Update) {
		cancel()
		<-never
	})
	done := make(chan error, 1)
	go func() {
		_, err := s.Bash(ctx, tools.BashParams{Command: "sleep 600"})
		done <- err
	}()
	select {
	case err := <-done:
		require.ErrorIs(t, err, context.Canceled)
	case <-time.After(time.Minute):
		t.Fatal("the call goes on")
	}
}
