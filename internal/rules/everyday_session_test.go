package rules_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/rules"
)

// TestWorkedLines judges what an agent ran for ordinary tasks again: each line is allowed or asked about as the file says,
// and what GOTOOLCHAIN=local allows is allowed with it.
func TestWorkedLines(t *testing.T) {
	t.Setenv("HOME", home)
	text, err := os.ReadFile("testdata/everyday/session.txt")
	require.NoError(t, err)
	set := rules.New([]string{"bash(readonly)"}, nil, nil)
	tasks, judged := 0, 0
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		kind, command, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "#") || strings.HasPrefix(line, " ") {
			continue
		}
		if kind == "task" {
			tasks++
			continue
		}
		judged++
		call := inTree(command)
		asked := set.Judge(call).Decision == rules.Asked
		switch kind {
		case "allowed", "allowed now":
			require.False(t, asked, command)
		case "asked, wanted", "asked, needless":
			require.True(t, asked, command)
			require.Regexp(t, `^    \S.*[^.]$`, lines[i+1], "%s: why?", command)
			call.LocalGo = true
			local := set.Judge(call).Decision == rules.Allowed
			require.Equal(t, strings.HasSuffix(lines[i+1], "GOTOOLCHAIN=local allows it"), local, command)
		default:
			t.Errorf("%q is no kind of line", kind)
		}
	}
	require.GreaterOrEqual(t, tasks, 30)
	require.GreaterOrEqual(t, judged, 200)
}
