package search_test

import (
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/stretchr/testify/require"
)

// Where a pattern finds nothing that would be found as plain text, or every line, the text says what was meant.
func TestPatternMeant(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{
		"a.go": "var m map[string]int\nf(args[0])\nfunc (s *Suite) F()\nfor n++ {\nif a || b {\nx\\d\n", "bin": "a\x00b",
	})
	const plain = "Set literal=true, which finds it as plain text"
	for pattern, want := range map[string]string{
		"map[string]int":  "No matches found. " + plain,
		"args[0]":         "No matches found. " + plain,
		"func (s *Suite)": "No matches found. " + plain,
		"*Suite":          "invalid_input: pattern *Suite is not valid: missing argument to repetition operator in *. " + plain,
		"n++ {":           "invalid_input: pattern n++ { is not valid: invalid nested repetition operator in ++. " + plain,
		`x\\\d`:           "No matches found\n\n[",
		"map[string]X":    "No matches found\n\n[",
		"*.go":            "invalid_input: pattern *.go is not valid: missing argument to repetition operator in *. It looks like a glob",
		"func [(]t *T":    "No matches found\n\n[",
	} {
		require.Contains(t, call(t, s, "grep", map[string]any{"pattern": pattern}).Text, want, pattern)
	}
	require.NotContains(t, call(t, s, "grep", map[string]any{"pattern": "args[0]", "glob": "*.py"}).Text, plain)

	const every = "[The pattern has an empty alternative, which matches every line: try "
	for pattern, meant := range map[string]string{"Suite || args": "Suite|args", "a|": "a", "|a|b": "a|b", "a||b|||c": "a|b|c"} {
		require.Contains(t, call(t, s, "grep", map[string]any{"pattern": pattern}).Text, every+meant, pattern)
	}
	for _, pattern := range []string{"a|b", `if a \|\| b`, "a [|][|] b", "(a|)b", "x*|"} {
		require.NotContains(t, call(t, s, "grep", map[string]any{"pattern": pattern}).Text, "every line", pattern)
	}
	require.NotContains(t, call(t, s, "grep", map[string]any{"pattern": "a || b", "literal": true}).Text, "every line")
}

// A name without wildcards is a whole name: find says what finds it as a part of one.
func TestFindPartOfName(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"tools/shelve.go": "", "tools/shelve_test.go": "", "go.mod": ""})
	for pattern, want := range map[string]string{
		"shelve":       "No files found matching pattern. The pattern is a whole name: try *shelve*",
		"tools/shelve": "No files found matching pattern. The pattern is a whole name: try tools/*shelve*",
		"nothing":      "No files found matching pattern",
		"*nothing":     "No files found matching pattern",
		"GO.MOD":       "No files found matching pattern. Case matters: there is go.mod",
	} {
		require.Equal(t, want, call(t, s, "find", map[string]any{"pattern": pattern}).Text, pattern)
	}
	require.Contains(t, call(t, s, "find", map[string]any{"pattern": "*shelve*"}).Text, "tools/shelve.go")
}
