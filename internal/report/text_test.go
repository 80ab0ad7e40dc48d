package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/testkit/records"
)

var update = flag.Bool("update", false, "rewrite testdata/summary.golden")

// The summary of a session. It is as wide as a terminal at most.
func TestText(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, readFile(t, records.Session(400, 1)).WriteText(&text))
	golden := filepath.Join("testdata", "summary.golden")
	if *update {
		require.NoError(t, os.WriteFile(golden, text.Bytes(), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), text.String())
}

// No text of a record reaches the terminal as it is, and no line is wider than 80 columns.
func TestTextOfHostile(t *testing.T) {
	r := readFile(t, append(records.Session(60, 3), records.Hostile()...))
	r.Name = records.Attack
	var text bytes.Buffer
	require.NoError(t, r.WriteText(&text))
	for line := range strings.Lines(text.String()) {
		line = strings.TrimSuffix(line, "\n")
		require.LessOrEqual(t, utf8.RuneCountInString(line), 80, line)
		require.Equal(t, -1, strings.IndexFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }), "%q", line)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		require.Equal(t, want, grouped(n))
	}
	for ms, want := range map[float64]string{0: "0ms", 999: "999ms", 1000: "1.0s", 59_900: "59.9s", 60_000: "1m00s", 3_600_000: "1h00m", 9_000_000: "2h30m"} {
		require.Equal(t, want, took(ms))
	}
	require.Equal(t, "0%", percent(1, 0))
	require.Equal(t, "33%", percent(1, 3))
}
