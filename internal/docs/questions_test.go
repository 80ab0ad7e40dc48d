package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuestions writes what bash(readonly) asked about while an agent worked: internal/rules judges these lines again.
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
		questions[reason] = append(questions[reason], "`` "+strings.ReplaceAll(command, "|", `\|`)+" ``")
	}
	wanted, needless, before := count["asked, wanted"], count["asked, needless"], count["allowed now"]
	var list strings.Builder
	list.WriteString(wrapped(fmt.Sprintf("An agent ran %d lines for %d ordinary tasks in this repository, with `bash(readonly)` "+
		"alone. %d of them were asked about, %d of which a person would want to be asked about. At first, %d were asked "+
		"about, %d needlessly. With `GOTOOLCHAIN=local` in `Bash.Env` there are %d fewer.", wanted+needless+before+count["allowed"],
		count["task"], wanted+needless, wanted, wanted+needless+before, needless+before, count["local"])))
	for _, kind := range []string{"asked, wanted: ", "asked, needless: "} {
		list.WriteString(map[string]string{"asked, wanted: ": "\n| a person would want to be asked | lines |\n|---|---|",
			"asked, needless: ": "\n\n| asked about all the same | lines |\n|---|---|"}[kind])
		for _, reason := range reasons {
			if why, is := strings.CutPrefix(reason, kind); is {
				fmt.Fprintf(&list, "\n| %s | %s |", why, strings.Join(questions[reason], "<br>"))
			}
		}
	}
	generated(t, filepath.Join(root, "docs", "permissions.md"), "questions", list.String()+"\n")
}
