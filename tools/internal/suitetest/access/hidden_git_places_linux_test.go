package access_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
)

// in returns the repository with a suite whose workspace is another directory.
func (r hidingRepository) in(dir string, cfg config.Config) hidingRepository {
	r.t.Helper()
	cfg.Workspace, cfg.Hidden, cfg.Bash.Sandbox = dir, []string{"keys/", ".env"}, config.SandboxBwrap
	return r.open(cfg)
}

// What is hidden is unchanged to git wherever the repository is.
func TestHiddenInRepositoriesElsewhere(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/sandbox")
	const command = "git status --porcelain && git add -A && git status --porcelain && git commit -q --allow-empty -m two && git show --name-status --format= HEAD"
	for name, place := range map[string]func(r hidingRepository) hidingRepository{
		"a linked worktree": func(r hidingRepository) hidingRepository {
			tree := filepath.Join(r.t.TempDir(), "tree")
			r.git("worktree", "add", "-q", tree)
			return r.in(tree, config.Config{Bash: config.Bash{WriteGitDir: true}})
		},
		"a submodule": func(r hidingRepository) hidingRepository {
			above := hidingRepository{t: r.t, dir: r.t.TempDir()}
			above.git("init", "-q")
			above.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", r.dir, "module")
			above.git("-C", "module", "config", "user.name", "a")
			above.git("-C", "module", "config", "user.email", "a@example.org")
			return r.in(filepath.Join(above.dir, "module"), config.Config{Bash: config.Bash{WriteGitDir: true}})
		},
		"a part of a repository": func(r hidingRepository) hidingRepository {
			dir, err := os.MkdirTemp("/var/tmp", "spillway-test-") // of what is in /tmp, bwrap shows the workspace alone
			require.NoError(r.t, err)
			r.t.Cleanup(func() { os.RemoveAll(dir) })
			r.git("clone", "-q", r.dir, dir)
			r.dir = dir
			r.git("config", "user.name", "a")
			r.git("config", "user.email", "a@example.org")
			return r.in(filepath.Join(r.dir, "sub"), config.Config{WritableRoots: []string{filepath.Join(r.dir, ".git")}})
		},
		"a git directory elsewhere in the workspace": func(r hidingRepository) hidingRepository {
			require.NoError(r.t, os.Rename(filepath.Join(r.dir, ".git"), filepath.Join(r.dir, "elsewhere")))
			r.write(".git", "gitdir: elsewhere\n")
			r.write("elsewhere/info/exclude", "elsewhere\n")
			return r.hiding("keys/", ".env")
		},
		"without info": func(r hidingRepository) hidingRepository {
			require.NoError(r.t, os.RemoveAll(filepath.Join(r.dir, ".git", "info")))
			return r.hiding("keys/", ".env")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := place(newRepository(t, keyFiles, ""))
			res := r.run(command)
			require.Equal(t, "(no output)", res.Text)
		})
	}
}

// In a linked worktree, what takes a lock in the git directory that worktrees share leaves hidden files as they are.
func TestHiddenInLinkedWorktree(t *testing.T) {
	t.Parallel()
	r := newHidingRepository(t, keyFiles)
	r.Suite.Close()
	tree := filepath.Join(t.TempDir(), "tree")
	r.git("worktree", "add", "-q", tree)
	r = r.in(tree, config.Config{Bash: config.Bash{WriteGitDir: true}})
	res := r.run("echo 1 >main.go && git commit -qam two && git checkout -q -b side HEAD~1 && echo 2 >new && git add -A && git commit -qm three && " +
		"git rebase -q tree && echo 3 >new && git stash -q && git stash pop -q && git checkout -q new && git checkout -q tree && git merge -q side && " +
		"git branch -D side 2>/dev/null && git tag v && git pack-refs --all && git tag -d v && git status --porcelain")
	require.Zero(t, res.ExitCode, res.Text)
	require.NotContains(t, r.run("cat .e*v k*s/*").Text, hiddenSecret)
	require.NotZero(t, r.run("echo x >>"+r.dir+"/.git/config").ExitCode)
	require.NotZero(t, r.run("echo x >>"+r.dir+"/.git/info/attributes").ExitCode)
	content, err := os.ReadFile(filepath.Join(tree, ".env"))
	require.NoError(t, err)
	require.Contains(t, string(content), hiddenSecret)
	require.Empty(t, r.git("-C", tree, "status", "--porcelain"))
}

// The same is true of a repository below the root of the workspace, and of one that is a submodule of that.
func TestHiddenInNestedRepository(t *testing.T) {
	t.Parallel()
	r := newHidingRepository(t, keyFiles)
	r.Suite.Close()
	r.git("clone", "-q", r.dir, filepath.Join(r.dir, "nested"))
	r.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", r.dir, "keys/module")
	r.git("commit", "-qam", "module")
	r.git("-C", "nested", "config", "user.name", "a")
	r.git("-C", "nested", "config", "user.email", "a@example.org")
	r = r.hiding("keys/", ".env")
	res := r.run("git status --porcelain; cd nested && git add -A && git commit -qm two --allow-empty && git show --name-status --format= HEAD; git status --porcelain")
	require.Equal(t, "?? nested/\n", res.Output)
	require.NotContains(t, r.run("cat nested/.e*v nested/k*s/*").Text, hiddenSecret)
}

