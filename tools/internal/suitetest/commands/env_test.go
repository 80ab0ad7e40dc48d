package commands_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// environmentOf is what a command sees: the output of env, by lines.
func environmentOf(t *testing.T, cfg config.Config) []string {
	res, err := newSuite(t, cfg, nil).Bash(t.Context(), tools.BashParams{Command: "env"})
	require.NoError(t, err)
	require.Zero(t, res.ExitCode)
	return strings.Split(res.Output, "\n")
}

// TestCredentials has a command not see those of the host, unless the configuration names them.
func TestCredentials(t *testing.T) {
	need.Shell(t)
	t.Setenv("DB_PW", "value")
	t.Setenv("DATABASE_URL", "postgres://user:value@host/db")
	t.Setenv("COMPASS", "value")
	env := environmentOf(t, config.Config{})
	require.NotContains(t, strings.Join(env, "\n"), "DB_PW=")
	require.NotContains(t, strings.Join(env, "\n"), "DATABASE_URL=")
	require.Contains(t, env, "COMPASS=value")
	env = environmentOf(t, config.Config{Bash: config.Bash{Env: []string{"DB_PW", "COOKIE=mine"}}})
	require.Contains(t, env, "DB_PW=value")
	require.Contains(t, env, "COOKIE=mine")
}

// TestShellVariablesOfTheHost has those that make a shell run or print what the
// command does not say. Whoever configures the suite may set them.
func TestShellVariablesOfTheHost(t *testing.T) {
	need.Shell(t)
	names := []string{"BASH_ENV", "ENV", "PS4", "PROMPT_COMMAND", "SSH_CLIENT", "SSH2_CLIENT", "BASH_XTRACEFD", "BASH_FUNC_spilled%%",
		"CDPATH", "POSIXLY_CORRECT", "BASH_COMPAT", "EXECIGNORE", "TIMEFORMAT"}
	for _, name := range names {
		t.Setenv(name, "value")
	}
	t.Setenv("BASH_FUNC_spilled%%", "() {  echo spilled\n}")
	t.Setenv("SHELLOPTS", "braceexpand:hashall:interactive-comments:noglob")
	t.Setenv("BASHOPTS", "nullglob")
	env := environmentOf(t, config.Config{})
	for _, name := range append(names, "SHELLOPTS", "BASHOPTS") {
		require.False(t, slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, name+"=") }), name)
	}
	env = environmentOf(t, config.Config{Bash: config.Bash{Env: []string{"ENV", "PROMPT_COMMAND=true"}}})
	require.Contains(t, env, "ENV=value")
	require.Contains(t, env, "PROMPT_COMMAND=true")
}

// What the host changes while a suite is used is seen by the next command.
func TestEnvironmentFollowsTheHost(t *testing.T) {
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	for _, value := range []string{"one", "two"} {
		t.Setenv("SPILLWAY_ENV_TEST", value)
		require.Equal(t, value+"\n", call(t, s, "bash", map[string]any{"command": "echo $SPILLWAY_ENV_TEST"}).Text)
	}
}

// TestEnvironmentWithoutTheHosts has "-" leave out everything that is not named.
func TestEnvironmentWithoutTheHosts(t *testing.T) {
	need.Shell(t)
	t.Setenv("SPILLWAY_ENV_NAMED", "value")
	t.Setenv("SPILLWAY_ENV_OTHER", "value")
	env := environmentOf(t, config.Config{Bash: config.Bash{Env: []string{"-", "PATH", "SPILLWAY_ENV_NAMED", "SPILLWAY_ENV_UNSET", "PAGER=less"}}})
	require.Contains(t, env, "SPILLWAY_ENV_NAMED=value")
	require.Contains(t, env, "TERM=dumb")
	require.Contains(t, env, "PAGER=less")
	for _, v := range env {
		require.NotRegexp(t, "^(SPILLWAY_ENV_OTHER|SPILLWAY_ENV_UNSET)=", v)
	}
}
