// Package commandline says which simple commands a command line runs, as far as its text tells.
//
// The parser reads less than bash runs in a few corners, such as "coproc rm x | cat" and "echo >&-rm": these count as
// unknown. TestRun finds them with random texts in a real bash.
package commandline

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// What of a line is looked at. Beyond that it is unknown what the line runs.
const (
	MaxBytes    = 64 << 10 // of its text
	MaxCommands = 1000     // simple commands

	maxFrames   = 1500      // of the parser's stack: about 150 substitutions in each other
	maxNested   = 8         // texts in each other, as in sh -c "sh -c ..."
	maxWrappers = 16        // commands that run each other, as in nice env time ...
	maxParsed   = 256 << 10 // bytes of these texts together
	maxBraces   = 64        // words that a word with braces becomes
	maxDirs     = 8         // directories that a command may run in
	maxVisited  = 200_000   // words and their parts
)

// Line is what a command line runs.
type Line struct {
	Commands []Command // those in substitutions, pipes, functions and wrappers (env, xargs) too; inner ones first
	Unknown  string    // why more than these may run: "it has 70000 bytes, over the limit of 64 KiB"; "" if not
}

// Command is a simple command, or what a compound command does by itself, such as its redirections.
type Command struct {
	Text      string // as it is written, on one line
	Assigned  []Word // the assignments in front of it, NAME=value; alone if it has no name
	Front     []Word // those of Assigned that are its own, and surely made
	Words     []Word // its name and arguments
	Redirects []Redirect
	Stdout    bool     // its own output goes to a file that is no device, or to /dev/null
	Dirs      []string // the directories that it may run in, "" being the one that the line starts in; nil if unknown
	Unknown   string   // what cannot be known from the text: "$cmd can be any program"; "" if all is known

	Through   [][]Word // the words of the commands that run it, outermost first: nice git log, for git log
	ShellOnly bool     // apart from its redirections it changes nothing but the shell: cd, x=1, set -e
	Carried   bool     // another command of the line runs it, and what allows that one allows it: rm x, for su -c 'rm x'
	Far       bool     // it is Carried, and the files that it names are those of another machine
}

// Word is a word of a command, which may become none or several ones when it is expanded.
type Word struct {
	Text   string // without quotes, if Known; else as it is written
	Known  bool   // it is Text and nothing else, but for a ~ at the beginning
	Glob   bool   // it is a pattern of file names, Text; not Known
	Prefix string // what each of the words that it becomes begins with, as far as that is known
	Many   bool   // it may become several words, or none

	Operand bool // it is not known, but no word that it becomes begins with a dash; each may be empty
	Dir     bool // it is not known, but is one word that ends in a slash
}

// Begin returns what the word begins with, as far as that is known.
func (w Word) Begin() string {
	if w.Known {
		return w.Text
	}
	return w.Prefix
}

// Redirect is a redirection to or from a file. One of a descriptor to another, such as 2>&1, is none.
type Redirect struct {
	Text   string // as it is written: "> out.txt"
	Path   Word
	Writes bool
}

// Parse says what a command line runs in bash.
//
// The commands of env, nice, ionice, nohup, stdbuf, setsid, time, timeout, watch, command, builtin, exec, xargs,
// find -exec, trap, eval and of sh -c are found, and these are no commands themselves, but for find without its -exec.
// Their own words are in [Command.Through]. Those of su -c and of others in carriers.txt are [Command.Carried], beside
// these.
func Parse(text string) Line { return parse(text, false) }

// ParsePOSIX says what a command line runs in a shell that may know less than bash, such as dash. Where bash has syntax
// that means another thing there, it is unknown what the line runs.
func ParsePOSIX(text string) Line { return parse(text, true) }

// ParseFor says what a command line runs in a shell of that name.
func ParseFor(shell, text string) Line {
	switch shell {
	case "bash":
		return Parse(text)
	case "sh", "dash", "ksh":
		return ParsePOSIX(text)
	}
	return Line{Unknown: shell + " may run anything"}
}

func parse(text string, posix bool) (line Line) {
	defer func() {
		if r := recover(); r != nil {
			line.Unknown = "it cannot be parsed"
		}
	}()
	p := &parser{line: &line, posix: posix, dirs: []string{""}}
	if why := p.source(text); why != "" {
		line.Unknown = why
	}
	p.settle()
	return line
}

