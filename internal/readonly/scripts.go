package readonly

import (
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

// runningScript returns the script of sed or awk on a command line if it may run a program, or a word that may be one.
func runningScript(name string, args []commandline.Word) string {
	runs, options := sedRuns, "efl"
	if strings.HasSuffix(name, "awk") {
		runs, options = awkRuns, "efFvilE"
	}
	scripts, given := 0, false
	for i := 0; i < len(args); i++ {
		if !args[i].Known && mayBeOption(args[i]) {
			return args[i].Text
		}
		script, k := scriptOf(args[i], options)
		switch k {
		case noScript:
			continue
		case scriptBehind, valueBehind:
			if i++; i == len(args) {
				return ""
			}
			script = args[i]
		case operand:
			if scripts++; given || scripts > 1 {
				continue
			}
		}
		if k == scriptBehind || k == scriptHere {
			given = true
		}
		if k == valueBehind {
			given = given || strings.HasSuffix(args[i-1].Begin(), "f")
			continue
		}
		if !script.Known || runs(script.Text) {
			return script.Text
		}
	}
	return ""
}

// place is where a word has a script.
type place int

const (
	noScript place = iota
	operand
	scriptHere
	scriptBehind
	valueBehind // the next word is the value of an option, and no script
)

// scriptOf returns where a word of sed or awk has a script. options are the letters that take a value; e's is a script.
func scriptOf(w commandline.Word, options string) (commandline.Word, place) {
	text := w.Begin()
	if len(text) < 2 || text[0] != '-' {
		return w, operand
	}
	if name, value, attached := strings.Cut(text, "="); strings.HasPrefix(text, "--") {
		if len(name) < 3 || !strings.HasPrefix("--expression", name) && !strings.HasPrefix("--source", name) {
			return w, noScript
		} else if !attached {
			return w, scriptBehind
		}
		return commandline.Word{Text: value, Known: w.Known}, scriptHere
	}
	i := strings.IndexAny(text, options+"i")
	switch {
	case i < 0 || text[i] == 'i' && !strings.Contains(options, "i"): // what follows -i is a suffix
		return w, noScript
	case i == len(text)-1 && text[i] == 'e':
		return w, scriptBehind
	case i == len(text)-1:
		return w, valueBehind
	case text[i] == 'e':
		return commandline.Word{Text: text[i+1:], Known: w.Known}, scriptHere
	}
	return w, noScript
}

// sedRuns reports whether a script may run a program, which it also may if it is not understood.
func sedRuns(script string) bool {
	s := sedScript{lenient: true}
	return !s.reads(script) || s.runs
}
