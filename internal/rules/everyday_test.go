package rules_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/rules"
)

// maxAsked is how many of the commands of everyday work that change nothing bash(readonly) may ask about.
const maxAsked = 20

// TestEveryday counts what bash(readonly) asks about: few of the commands that change nothing, and all of the others.
func TestEveryday(t *testing.T) {
	t.Setenv("HOME", home)
	set := rules.New([]string{"bash(readonly)"}, nil, nil)
	reads := everyday(t, "reads.txt")
	require.GreaterOrEqual(t, len(reads), 160)
	var asked []string
	for _, command := range reads {
		if got := set.Judge(inTree(command)); got.Decision != rules.Allowed {
			asked = append(asked, command+": "+got.Why)
		}
	}
	t.Logf("%d that change nothing: %d allowed, %d asked about:\n%s",
		len(reads), len(reads)-len(asked), len(asked), strings.Join(asked, "\n"))
	if len(asked) > maxAsked {
		t.Errorf("asks about %d of them, over %d", len(asked), maxAsked)
	}
	changes, wrong := everyday(t, "changes.txt"), 0
	require.GreaterOrEqual(t, len(changes), 78)
	for _, command := range changes {
		if set.Judge(inTree(command)).Decision == rules.Allowed {
			wrong++
			t.Errorf("allows %s", command)
		}
	}
	t.Logf("%d others: %d allowed", len(changes), wrong)
}

// inTree is a call of the tool bash in a workspace of which the directory nested is another repository.
func inTree(command string) rules.Call {
	call := bash(command)
	call.Holds = func(dir, entry string) bool {
		return dir == "nested" && entry == ".git" || dir == ".git" && entry == "HEAD"
	}
	return call
}

// everyday returns the commands of a file.
func everyday(t *testing.T, name string) (commands []string) {
	t.Helper()
	text, err := os.ReadFile("testdata/everyday/" + name)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			commands = append(commands, line)
		}
	}
	return commands
}
