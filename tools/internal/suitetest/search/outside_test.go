package search_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// What a repository has git read outside of the workspace is not read. A search says so, once to each reader.
func TestRulesOutside(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	testkit.IsolateGit(t)
	s := newSuite(t, config.Config{}, map[string]string{"a.log": "x\n", "in/b.log": "x\n", "in.rules": "b.log\n"})
	git := func(dir string, args ...string) {
		cmd := exec.Command("git", args...)
		cmd.Dir = filepath.Join(s.Workspace(), dir)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	rules := filepath.Join(t.TempDir(), "rules")
	require.NoError(t, os.WriteFile(rules, []byte("a.log\n"), 0o644))
	git(".", "init", "-q")
	git(".", "config", "core.excludesFile", rules)
	git("in", "init", "-q", "--separate-git-dir", filepath.Join(s.Workspace(), "elsewhere.git"))
	git("in", "config", "core.excludesFile", filepath.Join(s.Workspace(), "in.rules"))
	said := "[Git also reads " + rules + ", outside of the workspace, so it may ignore more]"
	found := call(t, s, "find", map[string]any{"pattern": "*.log"}).Text
	require.Contains(t, found, "a.log\n\n")
	require.Contains(t, found, "[Skipped 1 ignored entry: in/b.log.")
	require.Contains(t, found, said[1:len(said)-1])
	for _, args := range []map[string]any{{"pattern": "x", "glob": "a*"}, {"pattern": "x", "path": "in", "ignored": true}} {
		require.NotContains(t, call(t, s, "grep", args).Text, "Git also reads", "it was said before")
	}
	require.Contains(t, call(t, s, "grep", map[string]any{"pattern": "qqqq"}).Text, said[1:len(said)-1])
	require.NotContains(t, call(t, s, "grep", map[string]any{"pattern": "qqqq", "path": "in"}).Text, "Git also reads")
}