// Git is kept from a repository that is not understood, and the model reads why. Commands run, and what is hidden stays
// hidden.
func TestHiddenWithoutGit(t *testing.T) {
	t.Parallel()
	for why, prepare := range map[string]func(r hidingRepository){
		"its index cannot be read: it is malformed": func(r hidingRepository) { r.write(".git/index", strings.Repeat("x", 100)) },
		"its index cannot be read: .git/index is a FIFO": func(r hidingRepository) {
			r.replace(".git/index", func(path string) error { return unix.Mkfifo(path, 0o600) })
		},
		"its info/attributes": func(r hidingRepository) {
			r.replace(".git/info/attributes", func(path string) error { return unix.Mkfifo(path, 0o600) })
		},
		"its info/exclude is not a plain file": func(r hidingRepository) {
			r.replace(".git/info/exclude", func(path string) error { return os.Symlink("../HEAD", path) })
		},
		"its config is not a plain file": func(r hidingRepository) {
			require.NoError(r.t, os.Rename(filepath.Join(r.dir, ".git/config"), filepath.Join(r.dir, ".git/c")))
			require.NoError(r.t, os.Symlink("c", filepath.Join(r.dir, ".git/config")))
		},
		"its info/exclude cannot be read: file too large": func(r hidingRepository) { r.write(".git/info/exclude", strings.Repeat("#", 2<<20)) },
		"keys/link is hidden, and a link to something else": func(r hidingRepository) {
			require.NoError(r.t, os.Remove(filepath.Join(r.dir, "keys/link")))
			require.NoError(r.t, os.Symlink("elsewhere", filepath.Join(r.dir, "keys/link")))
		},
	} {
		t.Run(why, func(t *testing.T) {
			t.Parallel()
			r := newHidingRepository(t, keyFiles)
			require.NoError(t, os.Symlink("a.pem", filepath.Join(r.dir, "keys/link")))
			r.git("add", "-A")
			r.git("commit", "-qm", "link")
			prepare(r)
			res := r.run("cat .e*v k*s/* 2>/dev/null; git add -A")
			require.Equal(t, 128, res.ExitCode)
			require.NotContains(t, res.Text, hiddenSecret)
			require.Contains(t, res.Text, "Commands cannot use git in ., because it could lose hidden files: "+why)
		})
	}
}

// replace removes a file and makes another one.
func (r hidingRepository) replace(name string, make func(path string) error) {
	path := filepath.Join(r.dir, name)
	if err := os.Remove(path); err != nil {
		require.ErrorIs(r.t, err, os.ErrNotExist)
	}
	require.NoError(r.t, make(path))
}

// Git outside sees what the user has changed, in the same second and by the same number of bytes, after commands have
// refreshed the index.
func TestHiddenChangedOutside(t *testing.T) {
	t.Parallel()
	r := newHidingRepository(t, keyFiles)
	for _, text := range []string{"x", "y", "z"} {
		changed := strings.Repeat(text, len(hiddenSecret))
		r.write("keys/a.pem", changed)
		require.Equal(t, "(no output)", r.run("git status --porcelain; git add -A; touch main.go; git add -A; git update-index -q --refresh").Text)
		require.Equal(t, "M keys/a.pem", r.git("status", "--porcelain"))
		require.Equal(t, "(no output)", r.run("git stash -q; git reset -q --hard; git status --porcelain").Text)
		require.Equal(t, "M keys/a.pem", r.git("status", "--porcelain"))
		r.git("commit", "-qam", text)
		require.Equal(t, changed, r.git("show", "HEAD:keys/a.pem"))
		require.Equal(t, "(no output)", r.run("git status --porcelain").Text)
	}
	require.NoError(t, os.RemoveAll(filepath.Join(r.dir, "keys")))
	require.Equal(t, " D keys/a.pem\n D keys/sub/b.pem\n", r.run("git status --porcelain").Output, "as it is outside")
}

// A command with another configuration of its own cannot have the filter overridden: it does not know its name.
func TestHiddenWithOwnConfiguration(t *testing.T) {
	t.Parallel()
	r := newHidingRepository(t, keyFiles)
	res := r.run(`git -c filter.hidden.clean=cat -c core.attributesFile=/dev/null -c core.excludesFile=/dev/null -c core.checkStat=minimal add -A
		printf '[filter "hidden"]\n\tclean = cat\n' >c; GIT_CONFIG_GLOBAL=c GIT_CONFIG_NOSYSTEM=1 GIT_ATTR_NOSYSTEM=1 git add -A; rm c
		printf '* !filter text\n' >.gitattributes; git add -A -f; git rm -q -f .gitattributes; git status --porcelain`)
	require.Equal(t, "(no output)", res.Text)
	for _, command := range []string{"echo x >>.git/config", "rm .git/info/attributes", "echo x >.git/info/exclude", "mv .git/info i", "mv .git g"} {
		require.NotZero(t, r.run(command).ExitCode)
	}
}
