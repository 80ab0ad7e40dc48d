//go:build amd64 || arm64

package sandbox_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// evil appends to a configuration what has git run a program, and writes such a hook.
const evil = `
evil() { mkdir -p "$1/hooks"; printf '#!/bin/sh\necho hook >>%s\n' "$RAN" >"$1/hooks/pre-commit"; chmod +x "$1/hooks/pre-commit"
	printf '[core]\n\tbare = false\n\tworktree = %s\n\tfsmonitor = "echo config >>%s; false"\n' "$PWD" "$RAN" >>"$1/config"; }
evilCopy() { cp -r .git "$1"; evil "$1"; }
`

// redirections are what a command does to have git in the workspace's root run a program later.
var redirections = []struct {
	name, before, command, told string
	gap                         string // what NotEnforced says of it
	where                       string // where git runs later
}{
	{name: "configuration", command: `evil .git`},
	{name: "configuration replaced", command: `cp .git/config c; mv c .git/config; evil .git`},
	{name: "hook, where there was no directory", before: "rm -r .git/hooks", command: "evil .git"},
	{name: "no configuration before", before: "rm .git/config", command: "evil .git"},
	{name: "hooks moved away", command: "mv .git/hooks .git/old; evil .git"},
	{name: "configuration of the worktree", before: "git config extensions.worktreeConfig true", command: "evil e; mv e/config .git/config.worktree"},
	{name: "commondir", command: "evilCopy e; echo ../e >.git/commondir", told: ".git/commondir"},
	{name: "commondir, a link", command: "evilCopy e; echo ../e >c; ln -s ../c .git/commondir", told: ".git/commondir"},
	{name: "other repository", command: "evilCopy e; mv .git old; mv e .git"},
	{name: "file for a directory", command: "evilCopy e; mv .git old; echo gitdir: e >.git"},
	{name: "bare repository", command: "evilCopy e; cp -r e/* .; rm .git/HEAD", told: "HEAD"},
	{name: "bare repository with a commondir", told: "HEAD",
		command: "evilCopy e; git config -f e/config extensions.worktreeConfig true; git config -f config.worktree core.worktree $PWD; echo e >commondir; mv .git/HEAD ."},
	{name: "git directory elsewhere in the workspace", before: "mkdir a; mv .git a/b; echo gitdir: a/b >.git", command: "cp -r a e; evil e/b; mv a old; mv e a"},
	{name: "file replaced", before: "mkdir a; mv .git a/b; echo gitdir: a/b >.git", command: "cp -r a/b e; evil e; rm .git; echo gitdir: e >.git"},
	{name: "worktree outside", before: "git worktree add -q ../tree", where: "tree",
		command: "cd .git/worktrees/tree; cp -r ../.. ../../../e; mv ../../../e .; cd e; evil .; cd ..; rm commondir; echo e >commondir"},
	{name: "worktrees moved away", before: "git worktree add -q ../tree", where: "tree",
		command: "evilCopy e; cp -r .git/worktrees w; cat e/config >>w/tree/config; echo $PWD/e >w/tree/commondir; mv .git/worktrees old; mv w .git/worktrees"},
	{name: "link to hooks", before: "mv .git/hooks h; ln -s ../h .git/hooks", command: "rm .git/hooks; evil .git", gap: "replacing "},
	{name: "repository below the root", command: "git init -q s; cd s; git " + identity + "commit -q --allow-empty -m x; cd ..; git add s; evil s/.git",
		gap: "repositories below the workspace's root"},
	{name: "repository where there is none", before: "rm -rf .git", command: "git init -q; evil .git", gap: "repositories that a command makes"},
}

