//go:build amd64 || arm64

package sandbox_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

const commit = "git " + identity + "commit -q --allow-empty -m second && git log --format=%s"

// elsewhere makes a workspace whose git directory is elsewhere, in one of the ways that git has.
func elsewhere(t *testing.T, kind string) (ws, gitDir string) {
	dir := copied(t, "elsewhere: "+kind, func(dir string) {
		main := filepath.Join(dir, "main")
		git(t, dir, "init", "-q", main)
		git(t, main, "commit", "-q", "--allow-empty", "-m", "first")
		switch kind {
		case "worktree":
			git(t, main, "worktree", "add", "-q", "../tree")
		case "worktree of a bare repository":
			git(t, dir, "clone", "-q", "--bare", main, "bare")
			git(t, filepath.Join(dir, "bare"), "worktree", "add", "-q", "../tree")
		default:
			git(t, dir, "init", "-q", "super")
			git(t, filepath.Join(dir, "super"), "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", main, "sub")
		}
	})
	switch kind {
	case "worktree":
		return filepath.Join(dir, "tree"), filepath.Join(dir, "main", ".git")
	case "worktree of a bare repository":
		return filepath.Join(dir, "tree"), filepath.Join(dir, "bare")
	}
	return filepath.Join(dir, "super", "sub"), filepath.Join(dir, "super", ".git", "modules", "sub")
}

var (
	firsts      = map[string]func() string{} // makes the first directory of a name, and returns it
	firstsMutex sync.Mutex
)

// copied returns a directory with repositories, a copy of the first of that name, which is made once: git starts a dozen
// processes for it.
func copied(t *testing.T, name string, fill func(dir string)) string {
	t.Helper()
	need.Program(t, "git")
	firstsMutex.Lock()
	first := firsts[name]
	if first == nil {
		first = sync.OnceValue(func() string {
			dir, err := os.MkdirTemp(common(), "first-")
			require.NoError(t, err)
			fill(dir)
			return dir
		})
		firsts[name] = first
	}
	firstsMutex.Unlock()
	from, to := first(), outside(t)
	require.NoError(t, os.CopyFS(to, os.DirFS(from)))
	require.NoError(t, filepath.WalkDir(to, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !slices.Contains([]string{".git", "gitdir", "config"}, d.Name()) || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return os.WriteFile(path, bytes.ReplaceAll(text, []byte(from), []byte(to)), 0o600)
	}))
	return to
}

// TestGitDirElsewhere commits where the git directory is outside of the workspace: only with
// Bash.WriteGitDir, which opens no more than that takes. With -short, each kind is tried under one engine.
func TestGitDirElsewhere(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	for n, engine := range engines {
		for i, kind := range []string{"worktree", "worktree of a bare repository", "submodule"} {
			if testing.Short() && i%2 == n {
				continue
			}
			t.Run(engine+", "+kind, func(t *testing.T) {
				ws, gitDir := elsewhere(t, kind)
				s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine)}})
				res := run(t, s, commit)
				require.NotZero(t, res.ExitCode)
				require.Contains(t, res.Text, "ask the user for anything else. The git directory of this workspace, "+gitDir+
					", is outside of it and read-only: to let commands commit, the user can set Bash.WriteGitDir]")
				require.Empty(t, res.Sandbox.Writable)
				require.NotContains(t, s.Tools()[1].Description(), gitDir)
				require.NotContains(t, run(t, s, "echo >/usr/x").Text, "WriteGitDir")
				require.Equal(t, "first\n", run(t, s, "git log --format=%s").Output)

				s = newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine), WriteGitDir: true, ReadableRoots: []string{"."}, Env: []string{"HOME=" + ws}}})
				res = run(t, s, commit)
				require.Equal(t, "second\nfirst\n", res.Output, res.Text)
				require.NotEmpty(t, res.Sandbox.Writable)
				for _, path := range res.Sandbox.Writable {
					require.True(t, strings.HasPrefix(path, gitDir), path)
					require.Contains(t, s.Tools()[1].Description(), path)
				}
				details, err := json.Marshal(res)
				require.NoError(t, err)
				require.Contains(t, string(details), `"writable":["`+gitDir)
				run(t, s, "echo >>"+gitDir+"/../new")
				require.NoFileExists(t, filepath.Dir(gitDir)+"/new")
				changed := run(t, s, "cd "+gitDir+`; for name in hooks/pre-commit config config.worktree worktrees/tree/commondir worktrees/tree/config.worktree; do
					(echo >>$name) 2>/dev/null && echo $name
				done; true`)
				require.Zero(t, changed.ExitCode, changed.Text)
				if changed.Output != "" {
					require.Equal(t, "landlock", engine, changed.Output)
					require.Contains(t, strings.Join(res.Sandbox.NotEnforced, "\n"), "the git directory that WriteGitDir opens")
				}
			})
		}
	}
}

