//go:build amd64 || arm64

package sandbox_test

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
)

// linked makes linked worktrees in base, of which tree is the workspace, and returns the git directory that they share.
func linked(t *testing.T, kind, engine string) (base, gitDir string, cfg config.Config) {
	base = copied(t, "linked: "+kind, func(base string) { makeLinked(t, base, kind) })
	tree := filepath.Join(base, "tree")
	gitDir = filepath.Join(base, "main", ".git")
	switch kind {
	case "bare":
		gitDir = base + "/bare"
	case "inside of bare":
		tree, gitDir = base+"/bare/trees/tree", base+"/bare"
	}
	cfg = config.Config{Workspace: tree, Bash: config.Bash{Sandbox: config.Sandbox(engine), WriteGitDir: true,
		Env: []string{"HOME=" + tree, "RAN=" + base + "/ran", "BASE=" + base, "G=" + gitDir}}}
	if kind == "ReadableRoots" {
		cfg.Bash.ReadableRoots = []string{base + "/remote"}
	}
	return base, gitDir, cfg
}

func makeLinked(t *testing.T, base, kind string) {
	main := filepath.Join(base, "main")
	git(t, base, "init", "-q", main)
	require.NoError(t, os.WriteFile(main+"/f", []byte("1\n"), 0o600))
	git(t, main, "add", "f")
	git(t, main, "commit", "-q", "-m", "first")
	git(t, base, "clone", "-q", "--bare", "main", "remote")
	from, tree := main, filepath.Join(base, "tree")
	switch kind {
	case "bare", "inside of bare":
		git(t, base, "clone", "-q", "--bare", "main", "bare")
		from = base + "/bare"
		if kind == "inside of bare" {
			tree = from + "/trees/tree"
		}
	case "rerere":
		require.NoError(t, os.Mkdir(main+"/.git/rr-cache", 0o700))
	case "worktreeConfig":
		git(t, main, "config", "extensions.worktreeConfig", "true")
	}
	git(t, from, "worktree", "add", "-q", "-b", "tree", tree)
	git(t, from, "worktree", "add", "-q", "-b", "other", base+"/other")
}

