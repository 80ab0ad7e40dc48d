package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuestions writes how much bash(readonly) asked about while an agent worked, and why it did so needlessly:
// internal/rules judges the lines again.
func TestQuestions(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "internal", "rules", "testdata", "everyday", "session.txt"))
	require.NoError(t, err)
	count, needlessly := map[string]int{}, map[string]int{}
	most := "" // the reason that is most often given for a needless question
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		kind, _, ok := strings.Cut(line, ": ")
		if !ok || line[0] == '#' || line[0] == ' ' {
			continue
		}
		count[kind]++
		if !strings.HasPrefix(kind, "asked") {
			continue
		}
		reason := strings.TrimSpace(lines[i+1])
		if strings.HasSuffix(reason, "GOTOOLCHAIN=local allows it") {
			count["local"]++
		}
		if kind == "asked, needless" {
			needlessly[reason]++
			if needlessly[reason] > needlessly[most] {
				most = reason
			}
		}
	}
	wanted, needless, before := count["asked, wanted"], count["asked, needless"], count["allowed now"]
	generated(t, filepath.Join(root, "docs", "permissions.md"), "questions", wrapped(fmt.Sprintf("An agent ran [%d "+
		"lines](../internal/rules/testdata/everyday/session.txt) for %d ordinary tasks in this repository, with "+
		"`bash(readonly)` alone. It asked about %d, %d of them needlessly, %d of these because %s. "+
		"With `GOTOOLCHAIN=local` in `Bash.Env` it asks about %d fewer.", wanted+needless+before+count["allowed"],
		count["task"], wanted+needless, needless, needlessly[most], most, count["local"])))
}
