// Package environ makes the environment of commands: that of the host, without credentials and without variables that
// change what a shell does.
package environ

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/spillway-go/spillway/internal/credential"
)

// credentialParts mark a credential anywhere in a name, in capitals and without separators:
// npm_config_//host/:_authToken contains TOKEN.
var credentialParts = []string{
	"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSWRD", "PSWD", "PASSPHRASE", "PASSCODE", "CREDENTIAL",
	"APIKEY", "PRIVATEKEY", "AUTHORIZATION", "CONNECTIONSTRING", "CONNSTR", "PGPASSFILE", "WEBHOOKURL",
}

// credentialWord matches words of a name, without digits at the end, that mark a credential.
var credentialWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^(.*(PASS|PW|PWD|PSK|AUTH|KEYS?|CREDS?|COOKIES?|WEBHOOKS?)|BEARER|DSN|JWT|MNEMONIC|[HT]?OTP|PAT|SAS|SK)$`)
})

// ordinaryWords match credentialWord but do not mark a credential.
var ordinaryWords = []string{
	"ASKPASS", "BYPASS", "COMPASS", "ENCOMPASS", "GOPASS", "MULTIPASS", "OVERPASS", "SURPASS", "TRESPASS",
	"UNDERPASS", "GOAUTH", "DONKEY", "HOCKEY", "HOTKEY", "HOTKEYS", "JOCKEY", "LESSKEY", "MONKEY", "TURKEY",
	"WHISKEY", "SACRED",
}

// ordinaryNames are variables of shells and of Erlang that look like credentials.
var ordinaryNames = []string{"PWD", "OLDPWD", "OTP_VERSION"}

// ordinaryTokens matches the tokens of language models: limits on their number, and tokenizers.
var ordinaryTokens = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`TOKENIZERS?|(^|_)MAX_([A-Z]+_)?TOKENS$`)
})

// secretPart matches values of which a name in them says that they hold a secret. Those that are secrets by their form
// are in the table of internal/credential.
var secretPart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(strings.Join([]string{
		`://[^/@\s]*:[^/@\s]+@`,     // an address with a password, as DATABASE_URL may be
		`(?i:https?://[^/@\s?#]+@)`, // or with a token for a name
		`(?i:[?&][\w-]*(token|secret|passw(or)?d|pwd|key|sig|signature)=[^&\s])`,
		`(?i:(^|;)\s*(password|pwd)\s*=|\s(password|passwd|pwd)=\S)`, // connection strings
		`(?i:^(authorization:\s*)?(bearer|basic) \S)`,                // headers
		`(?i:^([\w-]*(api-?key|token|secret|authorization)|(set-)?cookie)\s*:\s*\S)`,
	}, "|"))
})

// gitConfig matches the variables with which the host configures git. They are kept or dropped
// together: git fails if COUNT is larger than the number of pairs.
var gitConfig = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^GIT_CONFIG_(COUNT|(KEY|VALUE)_[0-9]+)$`)
})

// gitParameters is the variable in which git passes on its options -c.
const gitParameters = "GIT_CONFIG_PARAMETERS"

// gitSecret matches the names of git's settings that hold a secret or print one.
var gitSecret = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|['\s])credential\.|\.(extraheader|\w*(token|password|secret|smtppass))\b`)
})

// shellVariables make a shell run, skip or print something that the command does not ask for: files to source first,
// options, prompts that are evaluated, the file of a trace, where cd and the shell look, the format of time. With
// SSH_CLIENT, bash sources ~/.bashrc. IFS and GLOBIGNORE are missing, because shells ignore them in their environment.
var shellVariables = []string{
	"BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "BASH_XTRACEFD", "PS4", "PROMPT_COMMAND", "SSH_CLIENT", "SSH2_CLIENT",
	"CDPATH", "POSIXLY_CORRECT", "BASH_COMPAT", "EXECIGNORE", "TIMEFORMAT",
}

// exportedFunction is the prefix of the variables that hold bash's exported functions.
const exportedFunction = "BASH_FUNC_"

