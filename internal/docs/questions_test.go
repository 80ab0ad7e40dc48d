package docs_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuestions writes what bash(readonly) asked about while an agent worked, with the shortest line for each reason:
// internal/rules judges all of them again.
func TestQuestions(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "internal", "rules", "testdata", "everyday", "session.txt"))
	require.NoError(t, err)
	count := map[string]int{}
	var reasons []string // in the order of the file, those that a person would want first
	questions := map[string][]string{}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		kind, command, ok := strings.Cut(line, ": ")
		if !ok || line[0] == '#' || line[0] == ' ' {
			continue
		}
		count[kind]++
		if !strings.HasPrefix(kind, "asked") {
			continue
		}
		reason := kind + ": " + strings.TrimSpace(lines[i+1])
		if strings.HasSuffix(reason, "GOTOOLCHAIN=local allows it") {
			count["local"]++
		}
		if questions[reason] == nil {
			reasons = append(reasons, reason)
		}
		questions[reason] = append(questions[reason], command)
	}
	wanted, needless, before := count["asked, wanted"], count["asked, needless"], count["allowed now"]
	var list strings.Builder
	list.WriteString(wrapped(fmt.Sprintf("An agent ran %d lines for %d ordinary tasks in this repository, with `bash(readonly)` "+
		"alone. It asked about %d, %d of them needlessly; %d fewer with `GOTOOLCHAIN=local` in `Bash.Env`. [All "+
		"lines](../internal/rules/testdata/everyday/session.txt); here how many, and the shortest:", wanted+needless+before+count["allowed"], count["task"], wanted+needless, needless, count["local"])))
	for _, kind := range []string{"asked, wanted: ", "asked, needless: "} {
		list.WriteString(map[string]string{"asked, wanted: ": "\nA person would want to be asked:\n\n",
			"asked, needless: ": "\nAsked about all the same:\n\n"}[kind])
		once := 0
		for _, reason := range reasons {
			if why, is := strings.CutPrefix(reason, kind); is {
				if len(questions[reason]) == 1 {
					once++
					continue
				}
				shortest := slices.MinFunc(questions[reason], func(a, b string) int { return cmp.Compare(len(a), len(b)) })
				list.WriteString(item(fmt.Sprintf("%s (%d): `` %s ``", why, len(questions[reason]), shortest)))
			}
		}
		list.WriteString(item(fmt.Sprintf("%d other reasons (once each)", once)))
	}
	generated(t, filepath.Join(root, "docs", "permissions.md"), "questions", list.String())
}
