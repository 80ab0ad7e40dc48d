package loop

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// answers are results of so many bytes each, all different.
func answers(first, n, bytes int) (list []Answer) {
	for i := first; i < first+n; i++ {
		text := strings.Repeat(fmt.Sprintf("result %d\n", i), bytes)[:bytes]
		list = append(list, Answer{Call{ID: fmt.Sprint(i)}, tools.Result{Text: text, Tool: "read"}})
	}
	return list
}

// Over half of the context, the oldest results become lines until a quarter is left. What the
// model has not seen yet stays, however much it is.
func TestMemory(t *testing.T) {
	suite, err := tools.New(config.Config{Workspace: t.TempDir()}, all.Parts()...)
	require.NoError(t, err)
	defer suite.Close()
	m := newMemory(suite, 10_000) // 40,000 bytes
	lines, err := m.addResults(t.Context(), answers(0, 2, 10_000))
	require.NoError(t, err)
	require.Empty(t, lines, "half is not more than half")
	m.turn()
	lines, err = m.addResults(t.Context(), answers(2, 1, 4_000))
	require.NoError(t, err)
	m.turn()
	require.Len(t, lines, 2)
	left := 4_000
	for i, line := range lines {
		require.Equal(t, fmt.Sprint(i), line.ID)
		left += len(line.Line)
		file := line.Line[strings.Index(line.Line, ".clarvis") : len(line.Line)-1]
		text, err := os.ReadFile(filepath.Join(suite.Workspace(), file))
		require.NoError(t, err)
		require.Equal(t, answers(i, 1, 10_000)[0].Result.Text, string(text))
	}
	require.Equal(t, left, m.held)
	require.Equal(t, 24_000, m.all)
	require.EqualValues(t, 20_000+left, m.sent)
	require.EqualValues(t, 20_000+24_000, m.sentElse)

	lines, err = m.addResults(t.Context(), answers(3, 1, 100_000))
	require.NoError(t, err)
	require.Len(t, lines, 1, "not the one that is new")
	require.Equal(t, "2", lines[0].ID)
	require.Equal(t, 3, m.shelved)
}

// Where nothing can be shelved the conversation goes on with what it has.
func TestMemoryFails(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".clarvis"), nil, 0o644))
	suite, err := tools.New(config.Config{Workspace: dir}, all.Parts()...)
	require.NoError(t, err)
	defer suite.Close()
	m := newMemory(suite, 1000)
	m.addResults(t.Context(), answers(0, 2, 10_000))
	lines, err := m.addResults(t.Context(), answers(2, 1, 10))
	require.ErrorContains(t, err, "the result was not shelved in .clarvis")
	require.Empty(t, lines)
	require.Equal(t, 20_010, m.held)
	require.Len(t, m.results, 3)

	var out bytes.Buffer
	newTranscript(&out).shelved(lines, err)
	require.Contains(t, out.String(), "  ◦ io_error: the result was not shelved")
}
