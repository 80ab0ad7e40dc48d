package access_test

import (
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// TestReadOnlyRootsBehindFind runs what changes a path that only the shell knows, behind find -exec.
func TestReadOnlyRootsBehindFind(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{
		ReadOnlyRoots: []string{"ro"}, Rules: config.Rules{Allow: []string{"bash"}},
	}, map[string]string{"ro/f": "kept\n", "a": "new\n"})
	for _, command := range []string{
		`find a -exec cp {} $PWD/ro/f \;`, `find a -exec cp {} [r]o/f \;`, `find a -exec cp a "$PWD/ro/f" +`,
		`find a -exec rm $PWD/ro/f \; -print`,
	} {
		res := call(t, s, "bash", tools.BashParams{Command: command})
		require.Contains(t, res.Text, "denied: ", command)
	}
	require.Contains(t, call(t, s, "bash", tools.BashParams{Command: "cat ro/f"}).Text, "kept")
}
