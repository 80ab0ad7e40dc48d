package permission_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
)

// TestRulesOfGitInDirectories allows git in the directories of the workspace that belong to its repository, and in none that
// has another configuration: a repository, one that a file names, a bare one, and what links lead to.
func TestRulesOfGitInDirectories(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	s := newSuite(t, allow("bash(readonly)", "edit"), map[string]string{"src/a/b.txt": "b\n", "a.txt": "a\n"})
	dir, outside := s.Workspace(), t.TempDir()
	build := exec.Command("bash", "-ec", `git init -q . && git init -q nested && mkdir nested/deep && git init -q "$OUT/other"
		git -C nested config core.fsmonitor 'touch ran; false'; git -C "$OUT/other" config core.fsmonitor 'touch ran; false'
		mkdir -p bare/sub file && (cd bare && git init -q --bare . && git config core.bare false &&
			git config core.worktree "$PWD/sub" && git config core.fsmonitor 'touch ran; false')
		echo "gitdir: ../bare" >file/.git; ln -s nested link; ln -s "$OUT/other" out; ln -s src inside`)
	build.Dir, build.Env = dir, append(os.Environ(), "OUT="+outside)
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	for _, command := range []string{
		"cd nested && git status", "git -C nested status", "cd nested/deep; git status", "git -C nested/deep status",
		"cd bare && git status", "git -C bare/sub status", "cd file && git status", "git -C link status", "cd link/deep && git status",
		"cd out && git status", "git -C out status", "git -C " + outside + "/other status", "cd .. && git status",
		"git -C .. status", "cd .git && git status", "git -C .git/refs status", "git -C src/../nested status",
		"echo 'gitdir: ../../bare' > src/a/.git; cd src/a && git status", "cd nested && git -C .. status",
		"CDPATH=" + outside + "; cd other && git status", "pushd nested; git status",
	} {
		res := call(t, s, "bash", tools.BashParams{Command: command})
		require.Equal(t, tools.CodeDenied, res.Code, "%s: %s", command, res.Text)
	}
	ran, err := filepath.Glob(filepath.Join(dir, "*", "ran"))
	require.NoError(t, err)
	require.Empty(t, ran)
	for _, command := range []string{
		"cd src && git status", "git -C src/a status", "git -C . status", "git -C " + dir + " status",
		"cd " + dir + "/src && git status", "cd src/a; git status", "git -C inside status",
	} {
		res := call(t, s, "bash", tools.BashParams{Command: command})
		require.NotEqual(t, tools.CodeDenied, res.Code, "%s: %s", command, res.Text)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "src", ".git"), []byte("gitdir: ../bare\n"), 0o666))
	res := call(t, s, "bash", tools.BashParams{Command: "cd src/a && git status"})
	require.Equal(t, tools.CodeDenied, res.Code, "%s", res.Text)
}
