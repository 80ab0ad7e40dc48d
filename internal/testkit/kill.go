package testkit

import (
	"bufio"
	"math/rand/v2"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// KillRunning starts a program that prints "running" when it is at work, and "failed" if something went
// wrong, and kills it up to 3 ms later, at any step.
func KillRunning(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != "running" {
		require.NotContains(t, lines.Text(), "failed")
	}
	time.Sleep(rand.N(3 * time.Millisecond))
	require.NoError(t, cmd.Process.Kill())
	cmd.Wait()
}
