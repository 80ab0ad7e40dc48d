package rules_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/rules"
)

// cases returns the lines of a file, with what stands in front of their first colon.
func cases(t *testing.T, file string) (list []lineCase) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if want, command, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && line[0] != '#' {
			list = append(list, lineCase{want, command})
		}
	}
	return list
}

// lineCase is a line, and what is said of it.
type lineCase struct{ want, line string }

const carrierLines = "testdata/carriers/lines.txt"

// TestCarriers judges the lines of testdata/carriers/lines.txt.
func TestCarriers(t *testing.T) {
	for _, rule := range []string{"allow bash; deny bash(rm *)", "allow bash; ask bash(rm *)", "allow bash"} {
		set := parseRules(t, rule, rule)
		for _, c := range cases(t, carrierLines) {
			got := set.Judge(inTree(c.line))
			if allowed := got.Decision == rules.Allowed; allowed != (c.want == "other" || rule == "allow bash") {
				t.Errorf("%s: %s is judged as %s: %s", rule, c.line, decisions[got.Decision], got.Why)
			}
		}
	}
}

// TestCarriedLikeShell: a rule that denies or asks is at least as strict about what a program runs as about sh -c.
func TestCarriedLikeShell(t *testing.T) {
	t.Setenv("HOME", home)
	lines := append(everyday(t, "reads.txt"), everyday(t, "changes.txt")...)
	for _, rule := range []string{
		"deny bash(git *)", "ask bash(rm *)", "deny edit(src/**)", "ask edit", "deny read(**/.env); deny bash(docker *)",
	} {
		set := parseRules(t, rule, "allow bash; "+rule)
		denied := 0
		for _, line := range lines {
			if strings.Contains(line, "'") {
				continue
			}
			shell := set.Judge(inTree("sh -c '" + line + "'")).Decision
			denied += int(shell)
			for _, front := range []string{"su -c", "flock l -c", "script -qec", "sudo -u x sh -c", "runuser root -c"} {
				command := front + " '" + line + "'"
				got := set.Judge(inTree(command))
				require.GreaterOrEqual(t, got.Decision, shell, "%s: %s: %s", rule, command, got.Why)
			}
		}
		require.Positive(t, denied, rule)
	}
}