// shell runs a command outside of any sandbox, if there is one.
func shell(t *testing.T, base, dir, command string) (string, error) {
	t.Helper()
	if command == "" {
		return "", nil
	}
	cmd := exec.Command("bash", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+base, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b", "RAN="+base+"/ran", "GIT_EDITOR=true")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestLinkedWorktree does in linked worktrees, under bwrap, what git locks packed-refs for, and the rest of an agent's
// day.
func TestLinkedWorktree(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	const git = "git " + identity
	for _, kind := range []string{"main", "bare", "inside of bare", "worktreeConfig", "ReadableRoots", "rerere"} {
		t.Run(kind, func(t *testing.T) {
			if testing.Short() && (kind == "bare" || kind == "rerere") {
				t.Skip("much like the others")
			}
			t.Parallel()
			base, gitDir, cfg := linked(t, kind, "bwrap")
			s := newSuite(t, cfg)
			for _, c := range []struct {
				command string
				slow    bool // and much the same for each kind
			}{
				{command: "echo 2 >f && " + git + "commit -qam 2"},
				{command: "git checkout -q -b side HEAD~1 && echo 3 >g && git add g && " + git + "commit -qm 3 && " + git + "rebase -q tree && [ $(cat f) = 2 ]"},
				{command: "git checkout -q tree && git merge -q side && [ $(cat g) = 3 ]"},
				{slow: true, command: "echo 4 >f && " + git + "stash -q && [ $(cat f) = 2 ] && " + git + "stash pop && [ $(cat f) = 4 ] && [ -z \"$(git stash list)\" ] && git checkout -q f"},
				{slow: true, command: "git checkout -q -b pick tree~1 && " + git + "cherry-pick side && git checkout -q tree && git branch -D pick && ! git rev-parse -q --verify pick"},
				{command: "git tag v && git pack-refs --all && git tag -d v && ! git rev-parse -q --verify v && git rev-parse -q --verify side"},
				{command: "git branch -D side && ! git rev-parse -q --verify side"},
				{command: "git bisect start HEAD HEAD~1 && git bisect reset && ! git bisect log 2>/dev/null"},
				{command: "git fetch -q $BASE/remote master:fetched && git update-ref -d refs/heads/fetched && ! git rev-parse -q --verify fetched"},
				{command: "[ $(git worktree list | wc -l) = 3 ] && git repack -adq && git pack-refs --all && git fsck"},
				{slow: true, command: "git checkout -q -b mine tree~2 && echo mine >f && " + git + "commit -qam mine && ! " + git + "rebase tree && echo both >f && git add f && " +
					"GIT_EDITOR=true " + git + "rebase --continue && [ $(cat f) = both ]"},
				{command: "git status --porcelain && git rev-parse --git-common-dir"},
			} {
				if testing.Short() && c.slow && kind != "main" {
					continue
				}
				res := run(t, s, c.command)
				require.Zero(t, res.ExitCode, "%s\n%s", c.command, res.Text)
				require.NotContains(t, res.Text, "Removed")
			}
			require.Equal(t, []string{gitDir}, run(t, s, "true").Sandbox.Writable)

			// Both need what is protected. The notice says what they have done, and what to do in place of them.
			for command, then := range map[string]string{
				"git branch a && git branch -m a b": "git rev-parse -q --verify b && ! git rev-parse -q --verify a", "git gc": "git fsck",
			} {
				res := run(t, s, command)
				require.NotZero(t, res.ExitCode, res.Text)
				require.NotContains(t, res.Text, "but not delete or rename them")
				require.Contains(t, res.Text, "In "+gitDir+", which worktrees share, commands can change objects, branches, tags")
				require.Zero(t, run(t, s, then).ExitCode, command)
			}
			require.NoError(t, s.Close())
			for _, where := range []string{gitDir, base + "/other"} {
				out, err := shell(t, base, where, "git fsck && git worktree list && git branch -m b b2 && git branch -m b2 b && git gc -q")
				require.NoError(t, err, out)
			}
		})
	}
}

// TestSubmoduleOfWorktree works in a submodule of a linked worktree, whose git directory is in that of the worktree.
func TestSubmoduleOfWorktree(t *testing.T) {
	t.Parallel()
	base, gitDir, cfg := linked(t, "main", "bwrap")
	out, err := shell(t, base, base+"/tree", "git -c protocol.file.allow=always submodule add -q ../remote sub && git commit -qm sub")
	require.NoError(t, err, out)
	const git = "git " + identity
	work := "date +%N >f && " + git + "commit -qam 2 && git checkout -q -b b HEAD~1 && date +%N >g && git add g && " + git + "commit -qm 3 && " + git +
		"rebase -q master && git checkout -q master && git merge -q b && git branch -D b && git tag v && git pack-refs --all && git tag -d v"
	s := newSuite(t, cfg)
	res := run(t, s, "cd sub && "+work+" && cd .. && git add sub && "+git+"commit -qm sub2 && git status --porcelain")
	require.Zero(t, res.ExitCode, res.Text)
	require.NoError(t, s.Close())
	cfg.Workspace += "/sub"
	s = newSuite(t, cfg)
	res = run(t, s, work)
	require.Zero(t, res.ExitCode, res.Text)
	for _, name := range []string{"config", "hooks/x", "worktrees/tree/config.worktree", "worktrees/tree/modules/sub/config", "worktrees/tree/modules/sub/hooks/x", "new"} {
		require.NotZero(t, run(t, s, "echo x >>"+gitDir+"/"+name).ExitCode, name)
	}
}

// TestWorktreesSideBySide has two suites work in linked worktrees of one repository.
func TestWorktreesSideBySide(t *testing.T) {
	t.Parallel()
	base, gitDir, cfg := linked(t, "main", "bwrap")
	a := newSuite(t, cfg)
	cfg.Workspace = base + "/other"
	b := newSuite(t, cfg)
	const git = "git " + identity
	for _, step := range []struct {
		s       *tools.Suite
		command string
	}{
		{a, git + "commit -q --allow-empty -m a && git tag v"}, {b, "git pack-refs --all && " + git + "commit -q --allow-empty -m b"},
		{a, "git tag -d v && git bisect start"}, {b, "! git rev-parse -q --verify v && " + git + "rebase -q tree"}, {a, "git bisect reset && git merge -q other"},
		{b, "[ $(git rev-parse tree) = $(git rev-parse other) ] && ! (echo x >" + gitDir + "/worktrees/tree/HEAD) && ! (echo x >" + gitDir + "/HEAD)"},
	} {
		res := run(t, step.s, step.command)
		require.Zero(t, res.ExitCode, "%s\n%s", step.command, res.Text)
	}
}

// planted is what commands do, in a linked worktree, to have git run a program later outside of it, in main, if where is
// empty.
var planted = []struct {
	name, kind string
	before     string // run outside first, in main
	command    string
	where      string
	later      string // what git does there
	told       string // what is removed after the command
	gap        string // what NotEnforced has about it, where it succeeds
	like       bool   // another one, which -short tries
}{
	{name: "configuration", command: "evil $G"},
	{name: "configuration replaced", like: true, command: "cp $G/config c; mv -f c $G/config; evil $G"},
	{name: "configuration, by its lock", command: "cp $G/config $G/config.lock; evil e; cat e/config >>$G/config.lock; mv -f $G/config.lock $G/config"},
	{name: "configuration removed", like: true, command: "rm -f $G/config; evil $G"},
	{name: "configuration, a link", command: "evil e; ln -sf $PWD/e/config $G/config"},
	{name: "configuration exchanged", command: "evil e; python3 -c 'import ctypes, os; c = ctypes.CDLL(None); " +
		"c.renameat2(-100, b\"e/config\", -100, (os.environ[\"G\"]+\"/config\").encode(), 2)' || mv e/config $G/config"},
	{name: "hooks moved away", command: "mv $G/hooks $G/old; evil $G"},
	{name: "hooks, a link", like: true, command: "evil e; rm -rf $G/hooks; ln -sfn $PWD/e/hooks $G/hooks"},
	{name: "no hooks before", like: true, before: "rm -r .git/hooks", command: "evil $G"},
	{name: "configuration of the main worktree", like: true, kind: "worktreeConfig", command: "evil e; cat e/config >$G/config.worktree"},
	{name: "configuration of the other worktree", kind: "worktreeConfig", where: "other", command: "evil e; cat e/config >$G/worktrees/other/config.worktree"},
	{name: "configuration of the own worktree", kind: "worktreeConfig", where: "tree", command: "evil e; cat e/config >$G/worktrees/tree/config.worktree"},
	{name: "commondir", command: "cp -r $G e; evil e; echo $PWD/e >$G/commondir", told: "commondir"},
	{name: "commondir of the own worktree", where: "tree", command: "cp -r $G e; evil e; rm -f $G/worktrees/tree/commondir; echo $PWD/e >$G/worktrees/tree/commondir"},
	{name: "commondir of the other worktree", like: true, where: "other", command: "cp -r $G e; evil e; echo $PWD/e >$G/worktrees/other/commondir"},
	{name: "other worktree replaced", where: "other", command: "cp -r $G e; evil e; cp -r $G/worktrees w; echo $PWD/e >w/other/commondir; mv $G/worktrees $G/old; mv w $G/worktrees"},
	{name: "git directory replaced", command: "cp -r $G e; evil e; mv $G $G.old; mv e $G"},
	{name: "a submodule before it is one", before: "git -c protocol.file.allow=always submodule add -q ../remote sub && git commit -qm sub && git submodule --quiet deinit -f sub && mv .git/modules ..",
		command: "cp -r $BASE/modules m; evil m/sub; printf '#!/bin/sh\\necho hook >>%s\\n' $RAN >m/sub/hooks/post-checkout; chmod +x m/sub/hooks/*; sed -i /bare.=/d m/sub/config; mkdir -p $G/modules; cp -r m/sub $G/modules",
		later:   "git -c protocol.file.allow=always submodule update --init"},
	{name: "no HEAD, and the files of a bare repository", before: "mkdir objects refs && echo ref: refs/heads/x >HEAD && >objects/x && >refs/x && " +
		"printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = %s\\n\\tfsmonitor = \"echo config >>%s; false\"\\n' $PWD $RAN >config && git add . && git commit -qm bare", command: "mv $G/HEAD x || rm -f $G/HEAD"},
	{name: "a repository in the bare one", kind: "bare", where: "bare", command: "cp -r $G .e; evil .e; sed -i /bare/d .e/config; mv .e $G/.git", told: ".git/HEAD"},
	{name: "a repository in the bare one, by a file", like: true, kind: "bare", where: "bare", command: "cp -r $G e; evil e; sed -i /bare/d e/config; echo gitdir: $PWD/e >$G/.git", told: ".git"},
	{name: "a repository in the bare one, by a link", like: true, kind: "bare", where: "bare", command: "cp -r $G e; evil e; sed -i /bare/d e/config; ln -s $PWD/e $G/.git", told: ".git"},
	{name: "a rebase", command: rebase + "rebase $G", later: "git rebase --continue", told: "rebase-merge/git-rebase-todo"},
	{name: "a rebase, by a link", like: true, command: rebase + "rebase e; ln -s $PWD/e/rebase-merge $G/rebase-merge", later: "git rebase --continue", told: "rebase-merge"},
	{name: "a rebase, its commands by a link", like: true, command: rebase + "rebase $G; mv $G/rebase-merge/git-rebase-todo t; ln -s $PWD/t $G/rebase-merge/git-rebase-todo", later: "git rebase --continue", told: "rebase-merge/git-rebase-todo"},
	{name: "a rebase of the other worktree", where: "other", command: rebase + "rebase $G/worktrees/other", later: "git rebase --continue"},
	{name: "a rebase that has stopped", before: "echo 2 >f; git commit -qam 2; GIT_SEQUENCE_EDITOR='sed -i 1ibreak' git rebase -qi HEAD~1",
		command: "echo \"exec echo rebase >>$RAN\" >>$G/rebase-merge/git-rebase-todo", later: "git rebase --continue"},
	{name: "a rebase on no branch", before: "git checkout -q --detach", command: rebase + "rebase $G", later: "git rebase --continue", gap: "if the main worktree is on no branch"},
	{name: "refs through a link", command: "git pack-refs --all; ln -sf $RAN $G/packed-refs", later: "git tag x; git pack-refs --all", told: "packed-refs"},
	{name: "refs through a link beside many files", like: true, command: "for i in $(seq 300); do >$G/$i; done; ln -sf $RAN $G/packed-refs", later: "git tag x; git pack-refs --all", told: "packed-refs"},
	{name: "an index through a link", command: "rm -f $G/index; ln -sf $RAN $G/index", later: "echo 1 >>f; git add f"},
}

// rebase defines a function that makes, in a git directory, a rebase that runs a command when it goes on.
const rebase = `rebase() { mkdir -p "$1/rebase-merge"; cd "$1/rebase-merge"; git rev-parse HEAD >onto; cp onto orig-head; echo refs/heads/master >head-name
	>interactive; >done; echo 1 >end; echo 1 >msgnum; printf '\texec echo rebase >>%s\n' "$RAN" >git-rebase-todo; cd "$OLDPWD"; }
`

// TestPlantedInShared has git run programs by what commands left in the git directory that worktrees share. With -short,
// only the first attack of a kind shows that it is one, without a sandbox.
func TestPlantedInShared(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	shown := map[string]bool{}
	for _, p := range planted {
		kind, engines := p.kind+p.where+p.later, []string{"off", "bwrap"}
		if testing.Short() && shown[kind] {
			engines = engines[1:]
		}
		shown[kind] = shown[kind] || !p.like
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && p.like {
				t.Skip("much like another one")
			}
			for _, engine := range engines {
				base, gitDir, cfg := linked(t, p.kind, engine)
				said, err := shell(t, base, base+"/main", p.before)
				require.NoError(t, err, said)
				require.NoFileExists(t, base+"/ran")
				s := newSuite(t, cfg)
				res := run(t, s, evil+p.command)
				said, err = shell(t, base, filepath.Join(base, cmp.Or(p.where, "main")), cmp.Or(p.later, "git status; git commit -q --allow-empty -m later"))
				said += fmt.Sprint(err)
				_, err = os.Stat(base + "/ran")
				switch {
				case engine == "off":
					require.NoError(t, err, "it is no attack: %s\n%s", res.Text, said)
				case err == nil:
					require.NotEmpty(t, p.gap, "git ran a program: %s\n%s", res.Text, said)
					require.Contains(t, strings.Join(res.Sandbox.NotEnforced, "\n"), p.gap)
				default:
					require.Empty(t, p.gap, said)
				}
				if p.told != "" && engine == "bwrap" {
					require.Contains(t, res.Text, "Removed "+gitDir+"/"+p.told)
				}
			}
		})
	}
}

