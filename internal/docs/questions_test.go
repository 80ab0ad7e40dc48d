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

// TestQuestions writes what bash(readonly) asked about needlessly while an agent worked: internal/rules judges all lines
// again.
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
		"alone. It asked about %d, %d of them needlessly; %d fewer with `GOTOOLCHAIN=local` in `Bash.Env`. "+
		"[All lines](../internal/rules/testdata/everyday/session.txt); why it asked needlessly, how often, and the shortest line:",
		wanted+needless+before+count["allowed"], count["task"], wanted+needless, needless, count["local"])) + "\n")
	once := 0
	for _, reason := range reasons {
		why, is := strings.CutPrefix(reason, "asked, needless: ")
		if n := len(questions[reason]); is && n > 1 {
			shortest := slices.MinFunc(questions[reason], func(a, b string) int { return cmp.Compare(len(a), len(b)) })
			list.WriteString(item(fmt.Sprintf("%s (%d): `` %s ``", why, n, shortest)))
		} else if is {
			once++
		}
	}
	list.WriteString(item(fmt.Sprintf("%d other reasons (once each)", once)))
	generated(t, filepath.Join(root, "docs", "permissions.md"), "questions", list.String())
}
