//go:build amd64 || arm64

package sandbox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
)

// TestSetupVariables has a hostile Bash.Setup. What it exports reaches nothing that runs before a command is confined, and
// its functions and processes are as confined as those of a command.
func TestSetupVariables(t *testing.T) {
	t.Parallel()
	for _, engine := range append(engines, "off") {
		t.Run(engine, func(t *testing.T) {
			dir, ws := outside(t), outside(t)
			require.NoError(t, os.WriteFile(filepath.Join(ws, "env.sh"), []byte("export LD_DEBUG=files LD_DEBUG_OUTPUT="+dir+"/trace\n"+
				"echo() { builtin echo x >"+dir+"/function; builtin echo \"$@\"; }; (sleep 0; : >"+dir+"/process) 2>/dev/null & wait\n"), 0o600))
			s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine), Setup: ". ./env.sh"}})
			res := run(t, s, "echo x 2>/dev/null; /bin/true; :")
			require.Equal(t, engine == "off", res.Output == "x\n", "the function is there: %s", res.Text)
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Equal(t, engine == "off", len(left) > 2, "%v", left)
			require.Equal(t, engine != "off", len(left) == 0, "%v", left)
		})
	}
}

// agents has an agent of gpg and one of ssh, each with a key that is nowhere else.
type agents struct {
	dir, gpg, ssh string // ssh and gpg are sockets
	env           []string
}

func (a agents) do(t *testing.T, script string) string {
	t.Helper()
	c := exec.Command("bash", "-c", script)
	c.Dir, c.Env = a.dir, append(os.Environ(), a.env...)
	out, err := c.Output()
	require.NoError(t, err, "%s: %s", script, out)
	return strings.TrimSpace(string(out))
}

func newAgents(t *testing.T) agents {
	t.Helper()
	need.Program(t, "git", "gpg", "gpg-agent", "gpgconf", "ssh-agent", "ssh-add", "ssh-keygen")
	a := agents{dir: outside(t)}
	a.ssh = filepath.Join(a.dir, "agent")
	a.env = []string{"GNUPGHOME=" + a.dir + "/gnupg", "SSH_AUTH_SOCK=" + a.ssh}
	a.do(t, `mkdir -m 700 gnupg; gpg --batch --quiet --pinentry-mode loopback --passphrase '' \
		--quick-gen-key 'a <a@b>' ed25519 sign never 2>/dev/null`)
	t.Cleanup(func() { a.do(t, "gpgconf --kill gpg-agent") })
	a.gpg = a.do(t, "gpgconf --list-dirs agent-socket")
	pid := a.do(t, `eval "$(ssh-agent -a agent)" >/dev/null; echo $SSH_AGENT_PID`)
	t.Cleanup(func() { a.do(t, "kill "+pid) })
	a.do(t, "ssh-keygen -q -t ed25519 -N '' -f key; ssh-add -q key 2>/dev/null; rm key")
	return a
}

// TestSigning signs commits with real agents: it fails with a notice, and works once the user has done what that says.
func TestSigning(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			a, ws := newAgents(t), outside(t)
			git(t, ws, "init", "-q")
			git(t, ws, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first")
			bash := config.Bash{Sandbox: config.Sandbox(engine), Env: a.env[:1]}
			closed := newSuite(t, config.Config{Workspace: ws, Bash: bash})
			const gpg, lock = "Sandboxed commands cannot reach gpg-agent: ", "the line lock-never to gpg.conf"
			const ssh = "Sandboxed commands cannot reach ssh-agent: "
			commit := "git " + identity + "commit -q --allow-empty -m x "
			bySSH := "git " + identity + "-c gpg.format=ssh -c user.signingkey=" + a.dir + "/key.pub commit -q --allow-empty -S -m x"
			for command, want := range map[string]string{
				commit + "-S":                       gpg,
				"git " + identity + "tag -s -m x x": gpg,
				"echo x | gpg --sign >signed":       gpg,
				bySSH:                               ssh,
				"ssh-keygen -Y sign -n x -f " + a.dir + "/key.pub <.git/HEAD": ssh,
				"ssh-add -l": ssh,
			} {
				res := run(t, closed, command)
				require.NotZero(t, res.ExitCode, command)
				require.Contains(t, res.Text, want, command)
				require.Equal(t, want == gpg && engine == "landlock", strings.Contains(res.Text, lock), res.Text)
			}
			for _, command := range []string{commit + "--no-gpg-sign", "false", "echo gpg failed to sign the data"} {
				require.NotContains(t, run(t, closed, command).Text, "Sandboxed commands cannot", command)
			}

			bash.Services, bash.Env = []string{a.gpg, a.ssh}, a.env
			opened := newSuite(t, config.Config{Workspace: ws, Bash: bash})
			if engine == "landlock" {
				require.Contains(t, run(t, opened, commit+"-S").Text, "Under landlock gpg cannot lock its files: ")
				a.do(t, "echo lock-never >>gnupg/gpg.conf")
			}
			signed := commit + "-S && git cat-file commit HEAD | grep -c 'BEGIN .* SIGNATURE'"
			require.Equal(t, "1\n", run(t, opened, signed).Text)
			require.Equal(t, "1\n", run(t, opened, strings.Replace(signed, commit+"-S", bySSH, 1)).Text)
		})
	}
}
