package redact_test

import (
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// A secret is masked with colors in it, and up to the NUL byte that separates it from the next text, as in
// /proc/self/environ, by every tool that shows it.
func TestRedactBetween(t *testing.T) {
	t.Parallel()
	const key = "AKIAQ3EGRTZVXK7M2WNB"
	colored := key[:7] + "\x1b[01;31m" + key[7:12] + "\x1b[m" + key[12:]
	for name, tt := range map[string]struct{ text, bash, read, grep string }{
		"colors": {"id: " + colored + " end\n", " end", " end", " end"},
		"NUL":    {"HOME=/root\x00ID=" + key + "\x00SHELL=/bin/sh\x00TOKEN=" + tokenValue + "\x00LAST=1\n", "SHELL=/bin/sh", "is_binary", "Skipped 1 binary file"},
	} {
		s, seen := redacting(t, config.RedactSecrets, map[string]string{"file": tt.text})
		for tool, res := range map[string]tools.Result{
			"bash": call(t, s, "bash", tools.BashParams{Command: "cat file"}),
			"read": call(t, s, "read", tools.ReadParams{Path: "file"}),
			"grep": call(t, s, "grep", tools.GrepParams{Pattern: "end|LAST", Path: "file"}),
		} {
			shown := strings.NewReplacer("\x1b[01;31m", "", "\x1b[m", "").Replace(whole(t, res))
			nothingIn(t, shown, key, tokenValue)
			want := map[string]string{"bash": tt.bash, "read": tt.read, "grep": tt.grep}[tool]
			require.Contains(t, res.Text, want, "%s of %s", tool, name)
		}
		nothingIn(t, seen.String(), key, colored, tokenValue)
	}
}