// TestSharedKept tries every way to change what commands must not change in the git directory that worktrees share; with
// -short every third way for each path, and each of them for a third of the paths.
func TestSharedKept(t *testing.T) {
	t.Parallel()
	_, gitDir, cfg := linked(t, "main", "bwrap")
	s := newSuite(t, cfg)
	paths := []string{
		"config", "config.worktree", "hooks", "hooks/pre-commit", "info", "info/attributes", "info/exclude", "info/grafts", "modules", "modules/x",
		"remotes", "remotes/origin", "branches", "branches/x", "worktrees", "worktrees/new", "worktrees/other", "worktrees/other/HEAD",
		"worktrees/other/index", "worktrees/other/commondir", "worktrees/other/gitdir", "worktrees/other/config.worktree",
		"worktrees/other/rebase-merge", "worktrees/tree", "worktrees/tree/commondir", "worktrees/tree/gitdir", "worktrees/tree/config.worktree",
		"objects/info/alternates", "HEAD", "index", "description", "COMMIT_EDITMSG", "objects", "objects/info", "refs", "logs",
	}
	const commands = 6 // each for some paths, none of which is in another one: it may change what is in it
	for c := range commands {
		var some []string
		for i := c; i < len(paths); i += commands {
			some = append(some, paths[i])
		}
		before := states(t, gitDir, some)
		script := "clean() { [ ! -e x ] && [ ! -e d ] || rm -rf x d; }\n"
		for _, path := range some {
			for j, way := range []string{
				"echo x >>%s", "rm -f %s", "mv %[1]s %[1]s.old", "mv %s $TMPDIR/x", "echo x >x; mv -fT x %s", "mkdir d; mv -fT d %s", "ln -sfn /dev/null %s", "ln -f README %s",
				"mkfifo %s", "chmod 777 %s/.. && rmdir %[1]s", "mount --bind . %s", "umount %[1]s; umount -l %[1]s; echo x >>%[1]s", "touch d; cp --remove-destination d %s",
			} {
				if !testing.Short() || (c+j)%3 == 0 {
					script += "clean; " + fmt.Sprintf(way, filepath.Join(gitDir, path)) + "\n"
				}
			}
		}
		run(t, s, script)
		require.Equal(t, before, states(t, gitDir, some))
	}
}

