package readonly

import (
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/commandline"
)

// runners are the arguments with which programs, and their subcommands, run a program that the command line names.
// A program that always runs one, such as sh, npx or docker exec, is none of these, nor is what the wrappers do (env,
// xargs, find -exec).
//
// -x and --long are options, also clustered and abbreviated. -long is an option of go and others, with one dash or
// two. What ends in "=" or "::", or is +, is what a word begins with, ~text is in a word, and anything else is the
// first word that is no option.
var runners = map[string]string{
	"git":            `-c --config-env --exec-path=`,
	"git archive":    `--exec`,
	"git bisect":     `run`,
	"git clone":      `-u --upload-pack -c --config --template ext::`,
	"git difftool":   `-x --extcmd`,
	"git fetch":      `--upload-pack ext::`,
	"git fetch-pack": `--upload-pack --exec`,
	"git filter-branch": `--setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter
		--commit-filter --tag-name-filter`,
	"git grep":         `-O --open-files-in-pager`,
	"git init":         `--template`,
	"git ls-remote":    `--upload-pack --exec ext::`,
	"git pull":         `--upload-pack ext::`,
	"git push":         `--receive-pack --exec ext::`,
	"git rebase":       `-x --exec`,
	"git remote":       `ext::`,
	"git send-email":   `--sendmail-cmd --smtp-server --to-cmd --cc-cmd --header-cmd`,
	"git send-pack":    `--receive-pack --exec`,
	"git submodule":    `foreach`,
	"go":               `-exec -toolexec -vettool ~-extld`,
	"cargo":            `--config`,
	"cc gcc g++ clang": `-wrapper -fplugin=`,
	"make gmake":       `SHELL= -E --eval`,
	"npm":              `--script-shell --git --editor --viewer`,
	"rg":               `--pre --hostname-bin`,
	"ag ack":           `--pager`,
	"fd fdfind":        `-x --exec -X --exec-batch`,
	"sort gsort":       `--compress-program`,
	"split":            `--filter`,
	"diff3 sdiff":      `--diff-program`,
	"tar gtar bsdtar": `-I --use-compress-program -F --info-script --new-volume-script --to-command
		--checkpoint-action --rsh-command
		--rmt-command`,
	"zip":                `-TT --unzip-command`,
	"rsync":              `-e --rsh`,
	"scp sftp":           `-S -o -F`,
	"ssh":                `-o -F`,
	"man":                `-P --pager -H --html`,
	"vim vi nvim ex":     `-c --cmd -S -u +`,
	"emacs":              `-l -f -eval -load -funcall --eval --load --funcall`,
	"less more":          `+`,
	"gdb":                `-ex -iex -x -ix -eval-command -init-eval-command -command -init-command`,
	"tcpdump":            `-z`,
	"nmap":               `--script`,
	"wget":               `--use-askpass -e --execute`,
	"sqlite3":            `~.shell ~.system -cmd -init`,
	"psql mysql":         `~\! --pager`,
	"svn":                `--diff-cmd --diff3-cmd --editor-cmd --merge-cmd --config-option`,
	"hg":                 `--config`,
	"rpm":                `--pipe -E --eval`,
	"apt apt-get":        `-o --option -c --config-file`,
	"sed gsed":           `script`,
	"awk gawk mawk nawk": `script`,
}

// runner is a line of runners.
type runner struct {
	letters        string   // of short options
	long           []string // options of two dashes, which may be abbreviated
	single         []string // options of one dash or two
	starts, within []string
	first          string
	script         bool
}

var parsedRunners = sync.OnceValue(func() map[string]*runner {
	all := map[string]*runner{}
	for names, arguments := range runners {
		r := &runner{}
		for _, a := range strings.Fields(arguments) {
			switch {
			case a[0] == '~':
				r.within = append(r.within, a[1:])
			case a == "+" || strings.HasSuffix(a, "=") || strings.HasSuffix(a, "::"):
				r.starts = append(r.starts, a)
			case a == "script":
				r.script = true
			case strings.HasPrefix(a, "--"):
				r.long = append(r.long, a)
			case len(a) == 2 && a[0] == '-':
				r.letters += a[1:]
			case a[0] == '-':
				r.single = append(r.single, a)
			default:
				r.first = a
			}
		}
		fields := strings.Fields(names)
		if fields[0] == "git" {
			fields = []string{names}
		}
		for _, name := range fields {
			all[name] = r
		}
	}
	return all
})

// Runs returns the argument that makes a command run another program that it names, such as --pre of rg, or one that is
// not known and may be such an argument, as $x. It returns "" if there is none that is known. A rule with a * does not
// allow those.
func Runs(words []commandline.Word) (argument string) {
	if len(words) == 0 || !words[0].Known {
		return ""
	}
	name, args := words[0].Text, words[1:]
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	r := parsedRunners()[name]
	if r == nil {
		return ""
	}
	if r.script {
		return runningScript(name, args)
	}
	if name == "git" {
		sub := subcommand(args)
		if argument := r.find(args[:sub], false); argument != "" || sub == len(args) {
			return argument
		}
		if !args[sub].Known {
			return args[sub].Text
		}
		if r = parsedRunners()["git "+args[sub].Text]; r == nil {
			return ""
		}
		args = args[sub+1:]
	}
	return r.find(args, strings.HasSuffix(name, "tar"))
}

// subcommand returns the index of git's subcommand.
func subcommand(args []commandline.Word) int {
	for i := 0; i < len(args); i++ {
		switch start := args[i].Begin(); start {
		case "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix", "--attr-source":
			i++
		default:
			if !strings.HasPrefix(start, "-") {
				return i
			}
		}
	}
	return len(args)
}

// find returns the first of the arguments that runs a program. The first word may be a cluster without a dash.
func (r *runner) find(args []commandline.Word, cluster bool) string {
	first := true
	for i, w := range args {
		start := w.Begin()
		switch {
		case start == "--" && w.Known:
			return ""
		case start == "": // the empty word, or one that is not known
			if !w.Known {
				return w.Text
			}
			continue
		}
		for _, s := range r.starts {
			if strings.HasPrefix(start, s) {
				return s
			}
		}
		for _, s := range r.within {
			if strings.Contains(w.Text, s) {
				return s
			}
		}
		if start[0] != '-' {
			if first && r.first != "" && start == r.first {
				return r.first
			}
			if cluster && i == 0 {
				start = "-" + start
			}
			first = false
		}
		if o := r.option(start); o != "" {
			return o
		}
		if !w.Known && mayBeOption(w) {
			return w.Text
		}
	}
	return ""
}

// option returns the option of the runner that a word is, or has in its cluster.
func (r *runner) option(word string) string {
	if len(word) < 2 || word[0] != '-' {
		return ""
	}
	name, _, _ := strings.Cut(word, "=")
	for _, o := range r.single {
		if name == o || name == "-"+o {
			return o
		}
	}
	if strings.HasPrefix(word, "--") {
		for _, o := range r.long {
			if len(name) > 2 && strings.HasPrefix(o, name) {
				return o
			}
		}
		return ""
	}
	if i := strings.IndexAny(word[1:], r.letters); i >= 0 && r.letters != "" {
		return "-" + word[i+1:i+2]
	}
	return ""
}
