package checkpoint_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/checkpoint"
)

// BenchmarkBash compares a command with and without checkpoints, and git status, on a repository of 2,000 files.
func BenchmarkBash(b *testing.B) {
	dir := b.TempDir()
	for i := range 2000 {
		name := filepath.Join(dir, fmt.Sprint(i%50), fmt.Sprint(i))
		require.NoError(b, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(b, os.WriteFile(name, []byte(name), 0o644))
	}
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(b, err, "%s", out)
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "x")
	for name, parts := range map[string][]tools.Part{"without": nil, "with": {checkpoint.New().Part()}} {
		b.Run(name, func(b *testing.B) {
			cfg := config.Config{Workspace: dir}
			if parts != nil {
				cfg.Checkpoint.Dir = b.TempDir()
				parts = []tools.Part{checkpoint.New().Part()}
			}
			suite, err := tools.New(cfg, parts...)
			require.NoError(b, err)
			defer suite.Close()
			for b.Loop() {
				_, err := suite.Bash(b.Context(), tools.BashParams{Command: "echo hi"})
				require.NoError(b, err)
			}
		})
	}
	b.Run("git status", func(b *testing.B) {
		for b.Loop() {
			git("status", "--porcelain")
		}
	})
}
