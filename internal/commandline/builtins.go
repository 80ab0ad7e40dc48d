package commandline

import (
	"path"
	"slices"
	"strings"
)

// builtins are commands that change what the text behind them means, or that change nothing but the shell.
var builtins = map[string]func(*parser, *Command){
	":": shellOnly, "true": shellOnly, "false": shellOnly, "exit": shellOnly, "return": shellOnly, "break": shellOnly,
	"continue": shellOnly, "shift": shellOnly, "times": shellOnly,
	"cd": cd, "pushd": stray, "popd": stray, ".": sourced, "source": sourced,
	"export": declare, "declare": declare, "typeset": declare, "local": declare, "readonly": declare, "nameref": redefine,
	"alias": redefine, "unalias": redefine, "enable": redefine, "hash": redefine, "bind": redefine, "fc": redefine,
	"complete": redefine, "compopt": redefine, "shopt": shopt, "set": set,
	"getopts": assign, "mapfile": assign, "readarray": assign, "printf": assign, "read": assign, "unset": assign,
	"wait": assign, "let": let, "test": test, "[": test, "compgen": compgen, "jobs": jobs,
}

func shellOnly(_ *parser, c *Command) { c.ShellOnly = true }

func cd(p *parser, c *Command) {
	c.ShellOnly = true
	args := c.Words[1:]
	for len(args) > 0 && args[0].Known && (args[0].Text == "-L" || args[0].Text == "-e" || args[0].Text == "--") {
		args = args[1:]
	}
	switch {
	case slices.ContainsFunc(c.Assigned, func(w Word) bool { return !strings.HasPrefix(w.Text, "IFS=") }):
		c.ShellOnly = false // CDPATH and HOME
		p.lost()
	case len(args) == 0:
		p.move("~")
	case len(args) > 1 || !args[0].Known || strings.HasPrefix(args[0].Text, "-") || args[0].Text == "":
		p.lost()
	default:
		p.move(args[0].Text)
	}
}

// stray is pushd and popd.
func stray(p *parser, c *Command) {
	c.ShellOnly = true
	p.lost()
}

// sourced runs a file in the shell, which may change its directory.
func sourced(p *parser, c *Command) {
	words := c.Words[1:]
	for len(words) > 0 && words[0].Known && strings.HasPrefix(words[0].Text, "-") {
		words = words[1:]
	}
	if len(words) > 0 {
		if why := unread(c.Words[0].Text, words[0]); why != "" {
			p.note(why)
		}
	}
	p.lost()
}

// unread returns why it is not known what a shell runs that is given this script; "" if it is a file.
func unread(shell string, script Word) string {
	switch file := path.Clean(script.Text); {
	case !script.Known:
		return script.Text + " can be any script"
	case strings.HasPrefix(file, "/dev/"), strings.HasPrefix(file, "/proc/"):
		return shell + " runs what it reads"
	}
	return ""
}

// redefine changes what names mean.
func redefine(p *parser, c *Command) {
	if len(c.Words) > 1 {
		p.unknown(c.Words[0].Text + " changes what names mean")
	}
}

// declare is export and the like. That it sets a variable of the environment, a rule can allow.
func declare(p *parser, c *Command) {
	c.ShellOnly = true
	for i, w := range c.Words {
		switch name, doubt := variable(w); {
		case i == 0:
		case w.Known && (strings.HasPrefix(w.Text, "-") || strings.HasPrefix(w.Text, "+")):
			if strings.Trim(w.Text[1:], "xrgaAlupfFt-") != "" {
				p.unknown(c.Words[0].Text + " " + w.Text + " changes what assignments do")
			}
			p.arrays = p.arrays || strings.ContainsAny(w.Text, "aA")
		case elements(w):
			p.note(w.Text + " can be the elements of an array, and run commands")
		case doubt != "":
			p.note(doubt)
		default:
			if !w.Known {
				p.declared = w.Text
			}
			if own(name) {
				continue
			}
			// The commands behind it have the variable as those that it stands in front of.
			c.ShellOnly = false
			p.assigned = append(slices.Clip(p.assigned), w)
			if name == "CDPATH" || name == "HOME" || name == "PATH" {
				p.lost()
			}
		}
	}
}

