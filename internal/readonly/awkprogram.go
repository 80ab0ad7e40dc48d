package readonly

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// awkProgram reads a program of awk, and fails at the first place that it does not understand. It knows what gawk,
// mawk, the BWK awk and busybox read alike:
//
//   - every name is known, see [awkRefused];
//   - > compares, as no print is to its left in the same parentheses;
//   - a slash begins a regular expression or divides. mawk takes it for the former behind x++ and length, and gawk
//     looks for the end behind brackets;
//   - | and @ are nowhere but in strings and regular expressions.
//
// What no awk accepts may pass: it does nothing.
type awkProgram struct {
	rest    string
	depth   int
	failed  bool
	unclear bool            // a slash here divides for some, and begins a regular expression for others
	called  []string        // functions, by name
	defined map[string]bool // those of the program

	lenient bool // what reads and writes files is taken for harmless, but not what runs programs
}

// maxAwkDepth is how deep parentheses, braces and brackets may be nested.
const maxAwkDepth = 50

var (
	awkBlank  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[ \t]\\\n|[ \t]|#[^\n]*)+`) })
	awkName   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*`) })
	awkNumber = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?`)
	})
	awkString = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^"(?:[^"\\\n]|\\[^\n])*"`) })
	awkRegexp = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^/(?:[^\\\[/\n]|\\[^\n]|` + awkBracket + `)+/`)
	})
	awkOperator = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\*\*=?|[-+*/%^=!<>]=|!~|&&|\|\||[-+*/%^=<~?:])`)
	})
	// In GBK and Big5, the last byte of a character of UTF-8 takes one of these with it: gawk with LC_ALL=zh_CN.GBK.
	awkSwallowed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[^\x00-\x7f](?:\\["/\\]|[\[\]])|#[^\n]*\\(?:\n|$)`)
	})
)

// awkBracket is a bracket in a regular expression that ends at the same place for all. ] may be the first in there, and
// [ the last. Elsewhere they begin and end one for some, and so does a slash.
const (
	awkBracket = `\[(?:\^?\[|(?:\^?\]|\^(?:` + awkInside + `)|[^\]\\\[/\n^]|` + awkEscape + `)(?:` + awkInside + `)*\[?)\]`
	awkInside  = `[^\]\\\[/\n]|` + awkEscape
	awkEscape  = `\\[^\]\[\n]|\[:[a-z]+:\]`
)

// harmless reports whether all of a program is understood.
func (a *awkProgram) harmless() bool {
	a.defined = map[string]bool{}
	if !utf8.ValidString(a.rest) || awkSwallowed().MatchString(a.rest) {
		return false
	}
	for a.newlines(); a.rest != ""; a.newlines() {
		a.rule()
	}
	for _, name := range a.called {
		a.failed = a.failed || !a.defined[name] && !a.lenient
	}
	return !a.failed
}

func (a *awkProgram) fail() { a.rest, a.failed = "", true }

// take returns what a pattern matches here, and goes behind it.
func (a *awkProgram) take(r func() *regexp.Regexp) string {
	n := len(r().FindString(a.rest))
	text := a.rest[:n]
	a.rest = a.rest[n:]
	return text
}

// peek returns the next byte that is no blank.
func (a *awkProgram) peek() byte {
	a.take(awkBlank)
	if a.rest == "" {
		return 0
	}
	return a.rest[0]
}

// has reports whether a text is next, and goes behind it.
func (a *awkProgram) has(text string) bool {
	a.peek()
	rest, ok := strings.CutPrefix(a.rest, text)
	a.rest = rest
	return ok
}

// need fails if a text is not next.
func (a *awkProgram) need(text string) {
	if !a.has(text) {
		a.fail()
	}
}

func (a *awkProgram) newlines() {
	for a.has("\n") || a.has(";") {
	}
}

// word returns the next word without going behind it.
func (a *awkProgram) word() string {
	a.peek()
	return awkName().FindString(a.rest)
}

// rule reads a function, or a pattern and what is done.
func (a *awkProgram) rule() {
	switch word := a.word(); word {
	case "function":
		a.take(awkName)
		name := a.word()
		a.variable()
		a.defined[name] = true
		a.need("(")
		for a.peek() != ')' && !a.failed {
			if a.variable(); a.peek() != ')' {
				a.need(",")
			}
		}
		a.need(")")
		for a.has("\n") {
		}
		a.need("{")
		a.block()
		return
	case "BEGIN", "END", "BEGINFILE", "ENDFILE":
		a.take(awkName)
		a.need("{")
		a.block()
		return
	}
	if a.peek() != '{' {
		a.list(true)
	}
	if a.has("{") {
		a.block()
	}
}

// variable reads a name that is free.
func (a *awkProgram) variable() {
	a.peek()
	if !a.isFree(a.take(awkName)) {
		a.fail()
	}
}

// isFree reports whether a name is that of a variable or of a function of the program.
func (a *awkProgram) isFree(name string) bool {
	refused := awkRefused[name] && (!a.lenient || name == "system")
	return name != "" && !awkKeywords[name] && !awkFunctions[name] && !refused
}

// block reads statements until }.
func (a *awkProgram) block() {
	if a.depth++; a.depth > maxAwkDepth {
		a.fail()
	}
	for !a.has("}") && !a.failed {
		if a.peek() == 0 {
			a.fail()
		}
		a.statement()
	}
	a.depth--
}

// statement reads a statement. What stands in front of one, such as if (x), counts as a statement too.
func (a *awkProgram) statement() {
	if a.has("{") {
		a.block()
		return
	}
	if a.has(";") || a.has("\n") || a.peek() == '}' {
		return
	}
	start := a.rest
	word := a.take(awkName)
	switch word {
	case "if", "while":
		a.need("(")
		a.expression(false, true)
		a.need(")")
		return
	case "for":
		a.need("(")
		for a.peek() != ')' && !a.failed {
			if !a.has(";") {
				a.expression(false, true)
			}
		}
		a.need(")")
		return
	case "else", "do":
		return
	case "next", "nextfile", "break", "continue":
	case "print", "printf":
		for a.lenient && a.has(">") {
		}
		if !a.ended() {
			a.list(a.lenient)
		}
	case "delete":
		if a.variable(); a.has("[") {
			a.until("]", true)
		}
	case "exit", "return":
		if !a.ended() {
			a.expression(word == "return", true)
		}
	default:
		a.rest = start
		a.expression(false, true)
	}
	a.end()
}

// ended reports whether a statement ends here.
func (a *awkProgram) ended() bool { return strings.IndexByte(";\n})\x00", a.peek()) >= 0 }

func (a *awkProgram) end() {
	if !a.has(";") && !a.has("\n") && a.peek() != '}' {
		a.fail()
	}
}
