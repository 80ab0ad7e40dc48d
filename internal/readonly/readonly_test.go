package readonly_test

import (
	"os"
	"slices"
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

// TestWrites compares the paths that commands write to, in the form of testdata/writes.txt.
func TestWrites(t *testing.T) {
	for _, r := range rows(t, "testdata/writes.txt") {
		assert.Equal(t, r.verdict, written(r.command), r.command)
	}
}

func written(command string) string {
	var paths []string
	by := ""
	for _, w := range readonly.Writes(words(command)) {
		name := "?"
		if w.Path.Known {
			name = w.Path.Text
		}
		if w.By != "" {
			by = "@" + w.By
		}
		if !slices.Contains(paths, name) {
			paths = append(paths, name)
		}
	}
	if paths == nil {
		return "~"
	}
	return strings.Join(paths, " ") + by
}

// TestWritesOrNot: a command that is known to change nothing has no path that it writes to.
func TestWritesOrNot(t *testing.T) {
	for _, file := range []string{"testdata/commands.txt", "testdata/reported.txt", "testdata/writes.txt"} {
		for _, r := range rows(t, file) {
			if strings.Contains(r.command, "$") || readonly.Check(words(r.command)) != "" {
				continue
			}
			assert.Equal(t, "~", written(r.command), r.command)
		}
	}
}

// words splits a simple command as a shell does. A variable is a word that is not known: several, if it is not quoted.
func words(line string) (words []commandline.Word) {
	for len(line) > 0 {
		line = strings.TrimLeft(line, " ")
		if line == "" {
			break
		}
		var w commandline.Word
		w, line = word(line)
		words = append(words, w)
	}
	return words
}

func word(line string) (commandline.Word, string) {
	var text strings.Builder
	w := commandline.Word{Known: true}
	open := true // the text so far is what the word begins with
	var quote byte
	i := 0
	unknown := func(many bool) {
		w.Known, w.Many = false, w.Many || many
		if open {
			w.Prefix, open = text.String(), false
		}
	}
	for ; i < len(line) && (quote != 0 || line[i] != ' '); i++ {
		switch c := line[i]; {
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(line):
			i++
			if quote == '"' && !strings.ContainsRune("$`\"\\", rune(line[i])) {
				text.WriteByte(c)
			}
			text.WriteByte(line[i])
		case c == '$' && quote != '\'' && i+1 < len(line) && line[i+1] >= 'a' && line[i+1] <= 'z':
			unknown(quote == 0)
			for i+1 < len(line) && line[i+1] >= 'a' && line[i+1] <= 'z' {
				i++
			}
		case (c == '*' || c == '?') && quote == 0:
			w.Glob = true
			unknown(true)
			text.WriteByte(c)
		default:
			text.WriteByte(c)
		}
	}
	w.Text = text.String()
	if !w.Known && !w.Glob {
		w.Text = line[:i]
	}
	return w, line[i:]
}
