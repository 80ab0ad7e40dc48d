package commandline

import (
	"slices"
	"strings"
)

// harmless are variables in upper case that change what a program shows, or what it builds for, and not what it runs.
var harmless = []string{
	"CGO_ENABLED", "CI", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "DEBIAN_FRONTEND", "FORCE_COLOR", "GIT_OPTIONAL_LOCKS",
	"GIT_TERMINAL_PROMPT", "GO111MODULE", "GOARCH", "GOMAXPROCS", "GOOS", "GOTRACEBACK", "IFS", "LANG", "LANGUAGE",
	"LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME", "LINES",
	"NODE_ENV", "NO_COLOR", "OPTARG", "OPTIND", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONUNBUFFERED", "REPLY",
	"RUST_BACKTRACE", "TERM", "TZ",
}

// settled are assignments of variables that name a program, by which none runs but cat, or Go's own toolchain.
var settled = []string{"GIT_PAGER=cat", LocalGo, "MANPAGER=cat", "PAGER=cat", "SYSTEMD_PAGER=cat", "SYSTEMD_PAGER="}

// LocalGo is the assignment with which go runs no toolchain that a go.mod names, which it may have to download first.
const LocalGo = "GOTOOLCHAIN=local"

// Harmless reports whether an assignment in front of a command cannot change which programs it runs.
func Harmless(w Word) bool {
	if w.Known && slices.Contains(settled, w.Text) {
		return true
	}
	name, doubt := variable(w)
	return doubt == "" && isHarmless(name)
}

func isHarmless(name string) bool {
	_, found := slices.BinarySearch(harmless, name)
	return found
}

// own reports whether a variable of this name is the line's own, or a harmless one, so that setting it changes what no
// program does. Those of the environment are in upper case, but for a few.
func own(name string) bool {
	if !isName(name) {
		return false
	}
	for _, prefix := range []string{"npm_", "pnpm_", "yarn_"} {
		if strings.HasPrefix(name, prefix) {
			return false
		}
	}
	return name == strings.ToLower(name) && !strings.HasSuffix(name, "_proxy") || isHarmless(name)
}

// isName reports whether a text can be the name of a variable.
func isName(text string) bool {
	for i := range len(text) {
		c := text[i]
		if c != '_' && !('a' <= c && c <= 'z') && !('A' <= c && c <= 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return text != ""
}

// names notes what words can do that builtins such as read take for the names of variables.
func (p *parser) names(words ...Word) {
	for _, w := range words {
		name, doubt := variable(w)
		if doubt == "" && !own(name) && !Harmless(w) {
			doubt = "the variable " + name + " may change what programs do"
		}
		if doubt != "" {
			p.note(doubt)
		}
	}
}

// variable returns the name in a word that is NAME, NAME=value or NAME[subscript], or why it is not known. A subscript
// is an expression: see arithm.
func variable(w Word) (name, doubt string) {
	text := w.Text
	if !w.Known {
		text = w.Prefix
	}
	end := strings.IndexAny(text, "=[")
	switch {
	case end < 0 && !w.Known || w.Many:
		return "", w.Text + " can name any variable"
	case end < 0:
		return text, ""
	}
	name = strings.TrimSuffix(text[:end], "+")
	if name == "DEBIAN_FRONTEND" && !(w.Known && isName(text[end+1:])) {
		return name, w.Text + " can be a program, which debconf runs"
	}
	if text[end] == '[' {
		subscript, _, closed := strings.Cut(text[end+1:], "]")
		if !closed || !number(subscript) {
			return name, w.Text + " can be an expression that runs commands"
		}
	}
	return name, ""
}
