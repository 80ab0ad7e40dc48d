package search_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// Each match is a line of its own, and counts as one.
func TestOnlyMatching(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Grep: config.Grep{MaxLineChars: 20}}, map[string]string{
		"a.txt": "é id=1 id=22\nnothing\nid=333\n", "d/b.txt": "id=4 " + strings.Repeat("x", 9<<10) + " id=5\n",
		"long": "<" + strings.Repeat("y", 100) + ">\n",
	})
	for _, p := range []tools.GrepParams{{}, {Glob: "*.txt"}} {
		p.Pattern, p.OnlyMatching = `id=\d+`, true
		res, err := s.Grep(t.Context(), p)
		require.NoError(t, err)
		require.Equal(t, "a.txt:1: id=1\na.txt:1: id=22\na.txt:3: id=333\nd/b.txt:1: id=4\nd/b.txt:1: id=5", res.Text)
		require.Equal(t, 5, res.Matches)
		columns := []int{}
		for _, l := range res.Lines {
			columns = append(columns, l.Column)
			require.Equal(t, len(l.Text), l.Length)
			require.False(t, l.Cut)
		}
		require.Equal(t, []int{3, 8, 1, 1, 9<<10 + 7}, columns)
	}
	grep := func(args map[string]any) string {
		args["-o"] = true
		return call(t, s, "grep", args).Text
	}
	text := grep(map[string]any{"pattern": `id=\d+`, "limit": 2})
	require.True(t, strings.HasPrefix(text, "a.txt:1: id=1\na.txt:1: id=22\n\n[2 matches limit reached. Use limit=4 for more"), text)
	text = grep(map[string]any{"pattern": `id=\d+`, "offset": 1, "limit": 1})
	require.True(t, strings.HasPrefix(text, "a.txt:1: id=22\n\n[1 match limit reached. Use offset=2"), text)
	require.Equal(t, "a.txt:3\nd/b.txt:2\nlong:1", grep(map[string]any{"pattern": "id=|<", "output_mode": "count"}))
	require.Equal(t, "a.txt:1: é", grep(map[string]any{"pattern": "é*", "path": "a.txt"}), "empty matches are no matches")
	require.Contains(t, grep(map[string]any{"pattern": "<.*>"}), "long:1: <"+strings.Repeat("y", 19)+"... [truncated]\n\n[Some lines truncated")
	require.Contains(t, grep(map[string]any{"pattern": "id", "context": 1}), "invalid_input: only_matching shows matches in a line")
	require.Contains(t, grep(map[string]any{"pattern": "id", "multiline": true}), "invalid_input: only_matching shows matches in a line")
}

// A file with more matches than are held is searched to the end all the same.
func TestOnlyMatchingMany(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "n%d ", i)
		if i%100 == 99 {
			text.WriteByte('\n')
		}
	}
	s := newSuite(t, config.Config{}, map[string]string{"f": text.String()})
	for _, p := range []tools.GrepParams{{Path: "f"}, {}} {
		p.Pattern, p.OnlyMatching, p.Limit, p.Offset = `n\d+`, true, 1000, 19_500
		res, err := s.Grep(t.Context(), p)
		require.NoError(t, err)
		require.Equal(t, 500, res.Matches)
		require.Equal(t, "n19500", res.Lines[0].Text)
		require.Equal(t, "n19999", res.Lines[499].Text)
	}
}