// parser collects the commands of a line. Its text is the one that it is in: the line, or an argument of sh -c.
type parser struct {
	line    *Line
	text    string
	posix   bool // the shell may be a POSIX shell
	nested  int  // texts around this one
	parsed  int  // bytes, of all texts
	visited int

	through  [][]Word // what runs this text
	assigned []Word   // by what runs this text

	dirs   []string // as in Command.Dirs
	moves  int      // how often dirs has changed
	bodies []span   // the commands of functions, which run later

	hereDocs map[int]int // where the next here-document begins that the line up to this newline has

	literal []span // of the text, in which a backslash stays one
	double  int    // double quotes and here-documents around the part at hand, in which ' is no quote for bash

	arrays   bool   // the text has arrays
	declared string // a word of declare whose value is not known

	doubt string // what cannot be known of the command at hand

	carried bool // what is found is what a carrier runs
	suffix  bool // it is among the last words of one
	far     bool // it is for another machine
	heads   int  // how many programs and texts were looked at

	values values
	input  printed // what the command at hand reads, if that is in front of it in a pipe
}

// span is a range of Line.Commands, or of a text.
type span struct{ from, to int }

// source parses a text, and collects its commands. It returns why they are not known.
func (p *parser) source(text string) (why string) {
	file, why := p.syntax(text)
	if why != "" {
		return why
	}
	outer, hereDocs, literal := p.text, p.hereDocs, p.literal
	p.text, p.hereDocs, p.literal = text, nil, nil
	if p.nested == 0 {
		p.values = valuesIn(file)
	}
	p.stmts(file.Stmts)
	p.continued()
	p.text, p.hereDocs, p.literal = outer, hereDocs, literal
	return ""
}

// parsers are used again: one is a quarter of what a short line allocates.
var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// Statements returns the statements of a text in bash, under the limits of Parse. It says nothing of what they run.
func Statements(text string) ([]*syntax.Stmt, error) {
	file, why := new(parser).syntax(text)
	if why != "" {
		return nil, errors.New(why)
	}
	return file.Stmts, nil
}

func (p *parser) syntax(text string) (file *syntax.File, why string) {
	p.parsed += len(text)
	switch {
	case len(text) > MaxBytes:
		return nil, fmt.Sprintf("it has %d bytes, over the limit of %d KiB", len(text), MaxBytes>>10)
	case p.parsed > maxParsed:
		return nil, "it has too much text in texts"
	case !utf8.ValidString(text):
		return nil, "it is not UTF-8"
	}
	// The parser drops a carriage return and a NUL, and bash does not; others have had meanings inside of bash.
	if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }); i >= 0 {
		return nil, fmt.Sprintf("it has the control character %q", text[i])
	}
	defer func() {
		if r := recover(); r == errDeep {
			why = "it is nested too deeply"
		} else if r != nil {
			panic(r)
		}
	}()
	parser := parsers.Get().(*syntax.Parser)
	file, err := parser.Parse(&reader{rest: text}, "")
	parsers.Put(parser) // not after a panic
	if err != nil {
		return nil, "it is not understood: " + problem(err)
	}
	return file, ""
}

// continued looks at the lines that a backslash continues. bash joins such lines before it looks at them: in $\ and (
// on two lines it sees $(, and the parser does not. After a comment it does not join them, and the parser does.
// Neither does in single quotes and in a here-document whose word is quoted.
func (p *parser) continued() {
	slices.SortFunc(p.literal, func(a, b span) int { return a.from - b.from })
	for at := 0; ; {
		newline := strings.IndexByte(p.text[at:], '\n')
		if newline < 0 {
			return
		}
		line := p.text[at : at+newline]
		at += newline + 1
		before, found := strings.CutSuffix(line, `\`)
		if !found {
			continue
		}
		i, _ := slices.BinarySearchFunc(p.literal, at-1, func(s span, end int) int { return s.from - end })
		if i > 0 && at-1 < p.literal[i-1].to {
			continue
		}
		switch {
		case strings.Contains(line, "#"):
			p.unknown(`it has a line with # that ends in \`)
		case !strings.HasSuffix(before, " ") && !strings.HasSuffix(before, "\t"):
			p.unknown(`it has a line that ends in \ without a space in front of it`)
		}
	}
}

// problem returns the message of an error of the parser, on one line.
func problem(err error) string {
	var parse syntax.ParseError
	var lang syntax.LangError
	message := err.Error()
	switch {
	case errors.As(err, &parse):
		message = parse.Text
	case errors.As(err, &lang):
		message = lang.Feature + " is not of bash"
	}
	return oneLine(message, 100)
}

// reader hands a text to the parser. The parser calls itself for what is nested, and a program cannot recover from a
// stack that is too deep for Go. So whenever the parser reads on, after a kilobyte or less, its stack is looked at.
type reader struct {
	rest  string
	reads int
	frame [1]uintptr
}

