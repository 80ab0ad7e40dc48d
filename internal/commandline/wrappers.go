package commandline

import (
	"slices"
	"strings"
)

// wrapper says how a program that runs another one is called.
type wrapper struct {
	flags    string   // options without a value, by letter
	values   string   // options with one
	long     []string // long options; those with a value end in =
	operands int      // words in front of the program
	digits   bool     // it takes -10
	assigns  bool     // it takes NAME=value
}

// wrappers are the programs that run the rest of their words as a command. Any option that is not named here
// makes it unknown what they run.
var wrappers = map[string]wrapper{
	"env": {flags: "i0v", values: "uC", assigns: true,
		long: []string{"ignore-environment", "null", "debug", "unset=", "chdir="}},
	"nice":   {values: "n", long: []string{"adjustment="}, digits: true},
	"ionice": {flags: "t", values: "cn", long: []string{"class=", "classdata=", "ignore"}},
	"nohup":  {},
	"setsid": {flags: "cfw", long: []string{"ctty", "fork", "wait"}},
	"stdbuf": {values: "ioe", long: []string{"input=", "output=", "error="}},
	"time":   {flags: "pvq", values: "f", long: []string{"portability", "verbose", "quiet", "format="}},
	"timeout": {flags: "v", values: "ks", operands: 1,
		long: []string{"preserve-status", "foreground", "verbose", "kill-after=", "signal="}},
	"command": {flags: "p"},
	"builtin": {},
	"exec":    {flags: "cl"}, // -a changes what a program of many names is
	"xargs": {flags: "0rtx", values: "nPIdLsE", long: []string{"null", "no-run-if-empty", "verbose", "exit",
		"max-args=", "max-procs=", "replace=", "delimiter=", "max-lines=", "max-chars="}},
	"watch": {flags: "bcdegtwx", values: "n", long: []string{"beep", "color", "differences", "errexit",
		"chgexit", "no-title", "no-wrap", "exec", "interval="}},
}

// option is an option of a wrapper that has been read: n, or chdir.
type option struct {
	name  string
	value Word
}

// wrapper collects what a wrapper runs. Without a program it is a command itself.
func (p *parser) wrapper(c Command, w wrapper) {
	inner := c
	name := program(c.Words[0].Text)
	if name == "command" && len(c.Words) > 1 && (c.Words[1].Text == "-v" || c.Words[1].Text == "-V") {
		c.ShellOnly = true // it says what a name is
		p.emit(c)
		return
	}
	options, rest, why := w.split(c.Words)
	if len(p.within(c)) > maxWrappers {
		why = "it is nested too deeply"
	}
	if why != "" {
		if c.Unknown == "" {
			c.Unknown = why
		}
		p.emit(c)
		p.lost()
		return
	}
	if w.assigns {
		n := 0
		for n < len(rest) && assignment(rest[n]) {
			n++
		}
		inner.Assigned, rest = slices.Concat(inner.Assigned, rest[:n]), rest[n:]
	}
	if len(rest) == 0 {
		c.ShellOnly = name == "exec" // with redirections alone
		p.emit(c)
		return
	}
	if !rest[0].Known && c.Unknown == "" {
		c.Unknown = rest[0].Text + " can be any program, and an option of " + c.Words[0].Text
		p.emit(c)
		p.lost()
		return
	}
	inner.Words = rest
	inner.Through = p.within(c)
	switch name {
	case "env":
		env(p, inner, options)
	case "xargs":
		xargs(p, inner, options)
	case "watch":
		watch(p, inner, options)
	default:
		p.run(inner)
	}
}

// within returns Through of what c runs.
func (p *parser) within(c Command) [][]Word {
	if len(c.Through) == 0 {
		c.Through = p.through
	}
	return append(slices.Clone(c.Through), c.Words)
}

func assignment(w Word) bool {
	text := w.Text
	if !w.Known {
		text = w.Prefix
	}
	return strings.Contains(text, "=") && !w.Many
}

