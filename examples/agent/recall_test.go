package main

import (
	"bytes"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/examples/agent/loop"
)

// runRecall returns the transcript of a run with room for so many tokens.
func runRecall(t *testing.T, tokens string) string {
	t.Setenv("TMPDIR", t.TempDir())
	var out, stderr bytes.Buffer
	require.Equal(t, 0, loop.Run(t.Context(), parse, []string{"-provider", "recall", "-context", tokens}, &out, &stderr), "%s", &stderr)
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	require.Empty(t, left, "the workspace is removed")
	return regexp.MustCompile(`result-[b-z2-9]{8}`).ReplaceAllString(timeless(out.String()), "result-XXXXXXXX")
}

// Old results are shelved at half of the context, and a question about one of them is answered as without that.
func TestRecall(t *testing.T) {
	const answer = "\nOrder 2718 was not packed. It was refused: the card expired in May.\n"
	shelving, full := runRecall(t, "0"), runRecall(t, "1000000")
	same(t, "recall.golden", shelving)

	require.Contains(t, shelving, answer)
	require.Contains(t, full, answer)
	require.Contains(t, shelving, "● grep pattern=\"order 2718 \" path=\".clarvis/result-XXXXXXXX.txt\"\n")
	require.NotContains(t, full, "grep")
	require.NotContains(t, full, "shelved")
	m := regexp.MustCompile(`\n7 results shelved: ([\d.]+)KB sent to the model in all turns, not ([\d.]+)KB\n`).FindStringSubmatch(shelving)
	require.NotNil(t, m)
	sent, _ := strconv.ParseFloat(m[1], 64)
	all, _ := strconv.ParseFloat(m[2], 64)
	require.Less(t, sent, 0.55*all, "nearly half is saved, of a context that is twice as large as its room")
}
