package commands_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// What a server prints until it is ready is shown in its last lines. The notice leads to the rest by read.
func TestReadyLines(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	for _, show := range []string{"", "head", "both"} {
		res, err := s.Bash(t.Context(), tools.BashParams{
			Command: "seq 301; echo listening; exec cat", Background: true, ReadyWhen: "listening", TimeoutMs: long, Show: show,
		})
		require.NoError(t, err)
		want := ""
		for n := 283; n <= 301; n++ {
			want += fmt.Sprintln(n)
		}
		require.True(t, strings.HasPrefix(res.Text, want+"listening\n\n[Lines 1-282 of the output were "+
			"left out before these. "), res.Text)
		require.Contains(t, res.Text, ". Line 302 matches. Job ")
		require.Equal(t, show != "", strings.Contains(res.Text, "show has no effect where ready_when matches"), res.Text)
		require.Equal(t, 20, res.Truncation.OutputLines)
		require.Equal(t, 302, res.Truncation.TotalLines)
		page := call(t, s, "read", map[string]any{"path": res.OutputPath, "offset": 1, "limit": 282})
		require.True(t, strings.HasPrefix(page.Text, "1\n2\n"), page.Text)
		require.Contains(t, page.Text, "\n282\n")
		require.NotContains(t, page.Text, "\n283\n")
	}
	s = newSuite(t, config.Config{Jobs: config.Jobs{ReadyLines: 1}}, nil)
	id := started(t, s, "seq 2; exec cat")
	res := job(t, s, tools.JobParams{ID: id, Until: "2", WaitMs: long})
	require.True(t, strings.HasPrefix(res.Text, "2\n\n[Line 2 of the output was left out before these. "), res.Text)
}

// What was printed after the line that a call waited for is new to the next one, which may wait for a line of it.
func TestAfterTheMatch(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, "read x; seq 9; printf 'Name? '; read x; exit 3")
	res := job(t, s, tools.JobParams{ID: id, Input: "\n", Until: `\? $`, WaitMs: long})
	require.True(t, strings.HasPrefix(res.Text,
		"1\n2\n3\n4\n5\n6\n7\n8\n9\nName? \n\n[Line 11 matches. "), res.Text)

	id = started(t, s, "read x; seq 9; exec cat")
	for i, reader := range []string{"", "a", "b"} {
		ctx := tools.WithConversation(t.Context(), reader)
		p := tools.JobParams{ID: id, Until: "[5]", WaitMs: long}
		if i == 0 {
			p.Input = "\n"
		}
		res, err := s.Job(ctx, p)
		require.NoError(t, err)
		before := "ready\n"
		if i == 0 {
			before = ""
		}
		require.True(t, strings.HasPrefix(res.Text, before+"1\n2\n3\n4\n5\n\n[Line 6 matches. Job "), res.Text)
		require.Equal(t, int64(len(before)+10), res.NewBytes)
		res, err = s.Job(ctx, tools.JobParams{ID: id, Until: "[79]", WaitMs: long})
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(res.Text, "6\n7\n\n[Line 8 matches. Job "), res.Text)
		for res.Text = ""; !strings.HasPrefix(res.Text, "8\n9\n"); {
			res, err = s.Job(ctx, tools.JobParams{ID: id, WaitMs: 1})
			require.NoError(t, err)
		}
	}
}

// A job that has ended says that there is more after the line.
func TestAfterTheMatchAndTheEnd(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Bash: config.Bash{SplitStreams: true}}, nil)
	id := started(t, s, "read x; seq 9; echo bad >&2; exit 3")
	j := s.Jobs()[0]
	require.NoError(t, func() error {
		job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "never", WaitMs: 1})
		return j.Wait(t.Context())
	}())
	ctx := tools.WithConversation(t.Context(), "a")
	res, err := s.Job(ctx, tools.JobParams{ID: id, Until: "5"})
	require.NoError(t, err)
	require.Contains(t, res.Text, "5\n\nstderr:\nbad\n\n[Line 6 matches: 5. "+
		"The job printed 8B after this line; the next call shows it. Job 1 "+suitetest.Exited(3)+". ")
	res, err = s.Job(ctx, tools.JobParams{ID: id})
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(res.Text, "6\n7\n8\n9\n\n[Job 1 "+suitetest.Exited(3)+". "), res.Text)
}
