// Package environ makes the environment of commands: that of the host, without credentials and
// without what makes a shell run something else.
package environ

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// anywhere is what tells a credential wherever it stands in a name, in capitals and
// without what divides its words: npm_config_//host/:_authToken holds TOKEN.
var anywhere = []string{
	"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSWRD", "PSWD", "PASSPHRASE", "PASSCODE", "CREDENTIAL", "APIKEY", "PRIVATEKEY",
	"AUTHORIZATION", "CONNECTIONSTRING", "CONNSTR", "PGPASSFILE", "WEBHOOKURL",
}

// credentialWord finds the words of a name that tell a credential. Digits behind a word
// do not count.
var credentialWord = regexp.MustCompile(`^(.*(PASS|PW|PWD|PSK|AUTH|KEYS?|CREDS?|COOKIES?|WEBHOOKS?)|BEARER|DSN|JWT|MNEMONIC|[HT]?OTP|PAT|SAS|SK)$`)

// ordinaryWords are those that credentialWord finds, and that tell nothing.
var ordinaryWords = []string{
	"ASKPASS", "BYPASS", "COMPASS", "ENCOMPASS", "GOPASS", "MULTIPASS", "OVERPASS", "SURPASS", "TRESPASS", "UNDERPASS", "GOAUTH",
	"DONKEY", "HOCKEY", "HOTKEY", "HOTKEYS", "JOCKEY", "LESSKEY", "MONKEY", "TURKEY", "WHISKEY", "SACRED",
}

// ordinaryNames are variables that look like credentials: of every shell, and of
// Erlang.
var ordinaryNames = []string{"PWD", "OLDPWD", "OTP_VERSION"}

// ordinaryTokens are those of language models, in names: how many, or how a text is
// divided into them.
var ordinaryTokens = regexp.MustCompile(`TOKENIZERS?|(^|_)MAX_([A-Z]+_)?TOKENS$`)

// secretValue finds values that hold a secret under whatever name.
var secretValue = regexp.MustCompile(strings.Join([]string{
	`://[^/@\s]*:[^/@\s]+@`,     // an address with a password, as DATABASE_URL may be
	`(?i:https?://[^/@\s?#]+@)`, // or with a token for a name
	`(?i:[?&][\w-]*(token|secret|passw(or)?d|pwd|key|sig|signature)=[^&\s])`,
	`(?i:hooks\.slack\.com/|discord(app)?\.com/api/webhooks/)`,
	`(?i:(^|;)\s*(password|pwd|accountkey|sharedaccesskey)\s*=|\s(password|passwd|pwd)=\S)`, // connection strings
	`(?i:^(authorization:\s*)?(bearer|basic) \S)`,                                           // headers
	`(?i:^([\w-]*(api-?key|token|secret|authorization)|(set-)?cookie)\s*:\s*\S)`,
	`-----BEGIN [A-Z ]*PRIVATE KEY`,
	// Tokens that tell what they are by how they begin: GitHub, GitLab, AWS, Slack,
	// Stripe, and services of models.
	`(^|[\s="':,])(gh[oprsu]_\w|github_pat_\w|glpat-\w|xox[a-z]-\w|[rs]k_(live|test)_\w|sk-[\w-]{10})|\b(AKIA|ASIA)[0-9A-Z]{16}\b`,
}, "|"))

// gitConfig finds the variables by which the host configures git. They are one set:
// git ends with an error where COUNT promises more than there is.
var gitConfig = regexp.MustCompile(`^GIT_CONFIG_(COUNT|(KEY|VALUE)_[0-9]+)$`)

// gitParameters holds what git itself was given with -c.
const gitParameters = "GIT_CONFIG_PARAMETERS"

// gitSecret finds the names of git's options that hold a secret or print one.
var gitSecret = regexp.MustCompile(`(?i)(^|['\s])credential\.|\.(extraheader|\w*(token|password|secret|smtppass))\b`)

// shellVariables are those with which the host would have a shell run, skip or print
// what the command does not say: files to source first, options, prompts that are
// evaluated, where its trace goes, where cd and programs are looked for, how time prints.
// Under sshd, which SSH_CLIENT tells, bash sources ~/.bashrc. IFS and GLOBIGNORE are not
// among them: shells take no notice of those in their environment.
var shellVariables = []string{
	"BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "BASH_XTRACEFD", "PS4", "PROMPT_COMMAND", "SSH_CLIENT", "SSH2_CLIENT",
	"CDPATH", "POSIXLY_CORRECT", "BASH_COMPAT", "EXECIGNORE", "TIMEFORMAT",
}

// ExportedFunction is what the names of exported functions of bash begin with.
const ExportedFunction = "BASH_FUNC_"

// fixed tells programs that there is nobody at a terminal.
var fixed = []string{"TERM=dumb", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0"}

// Cache keeps the environment of commands. To look for credentials in that of the host
// takes 0.3 ms, which is saved for as long as that does not change. It is safe for
// concurrent use.
type Cache struct {
	mu   sync.Mutex
	host []string
	list []string
}

// Get returns the environment; changes, always the same, are Config.Bash.Env.
func (c *Cache) Get(changes []string) []string {
	host := os.Environ()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.list == nil || !slices.Equal(host, c.host) {
		c.host, c.list = host, of(host, changes)
	}
	return c.list
}

// of returns what commands see of the host's environment, with changes.
func of(host, changes []string) []string {
	if len(changes) > 0 && changes[0] == "-" {
		host, changes = nil, changes[1:]
	}
	env := map[string]string{}
	git := !slices.ContainsFunc(host, isGitSecret)
	for _, v := range host {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" || IsShells(name) {
			continue
		}
		if set := gitConfig.MatchString(name); set && git || !set && !isCredential(name, value) {
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

// IsShells reports whether a variable changes how a shell runs a command.
func IsShells(name string) bool {
	return slices.Contains(shellVariables, name) || strings.HasPrefix(name, ExportedFunction)
}

// isGitSecret reports whether a variable of gitConfig's set holds a secret, or is the
// name of an option that does.
func isGitSecret(variable string) bool {
	name, value, _ := strings.Cut(variable, "=")
	isKey := strings.HasPrefix(name, "GIT_CONFIG_KEY_")
	return gitConfig.MatchString(name) && (secretValue.MatchString(value) || isKey && gitSecret.MatchString(value))
}

func isCredential(name, value string) bool {
	name = strings.ToUpper(name)
	if name == gitParameters && gitSecret.MatchString(value) {
		return true
	}
	// The address of a proxy stays whatever it holds: without it nothing can be reached.
	if secretValue.MatchString(value) && !strings.HasSuffix(name, "_PROXY") {
		return true
	}
	if strings.Contains(name, "TOKEN") {
		name = ordinaryTokens.ReplaceAllString(name, "")
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	joined := strings.Join(words, "")
	if slices.ContainsFunc(anywhere, func(tell string) bool { return strings.Contains(joined, tell) }) {
		return true
	}
	return !slices.Contains(ordinaryNames, name) && slices.ContainsFunc(words, func(word string) bool {
		word = strings.TrimRight(word, "0123456789")
		return credentialWord.MatchString(word) && !slices.Contains(ordinaryWords, word)
	})
}
