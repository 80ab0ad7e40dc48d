package commands_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// shows asks a job for what is new, and compares the output and the notices in front of how it stands.
func shows(t *testing.T, s *tools.Suite, p tools.JobParams, output, notices string) tools.JobResult {
	t.Helper()
	res := job(t, s, p)
	require.True(t, strings.HasPrefix(res.Text, fmt.Sprintf("%s\n\n[%sJob %d ", output, strings.ReplaceAll(notices, "%d", fmt.Sprint(p.ID)), p.ID)), res.Text)
	return res
}

// TestBackgroundPrompt shows an unfinished line as output, and once as long as it stays what it is.
func TestBackgroundPrompt(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, `read x; printf 'Name? '; read x; echo; printf 'Sure? '; read x; echo yes; printf 'Sure? '; read x; printf more; exec cat`)
	shows(t, s, tools.JobParams{ID: id, Input: "\n", Until: `\? $`, WaitMs: long}, "Name? ",
		"Line 2 matches. The job may wait for input. ")
	shows(t, s, tools.JobParams{ID: id, Until: `\? $`, WaitMs: 1}, "(no new output)",
		"No line matched the pattern in until within 1ms. The job may wait for input: use job id=%d input=\"...\\n\". ")
	res := shows(t, s, tools.JobParams{ID: id, Input: "\n", Until: "Sure", WaitMs: long}, "Sure? ",
		"Line 3 matches. The job may wait for input. ")
	require.Equal(t, int64(len("\nSure? ")), res.NewBytes)
	shows(t, s, tools.JobParams{ID: id, Input: "\n", Until: "Sure. $", WaitMs: long}, "yes\nSure? ",
		"Line 4 matches. The job may wait for input. ")
	shows(t, s, tools.JobParams{ID: id, Input: "\n", Until: "more", WaitMs: long}, "more",
		"Line 4 matches: Sure? more. The job may wait for input. ")
	shows(t, s, tools.JobParams{ID: id, Input: "\n\x04", WaitMs: long}, "(no new output)", "")
}

// TestBackgroundPromptEnds ends a job whose last line was shown: it is shown again only if it has changed.
func TestBackgroundPromptEnds(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	for end, want := range map[string]string{"''": "(no new output)", "'\n'": "(no new output)", "'!'": "!",
		`'\b\b\b\033[K'`: "Na", `'\n\nbye'`: "\nbye"} {
		id := started(t, s, `read x; printf Name?; read x; printf `+end+`; exit`)
		shows(t, s, tools.JobParams{ID: id, Input: "\n", Until: "Name", WaitMs: long}, "Name?",
			"Line 2 matches. The job may wait for input. ")
		shows(t, s, tools.JobParams{ID: id, Input: "\n", WaitMs: long}, want, "")
	}
}

// TestBackgroundPromptOfNobody shows an unfinished line that no call waited for.
func TestBackgroundPromptOfNobody(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, `read x; echo one; printf half; exec cat`)
	res := job(t, s, tools.JobParams{ID: id, Input: "\n", WaitMs: 1})
	for ; !strings.Contains(res.Text, "half"); res = job(t, s, tools.JobParams{ID: id, WaitMs: 1}) {
		require.NotContains(t, res.Text, "may wait for input")
	}
	require.Contains(t, res.Text, "half\n\n[The job may wait for input")
	shows(t, s, tools.JobParams{ID: id, WaitMs: 1}, "(no new output)",
		"The job may wait for input: use job id=%d input=\"...\\n\". ")
}

// TestBackgroundPromptNumbers gives lines the numbers of the file, also behind one that was shown before it was whole.
func TestBackgroundPromptNumbers(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Bash: config.Bash{MaxLines: 2}}, nil)
	id := started(t, s, `read x; printf '1\n2\n3\nmore? '; read x; echo; seq 6 9; printf 'more? '; read x; exec cat`)
	shows(t, s, tools.JobParams{ID: id, Input: "\n", Until: "more", WaitMs: long}, "3\nmore? ",
		"Lines 2-3 of the output were left out before these. Line 5 matches. The job may wait for input. ")
	shows(t, s, tools.JobParams{ID: id, Input: "\n", Until: "more", WaitMs: long}, "9\nmore? ",
		"Lines 6-8 of the output were left out before these. Line 10 matches. The job may wait for input. ")

	long20 := strings.Repeat("x", 20<<10) // longer than a line is held back for
	id = started(t, s, `read x; printf `+long20+`; read x; echo; echo end; exec cat`)
	res := job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "x$", WaitMs: long})
	require.Equal(t, 2, res.Match.Line)
	res = job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "end", WaitMs: long})
	require.Equal(t, 3, res.Match.Line)
}

// TestBackgroundPromptSplit shows a prompt on stderr.
func TestBackgroundPromptSplit(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Bash: config.Bash{SplitStreams: true}}, nil)
	id := started(t, s, `read x; printf 'Name? ' >&2; read x; echo hello; exec cat`)
	res := job(t, s, tools.JobParams{ID: id, Input: "\n", Until: `\? $`, WaitMs: long})
	require.Contains(t, res.Text, "stderr:\nName? \n\n[Line 1 matches. The job may wait for input. Job ")
	res = job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "hello", WaitMs: long})
	require.True(t, strings.HasPrefix(res.Text,
		"hello\n\n[Line 2 matches. The job may wait for input. Job "), res.Text)
}

// What was printed before the end, and not shown yet, is looked at after the end, too.
func TestUntilAfterTheEnd(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	id := started(t, s, "read x; echo port 80; echo over")
	job(t, s, tools.JobParams{ID: id, Input: "\n", WaitMs: 1})
	require.NoError(t, s.Jobs()[0].Wait(t.Context()))
	for _, reader := range []string{"a", "b"} {
		res, err := s.Job(tools.WithConversation(t.Context(), reader), tools.JobParams{ID: id, Until: "port"})
		require.NoError(t, err)
		require.Equal(t, &tools.JobMatch{Line: 2, Text: "port 80"}, res.Match)
		res, err = s.Job(tools.WithConversation(t.Context(), reader), tools.JobParams{ID: id, Until: "port"})
		require.NoError(t, err)
		require.Nil(t, res.Match)
		require.Contains(t, res.Text, "No line matched the pattern in until before the end")
	}
}
