package redact_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// TestRedactPartFirst shows the beginning of a key, and then all of it: what was learned from the first call must not
// keep the second from seeing the key.
func TestRedactPartFirst(t *testing.T) {
	t.Parallel()
	secret := twinKinds[5](rand.New(rand.NewPCG(3, 41))).a
	for _, first := range []string{"head -c 90 k.pem", "head -n 2 k.pem", "cut -c 1-50 k.pem"} {
		s := newSuite(t, config.Config{Redact: config.RedactSecrets}, map[string]string{"k.pem": secret + "\n"})
		texts := []string{
			call(t, s, "bash", tools.BashParams{Command: first}).Text,
			call(t, s, "bash", tools.BashParams{Command: "cat k.pem"}).Text,
			call(t, s, "read", tools.ReadParams{Path: "k.pem"}).Text,
			call(t, s, "grep", tools.GrepParams{Pattern: ".", Path: "k.pem"}).Text,
		}
		lines := strings.Split(secret, "\n")
		for i, text := range texts {
			for _, line := range lines[1 : len(lines)-1] {
				require.NotContains(t, text, line[len(line)-8:], "call %d after %s", i, first)
			}
		}
	}
}
