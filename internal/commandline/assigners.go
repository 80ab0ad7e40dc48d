package commandline

import "strings"

// assigner is how a builtin that gives variables a value takes its words.
type assigner struct {
	values string // options with a value, by letter
	named  string // those of values that name a variable
	runs   string // those of values that are a command

	// operands notes what the words behind the options do; nil if they name nothing.
	operands func(*parser, []Word)
}

// assigners are the builtins of bash that assign to the variables that their words name, with other words among their
// options and operands. declare and its like, let, and what is syntax of the shell stand elsewhere: [declare], [let],
// [parser.names].
var assigners = map[string]assigner{
	"getopts":   {operands: optionName},
	"mapfile":   {values: "dnOsuCc", runs: "C", operands: allNames},
	"readarray": {values: "dnOsuCc", runs: "C", operands: allNames},
	"printf":    {values: "v", named: "v", operands: formatted},
	"read":      {values: "adinNptu", named: "a", operands: allNames},
	"unset":     {operands: allNames},
	"wait":      {values: "p", named: "p"},
}

// assign notes what a builtin of assigners may set.
func assign(p *parser, c *Command) {
	name := c.Words[0].Text
	a := assigners[name]
	c.ShellOnly = name != "printf"
	p.arrays = p.arrays || name == "mapfile" || name == "readarray"
	operands := p.options(c.Words, func(letter byte, value Word) {
		switch {
		case strings.IndexByte(a.runs, letter) >= 0:
			p.note(name + " -" + string(letter) + " runs a command")
		case strings.IndexByte(a.named, letter) >= 0:
			p.arrays = p.arrays || letter == 'a'
			p.names(value)
		case value.Many:
			p.note(value.Text + " can be more than the value of -" + string(letter) + ", and name any variable")
		}
	}, a.values)
	if a.operands != nil {
		a.operands(p, operands)
	}
}

// options reads the options of a builtin as bash does, and returns its operands: options may stand in clusters, the last
// of which may have its value in the same word or the next, they end at -- and at the first word that is none.
func (p *parser) options(words []Word, option func(letter byte, value Word), values string) (operands []Word) {
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case !w.Known && (w.Prefix == "" || w.Prefix[0] == '-'):
			p.note(w.Text + " can be an option of " + words[0].Text + ", and name any variable")
			return words[i:]
		case !w.Known || len(w.Text) < 2 || w.Text[0] != '-':
			return words[i:]
		case w.Text == "--":
			return words[i+1:]
		}
		at := strings.IndexAny(w.Text[1:], values) + 1
		switch {
		case at == 0:
		case at+1 < len(w.Text):
			option(w.Text[at], Word{Text: w.Text[at+1:], Known: true})
		case i+1 < len(words):
			i++
			option(w.Text[at], words[i])
		}
	}
	return nil
}

func allNames(p *parser, words []Word) { p.names(words...) }

// optionName notes the variable of getopts, behind the letters.
func optionName(p *parser, words []Word) {
	switch {
	case len(words) > 0 && words[0].Many:
		p.note(words[0].Text + " can name any variable")
	case len(words) > 1:
		p.names(words[1])
	}
}

// formatted notes the variables of printf %n, which are among the words behind the format.
func formatted(p *parser, words []Word) {
	switch {
	case len(words) == 0:
	case words[0].Many:
		p.note(words[0].Text + " can make printf set any variable")
	case !words[0].Known || Assigns(words[0].Text):
		p.names(words[1:]...)
	}
}

// Assigns reports whether a format of printf may have %n, with flags, width and length, which sets a variable.
func Assigns(format string) bool {
	for i := strings.IndexByte(format, '%'); i >= 0; i = strings.IndexByte(format, '%') {
		format = strings.TrimLeft(format[i+1:], "#-+ 0'123456789$.*hlLjzt")
		if strings.HasPrefix(format, "n") || strings.HasPrefix(format, `\`) {
			return true
		}
		format = strings.TrimPrefix(format, "%")
	}
	return false
}
