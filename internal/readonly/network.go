package readonly

import (
	"regexp"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/commandline"
)

// CheckNetwork returns "" if a command is known to read from the network, and to change nothing there or here but caches:
// git fetch --dry-run keeps the objects that it gets. Otherwise it returns why that is not known. None of these
// commands passes [Check]. Whom they ask, the words cannot choose, but for curl, which asks this machine.
//
// npm view is none of them: the .npmrc of the workspace says where npm writes its logs, which older ones it deletes, and
// which registry gets the values of variables.
func CheckNetwork(words []commandline.Word) (why string) {
	return checkIn(networked(), words, "read from the network and change nothing")
}

// remote is the name of a remote, or of a branch: no URL, and no path but one in the directory.
var remote = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`) })

// remotes refuses other repositories than those that the configuration names.
func remotes(name string, c call) string {
	for _, w := range c.operands {
		if !w.Known || !remote().MatchString(w.Text) {
			return w.Text + " may be a repository that the configuration of this one does not name"
		}
	}
	return ""
}

// local is a URL of this machine, without what curl takes for several ones.
var local = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(https?://)?(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?([/?][^\s{}\[\]\\@]*)?$`)
})

// loopback refuses what is no GET or HEAD of this machine, and what writes a file.
func loopback(name string, c call) string {
	if len(c.operands) == 0 {
		return name + " has no URL"
	}
	for _, w := range c.operands {
		if !w.Known || !local().MatchString(w.Text) {
			return w.Text + " may be another machine than this one"
		}
	}
	for _, o := range c.given {
		text, ok := o.value.Text, o.value.Known
		switch o.name {
		case "-o", "--output":
			ok = text == "/dev/null" || text == "-"
		case "-X", "--request":
			ok = text == "GET" || text == "HEAD"
		case "-H", "--header":
			ok = ok && !strings.HasPrefix(text, "@")
		case "-w", "--write-out":
			ok = ok && !strings.HasPrefix(text, "@") && !strings.Contains(text, "%output")
		default:
			ok = true
		}
		if !ok {
			return name + " " + o.name + " " + text + " is not known to change nothing"
		}
	}
	return ""
}
