package main

import (
	"encoding/xml"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The chart is that of the page's table, in words.
func TestRedraw(t *testing.T) {
	t.Chdir("..")
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	rows, err := tabled(string(data))
	require.NoError(t, err)
	require.NotEmpty(t, rows)
	require.Contains(t, string(data), table(rows))
	for _, r := range rows {
		require.NotEmpty(t, cases[r.name].words, r.name)
	}
	chart, err := os.ReadFile(picture)
	require.NoError(t, err)
	require.Equal(t, string(chart), svg(rows), "go -C internal/bench run ./report -redraw")
	require.NoError(t, xml.Unmarshal(chart, new(struct{})))
}

func TestParse(t *testing.T) {
	rows, err := parse(strings.NewReader("goos: linux\nBenchmarkLs/all-2 \t 20\t 5 ns/op\t 2.5 ours-ms\t 0.5000 ratio\t 5.0 theirs-ms\nBenchmarkAlone 1 5 ns/op\nPASS\n"))
	require.NoError(t, err)
	require.Equal(t, []row{{"Ls/all", 2.5, 5, 0.5}}, rows)
	old := []row{{"Find", 1, 2, 0.5}, {"Ls/all", 3, 3, 1}}
	require.Equal(t, []row{old[0], rows[0]}, renewed(old, rows), "what was not measured stays")
	require.Equal(t, rows, renewed(nil, rows))
	_, err = parse(strings.NewReader("BenchmarkLs 1 x ratio\n"))
	require.ErrorContains(t, err, "Ls: ")
}
