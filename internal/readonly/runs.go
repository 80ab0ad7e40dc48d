package readonly

import (
	_ "embed" // the table
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/commandline"
)

//go:embed runs.txt
var runsText string

// runner is a row of runs.txt.
type runner struct {
	letters        string   // of short options
	long           []string // options of two dashes, which may be abbreviated
	single         []string // options of one dash or two
	starts, within []string
	first          string
	script         bool
}

// runners returns the rows of runs.txt, by name.
var runners = sync.OnceValue(func() map[string]*runner {
	all := map[string]*runner{}
	for _, row := range must(readRows(runsText, 1)) {
		r := &runner{}
		for _, a := range strings.Fields(row.columns[0]) {
			r.learn(a)
		}
		for _, name := range row.names {
			all[name] = r
		}
	}
	return all
})

// learn notes a word of the second column.
func (r *runner) learn(a string) {
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
	r := runners()[name]
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
		if r = runners()["git "+args[sub].Text]; r == nil {
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
