package permission_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// With GOTOOLCHAIN=local in the environment of commands, bash(readonly) allows go version.
func TestRulesOfLocalGo(t *testing.T) {
	t.Parallel()
	need.Proc(t)
	need.Program(t, "go")
	for toolchain, allowed := range map[string]bool{"local": true, "auto": false, "local+auto": false} {
		suite, err := tools.New(config.Config{
			Workspace: t.TempDir(), Rules: config.Rules{Allow: []string{"bash(readonly)"}},
			Bash: config.Bash{Env: []string{"GOTOOLCHAIN=" + toolchain}},
		}, all.Parts()...)
		require.NoError(t, err)
		defer suite.Close()
		run := func(command string) bool {
			res, err := suite.Bash(t.Context(), tools.BashParams{Command: command})
			return err == nil && res.ExitCode == 0
		}
		require.Equal(t, allowed, run("go version"), toolchain)
		require.False(t, run("go list ./..."), toolchain)
		if allowed {
			require.False(t, run("env -i go version"))
		}
	}
}
