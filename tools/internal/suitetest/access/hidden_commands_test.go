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
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// vault is a suite without a sandbox in which vault/, *.pem and .env are hidden, in bash.
func vault(t *testing.T, cfg config.Config) *tools.Suite {
	need.Program(t, "bash")
	cfg.Hidden, cfg.Bash.Shell = []string{"vault/", "*.pem", ".env"}, "bash"
	return suitetest.AllTools(t, cfg, map[string]string{
		"vault/k.txt": hiddenSecret, "vault/in/k.txt": hiddenSecret, "sub/x.pem": hiddenSecret, "sub/.env": hiddenSecret, ".env": hiddenSecret,
		"a.txt": "plain\n", "sub/b.txt": "plain\n", "only/.agentignore": "k.txt\n", "only/k.txt": hiddenSecret, "only/x.txt": "plain\n",
	})
}

// A command that reads hidden files by a pattern of the shell is refused as one that names them, and one whose patterns
// match none is not.
func TestHiddenByPattern(t *testing.T) {
	need.Part(t, "tools/permission")
	s := vault(t, config.Config{})
	need.Symlink(t, "vault", filepath.Join(s.Workspace(), "link"))
	for _, command := range []string{
		"cat vault/*", "grep -r x vault/*", "cat vault/?q*", "cat vault/[j-l].txt", "cat v*/k.txt", "cat v*", "cat *", "cat */*.txt", "cat */*/*.txt",
		"cat v[a-b]ult/k.txt", "cat [[:alpha:]]ault/k.txt", "cat [!a-u]*/k.txt", "cat v'au'lt/*", "cat ./v*/k.txt", "cat sub/../v*/k.txt",
		"cat vault/{k,l}.txt", "cat {vault,sub}/k.txt", "cat {vault,sub}/*", "cat {v,w}*/k.txt", "cat vault/{a..z}.txt", "cat vaul{t,}/k.txt",
		"cd vault && cat k.txt", "cd v* && cat k.txt", "cd only && cat k.txt", "cd only && cat k*", "cat only/*", "cat sub/*.pem", "cat sub/.e*", "cat .e*",
		"cat < v*/k.tx?", "cat l?nk/*", "cat link/*", `cat "vault/$x"`, `for f in vault/*; do cat "$f"; done`, "bash -c 'cat vault/*'", "xargs -a v*/k.txt echo",
		"env -u X cat v*/k.txt", "F=vault/k.txt; cat $F", "curl -d @.env localhost:1", "cat " + s.Workspace() + "/v*/k.txt", "shopt -s dotglob; cat sub/*nv",
		"shopt -s globstar; cat **/k.txt", `cd "$HOME"; cat ` + s.Workspace() + "/vault/k.txt", "cat ~/x " + s.Workspace() + "/*/k.txt",
	} {
		res := suitetest.Call(t, s, "bash", map[string]any{"command": command})
		require.NotContains(t, res.Text, hiddenSecret, command)
		require.Equal(t, tools.CodeDenied, res.Code, "%s: %s", command, res.Text)
	}
	for _, command := range []string{
		"cat a*", "cat sub/*.txt", "cat a.txt *.none || true", "cat ?.txt", "echo [v", "cat sub/*nv || true", "cat '*' || true", "echo a{,.txt}", "cat only/x*",
		"cat /etc/host*", "ls -d ~/* || true", "echo **/b.txt", "for f in sub/*.txt; do cat \"$f\"; done", "echo \"$HOME/x\"", "X=a.txt; cat $X",
		"find sub -name b.txt", "grep -r plain .", "tar cf - . | wc -c",
		"grep -r --exclude='*.pem' --exclude-dir=vault plain .", "tar cf - --exclude vault . | wc -c", "echo {a,b}*",
	} {
		res := suitetest.Call(t, s, "bash", map[string]any{"command": command})
		require.False(t, res.IsError, "%s: %s", command, res.Text)
	}
	res := suitetest.Call(t, s, "bash", map[string]any{"command": "cat v*/k.txt"})
	require.Contains(t, res.Text, "v*/k.txt")
	require.NotContains(t, res.Text, "vault", "not the name")
}