var errDeep = errors.New("the parser's stack is too deep")

func (r *reader) Read(b []byte) (int, error) {
	if r.rest == "" {
		return 0, io.EOF
	}
	if r.reads++; r.reads > 1 && runtime.Callers(maxFrames, r.frame[:]) > 0 {
		panic(errDeep)
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// inner collects the commands of a text that c runs, an argument of sh -c for example.
func (p *parser) inner(c Command, text string, posix bool) {
	if p.nested == maxNested {
		c.Unknown = "it is nested too deeply"
		p.emit(c)
		return
	}
	if c.Unknown != "" || len(c.Redirects) > 0 {
		p.emit(Command{Text: c.Text, Redirects: c.Redirects, Unknown: c.Unknown, ShellOnly: true})
	}
	outer := *p
	p.nested++
	p.suffix = false
	p.posix = posix
	p.through = p.within(c)
	p.assigned = c.Assigned
	p.doubt = ""
	why := p.source(text)
	p.nested, p.posix, p.doubt = outer.nested, outer.posix, outer.doubt
	exported := p.assigned[len(c.Assigned):]
	p.through, p.assigned, p.suffix = outer.through, outer.assigned, outer.suffix
	if name := c.Words[0].Text; name == "eval" || name == "trap" { // in this shell
		p.assigned = append(slices.Clip(p.assigned), exported...)
	}
	if why != "" {
		c.Redirects, c.Unknown = nil, fmt.Sprintf("%s runs a text, and %s", c.Words[0].Text, why)
		p.emit(c)
	}
}

func (p *parser) emit(c Command) {
	if p.full() {
		return
	}
	if len(p.line.Commands) == MaxCommands {
		p.unknown(fmt.Sprintf("it has over %d commands", MaxCommands))
		return
	}
	if p.dirs != nil {
		c.Dirs = slices.Clone(p.dirs)
	}
	if len(c.Through) == 0 {
		c.Through = p.through
	}
	c.Carried, c.Far = c.Carried || p.carried, p.far
	if c.Far {
		c.Dirs = nil
	}
	if c.Unknown != "" || len(c.Words) > 0 && slices.ContainsFunc(c.Assigned, func(w Word) bool { return !Harmless(w) }) {
		c.ShellOnly = false
	}
	p.line.Commands = append(p.line.Commands, c)
}

// unknown notes why more commands than those that are found may run.
func (p *parser) unknown(why string) {
	if p.line.Unknown == "" {
		p.line.Unknown = why
	}
}

// full reports whether enough has been looked at.
func (p *parser) full() bool {
	p.visited++
	if p.visited == maxVisited {
		p.unknown("it has too many words")
	}
	return p.visited >= maxVisited || len(p.line.Commands) == MaxCommands && p.line.Unknown != ""
}

// settle leaves it open where functions run, if the line changes its directory anywhere, and what declare does, if
// it has arrays: after x=(), declare "x=$y" runs the substitutions in y. What the line exports anywhere, functions have.
func (p *parser) settle() {
	if p.arrays && p.declared != "" {
		p.unknown(p.declared + " can be the elements of an array, and run commands")
	}
	for _, body := range p.bodies {
		p.expose(body, p.assigned)
		if p.moves != 0 {
			p.adrift(body)
		}
	}
}

// expose gives commands that run later, or again, what is exported by then.
func (p *parser) expose(s span, exported []Word) {
	for i := s.from; i < s.to && len(exported) > 0; i++ {
		c := &p.line.Commands[i]
		for _, w := range exported {
			if len(c.Words) > 0 && !slices.Contains(c.Assigned, w) && !slices.Contains(c.Words, w) {
				c.Assigned = append(slices.Clip(c.Assigned), w)
				c.ShellOnly = c.ShellOnly && Harmless(w)
			}
		}
	}
}

func (p *parser) adrift(s span) {
	for i := s.from; i < s.to; i++ {
		p.line.Commands[i].Dirs = nil
	}
}

// written returns a part of the text, on one line.
func (p *parser) written(from, to syntax.Pos) string {
	start, end := int(from.Offset()), int(to.Offset())
	if start >= end || end > len(p.text) {
		return ""
	}
	return oneLine(p.text[start:end], 1000)
}

// oneLine returns a text with its white space made single spaces, and at most max bytes of it.
func oneLine(text string, limit int) string {
	if strings.ContainsAny(text, "\n\t") {
		text = strings.Join(strings.Fields(text), " ")
	}
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "..."
	}
	return text
}
