package readonly_test

import (
	"os"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/readonly"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// row is a line of testdata/commands.txt or testdata/reported.txt.
type row struct{ verdict, command, why string }

func rows(t testing.TB, name string) (rows []row) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		column := strings.Split(line, " | ")
		require.GreaterOrEqual(t, len(column), 3, "%s: %q has no reason", name, line)
		// A command may have a pipe in it.
		last := len(column) - 1
		rows = append(rows, row{column[0], strings.Join(column[1:last], " | "), column[last]})
	}
	return rows
}

func TestCommands(t *testing.T) {
	all := rows(t, "testdata/commands.txt")
	require.GreaterOrEqual(t, len(all), 250)
	for _, r := range all {
		switch why := readonly.Check(words(r.command)); {
		case r.verdict == "no" && why == "":
			t.Errorf("%s: taken for harmless, but %s", r.command, r.why)
		case r.verdict == "no" && !strings.Contains(why, r.why):
			t.Errorf("%s: %s; want %s", r.command, why, r.why)
		case r.verdict != "no" && why != "":
			t.Errorf("%s: %s, but %s", r.command, why, r.why)
		}
	}
}

// TestNetwork checks the commands of the second set, of which none is in the first.
func TestNetwork(t *testing.T) {
	for _, r := range rows(t, "testdata/network.txt") {
		switch why := readonly.CheckNetwork(words(r.command)); {
		case r.verdict == "no" && !strings.Contains(why, r.why):
			t.Errorf("%s: %q; want %s", r.command, why, r.why)
		case r.verdict == "yes" && why != "":
			t.Errorf("%s: %s, but %s", r.command, why, r.why)
		case r.verdict == "yes" && readonly.Check(words(r.command)) == "":
			t.Errorf("%s: taken for harmless without the network", r.command)
		}
	}
	for _, r := range rows(t, "testdata/commands.txt") {
		assert.False(t, r.verdict != "no" && readonly.CheckNetwork(words(r.command)) == "", "%s: in both sets", r.command)
	}
}

func TestNoCommand(t *testing.T) {
	require.NotEmpty(t, readonly.Check(nil), "no word is a command that changes nothing")
	require.NotEmpty(t, readonly.Check([]commandline.Word{}), "no word is a command that changes nothing")
}

func TestRuns(t *testing.T) {
	for _, r := range rows(t, "testdata/runs.txt") {
		want := r.verdict
		if want == "~" {
			want = ""
		}
		if got := readonly.Runs(words(r.command)); got != want {
			t.Errorf("%s: %q, want %q: %s", r.command, got, want, r.why)
		}
	}
	require.Empty(t, readonly.Runs(nil), "no word")
}

func TestReported(t *testing.T) {
	for _, r := range rows(t, "testdata/reported.txt") {
		if why := readonly.Check(words(r.command)); (why == "") != (r.verdict == "yes") {
			t.Errorf("%s: %q, but %s", r.command, why, r.why)
		}
	}
}