// A command that takes a hidden file out of git by its name is refused, in every engine.
func TestHiddenInGit(t *testing.T) {
	need.Part(t, "tools/permission")
	need.Program(t, "git")
	testkit.IsolateGit(t)
	engines := []config.Sandbox{config.SandboxOff, config.SandboxLandlock, config.SandboxBwrap}
	for i, engine := range engines {
		t.Run(string(engine), func(t *testing.T) {
			var cfg config.Config
			cfg.Bash.Sandbox = engine
			cfg.Workspace = t.TempDir()
			if s, err := tools.New(cfg, all.Parts()...); err != nil {
				need.Sandbox(t, err)
			} else {
				s.Close()
			}
			cfg.Workspace = ""
			s := vault(t, cfg)
			for _, args := range []string{"init -q", "add -A", "commit -qm all"} {
				testkit.Git(t, s.Workspace(), strings.Fields(args)...)
			}
			for j, command := range []string{
				"git show HEAD:vault/k.txt", "git cat-file -p HEAD:vault/k.txt", "git cat-file -p HEAD:vault", "git show HEAD:./vault/k.txt",
				"cd sub && git show HEAD:vault/k.txt", "cd sub && git show HEAD:./x.pem", "cd sub && git show HEAD:../vault/k.txt", "git show :vault/k.txt",
				"git show :0:vault/k.txt", "git show 'HEAD^{/a: b}:vault/k.txt'", "git archive HEAD:vault", "git diff HEAD:a.txt HEAD:vault/k.txt",
				"git checkout HEAD -- vault/k.txt", "git restore --source HEAD vault/k.txt", "git blame vault/k.txt", "git log -p -- vault/k.txt",
				"git log -p -- 'vault/*'", "git log -p -- ':(top)vault/k.txt'", "git log -p -- :/vault", "git -C sub blame x.pem", "git -C sub show HEAD:./x.pem",
				"git -C sub show HEAD:vault/k.txt", "git --no-pager -c a.b=c show HEAD:vault/k.txt", "git grep x HEAD:vault", "git grep x HEAD -- vault",
				"/usr/bin/git show HEAD:vault/k.txt", "env X=1 git show HEAD:vault/k.txt", `git show "HEAD:vault/$f"`, "git show HEAD:vault/{k,l}.txt",
				"git show HEAD:vault/*", "git ls-tree HEAD vault/", "git show stash@{0}:vault/k.txt", "git rm --cached v*/k.txt && true",
				"git rm -rq --cached .", "cd sub && git rm -r --cached ..", "git -C sub rm -r --cached .", "git rm -r sub", `git rm -q '*.pem'`,
				"git rm -r --cached :/", "git rm -r --cached ':(top)'", "git rm --cached -r -- . a.txt", "git rm -rq *",
			} {
				if engine == config.SandboxBwrap && strings.Contains(command, "v*") {
					continue // which the sandbox covers
				}
				if testing.Short() && (i+j)%len(engines) != 0 && !strings.Contains(command, "v*") {
					continue // each in one engine
				}
				res := suitetest.Call(t, s, "bash", map[string]any{"command": command})
				require.Equal(t, tools.CodeDenied, res.Code, "%s: %s", command, res.Text)
			}
			for _, command := range []string{
				"git show HEAD:a.txt", "git show HEAD:sub/b.txt", "cd sub && git show HEAD:./b.txt", "git log -p -- . ':!vault' ':(exclude)*.pem'", "git diff",
				"git remote add x host:vault/k.txt", "git commit --allow-empty -qm 'see:vault/k.txt'", "git show HEAD:", "git -C sub blame b.txt",
				"git rm -q --cached a.txt", "git rm -n sub/b.txt", "git rm -n 'a*.txt'",
			} {
				res := suitetest.Call(t, s, "bash", map[string]any{"command": "true; " + command})
				require.NotEqual(t, tools.CodeDenied, res.Code, "%s: %s", command, res.Text)
			}
			res, err := s.Bash(t.Context(), tools.BashParams{Command: "git log --oneline -p HEAD | wc -l"})
			require.NoError(t, err)
			if engine != config.SandboxOff {
				require.Contains(t, strings.Join(res.Sandbox.NotEnforced, "\n"), "reading hidden files that git has")
			}
		})
	}
}

// Once, the model is told what nothing keeps its commands from.
func TestHiddenIsNotEnforced(t *testing.T) {
	s := vault(t, config.Config{})
	said := "are kept only from commands that name them"
	bash := func(args map[string]any) string { return suitetest.Call(t, s, "bash", args).Text }
	require.Contains(t, bash(map[string]any{"command": "grep -r plain ."}), said)
	require.NotContains(t, bash(map[string]any{"command": "grep -r plain ."}), said)
	s.Forget()
	require.Contains(t, bash(map[string]any{"command": "sleep 600", "background": true}), said)
	require.NotContains(t, bash(map[string]any{"command": "true"}), said)

	none := suitetest.AllTools(t, config.Config{}, map[string]string{"a.txt": "x", "sub/.agentignore": "y\n"})
	require.NotContains(t, suitetest.Call(t, none, "bash", map[string]any{"command": "true"}).Text, said, "nothing is hidden as far as that is known")
	require.NoError(t, os.WriteFile(filepath.Join(none.Workspace(), ".agentignore"), []byte("x\n"), 0o644))
	require.Contains(t, suitetest.Call(t, none, "bash", map[string]any{"command": "true"}).Text, said)
}
