package sandbox_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// A suite that is asked for a sandbox has one, or there is no suite.
func TestNeverWithout(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/sandbox")
	for _, engine := range []string{"auto", "landlock", "bwrap"} {
		s, err := tools.New(config.Config{Workspace: t.TempDir(), Bash: config.Bash{Sandbox: config.Sandbox(engine)}}, all.Parts()...)
		if err != nil {
			require.ErrorContains(t, err, "tools: Bash.Sandbox is "+engine+", but no sandbox works here: ")
			if runtime.GOOS != "linux" {
				require.ErrorContains(t, err, "there is a sandbox on Linux for amd64 and arm64 alone, and this is "+runtime.GOOS)
			}
			continue
		}
		res, err := s.Bash(t.Context(), tools.BashParams{Command: "true"})
		require.NoError(t, err)
		require.NotNil(t, res.Sandbox)
		if engine != "auto" {
			require.Equal(t, engine, res.Sandbox.Engine)
		}
		require.NoError(t, s.Close())
	}
}
