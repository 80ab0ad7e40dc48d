package tools_test

import (
	"os/exec"
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
		"CREDS", "DB_CREDS", "AWS_CREDS", "GIT_CRED", "PASSWRD", "PSWD", "PSK", "WIFI_PSK", "SETCOOKIE", "SLACK_WEBHOOK", "SAS", "SAS_URL", "OTP",
		"STRIPE_SK", "MNEMONIC", "API_TOKENS", "TOKENIZER_TOKEN", "MAX_TOKEN", "DISABLE_AUTH",
	}
	plain := []string{
		"XAUTHORITY", "GIT_AUTHOR_NAME", "AUTHORS", "COMPASS", "COMPASS_DIR", "BYPASS", "GOPASS_HOMEDIR", "PASSENGER_ROOT", "SSH_ASKPASS",
		"KEYBOARD", "MONKEY", "TURKEY", "HOTKEYS", "LESSKEY", "KEYMAP", "COOKIECUTTER_CONFIG", "COMPAT", "PATH_EXTRA", "JWTOOL", "GOAUTH",
		"SSH_CONNECTION", "XDG_SESSION_ID", "GOPATH_X", "CARGO_HOME_X", "DSNAME",
		"TOKENIZERS_PARALLELISM", "MAX_TOKENS", "MAX_OUTPUT_TOKENS", "OPENAI_MAX_TOKENS", "COOKIEJAR", "SACRED", "OTP_VERSION", "SASS_PATH", "TASK", "SKIP",
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
	need.Shell(t)
	var secret, plain []string
	for name, value := range map[string]string{
		"DATABASE_URL": "postgres://user:value@host/db",
		"STORAGE":      "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=value;EndpointSuffix=core.windows.net",
		"SQL":          "Server=host;User Id=sa; Password=value",
		"HEADER":       "Authorization: Bearer value",
		"CERTIFICATE":  "-----BEGIN RSA PRIVATE KEY-----\nvalue",
		"LIBPQ":        "host=h user=u password=value",
		"ORIGIN":       "https://ghp_abc@github.com/x",
		"QUERY":        "https://h/?access_token=value",
		"SIGNED":       "https://h/blob?sv=1&sig=value",
		"HEADER_2":     "X-Api-Key: value",
		"HEADER_3":     "Cookie: value",
		"GITHUB":       "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
		"GITHUB_2":     "github_pat_11AAAAAAA0aaaaaaaaaaaa",
		"AWS":          "AKIAIOSFODNN7EXAMPLE",
		"SLACK":        "xoxb-1234-abcd",
		"MODEL":        "sk-proj-abcdef0123456789",
		"PAYMENTS":     "sk_live_abcdef0123456789",
		"HOOK":         "https://hooks.slack.com/services/T0/B0/x",
	} {
		secret = append(secret, name)
		t.Setenv(name, value)
	}
	for name, value := range map[string]string{
		"HTTP_PROXY": "http://user:password@proxy:3128", "SITE": "https://host/a:b@c", "FLAGS": "--pwd=here", "SHELL_MOTTO": "no password= here",
		"REPO": "ssh://git@host/x", "SEARCH": "https://h/?q=token&page=2", "LOCALE": "sk-SK", "LINE": "sk-learn", "DIRS": "/opt/ghp_x/sk-learn-0123456789:/usr/bin",
		"TIME": "now: 12:00", "NOTE": "Key: C major", "ID": "xAKIAIOSFODNN7EXAMPLE",
	} {
		plain = append(plain, name)
		t.Setenv(name, value)
	}
	env := strings.Join(environmentOf(t, config.Config{}), "\n")
	for _, name := range secret {
		require.NotContains(t, "\n"+env, "\n"+name+"=")
	}
	for _, name := range plain {
		require.Contains(t, "\n"+env, "\n"+name+"=")
	}
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

// TestGitConfigInTheEnvironment has the host configure git by variables. They reach
// commands all together or not at all: with a part of them git fails.
func TestGitConfigInTheEnvironment(t *testing.T) {
	need.Shell(t)
	for _, tt := range []struct {
		key, value, parameters string
		set, rest              bool
	}{
		{"safe.directory", "*", "'a.b'='c'", true, true},
		{"user.signingkey", "0123", "'core.askpass'='x'", true, true},
		{"http.extraHeader", "X-Any: abc", "", false, true},
		{"http.https://h/.extraheader", "Authorization: Basic abc", "'a.b'='c'", false, true},
		{"credential.helper", "!f() { echo abc; }; f", "", false, true},
		{"credential.https://h.helper", "store", "", false, true},
		{"github.token", "abc", "", false, true},
		{"url.https://u:abc@h/.insteadOf", "https://h/", "", false, true},
		{"remote.o.url", "https://abc@h/x", "", false, true},
		{"a.b", "c", "'http.extraHeader'='X-Any: abc'", true, false},
		{"a.b", "c", "'credential.helper=store'", true, false},
	} {
		t.Setenv("GIT_CONFIG_COUNT", "2")
		t.Setenv("GIT_CONFIG_KEY_0", "user.name")
		t.Setenv("GIT_CONFIG_VALUE_0", "me")
		t.Setenv("GIT_CONFIG_KEY_1", tt.key)
		t.Setenv("GIT_CONFIG_VALUE_1", tt.value)
		t.Setenv("GIT_CONFIG_PARAMETERS", tt.parameters)
		env := environmentOf(t, config.Config{})
		for _, name := range []string{"COUNT=2", "KEY_0=user.name", "VALUE_0=me", "KEY_1=" + tt.key, "VALUE_1=" + tt.value} {
			require.Equal(t, tt.set, slices.Contains(env, "GIT_CONFIG_"+name), "%s: %s", tt.key, name)
		}
		require.Equal(t, tt.rest, slices.Contains(env, "GIT_CONFIG_PARAMETERS="+tt.parameters), tt.parameters)
	}
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
