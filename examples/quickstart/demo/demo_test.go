package demo

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The calls find their way over any directory, by the notices of those before.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for i := range 7 {
		text := "the line\n\x1b[2J\u009b\u202e\n" + strings.Repeat("the line\n", 19)
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%d.go", i)), []byte(text), 0o644))
	}
	var plain, colour bytes.Buffer
	require.NoError(t, Run(t.Context(), dir, Screen{Out: &plain}))
	require.NotContains(t, plain.String(), "\x1b")
	for _, want := range []string{
		"   │ [5 entries limit reached. Use limit=10 for more. Use offset=5 to continue without repeating these. 7 entries in all]\n",
		"   │ [5 results limit reached. Use limit=10 for more, or refine pattern. Use offset=5 to continue without repeating these]\n",
		"   │ [3 matches limit reached. Use limit=6 for more, or refine pattern. Use offset=3 to continue without repeating these]\n",
		"   read {\"path\":\"file0.go\"}\n   │ the line\n",
		"   │ [Showing lines 1-6 of 21. Use offset=7 to continue]\n",
		"   read {\"path\":\"file0.go\",\"offset\":7}\n",
		"   │ step 5000 of 5000: ok\n   │\n   │ [Showing lines ",
		"   │ step 4994 of 5000: ok\n   │\n   │ [6 more lines in file. ",
		"   │ not_found: file0.gox does not exist. Did you mean file0.go",
	} {
		require.Contains(t, plain.String(), want)
	}

	require.NoError(t, Run(t.Context(), dir, Screen{Out: &colour, Colour: true}))
	require.Contains(t, colour.String(), "\x1b[2m   │\x1b[0m \x1b[33m[5 entries limit reached. Use limit=10 for more. Use offset=5 to continue without repeating these. 8 entries in all]\x1b[0m\n")
	require.Contains(t, colour.String(), " \x1b[31mnot_found: ")
	for _, control := range []string{"\x1b[2J", "\u009b", "\u202e"} {
		require.NotContains(t, colour.String(), control)
	}
}

// A directory without a text file shows what there is to show, and bash.
func TestRunOverAnEmptyDirectory(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Run(t.Context(), t.TempDir(), Screen{Out: &out}))
	require.Contains(t, out.String(), "   │ (empty directory)\n")
	require.Contains(t, out.String(), "   │ step 5000 of 5000: ok\n")
	require.Contains(t, out.String(), "   │ not_found: x does not exist.")
}

// A line that is wider than the screen goes on behind a bar of its own.
func TestWidth(t *testing.T) {
	for _, test := range []struct {
		width      int
		line, want string
	}{
		{0, strings.Repeat("x", 300), strings.Repeat("x", 300)},
		{15, "", ""},
		{15, "0123456789", "0123456789"},
		{15, "012345678 a", "012345678|a"},
		{15, "0123456789 a", "0123456789|a"},
		{15, "é é é é é é é", "é é é é é|é é"},
		{15, "0123456789ab cd", "0123456789|ab cd"},
		{15, "    0123456789", "    012345|6789"},
		{5, "0123", "0123"},
	} {
		require.Equal(t, test.want, strings.Join(Screen{Width: test.width}.wrapped(test.line), "|"), "%d %q", test.width, test.line)
	}
}

// Nothing is called when nothing more can be printed.
func TestRunStops(t *testing.T) {
	require.ErrorIs(t, Run(t.Context(), t.TempDir(), Screen{Out: closed{}}), os.ErrClosed)
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, os.ErrClosed }