// elements reports whether a word of declare is that of an array, in which declare itself expands what is in quotes.
func elements(w Word) bool {
	text := w.Text
	if !w.Known {
		text = w.Prefix
	}
	_, value, has := strings.Cut(text, "=")
	return has && strings.HasPrefix(value, "(")
}

// shopt allows options that change what patterns match, but not nocaseglob: rules compare file names as they are.
func shopt(p *parser, c *Command) {
	c.ShellOnly = true
	for _, w := range c.Words[1:] {
		if !w.Known || !slices.Contains([]string{"-s", "-u", "-q", "-p", "-o", "globstar", "nullglob",
			"nocasematch", "extglob", "failglob", "inherit_errexit", "lastpipe", "pipefail", "errexit", "nounset"}, w.Text) {
			p.unknown("shopt " + w.Text + " changes what commands mean")
		}
	}
}

// setOptions are the options of set -o that change when the shell ends, and what it prints.
var setOptions = []string{"pipefail", "errexit", "nounset", "xtrace", "verbose", "noclobber", "noglob"}

func set(p *parser, c *Command) {
	c.ShellOnly = true
	for i := 1; i < len(c.Words); i++ {
		w := c.Words[i]
		if w.Known && (w.Text == "--" || w.Text == "-") {
			return
		}
		sign := strings.HasPrefix(w.Text, "-") || strings.HasPrefix(w.Text, "+")
		switch {
		case w.Known && !sign:
			return // positional parameters
		case !w.Known || strings.Trim(w.Text[1:], "euxvfno") != "":
			p.unknown("set " + w.Text + " changes what commands mean")
			return
		}
		for range strings.Count(w.Text, "o") { // each takes a word, wherever it stands
			if i++; i < len(c.Words) && !(c.Words[i].Known && slices.Contains(setOptions, c.Words[i].Text)) {
				p.unknown("set -o " + c.Words[i].Text + " changes what commands mean")
				return
			}
		}
	}
}

func let(p *parser, c *Command) {
	c.ShellOnly = true
	for _, w := range c.Words[1:] {
		if !w.Known || !number(w.Text) {
			p.note(w.Text + " can be an expression that runs commands")
		}
	}
}

// compgen lists completions, for which it expands -W, and runs -C and -F.
func compgen(p *parser, c *Command) {
	if len(c.Words) > 1 {
		p.note("compgen can run commands")
	}
}

// jobs runs the words behind -x.
func jobs(p *parser, c *Command) {
	for _, w := range c.Words[1:] {
		if !w.Known || strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, "x") {
			p.note("jobs " + w.Text + " can run a command")
		}
	}
}

// test is test and [. Its operator -v looks at a variable, whose subscript is an expression.
func test(p *parser, c *Command) {
	c.ShellOnly = true
	args := c.Words[1:]
	if n := len(args); c.Words[0].Text == "[" && n > 0 {
		args = args[:n-1]
	}
	for i, w := range args {
		before, after := "", ""
		if i > 0 {
			before = args[i-1].Text
		}
		if i+1 < len(args) {
			after = args[i+1].Text
		}
		switch {
		case before == "-v":
			p.names(w)
		case w.Known || len(args) == 1 && !w.Many:
		case w.Many && !(w.Glob && w.Prefix != "" && w.Prefix[0] != '-'):
			p.note(w.Text + " can be an option that runs commands")
		case !slices.Contains(testOperators, before) && !slices.Contains(testOperators, after):
			p.note(w.Text + " can be an option that runs commands")
		}
	}
}

// testOperators are operators of test beside which a word is a text, a number or a file.
var testOperators = []string{"=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef",
	"-n", "-z", "-f", "-d", "-e", "-s", "-r", "-w", "-x", "-L", "-h", "-p", "-S", "-t"}