// TestRedirections has git run programs by what commands left, without a sandbox, and then not.
// landlock keeps nothing of that from happening, and says so. With -short, each fourth is tried without a sandbox, and
// another fourth under landlock.
func TestRedirections(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	for i, r := range redirections {
		engines := []string{"bwrap", "off", "landlock"}
		if testing.Short() {
			engines = [][]string{engines[:2], engines[:1], {"bwrap", "landlock"}, engines[:1]}[i%4]
		}
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			for _, engine := range engines {
				base := copied(t, "one commit", func(base string) {
					git(t, base, "init", "-q", "ws")
					git(t, base+"/ws", "commit", "-q", "--allow-empty", "-m", "first")
				})
				ws, ran := filepath.Join(base, "ws"), filepath.Join(base, "ran")
				out, err := shell(t, base, ws, r.before)
				require.NoError(t, err, out)

				s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine), Env: []string{"RAN=" + ran}}})
				res := run(t, s, evil+r.command)
				out, err = shell(t, base, filepath.Join(base, cmp.Or(r.where, "ws")), "git status; git commit -q --allow-empty -m later")
				t.Log(engine, err, out)
				_, err = os.Stat(ran)
				switch {
				case engine == "off":
					require.NoError(t, err, "it is no attack: %s", res.Text)
				case err == nil && engine == "landlock":
					require.Contains(t, strings.Join(res.Sandbox.NotEnforced, "\n"), "git's hooks and configuration")
				case err == nil:
					require.NotEmpty(t, r.gap, "git ran a program: %s", res.Text)
					require.Contains(t, strings.Join(res.Sandbox.NotEnforced, "\n"), r.gap)
				}
				if r.told != "" && engine == "bwrap" {
					require.Contains(t, res.Text, "Removed "+r.told+", which would make git use other hooks and configuration")
				}
			}
		})
	}
}

// TestUndoneLater has a process that goes on after its command, and a job, lead git elsewhere. What they
// made is gone when the suite has ended, or the job.
func TestUndoneLater(t *testing.T) {
	t.Parallel()
	ws := t.TempDir()
	git(t, ws, "init", "-q")
	s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: "bwrap"}})
	commondir := filepath.Join(ws, ".git", "commondir")
	job, err := s.Bash(t.Context(), tools.BashParams{Command: "echo ../e >.git/commondir; echo made; read line", Background: true, ReadyWhen: "made"})
	require.NoError(t, err)
	require.Contains(t, job.Text, "Removed .git/commondir, which would make git use other hooks and configuration")
	_, err = s.Job(t.Context(), tools.JobParams{ID: job.Job, Input: "x\n"})
	require.NoError(t, err)

	job, err = s.Bash(t.Context(), tools.BashParams{Command: "echo started; read line; echo ../e >.git/commondir", Background: true, ReadyWhen: "started"})
	require.NoError(t, err)
	ended, err := s.Job(t.Context(), tools.JobParams{ID: job.Job, Input: "x\n", WaitMs: 60_000})
	require.NoError(t, err)
	require.NoFileExists(t, commondir)
	require.Contains(t, ended.Text, "Removed .git/commondir")

	run(t, s, "(until [ -e go ]; do sleep 0.01; done; echo ../e >.git/commondir; echo >made; sleep 1000) >/dev/null 2>&1 &")
	require.NoError(t, os.WriteFile(filepath.Join(ws, "go"), nil, 0o600))
	require.Eventually(t, func() bool { _, err := os.Stat(filepath.Join(ws, "made")); return err == nil }, time.Minute, time.Millisecond)
	require.FileExists(t, commondir)
	require.NoError(t, s.Close())
	require.NoFileExists(t, commondir)
}

// A git directory whose parents would take too many mounts is refused.
func TestDeepGitDir(t *testing.T) {
	t.Parallel()
	ws := t.TempDir()
	newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: "bwrap"}}) // or skip
	git(t, ws, "init", "-q")
	deep := strings.Repeat("d/", 100) + "git"
	require.NoError(t, os.MkdirAll(filepath.Join(ws, filepath.Dir(deep)), 0o700))
	require.NoError(t, os.Rename(filepath.Join(ws, ".git"), filepath.Join(ws, deep)))
	require.NoError(t, os.WriteFile(filepath.Join(ws, ".git"), []byte("gitdir: "+deep+"\n"), 0o600))
	_, err := tools.New(config.Config{Workspace: ws, Bash: config.Bash{Sandbox: "bwrap"}}, all.Parts()...)
	require.ErrorContains(t, err, ".git leads more than 100 directories deep")
}