func states(t *testing.T, dir string, paths []string) map[string]string {
	found := map[string]string{}
	for _, path := range paths {
		found[path] = state(t, filepath.Join(dir, path))
	}
	return found
}

// state is what there is at a path: its kind, its inode and its content, and the names in a directory.
func state(t *testing.T, path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		require.ErrorIs(t, err, os.ErrNotExist)
		return "nothing"
	}
	if !info.IsDir() {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		return fmt.Sprintf("%v %d %q", info.Mode(), info.Sys().(*syscall.Stat_t).Ino, content)
	}
	return fmt.Sprintf("%v %d", info.Mode(), info.Sys().(*syscall.Stat_t).Ino)
}

// TestSharedClosed has something in the git directory that cannot be protected: commands write as much of it as without
// mounts, which a notice says, and go on as soon as that is gone.
func TestSharedClosed(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	const refused = "but not delete or rename them"
	deletes := func(t *testing.T, s *tools.Suite) bool {
		res := run(t, s, "git tag -f v && git tag -d v")
		require.Equal(t, res.ExitCode != 0, strings.Contains(res.Text, refused), res.Text)
		require.NotContains(t, res.Text, "which worktrees share")
		return res.ExitCode == 0
	}
	for name, c := range map[string]struct {
		close, open string
		harmless    bool // before the suite
	}{
		"a link":                     {close: "ln -s HEAD x", open: "[ ! -e x ]"}, // it is removed
		"a link to hooks":            {close: "mv hooks h && ln -s h hooks"},
		"many entries":               {close: "for i in $(seq 101); do >x$i; done", open: "rm x*"},
		"hooks replaced":             {close: "mv hooks h && mkdir hooks", harmless: true},
		"worktrees replaced":         {close: "cp -r worktrees w && mv worktrees old && mv w worktrees", harmless: true},
		"a rebase has begun":         {close: "mkdir rebase-merge", open: "rmdir rebase-merge", harmless: true},
		"alternates, a link":         {close: "ln -sf ../../HEAD objects/info/alternates", open: "rm objects/info/alternates"},
		"the directory was replaced": {close: "cd .. && cp -r .git g && mv .git old && mv g .git", harmless: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, later := range []bool{true, false} {
				var s *tools.Suite
				base, gitDir, cfg := linked(t, "main", "bwrap")
				if later {
					s = newSuite(t, cfg)
					require.True(t, deletes(t, s))
				}
				out, err := shell(t, base, gitDir, c.close)
				require.NoError(t, err, out)
				if !later {
					s = newSuite(t, cfg)
				}
				require.Equal(t, !later && c.harmless, deletes(t, s))
				if later && c.open != "" {
					out, err := shell(t, base, gitDir, c.open)
					require.NoError(t, err, out)
					require.True(t, deletes(t, s))
				}
			}
		})
	}
}
