package environ

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// has reports whether a list of variables has one of that name.
func has(list []string, name string) bool {
	return slices.ContainsFunc(list, func(v string) bool { return strings.HasPrefix(v, name+"=") })
}

// TestCredentialsByName has names that must not reach a command, and others that resemble them and must.
func TestCredentialsByName(t *testing.T) {
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
	for _, name := range secret {
		require.Equal(t, forCommands(nil, nil), forCommands([]string{name + "=value"}, nil), name)
		require.Contains(t, forCommands([]string{name + "=value"}, []string{name + "=given"}), name+"=given")
	}
	for _, name := range append(plain, "PWD", "OLDPWD") {
		require.Contains(t, forCommands([]string{name + "=value"}, nil), name+"=value")
	}
}

// TestCredentialsByValue has secrets under names that tell nothing.
func TestCredentialsByValue(t *testing.T) {
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
		require.False(t, has(forCommands([]string{name + "=" + value}, nil), name), name)
	}
	for name, value := range map[string]string{
		"HTTP_PROXY": "http://user:password@proxy:3128", "SITE": "https://host/a:b@c", "FLAGS": "--pwd=here", "SHELL_MOTTO": "no password= here",
		"REPO": "ssh://git@host/x", "SEARCH": "https://h/?q=token&page=2", "LOCALE": "sk-SK", "LINE": "sk-learn", "DIRS": "/opt/ghp_x/sk-learn-0123456789:/usr/bin",
		"TIME": "now: 12:00", "NOTE": "Key: C major", "ID": "xAKIAIOSFODNN7EXAMPLE",
	} {
		require.Contains(t, forCommands([]string{name + "=" + value}, nil), name+"="+value)
	}
}

// TestGitConfig has the host configure git by variables. They reach commands all together or not at all: with a part of
// them git fails.
func TestGitConfig(t *testing.T) {
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
		set := []string{"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=me",
			"GIT_CONFIG_KEY_1=" + tt.key, "GIT_CONFIG_VALUE_1=" + tt.value}
		env := forCommands(append(set, "GIT_CONFIG_PARAMETERS="+tt.parameters), nil)
		for _, v := range set {
			require.Equal(t, tt.set, slices.Contains(env, v), "%s: %s", tt.key, v)
		}
		require.Equal(t, tt.rest, slices.Contains(env, "GIT_CONFIG_PARAMETERS="+tt.parameters), tt.parameters)
	}
}

// Variables that are none, and those of a shell, are left out; what tells programs that there is no terminal replaces
// the host's, and changes replace that.
func TestOf(t *testing.T) {
	t.Setenv("ENVIRON_TEST", "of the host")
	fixed := []string{"GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "PAGER=cat", "TERM=dumb"}
	for _, tt := range []struct{ host, changes, want []string }{
		{nil, nil, fixed},
		{[]string{"=C:=x", "none", "PAGER=less", "BASH_ENV=x", "BASH_FUNC_f%%=() { :; }"}, nil, fixed},
		{[]string{"A=1"}, nil, append([]string{"A=1"}, fixed...)},
		{[]string{"A=1=2"}, []string{"A=3"}, append([]string{"A=3"}, fixed...)},
		{[]string{"A=1"}, []string{"-"}, fixed},
		{[]string{"A=1"}, []string{"-", "B=", "ENVIRON_TEST", "ENVIRON_UNSET"}, append([]string{"B=", "ENVIRON_TEST=of the host"}, fixed...)},
		{[]string{"A=1"}, []string{"B=2", "-"}, append([]string{"A=1", "B=2"}, fixed...)},
	} {
		require.Equal(t, tt.want, forCommands(tt.host, tt.changes), "%q %q", tt.host, tt.changes)
	}
}

// Get sees what the host changes, and otherwise makes the list once.
func TestCache(t *testing.T) {
	c := NewCache(nil)
	for _, value := range []string{"one", "two"} {
		t.Setenv("ENVIRON_TEST", value)
		list := c.Get()
		require.Contains(t, list, "ENVIRON_TEST="+value)
		require.Same(t, &list[0], &c.Get()[0])
	}
}

func TestKept(t *testing.T) {
	before := []string{"PS4=mine", "SHLVL=1"}
	left := []string{"A=1", "PS4=mine", "ENV=x", "SHLVL=2", "_=ls", "BASH_FUNC_f%%=() { :; }", "BASH_FUNC_exit%%=() { :; }"}
	kept, lost := Kept(left, before)
	require.Equal(t, []string{"A=1", "PS4=mine", "BASH_FUNC_f%%=() { :; }", "SHLVL=1"}, kept)
	require.Equal(t, []string{"ENV", "the function exit"}, lost)
}
