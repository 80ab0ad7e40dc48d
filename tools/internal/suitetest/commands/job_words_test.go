package commands_test

import (
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/stretchr/testify/require"
)

// Whoever ends a job by force is not told later that it has ended; show is said to have no effect where a line matches.
func TestWordsThatChangeNothing(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, map[string]string{"a": "a\n"})
	res := call(t, s, "bash", map[string]any{
		"command": "echo listening; exec sleep 300", "background": true, "ready_when": "listening", "show": "head",
	})
	require.Contains(t, res.Text, "show has no effect where ready_when matches")
	require.NotContains(t, res.Text, "input=")
	call(t, s, "job", map[string]any{"id": 1, "signal": "kill", "wait_ms": 1})
	require.NoError(t, s.Jobs()[0].Wait(t.Context()))
	require.NotContains(t, call(t, s, "read", map[string]any{"path": "a"}).Text, "Job 1 has")
}
