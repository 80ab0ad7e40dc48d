package tools

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// anywhere is what tells a credential wherever it stands in a name, in capitals and
// without what divides its words: npm_config_//host/:_authToken holds TOKEN.
var anywhere = []string{
	"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "PASSCODE", "CREDENTIAL", "APIKEY", "PRIVATEKEY",
	"AUTHORIZATION", "CONNECTIONSTRING", "CONNSTR", "PGPASSFILE", "WEBHOOKURL",
}

// credentialWord finds the words of a name that tell a credential. Digits behind a word
// do not count.
var credentialWord = regexp.MustCompile(`^(.*(PASS|PW|PWD|AUTH|KEYS?)|BEARER|COOKIES?|DSN|JWT|PAT)$`)

// ordinaryWords are those that credentialWord finds, and that tell nothing.
var ordinaryWords = []string{
	"ASKPASS", "BYPASS", "COMPASS", "ENCOMPASS", "GOPASS", "MULTIPASS", "OVERPASS", "SURPASS", "TRESPASS", "UNDERPASS", "GOAUTH",
	"DONKEY", "HOCKEY", "HOTKEY", "HOTKEYS", "JOCKEY", "LESSKEY", "MONKEY", "TURKEY", "WHISKEY",
}

// ordinaryNames are variables of every shell that look like credentials.
var ordinaryNames = []string{"PWD", "OLDPWD"}

// secretValue finds values that hold a secret under whatever name: an address with a
// password in it, as DATABASE_URL may be, a connection string, a header, a private key.
var secretValue = regexp.MustCompile(`://[^/@\s]*:[^/@\s]+@|(?i:(^|;)\s*(password|pwd|accountkey|sharedaccesskey)\s*=|^(authorization:\s*)?(bearer|basic) \S)|-----BEGIN [A-Z ]*PRIVATE KEY`)

// shellVariables are those with which the host would have a shell run, skip or print
// what the command does not say: files to source first, options, prompts that are
// evaluated, where its trace goes. Under sshd, which SSH_CLIENT tells, bash sources
// ~/.bashrc.
var shellVariables = []string{
	"BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "BASH_XTRACEFD", "PS4", "PROMPT_COMMAND", "SSH_CLIENT", "SSH2_CLIENT",
}

// exportedFunction is what the names of exported functions of bash begin with.
const exportedFunction = "BASH_FUNC_"

// fixed tells programs that there is nobody at a terminal.
var fixed = []string{"TERM=dumb", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0"}

// environment is that of commands; changes are Config.Bash.Env.
func environment(changes []string) []string {
	host := os.Environ()
	if len(changes) > 0 && changes[0] == "-" {
		host, changes = nil, changes[1:]
	}
	env := map[string]string{}
	for _, v := range host {
		if name, value, ok := strings.Cut(v, "="); ok && name != "" && !isShells(name) && !isCredential(name, value) {
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

// isShells reports whether a variable changes how a shell runs a command.
func isShells(name string) bool {
	return slices.Contains(shellVariables, name) || strings.HasPrefix(name, exportedFunction)
}

func isCredential(name, value string) bool {
	name = strings.ToUpper(name)
	// The address of a proxy stays whatever it holds: without it nothing can be reached.
	if secretValue.MatchString(value) && !strings.HasSuffix(name, "_PROXY") {
		return true
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