// TestGitDirReplaced has the host replace the git directory: nothing is bound through a link that a
// command makes in its place, and what was cloned anew is protected again.
func TestGitDirReplaced(t *testing.T) {
	t.Parallel()
	base, victim := outside(t), outside(t)
	ws := filepath.Join(base, "ws")
	git(t, base, "init", "-q", ws)
	s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: "bwrap"}})
	require.NotZero(t, run(t, s, "echo >>.git/config").ExitCode)
	require.NoError(t, os.RemoveAll(filepath.Join(ws, ".git")))
	require.Zero(t, run(t, s, "ln -s ../../"+filepath.Base(victim)+" .git").ExitCode)
	require.NotZero(t, run(t, s, "echo >.git/new").ExitCode)
	require.NotZero(t, run(t, s, "echo >"+victim+"/new").ExitCode)
	left, err := os.ReadDir(victim)
	require.NoError(t, err)
	require.Empty(t, left)

	require.NoError(t, os.RemoveAll(ws))
	git(t, base, "init", "-q", ws)
	require.NotZero(t, run(t, s, "echo >>.git/config").ExitCode)
	require.Contains(t, run(t, s, "echo x >.git/commondir").Text, "Removed .git/commondir")
}

// The repository stays one that git takes: what is made in it to be bound changes nothing.
func TestProtectedRepository(t *testing.T) {
	t.Parallel()
	ws := t.TempDir()
	git(t, ws, "init", "-q")
	git(t, ws, "commit", "-q", "--allow-empty", "-m", "first")
	require.NoError(t, os.RemoveAll(filepath.Join(ws, ".git", "hooks")))
	s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: "bwrap"}})
	res := run(t, s, "git config user.name x")
	require.Contains(t, res.Text, "[Sandboxed (bwrap): ", "it says why a configuration cannot be changed")
	for _, command := range []string{
		"git status --porcelain", "git switch -qc other", "git fsck", "git gc -q", "git worktree add -q $TMPDIR/tree", "git worktree list",
		"git worktree remove $TMPDIR/tree", "git stash", "git branch -d master", "git tag x", "git rev-parse --git-common-dir",
	} {
		res := run(t, s, command)
		require.Zero(t, res.ExitCode, res.Text)
		require.NotContains(t, res.Text, "Removed")
	}
	require.NoError(t, s.Close())
	git(t, ws, "status")
	git(t, ws, "fsck")
	git(t, ws, "sparse-checkout", "set", "x") // which writes config.worktree
	git(t, ws, "config", "user.name", "x")
	git(t, ws, "commit", "-q", "--allow-empty", "-m", "second")
}

// Worktrees that are too many to be protected each are protected together.
func TestManyWorktrees(t *testing.T) {
	t.Parallel()
	for n, made := range map[int]bool{100: true, 101: false} {
		ws := t.TempDir()
		git(t, ws, "init", "-q")
		for i := range n {
			require.NoError(t, os.MkdirAll(filepath.Join(ws, ".git", "worktrees", tostring(i)), 0o700))
		}
		s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: "bwrap"}})
		require.NotZero(t, run(t, s, "echo ../.. >.git/worktrees/7/commondir").ExitCode)
		require.Equal(t, made, run(t, s, "mkdir .git/worktrees/new").ExitCode == 0)
	}
}

// A workspace that was a bare repository stays one.
func TestBareWorkspace(t *testing.T) {
	t.Parallel()
	for _, both := range []bool{false, true} {
		ws := t.TempDir()
		git(t, ws, "init", "-q", "--bare")
		if both {
			git(t, ws, "clone", "-q", ".", "clone")
			require.NoError(t, os.Rename(filepath.Join(ws, "clone", ".git"), filepath.Join(ws, ".git")))
		}
		s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: "bwrap"}})
		require.NotContains(t, run(t, s, "true").Text, "Removed")
		require.FileExists(t, filepath.Join(ws, "HEAD"))
	}
	ws := t.TempDir()
	s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: "bwrap"}})
	require.NotContains(t, run(t, s, "git init -q --bare .").Text, "Removed")
	require.FileExists(t, filepath.Join(ws, "HEAD"))
}

// Git's directory stays where it is if the workspace is in another directory where commands write, too.
func TestProtectedInWritableRoot(t *testing.T) {
	t.Parallel()
	base := outside(t)
	ws := base + "/above/ws"
	git(t, base, "init", "-q", ws)
	s := newSuite(t, config.Config{Workspace: ws, WritableRoots: []string{base}, Bash: config.Bash{Sandbox: "bwrap"}})
	for _, command := range []string{"mv .git x", "mv ../ws ../x", "mv ../../above ../../x", "echo x >>.git/config"} {
		require.NotZero(t, run(t, s, command).ExitCode, command)
		require.FileExists(t, ws+"/.git/config", command)
	}
}
