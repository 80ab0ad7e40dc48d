package tools_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// environmentOf is what a command sees: the output of env, by lines.
func environmentOf(t *testing.T, cfg config.Config) []string {
	res, err := newSuite(t, cfg, nil).Bash(t.Context(), tools.BashParams{Command: "env"})
	require.NoError(t, err)
	require.Zero(t, res.ExitCode)
	return strings.Split(res.Stdout, "\n")
}

// TestCredentialsByName has names that must not reach a command, and others that
// resemble them and must.
func TestCredentialsByName(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("other shells drop variables whose names are not identifiers")
	}
	secret := []string{
		"npm_config_//registry.example/:_authToken", "npm_config_//registry.example/:_auth", "npm_config__password",
		"SSHPASS", "PASS", "DB_PASS", "DB_PASS_2", "pass", "REDIS-PASS", "PW", "DB_PW", "ROOTPW", "MYSQL_PWD", "DBPWD", "PGPASSFILE",
		"AZURE_STORAGE_CONNECTION_STRING", "ConnectionStrings__Default", "DB_CONN_STR", "MYSQL_DSN",
		"AUTHORIZATION", "HTTP_AUTHORIZATION", "AUTH", "AUTH_HEADER", "REDISCLI_AUTH", "BASICAUTH", "SSH_AUTH_SOCK", "BEARER",
		"COOKIE", "SESSION_COOKIES", "JWT", "APP_JWT", "GH_PAT", "SLACK_WEBHOOK_URL",
		"ENCRYPTIONKEY", "SIGNINGKEY", "signingKey", "KEY", "SSH_KEYS", "TS_AUTHKEY", "AccountKey", "KEY1", "AWS_ACCESS_KEY_ID", "APP_KEY_BASE64",
		"GITHUB_TOKEN", "CLIENT_SECRET", "PGPASSWORD", "VAULT_PASSPHRASE", "GOOGLE_APPLICATION_CREDENTIALS", "OPENAI_API_KEY", "openaiApiKey",
	}
	plain := []string{
		"XAUTHORITY", "GIT_AUTHOR_NAME", "AUTHORS", "COMPASS", "COMPASS_DIR", "BYPASS", "GOPASS_HOMEDIR", "PASSENGER_ROOT", "SSH_ASKPASS",
		"KEYBOARD", "MONKEY", "TURKEY", "HOTKEYS", "LESSKEY", "KEYMAP", "COOKIECUTTER_CONFIG", "COMPAT", "PATH_EXTRA", "JWTOOL", "GOAUTH",
		"SSH_CONNECTION", "XDG_SESSION_ID", "GOPATH_X", "CARGO_HOME_X", "DSNAME",
	}
	for _, name := range slices.Concat(secret, plain) {
		t.Setenv(name, "value")
	}
	env := environmentOf(t, config.Config{})
	for _, name := range secret {
		require.NotContains(t, env, name+"=value")
	}
	for _, name := range plain {
		require.Contains(t, env, name+"=value")
	}
	require.True(t, slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, "PWD=") }))

	env = environmentOf(t, config.Config{Bash: config.Bash{Env: []string{"DB_PW", "COOKIE=mine"}}})
	require.Contains(t, env, "DB_PW=value")
	require.Contains(t, env, "COOKIE=mine")
}

// TestCredentialsByValue has secrets under names that tell nothing.
func TestCredentialsByValue(t *testing.T) {
	for name, value := range map[string]string{
		"DATABASE_URL": "postgres://user:value@host/db",
		"STORAGE":      "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=value;EndpointSuffix=core.windows.net",
		"SQL":          "Server=host;User Id=sa; Password=value",
		"HEADER":       "Authorization: Bearer value",
		"CERTIFICATE":  "-----BEGIN RSA PRIVATE KEY-----\nvalue",
	} {
		t.Setenv(name, value)
	}
	for name, value := range map[string]string{
		"HTTP_PROXY": "http://user:password@proxy:3128", "SITE": "https://host/a:b@c", "FLAGS": "--pwd=here", "SHELL_MOTTO": "no password= here",
	} {
		t.Setenv(name, value)
	}
	env := strings.Join(environmentOf(t, config.Config{}), "\n")
	for _, name := range []string{"DATABASE_URL", "STORAGE", "SQL", "HEADER", "CERTIFICATE"} {
		require.NotContains(t, env, name+"=")
	}
	for _, name := range []string{"HTTP_PROXY", "SITE", "FLAGS", "SHELL_MOTTO"} {
		require.Contains(t, env, name+"=")
	}
}

// TestShellVariablesOfTheHost has those that make a shell run or print what the
// command does not say. Whoever configures the suite may set them.
func TestShellVariablesOfTheHost(t *testing.T) {
	names := []string{"BASH_ENV", "ENV", "PS4", "PROMPT_COMMAND", "SSH_CLIENT", "SSH2_CLIENT", "BASH_XTRACEFD", "BASH_FUNC_spilled%%"}
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
