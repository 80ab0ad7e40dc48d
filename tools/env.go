package tools

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// credentials are patterns of names of environment variables that are kept from
// commands: what looks like a secret, and what the large providers call theirs.
var credentials = []string{
	"*API_KEY*", "*APIKEY*", "*TOKEN*", "*SECRET*", "*PASSWORD*", "*PASSWD*", "*PASSPHRASE*", "*CREDENTIAL*",
	"*_KEY", "*_KEY_ID", "*PRIVATE_KEY*", "*_AUTH", "*_AUTH_*", "*_PAT", "*_PASS", "*_PWD", "PGPASSFILE",
}

// withPassword finds addresses with a password in them, as DATABASE_URL may be.
// That of a proxy stays: without it nothing can be reached.
var withPassword = regexp.MustCompile(`://[^/@\s]*:[^/@\s]+@`)

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
		if name, value, ok := strings.Cut(v, "="); ok && name != "" && !isCredential(name, value) {
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

func isCredential(name, value string) bool {
	name = strings.ToUpper(name)
	if withPassword.MatchString(value) && !strings.HasSuffix(name, "_PROXY") {
		return true
	}
	for _, pattern := range credentials {
		if ok, _ := path.Match(pattern, name); ok {
			return true
		}
	}
	return false
}
