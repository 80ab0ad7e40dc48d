package bounds_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// oneLine is how a text with one long line is shown: much of it, how much is missing, and where all of it is.
var oneLine = regexp.MustCompile(`\[\.\.\. [34]\d{3} characters left out\. Full output: (\S+?\.\w+)[ .\]]` +
	`|\[Showing last 1KB of line 1 \(line is 4\.9KB\)\. Full output: (\S+?\.\w+)[ .\]]`)

func requireOneLine(t *testing.T, s *tools.Suite, text, msg string) {
	t.Helper()
	require.Greater(t, strings.Count(text, "x"), 500, "%s: %s", msg, text)
	m := oneLine.FindStringSubmatch(text)
	require.NotNil(t, m, "%s: %s", msg, text)
	res := suitetest.Call(t, s, "read", map[string]any{"path": m[1] + m[2], "column": 4001})
	require.Contains(t, res.Text, "xend", "%s: %s", msg, res.Text)
}

// However an output is cut, something of a line that is longer than the limits is shown, and how to see the rest.
func TestOneLongLine(t *testing.T) {
	const command = "printf begin; head -c 4992 /dev/zero | tr '\\0' x; printf end"
	for _, strategy := range []truncation.Strategy{
		truncation.Head, truncation.Tail, truncation.HeadChars, truncation.TailChars, truncation.Middle,
		truncation.MiddleLines, truncation.HeadTailLines, truncation.Digest, truncation.JSON,
	} {
		cfg := config.Config{MaxBytes: 1024}
		if strategy != truncation.JSON {
			cfg.Bash.Strategy = strategy
		}
		s := suitetest.AllTools(t, cfg, nil)
		for i, end := range []string{"", "; echo"} {
			bash := suitetest.Call(t, s, "bash", map[string]any{"command": command + end})
			requireOneLine(t, s, bash.Text, string(strategy)+", bash"+end)
			suitetest.Call(t, s, "bash", map[string]any{"command": "read -r _; " + command + end, "background": true})
			job := suitetest.Call(t, s, "job", map[string]any{"id": i + 1, "input": "\n", "wait_ms": 60000})
			requireOneLine(t, s, job.Text, string(strategy)+", job"+end)
		}
		big := tools.Func("big", "returns one line", func(context.Context, struct{}) (string, error) {
			return "begin" + strings.Repeat("x", 4992) + "end", nil
		})
		policy := truncation.Policy{Strategy: strategy, Limits: truncation.Limits{Bytes: 1024}}
		require.NoError(t, s.Add(tools.Truncate(big, policy)))
		requireOneLine(t, s, suitetest.Call(t, s, "big", map[string]any{}).Text, string(strategy)+", Bounded")
	}
}

func TestOneLongLineShown(t *testing.T) {
	const command = "head -c 4997 /dev/zero | tr '\\0' x; printf end"
	s := suitetest.AllTools(t, config.Config{MaxBytes: 1024}, nil)
	for _, show := range []string{"head", "tail", "both", "digest"} {
		for _, end := range []string{"", "; echo"} {
			res := suitetest.Call(t, s, "bash", map[string]any{"command": command + end, "show": show})
			requireOneLine(t, s, res.Text, show+end)
		}
	}
	res := suitetest.Call(t, s, "bash", map[string]any{"command": command + "; echo; echo last", "show": "head"})
	require.Regexp(t, `^x{800,}\n\[\.\.\. 4\d+ characters left out\. Full output: `, res.Text)
}