// TestRefsOfWorktree does in a linked worktree what deletes a ref. git locks packed-refs for that, which is beside its
// configuration, so landlock refuses it. A notice says so, and nothing is opened: what is refused stays as it was, and the
// rest works.
func TestRefsOfWorktree(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	const git = "git " + identity
	for _, engine := range []string{"landlock"} {
		ws, gitDir := elsewhere(t, "worktree")
		s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine), WriteGitDir: true}})
		require.Zero(t, run(t, s, "git branch b && git tag v && echo 1 >f && git add f && "+git+"commit -qm f").ExitCode)
		for _, tt := range []struct {
			command, then string // what shows what it has done
			refused       bool
		}{
			{"git branch d && git branch -f d HEAD~1 && git tag w && " + git + "commit -q --allow-empty -m 0", "git rev-parse -q --verify w", false},
			{"git branch -D b", "git rev-parse -q --verify b", true},
			{"git branch -m b c", "git rev-parse -q --verify b", true},
			{"git tag -d v", "git rev-parse -q --verify v", true},
			{"git update-ref -d refs/heads/b", "git rev-parse -q --verify b", true},
			{"git pack-refs --all", "git rev-parse -q --verify b", true},
			{"git bisect start && git bisect reset; git bisect log; true", "! git bisect log 2>/dev/null", true},
			{"echo 2 >f && " + git + "stash -q && " + git + "stash pop", "[ $(cat f) = 2 ] && [ -z \"$(git stash list)\" ]", true},
			{git + "commit -qam 2 && git checkout -q --detach HEAD~1 && " + git + "commit -q --allow-empty -m 3 && " + git + "rebase tree",
				"[ \"$(git log --format=%s | tr -d '\\n')\" = 320ffirst ]", true},
		} {
			res := run(t, s, tt.command)
			says := "but not delete or rename them: git would create lock files in " + gitDir + ", which is read-only because it " +
				"holds git's configuration. Ask the user to do it]"
			require.Equal(t, tt.refused, strings.Contains(res.Text, says), "%s, %s: %s", engine, tt.command, res.Text)
			after := run(t, s, tt.then)
			require.Zero(t, after.ExitCode, "%s, %s: %s\n%s", engine, tt.command, res.Text, after.Text)
		}
		require.NotContains(t, run(t, s, "ls /none; cat "+gitDir+"/packed-refs.lock").Text, "Ask the user to do it")
		for _, name := range []string{"config.lock", "packed-refs", "commondir"} {
			require.NotZero(t, run(t, s, "echo >"+filepath.Join(gitDir, name)).ExitCode, "%s: %s", engine, name)
		}
	}
}

// TestPlantedGitDir opens a workspace from an archive, which holds the git directory beside it too. With -short, each
// link is tried under one engine.
func TestPlantedGitDir(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	for n, engine := range engines {
		newSuite(t, config.Config{Bash: config.Bash{Sandbox: config.Sandbox(engine)}}) // or skip
		for i, c := range []struct {
			kind, link string
			refused    bool // by New, with Bash.WriteGitDir
		}{
			{"worktree", "objects", true}, {"worktree", "refs", true}, {"worktree", "logs", true}, {"worktree", "worktrees/tree/logs", false},
			{"submodule", "objects", false}, {"submodule", "hooks", false},
		} {
			if testing.Short() && i%2 != n {
				continue
			}
			for _, open := range []bool{false, true} {
				t.Run(engine+", "+c.kind+", "+c.link, func(t *testing.T) {
					t.Parallel()
					ws, gitDir := elsewhere(t, c.kind)
					victim := outside(t)
					link := filepath.Join(gitDir, c.link)
					require.NoError(t, os.RemoveAll(link))
					require.NoError(t, os.Symlink(victim, link))
					cfg := config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine), WriteGitDir: open}}
					s, err := tools.New(cfg, all.Parts()...)
					if open && c.refused {
						require.ErrorContains(t, err, "config: Bash.WriteGitDir is true, but must be false in this workspace")
						require.ErrorContains(t, err, link+" is a link")
						return
					}
					require.NoError(t, err)
					defer s.Close()
					run(t, s, "echo >"+link+"/new; echo >"+victim+"/new; mkdir "+victim+"/dir")
					left, err := os.ReadDir(victim)
					require.NoError(t, err)
					require.Empty(t, left)
				})
			}
		}
	}
}

