package edit

import (
	"context"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/stretchr/testify/require"
)

const program = "package main\n\nfunc main() {\n\tfor i := range 10 {\n\t\tprintln(i, \"times\")  \n\t}\n\treturn\n}\n"

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           Hint
	}{
		{"numbers of read", "     4\t\tfor i := range 10 {\n     5\t\t\tprintln(i, \"times\")", "x", Hint{Foreign: foreign[0].what, First: 4, Last: 5}},
		{"numbers of grep", "main.go:4: \tfor i := range 10 {", "x", Hint{Foreign: foreign[0].what, First: 4, Last: 4}},
		{"numbers of a miss", "   7  return", "x", Hint{Foreign: foreign[0].what, First: 7, Last: 7}},
		{"marks", "> func main() {\n> \tfor i := range 10 {", "x", Hint{Foreign: foreign[1].what, First: 3, Last: 4}},
		{"a diff", "-\treturn", "x", Hint{Foreign: foreign[2].what, First: 7, Last: 7}},
		{"visible tabs", "→→println(i, \"times\")··\n→}", "x", Hint{Foreign: foreign[3].what, First: 5, Last: 6}},
		{"escapes", `main() {\n\tfor i`, "x", Hint{Foreign: foreign[4].what, First: 3, Last: 4}},
		{"entities", "println(i, &quot;times&quot;)", "x", Hint{Foreign: foreign[5].what, First: 5, Last: 5}},
		{"it is done", "for i := range 20 {", "for i := range 10 {", Hint{There: 4, First: 4, Last: 4}},
		{"a short New says nothing", "zzz", "package", Hint{}},
		{"one line of several", "func main() {\n\tfor j := range 10 {\n\t\tprintln(i, \"times\")", "x", Hint{First: 3, Last: 5, Differs: 4}},
		{"a line", "retrun\n\t}\n\treturn 1", "x", Hint{First: 5, Last: 7, Differs: 5}},
		{"words of a line", "for j := range 10 {", "x", Hint{First: 4, Last: 4, Differs: 4}},
		{"in front of the first line", "one\ntwo\npackage main", "x", Hint{First: 1, Last: 1}},
		{"nothing like it", "import something", "x", Hint{}},
		{"braces alone are like nothing", "}", "x", Hint{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := New([]byte(program), textfile.Info{}).Explain(context.Background(), Edit{Old: c.old, New: c.new})
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestExplainLong(t *testing.T) {
	var lines []string
	for i := range 100 {
		lines = append(lines, "line "+strings.Repeat("x", i))
	}
	text := New([]byte(strings.Join(lines, "\n")), textfile.Info{})
	lines[60] = "other"
	hint, err := text.Explain(context.Background(), Edit{Old: strings.Join(lines[10:90], "\n"), New: "x"})
	require.NoError(t, err)
	require.Equal(t, Hint{First: 56, Last: 75, Differs: 61}, hint)
	require.Equal(t, []string{"line ", "line x"}, text.Excerpt(1, 2))
}

func TestExplainNotUTF8(t *testing.T) {
	text := New([]byte("caf\xe9 au lait\n"), textfile.Info{})
	hint, err := text.Explain(context.Background(), Edit{Old: "café au", New: "thé"})
	require.NoError(t, err)
	require.Equal(t, Hint{NotUTF8: true}, hint)
}

func TestVisible(t *testing.T) {
	require.Equal(t, "→a b→·", Visible("\ta b\t "))
	require.Equal(t, "···", Visible("   "))
}
