package main

import (
	"encoding/xml"
	"os"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/stretchr/testify/require"
)

// The page has what is measured, and the chart is that of the page's table.
func TestDocument(t *testing.T) {
	t.Chdir("..")
	text, err := section.Read(page, "needles")
	require.NoError(t, err)
	var printed strings.Builder
	require.NoError(t, run(&printed, "second", "", false, false))
	require.Equal(t, printed.String(), text, "go -C internal/bench run ./needles -half second -write")
	parts, err := section.Read(page, "parts")
	require.NoError(t, err)
	counted, err := partTable()
	require.NoError(t, err)
	require.Equal(t, counted, parts, "go -C internal/bench run ./needles -half second -write")
	drawn, err := svg(text)
	require.NoError(t, err)
	there, err := os.ReadFile(picture)
	require.NoError(t, err)
	require.Equal(t, string(there), drawn, "go -C internal/bench run ./needles -half second -write")
	require.NoError(t, xml.Unmarshal(there, new(struct{})))
	require.Contains(t, drawn, ">The mean of 47 outputs ")

	_, err = svg(strings.Replace(text, "`digest`, 4 KiB", "`digest`, 5 KiB", 1))
	require.EqualError(t, err, "the table has no row `digest`, 4 KiB")
	_, err = svg(strings.Replace(text, " texts ", " files ", 1))
	require.EqualError(t, err, "the table does not say of how many texts it is")
}
