package main

import (
	"os"
	"testing"

	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/stretchr/testify/require"
)

// The chart is that of the page's table.
func TestRedraw(t *testing.T) {
	t.Chdir("..")
	text, err := section.Read(page, "growth")
	require.NoError(t, err)
	dots, err := tabled(text)
	require.NoError(t, err)
	require.Contains(t, dots, dot{"grep, a file", "4 GiB", 4 << 20, 427}, "in KiB")
	chart, err := os.ReadFile(picture)
	require.NoError(t, err)
	require.Equal(t, string(chart), svg(dots), "go -C internal/bench run ./growth -redraw")
}

func TestTabled(t *testing.T) {
	dots, err := tabled("| a | 64 KiB | 5 | 1 |\n| a | 1 MiB | 6.5 | 1 |\n| b | 3 | 7 |\n")
	require.NoError(t, err)
	require.Equal(t, []dot{{"a", "64 KiB", 64, 5}, {"a", "1 MiB", 1 << 10, 6.5}, {"b", "3", 3, 7}}, dots)
	_, err = tabled("| a | 64 KiB | 5.5.5 | 1 |\n")
	require.ErrorContains(t, err, "a, 64 KiB: ")
}