// fixed tells programs that nobody is at a terminal.
var fixed = []string{"TERM=dumb", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0"}

// Cache keeps the environment of commands until that of the host changes, because searching it for credentials takes
// 0.3 ms. It is safe for concurrent use.
type Cache struct {
	changes  []string
	mu       sync.Mutex
	host     []string
	list     []string
	withheld []string // nil until first needed
}

// NewCache returns the cache of the environment with changes from Config.Bash.Env.
func NewCache(changes []string) *Cache { return &Cache{changes: changes} }

// Get returns the environment of commands.
func (c *Cache) Get() []string {
	host := os.Environ()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.list == nil || !slices.Equal(host, c.host) {
		c.host, c.list, c.withheld = host, forCommands(host, c.changes), nil
	}
	return c.list
}

// Withheld returns the values of the host's variables that look like credentials and that commands do not get.
func (c *Cache) Withheld() []string {
	list := c.Get()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.withheld == nil {
		c.withheld = []string{}
		for _, v := range c.host {
			name, value, ok := strings.Cut(v, "=")
			secret := gitConfig().MatchString(name) && isGitSecret(v) || isCredential(name, value)
			if _, kept := slices.BinarySearch(list, v); ok && secret && !kept && !isShells(name) {
				c.withheld = append(c.withheld, value)
			}
		}
	}
	return c.withheld
}

// forCommands returns the host's environment as commands see it, with changes.
func forCommands(host, changes []string) []string {
	if len(changes) > 0 && changes[0] == "-" {
		host, changes = nil, changes[1:]
	}
	env := map[string]string{}
	git := !slices.ContainsFunc(host, isGitSecret)
	for _, v := range host {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" || isShells(name) {
			continue
		}
		if set := gitConfig().MatchString(name); set && git || !set && !isCredential(name, value) {
			env[name] = value
		}
	}
	for _, v := range slices.Concat(fixed, changes) {
		name, value, ok := strings.Cut(v, "=")
		if !ok {
			if value, ok = os.LookupEnv(name); !ok {
				continue
			}
		}
		env[name] = value
	}
	list := make([]string, 0, len(env))
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}

func isShells(name string) bool {
	return slices.Contains(shellVariables, name) || strings.HasPrefix(name, exportedFunction)
}

// isGitSecret reports whether a variable that gitConfig matches holds a secret, or the name of a setting that does.
func isGitSecret(variable string) bool {
	name, value, _ := strings.Cut(variable, "=")
	isKey := strings.HasPrefix(name, "GIT_CONFIG_KEY_")
	return gitConfig().MatchString(name) && (holdsSecret(value) || isKey && gitSecret().MatchString(value))
}

// holdsSecret reports whether a value holds a secret under any name.
func holdsSecret(value string) bool { return secretPart().MatchString(value) || credential.In(value) }

func isCredential(name, value string) bool {
	name = strings.ToUpper(name)
	if name == gitParameters && gitSecret().MatchString(value) {
		return true
	}
	// The address of a proxy always stays, because nothing can be reached without it.
	if holdsSecret(value) && !strings.HasSuffix(name, "_PROXY") {
		return true
	}
	if strings.Contains(name, "TOKEN") {
		name = ordinaryTokens().ReplaceAllString(name, "")
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	joined := strings.Join(words, "")
	if slices.ContainsFunc(credentialParts, func(part string) bool { return strings.Contains(joined, part) }) {
		return true
	}
	return !slices.Contains(ordinaryNames, name) && slices.ContainsFunc(words, func(word string) bool {
		word = strings.TrimRight(word, "0123456789")
		return credentialWord().MatchString(word) && !slices.Contains(ordinaryWords, word)
	})
}

// shellsOwn are variables that the shell sets anew for each command.
var shellsOwn = []string{"_", "SHLVL", "SPILLWAY_CALL"}

// Reserved are functions that would keep a shell from starting a script.
var Reserved = []string{"read", "exec", "exit", "unset", "trap", "eval", "builtin"}

// Kept returns the part of a command's final environment that the next command gets. before is the environment in
// which the command started. lost names the variables and functions that are dropped because they change how a shell
// runs a command.
func Kept(left, before []string) (kept, lost []string) {
	for _, v := range left {
		name, _, _ := strings.Cut(v, "=")
		function, isFunction := strings.CutPrefix(name, exportedFunction)
		function, _, _ = strings.Cut(function, "%%")
		switch {
		case slices.Contains(shellsOwn, name):
		case slices.Contains(before, v), !isShells(name), isFunction && !slices.Contains(Reserved, function):
			kept = append(kept, v)
		case isFunction:
			lost = append(lost, "the function "+function)
		default:
			lost = append(lost, name)
		}
	}
	for _, v := range before {
		if name, _, _ := strings.Cut(v, "="); slices.Contains(shellsOwn, name) {
			kept = append(kept, v)
		}
	}
	slices.Sort(lost)
	return kept, lost
}

// Credentials returns the values of the variables that look like credentials, without those in before.
func Credentials(env, before []string) (values []string) {
	for _, v := range env {
		name, value, ok := strings.Cut(v, "=")
		if ok && !isShells(name) && isCredential(name, value) && !slices.Contains(before, v) {
			values = append(values, value)
		}
	}
	return values
}

// Functions returns the names of the functions in an environment.
func Functions(env []string) (names []string) {
	for _, v := range env {
		if name, ok := strings.CutPrefix(v, exportedFunction); ok {
			name, _, _ = strings.Cut(name, "=")
			names = append(names, strings.TrimSuffix(name, "%%"))
		}
	}
	return names
}
