package access_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// hidingRepository is a repository with hidden files, and a suite whose commands bwrap keeps from them.
type hidingRepository struct {
	t *testing.T
	*tools.Suite
	dir string
}

// newHidingRepository returns a repository of files, all of which are committed, that hides keys/ and .env.
func newHidingRepository(t *testing.T, files map[string]string) hidingRepository {
	t.Helper()
	return newRepository(t, files, "").hiding("keys/", ".env")
}

// firstRepositories has what newRepository made first, by its arguments: git starts many processes for it.
var firstRepositories sync.Map

// newRepository returns a repository of files, all of which are committed, in which a script of commands was run.
func newRepository(t *testing.T, files map[string]string, script string) hidingRepository {
	t.Helper()
	need.Shell(t)
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := hidingRepository{t: t, dir: t.TempDir()}
	first, _ := firstRepositories.LoadOrStore(fmt.Sprint(files, script), sync.OnceValue(func() fs.FS {
		made := hidingRepository{t: t, dir: t.TempDir()}
		made.git("init", "-q", "-b", "main")
		require.NoError(t, os.RemoveAll(filepath.Join(made.dir, ".git", "hooks"))) // samples
		made.git("config", "user.name", "a")
		made.git("config", "user.email", "a@example.org")
		for name, text := range files {
			made.write(name, text)
		}
		made.git("add", "-A")
		made.git("commit", "-qm", "one")
		if script != "" {
			made.git("-c", "alias.script=!set -e\n"+script, "script")
		}
		made.git("repack", "-adq") // one file is copied faster than a directory for each object
		return held(t, made.dir)
	}))
	require.NoError(t, os.CopyFS(r.dir, first.(func() fs.FS)()))
	r.git("update-index", "-q", "--refresh") // the index has the times of the first files
	return r
}

// held returns the files in a directory as they are now.
func held(t *testing.T, dir string) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		name, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		file := &fstest.MapFile{Mode: info.Mode()}
		if !d.IsDir() {
			file.Data, err = os.ReadFile(path)
			require.NoError(t, err)
		}
		files[filepath.ToSlash(name)] = file
		return nil
	}))
	return files
}

// hiding returns the repository with a suite that hides patterns.
func (r hidingRepository) hiding(patterns ...string) hidingRepository {
	return r.open(config.Config{Workspace: r.dir, Hidden: patterns, Bash: config.Bash{Sandbox: config.SandboxBwrap}})
}

// open returns the repository with a suite.
func (r hidingRepository) open(cfg config.Config) hidingRepository {
	r.t.Helper()
	s, err := tools.New(cfg, all.Parts()...)
	if err != nil {
		r.t.Skip(err)
	}
	r.t.Cleanup(func() { s.Close() })
	r.Suite = s
	return r
}

func (r hidingRepository) write(name, text string) {
	r.t.Helper()
	testkit.WriteFile(r.t, filepath.Join(r.dir, name), text)
}

// git runs git outside of the sandbox.
func (r hidingRepository) git(args ...string) string {
	r.t.Helper()
	return strings.TrimSpace(testkit.Git(r.t, r.dir, args...))
}

// run runs a command in the sandbox.
func (r hidingRepository) run(command string) tools.BashResult {
	r.t.Helper()
	res, err := r.Bash(r.t.Context(), tools.BashParams{Command: command})
	require.NoError(r.t, err)
	r.t.Logf("%s\n%s", command, res.Text)
	return res
}

var keyFiles = map[string]string{
	"keys/a.pem": hiddenSecret, "keys/sub/b.pem": hiddenSecret + "b", ".env": "A=" + hiddenSecret, "sub/.env": hiddenSecret,
	".agentignore": "*.key\n", "x.key": hiddenSecret, "main.go": "package main\n", "sub/f.go": "package sub\n",
}

