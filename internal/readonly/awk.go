package readonly

import (
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

// awk reads programs that print to the standard output, see [awkProgram].
func awk(name string, c call) string {
	if len(c.operands) == 0 {
		if len(c.given) == 1 && c.given[0].name == "--version" {
			return ""
		}
		return name + " has no program"
	}
	w := c.operands[0]
	if !w.Known {
		return w.Text + " can be any program of " + name
	}
	a := awkProgram{rest: w.Text}
	if !a.harmless() {
		return name + " '" + w.Text + "' is not known to change nothing"
	}
	for _, w := range c.operands[1:] {
		if mayBeInet(w) {
			return name + " may ask the network for " + w.Text + " if it begins with /inet; ./ in front makes it a file"
		}
	}
	return ""
}

// mayBeInet reports whether an operand may be a connection, /inet/tcp/0/host/80. A pattern becomes names of files.
func mayBeInet(w commandline.Word) bool {
	if w.Known {
		return strings.Contains(w.Text, "/inet")
	}
	return strings.HasPrefix(w.Prefix, "/inet") || !w.Glob && strings.HasPrefix("/inet", w.Prefix)
}

// awkRuns reports whether a program may run another one. What is not understood may, if it has what that takes.
func awkRuns(script string) bool {
	if a := (awkProgram{rest: script, lenient: true}); a.harmless() {
		return false
	}
	script = strings.ReplaceAll(script, "||", "")
	return strings.Contains(script, "system") || strings.ContainsAny(script, "|@")
}

// Names with a meaning of their own. A name that is none of them is a variable, or a function of the program.
var (
	awkKeywords = names(`BEGIN BEGINFILE END ENDFILE break case continue default delete do else exit for func function
		getline if in next nextfile print printf return switch while`)

	awkFunctions = names(`and asort asorti atan2 compl cos exp gensub gsub index int isarray length log lshift match
		mktime or patsplit rand rshift sin split sprintf sqrt srand strftime strtonum sub substr systime tolower toupper
		typeof xor`)

	// With SYMTAB and ARGV a program chooses the files that are read, which may be connections. The BWK awk runs
	// system without parentheses, too.
	awkRefused = names(`ARGC ARGV FUNCTAB PROCINFO SYMTAB bindtextdomain close dcgettext dcngettext fflush intdiv mkbool
		system`)
)

func names(list string) map[string]bool {
	all := map[string]bool{}
	for _, name := range strings.Fields(list) {
		all[name] = true
	}
	return all
}