// split divides the words of a wrapper into its options and the command that it runs.
func (w wrapper) split(words []Word) (options []option, rest []Word, why string) {
	name := words[0].Text
	i := 1
	for ; i < len(words); i++ {
		text := words[i].Text
		if !words[i].Known || text == "" || text[0] != '-' {
			break
		}
		if text == "--" {
			i++
			break
		}
		if text == "-" && name == "env" || w.digits && number(text[1:]) {
			continue
		}
		o, needs, ok := w.option(text)
		if !ok {
			return nil, nil, "what " + name + " " + text + " does is not known"
		}
		if needs {
			if i++; i == len(words) || words[i].Many {
				return nil, nil, "what " + name + " runs is not known"
			}
			o[len(o)-1].value = words[i]
		}
		options = append(options, o...)
	}
	for range w.operands {
		if i < len(words) && (words[i].Many || !words[i].Known && (words[i].Prefix == "" || words[i].Prefix[0] == '-')) {
			return nil, nil, words[i].Text + " can be an option of " + name
		}
		i++
	}
	return options, words[min(i, len(words)):], ""
}

// option reads a word with options. The last one may need the next word as its value.
func (w wrapper) option(text string) (options []option, needs, ok bool) {
	if long, isLong := strings.CutPrefix(text, "--"); isLong {
		name, value, has := strings.Cut(long, "=")
		switch {
		case slices.Contains(w.long, name+"="):
			return []option{{name, Word{Text: value, Known: true}}}, !has, true
		case slices.Contains(w.long, name) && !has, name == "differences":
			return []option{{name: name}}, false, slices.Contains(w.long, name)
		}
		return nil, false, false
	}
	for j := 1; j < len(text); j++ {
		letter := text[j : j+1]
		switch {
		case strings.Contains(w.flags, letter):
			options = append(options, option{name: letter})
		case strings.Contains(w.values, letter):
			value := text[j+1:]
			return append(options, option{letter, Word{Text: value, Known: true}}), value == "", true
		default:
			return nil, false, false
		}
	}
	return options, false, len(options) > 0
}

// env runs a command with other variables, or in another directory.
func env(p *parser, c Command, options []option) {
	dirs := p.dirs
	c.Assigned = slices.Clone(c.Assigned)
	for _, o := range options {
		switch o.name {
		case "u", "unset":
			c.Assigned = append(c.Assigned, Word{Text: o.value.Text + "=", Known: o.value.Known})
		case "C", "chdir":
			if o.value.Known {
				p.move(o.value.Text)
			} else {
				p.lost()
			}
		}
	}
	p.run(c)
	p.dirs = dirs
}

// xargs runs a command with words of its input, at the end or in place of a text.
func xargs(p *parser, c Command, options []option) {
	replaced, appends, input := "", false, p.input
	p.input = anything // what it runs reads something else
	for _, o := range options {
		switch o.name {
		case "I", "replace":
			if replaced = o.value.Text; replaced == "" {
				replaced = "{}"
			}
			if !o.value.Known && c.Unknown == "" {
				c.Unknown = "where xargs puts what it reads is not known"
			}
		case "n", "L", "max-args", "max-lines":
			appends = true // whatever -I says
		}
	}
	if replaced != "" {
		c.Words = replace(c.Words, replaced, "", false)
	}
	if replaced == "" || appends {
		c.Words = append(slices.Clone(c.Words), Word{Text: "{}", Many: true, Operand: input == commits})
	}
	p.run(c)
}

// replace returns words in which those that contain a text are not known.
func replace(words []Word, text, prefix string, many bool) []Word {
	words = slices.Clone(words)
	for i, w := range words {
		if before, _, found := strings.Cut(w.Text, text); found {
			if before == "" {
				before = prefix
			}
			words[i] = Word{Text: w.Text, Prefix: before, Many: many || w.Many}
		}
	}
	return words
}

// watch runs its words as one text, unless it has -x.
func watch(p *parser, c Command, options []option) {
	if slices.ContainsFunc(options, func(o option) bool { return o.name == "x" || o.name == "exec" }) {
		p.run(c)
		return
	}
	c.Through = c.Through[:len(c.Through)-1] // inner adds it again
	joined(p, c, c.Words, true)
}