// What is hidden is unchanged to git: a command that knows nothing of it commits no deletion.
// See cplt#401, ai-jail#112 and anthropics/claude-code#25603.
func TestHiddenIsUnchangedToGit(t *testing.T) {
	t.Parallel()
	r := newHidingRepository(t, keyFiles)
	r.write("untracked.key", hiddenSecret)
	r.write("keys/untracked", hiddenSecret)
	for _, command := range []string{
		"git status --porcelain",
		"git add -A && git commit -qm two --allow-empty && git status --porcelain",
		"git commit -qam two --allow-empty && git status --porcelain",
		"git diff && git diff HEAD && git diff-index --stat HEAD",
		"echo //>>main.go && git stash -q && git status --porcelain && git stash pop -q && git checkout -q main.go",
		"echo x>new && git stash -qu && git status --porcelain && git stash pop -q >/dev/null && rm new",
		"git checkout -q -b other && git checkout -q main",
		`git rm -rq --cached "$(printf .)" && git add -A && git status --porcelain`,
		`git checkout -q --orphan new && git rm -rq --cached "$(printf .)" && git add -A && git checkout -q -f main && git status --porcelain`,
		"env -i git add -A && git status --porcelain",
		"git status --porcelain && git reset -q --hard && git clean -fdq && git status --porcelain",
		"cd sub && git add -A . && git status --porcelain",
		"git checkout -q -b topic && git commit -q --allow-empty -m a && git rebase -q main && git checkout -q main && git merge -q topic && git status --porcelain",
		"git worktree add -q $TMPDIR/w && git worktree remove $TMPDIR/w",
		"git fsck --no-dangling && git gc -q && git status --porcelain",
		"git add --renormalize . && git status --porcelain",
	} {
		res := r.run(command)
		require.Zero(t, res.ExitCode, command)
		require.Equal(t, "(no output)", res.Text, command)
		require.Equal(t, "?? keys/untracked\n?? untracked.key", r.git("status", "--porcelain"), command)
		require.Empty(t, r.git("log", "--all", "--format=%h", "--diff-filter=DMT", "--name-only"), command)
		for name, text := range keyFiles {
			data, err := os.ReadFile(filepath.Join(r.dir, name))
			require.NoError(t, err, command)
			require.Equal(t, text, string(data), command)
		}
	}
}

// What git cannot do to a hidden file it says, and the model reads why; nothing hidden is lost.
func TestHiddenThatGitWouldChange(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]struct {
		code    int
		notice  string
		outside string // what git says outside afterwards
	}{
		"git checkout -q other":    {0, "keys is hidden: it stays as it was", "M keys/a.pem"},
		"git merge other":          {1, "keys is hidden: it stays as it was", ""},
		"git cherry-pick other":    {128, "keys is hidden: it stays as it was", ""},
		"git rebase other":         {1, "keys is hidden: it stays as it was", ""},
		"git reset --hard other":   {128, "keys is hidden: it stays as it was", ""},
		"git checkout -q without":  {0, ".env is hidden: it stays as it was", "?? .env"},
		"rm .e*v":                  {1, ".env is hidden", ""},
		"mv sub other":             {1, "", ""},
		"git mv sub other":         {128, "", ""},
		"mv k*s/a.pem k":           {1, "keys is hidden", ""},
		`git rm -rq "$(printf .)"`: {128, ".env is hidden", ""},
		"git add -f .":             {0, "", ""},
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"keys/a.pem": hiddenSecret, ".env": hiddenSecret, "sub/.env": hiddenSecret, "v": "1"}
			r := newRepository(t, files, `git checkout -qb other; printf another >keys/a.pem; git commit -qam other
				git checkout -qb without main; git rm -q .env; git commit -qm without; git checkout -q main`).hiding("keys/", ".env")
			res := r.run("git status --porcelain; " + command)
			require.Equal(t, want.code, res.ExitCode)
			require.Contains(t, res.Text, want.notice)
			require.Equal(t, want.outside, r.git("status", "--porcelain", "--", ":!k"))
			for _, name := range []string{"keys/a.pem", ".env", "sub/.env"} {
				data, err := os.ReadFile(filepath.Join(r.dir, name))
				require.NoError(t, err)
				require.Equal(t, hiddenSecret, string(data))
			}
		})
	}
}

// Programs that copy or read all files find something in the place of hidden ones.
func TestHiddenAsFiles(t *testing.T) {
	t.Parallel()
	r := newHidingRepository(t, keyFiles)
	r.write("keys/untracked", hiddenSecret)
	for _, command := range []string{
		"cp -r . $TMPDIR/copy && rm -rf $TMPDIR/copy", "cp -a . $TMPDIR/copy && rm -rf $TMPDIR/copy", "tar cf $TMPDIR/t.tar .",
		"! command -v rsync >/dev/null || rsync -a . $TMPDIR/rsync/", "find . -type f -exec cat {} + >/dev/null",
		"grep -rq nothing-has-this . ; test $? = 1", "test -f .e*v && test ! -x .e*v && test -d ke*s",
	} {
		require.Zero(t, r.run(command).ExitCode)
	}
	require.NotContains(t, r.run("cat .e*v sub/.e?v k*s/* k*s/sub/*; true").Text, hiddenSecret)
}