// TestRefusedGitDir has New refuse to open a git directory that may not be the workspace's own,
// and commands not write to it.
func TestRefusedGitDir(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	for name, c := range map[string]struct {
		change func(t *testing.T, ws, gitDir string) (roots []string)
		want   string
	}{
		"of another worktree": {func(t *testing.T, ws, gitDir string) []string {
			require.NoError(t, os.WriteFile(gitDir+"/worktrees/tree/gitdir", []byte("/nowhere/.git\n"), 0o600))
			return nil
		}, "does not name"},
		"of another repository": {func(t *testing.T, ws, gitDir string) []string {
			require.NoError(t, os.WriteFile(ws+"/.git", []byte("gitdir: "+gitDir+"\n"), 0o600))
			return nil
		}, "does not name"},
		"a commondir in a repository of the workspace": {func(t *testing.T, ws, gitDir string) []string {
			require.NoError(t, os.Remove(ws+"/.git"))
			git(t, ws, "init", "-q")
			require.NoError(t, os.WriteFile(ws+"/.git/commondir", []byte(gitDir+"\n"), 0o600))
			return nil
		}, "does not name"},
		"a commondir of a worktree that leads to another repository": {func(t *testing.T, ws, gitDir string) []string {
			other := outside(t)
			git(t, other, "init", "-q")
			require.NoError(t, os.WriteFile(gitDir+"/worktrees/tree/commondir", []byte(other+"/.git\n"), 0o600))
			return nil
		}, "does not name"},
		"where commands write": {func(t *testing.T, ws, gitDir string) []string {
			return []string{gitDir + "/worktrees"}
		}, "where commands write"},
		"of another user": {func(t *testing.T, ws, gitDir string) []string {
			if os.Geteuid() != 0 {
				t.Skip("only root makes files of others")
			}
			require.NoError(t, os.Chown(gitDir+"/refs", 65534, 65534))
			return nil
		}, "/refs belongs to another user"},
	} {
		for _, engine := range engines {
			t.Run(engine+", "+name, func(t *testing.T) {
				ws, gitDir := elsewhere(t, "worktree")
				cfg := config.Config{Workspace: ws, WritableRoots: c.change(t, ws, gitDir), Bash: config.Bash{Sandbox: config.Sandbox(engine)}}
				require.NotZero(t, run(t, newSuite(t, cfg), "echo >"+gitDir+"/refs/x").ExitCode)
				cfg.Bash.WriteGitDir = true
				_, err := tools.New(cfg, all.Parts()...)
				require.ErrorContains(t, err, "config: Bash.WriteGitDir is true, but must be false in this workspace")
				require.ErrorContains(t, err, c.want)
			})
		}
	}
}

// Where the git directory is writable anyway, Bash.WriteGitDir changes nothing.
func TestWritableGitDir(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			ws, gitDir := elsewhere(t, "worktree")
			s := newSuite(t, config.Config{Workspace: ws, WritableRoots: []string{gitDir}, Bash: config.Bash{Sandbox: config.Sandbox(engine), WriteGitDir: true}})
			res := run(t, s, commit)
			require.Equal(t, "second\nfirst\n", res.Output, res.Text)
			require.Equal(t, []string{gitDir}, res.Sandbox.Writable)
			s = newSuite(t, config.Config{Workspace: filepath.Join(filepath.Dir(gitDir)), Bash: config.Bash{Sandbox: config.Sandbox(engine), WriteGitDir: true}})
			require.Empty(t, run(t, s, "true").Sandbox.Writable)
		})
	}
}
