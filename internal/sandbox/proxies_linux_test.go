package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// values returns what the last setting of each variable says.
func values(env []string) map[string]string {
	last := map[string]string{}
	for _, v := range env {
		if name, value, ok := strings.Cut(v, "="); ok {
			last[name] = value
		}
	}
	return last
}

// withoutProxies unsets what the host may have set, and restores it after the test.
func withoutProxies(t *testing.T) {
	for _, v := range append(outward(), "GIT_SSH=", "GIT_SSH_COMMAND=") {
		name, _, _ := strings.Cut(v, "=")
		t.Setenv(name, "")
		require.NoError(t, os.Unsetenv(name))
	}
}

// A program that prefers small letters (curl, Python) sees what Bash.Env says in capitals, and the other way round.
func TestProxyVariableOfBashEnvCountsInBothCases(t *testing.T) {
	withoutProxies(t)
	s := &Sandbox{policy: Policy{OwnNetwork: true}}
	for _, upper := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"} {
		lower := strings.ToLower(upper)
		for _, pair := range [][2]string{{upper, lower}, {lower, upper}} {
			own := values(s.Environ(nil))
			require.NotEmpty(t, own[upper])
			require.Equal(t, own[upper], own[lower])
			for _, value := range []string{"", "http://192.0.2.1"} {
				env := values(s.Environ([]string{pair[0] + "=" + value}))
				require.Equal(t, value, env[pair[0]])
				require.NotContains(t, env, pair[1])
				require.Len(t, env, len(own)-1, "the other variables stay")
			}
			both := values(s.Environ([]string{pair[0] + "=a", pair[1] + "=b"}))
			require.Equal(t, "a", both[pair[0]])
			require.Equal(t, "b", both[pair[1]])
		}
	}
}

// The host's variable in the other case does not come back in the place of the sandbox's own.
func TestProxyVariableOfHostCountsLess(t *testing.T) {
	withoutProxies(t)
	t.Setenv("https_proxy", "http://192.0.2.9")
	s := &Sandbox{policy: Policy{OwnNetwork: true}}
	require.Equal(t, "http://192.0.2.1", values(s.Environ([]string{"HTTPS_PROXY=http://192.0.2.1"}))["https_proxy"])
	require.NotEqual(t, "http://192.0.2.9", values(s.Environ([]string{"HTTPS_PROXY"}))["https_proxy"], "a variable that is not set")
}

// git prefers GIT_SSH_COMMAND to GIT_SSH, so that the sandbox sets it only if neither says how to connect.
func TestGitSSHOfUserCountsMore(t *testing.T) {
	withoutProxies(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ncat"), nil, 0o700))
	t.Setenv("PATH", dir)
	s := &Sandbox{policy: Policy{OwnNetwork: true}}
	require.Contains(t, values(s.Environ(nil))["GIT_SSH_COMMAND"], "ncat")
	require.Contains(t, values(s.Environ([]string{"GIT_SSH"}))["GIT_SSH_COMMAND"], "ncat", "a variable that is not set")
	require.NotContains(t, values(s.Environ([]string{"GIT_SSH=/usr/local/bin/myssh"})), "GIT_SSH_COMMAND")
	require.Equal(t, "ssh -v", values(s.Environ([]string{"-", "GIT_SSH_COMMAND=ssh -v"}))["GIT_SSH_COMMAND"])
	for _, name := range []string{"GIT_SSH", "GIT_SSH_COMMAND"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "mine")
			require.NotContains(t, values(s.Environ(nil)), "GIT_SSH_COMMAND")
		})
	}
}
