package access_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
)

// A command in bwrap cannot open what is hidden, however it finds its name; Landlock says that it can.
func TestHiddenInTheSandbox(t *testing.T) {
	need.Part(t, "tools/permission")
	need.Shell(t)
	for _, engine := range []config.Sandbox{config.SandboxBwrap, config.SandboxLandlock} {
		t.Run(string(engine), func(t *testing.T) {
			cfg := config.Config{Workspace: t.TempDir(), Hidden: []string{".env", "secrets/"}}
			for _, name := range []string{".env", "sub/.env", "secrets/key.txt"} {
				testkit.WriteFile(t, filepath.Join(cfg.Workspace, name), hiddenSecret)
			}
			cfg.Bash.Sandbox = engine
			s, err := tools.New(cfg, all.Parts()...)
			if err != nil {
				t.Skip(err)
			}
			defer s.Close()
			if engine == config.SandboxLandlock {
				_, err := s.Bash(t.Context(), tools.BashParams{Command: "cat s*s/*"})
				require.ErrorContains(t, err, "s*s/*", "only bwrap covers what patterns stand for")
				res, err := s.Bash(t.Context(), tools.BashParams{Command: `cat .e$(printf n)v; grep -r hunter2 .`})
				require.NoError(t, err)
				require.Contains(t, strings.Join(res.Sandbox.NotEnforced, "\n"), "opening hidden files")
				require.Contains(t, res.Text, "are kept only from commands that name them")
				return
			}
			res, err := s.Bash(t.Context(), tools.BashParams{Command: `cat .e*v; cat sub/.e?v; cat s*s/*; grep -r hunter2 . ; ` +
				`rm -f .e*v; mv sub sub2; cat sub2/.e?v; echo x > secret?/new; true`})
			require.NoError(t, err)
			require.Contains(t, strings.Join(res.Sandbox.NotEnforced, "\n"), "opening hidden files that appear")
			require.NotContains(t, res.Text, "are kept only")
			require.NotContains(t, res.Text, hiddenSecret)
			data, err := os.ReadFile(filepath.Join(cfg.Workspace, ".env"))
			require.NoError(t, err)
			require.Equal(t, hiddenSecret, string(data))
			require.NoFileExists(t, filepath.Join(cfg.Workspace, "secrets", "new"))
		})
	}
}
