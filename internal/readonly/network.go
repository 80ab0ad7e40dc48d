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

// networked returns what is known, by name.
var networked = sync.OnceValue(func() map[string]*program {
	all := map[string]*program{}
	for names, p := range network {
		p.compile()
		p.name, _, _ = strings.Cut(names, " ")
		for _, name := range strings.Fields(names) {
			all[name] = p
		}
	}
	return all
})

const (
	ghOptions = ` -R: -q: -t: --repo= --json= --jq= --template= `
	ghLists   = ghOptions + ` -L: -s: -A: -a: -l: -S: --limit= --state= --author= --assignee= --label= --search=
		--app= --base= -B: --head= -H: --draft -d --milestone= -m: --mention=`
)

var network = map[string]*program{
	"git": {operands: none, options: `--no-pager -P --no-optional-locks`, subs: map[string]*program{
		"ls-remote": {
			options: `-h -t -b -q --heads --tags --branches --refs --quiet --exit-code --get-url --symref --sort%`,
			harmful: `--upload-pack --exec: runs a program`,
			extra:   remotes,
		},
		"fetch": {
			options: `-p -t -n -v -q --dry-run --all --prune --tags --no-tags --verbose --quiet --no-auto-gc
				--no-auto-maintenance --no-recurse-submodules --no-write-fetch-head`,
			harmful: `--upload-pack: runs a program`,
			needs:   "--dry-run", extra: remotes,
		},
	}},
	"gh": {operands: none, subs: map[string]*program{
		"pr": {operands: none, subs: map[string]*program{
			"view":   {options: ghOptions + `-c --comments`},
			"diff":   {options: ghOptions + `--color= --name-only --patch`},
			"checks": {options: ghOptions + `--required --fail-fast --watch -i: --interval=`},
			"status": {options: ghOptions + `-c --conflict-status`},
			"list":   {options: ghLists},
		}},
		"run": {operands: none, subs: map[string]*program{
			"list": {options: ghOptions + `-L: --limit= -w: --workflow= -b: --branch= -e: --event= -s: --status= -u:
				--user= -c: --commit= --created= -a --all`},
			"view": {options: ghOptions + `-a: --attempt= --exit-status -j: --job= --log --log-failed -v --verbose`},
		}},
		"issue": {operands: none, subs: map[string]*program{
			"view":   {options: ghOptions + `-c --comments`},
			"list":   {options: ghLists},
			"status": {options: ghOptions},
		}},
		"release": {operands: none, subs: map[string]*program{
			"view": {options: ghOptions},
			"list": {options: ghOptions + `-L: --limit= --exclude-drafts --exclude-pre-releases`},
		}},
	}},
	"pip pip3": {operands: none, subs: map[string]*program{
		"list": {options: `-e -l -o -q -u -v --editable --local --outdated --uptodate --user --format= --not-required
			--exclude-editable --exclude= --pre`, operands: none},
	}},
	"curl": {
		options: `-s -S -I -i -f -v -k -4 -6 -m: -H: -X: -o: -w: --silent --show-error --head --include --fail
			--fail-with-body --verbose --insecure --max-time= --connect-timeout= --header= --request= --output=
			--write-out= --compressed --no-progress-meter`,
		harmful: `-K --config: reads options from a file; -T --upload-file: sends a file`,
		extra:   loopback,
	},
}

// remote is the name of a remote, or of a branch: no URL, and no path but one in the directory.
var remote = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// remotes refuses other repositories than those that the configuration names.
func remotes(name string, c call) string {
	for _, w := range c.operands {
		if !w.Known || !remote.MatchString(w.Text) {
			return w.Text + " may be a repository that the configuration of this one does not name"
		}
	}
	return ""
}

// local is a URL of this machine, without what curl takes for several ones.
var local = regexp.MustCompile(`^(https?://)?(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?([/?][^\s{}\[\]\\@]*)?$`)

// loopback refuses what is no GET or HEAD of this machine, and what writes a file.
func loopback(name string, c call) string {
	if len(c.operands) == 0 {
		return name + " has no URL"
	}
	for _, w := range c.operands {
		if !w.Known || !local.MatchString(w.Text) {
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
