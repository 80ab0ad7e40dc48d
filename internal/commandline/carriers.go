package commandline

import (
	_ "embed" // the table
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed carriers.txt
var carriersText string

// carrier is a row of carriers.txt.
type carrier struct {
	words, text, input, far bool

	skip    int             // operands in front of the command
	shell   int             // with up to so many operands behind these it is a shell; -1 is never
	options map[string]byte // the marks of the options that have one
}

// carriers returns the rows of carriers.txt by name.
var carriers = sync.OnceValue(func() map[string]*carrier {
	all := map[string]*carrier{}
	var rows []string
	for line := range strings.Lines(carriersText) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case line == "" || line[0] == '#':
		case line[0] == ' ':
			rows[len(rows)-1] += " " + strings.TrimSpace(line)
		default:
			rows = append(rows, line)
		}
	}
	for _, row := range rows {
		names, columns, _ := strings.Cut(row, " | ")
		c := &carrier{shell: -1, options: map[string]byte{}}
		for _, token := range strings.Fields(columns) {
			c.learn(token)
		}
		for name := range strings.SplitSeq(names, ", ") {
			all[name] = c
			if parent, _, is := strings.Cut(name, " "); is && all[parent] == nil {
				all[parent] = nil // it has subcommands
			}
		}
	}
	return all
})

func (c *carrier) learn(token string) {
	flags := map[string]*bool{"words": &c.words, "text": &c.text, "input": &c.input, "far": &c.far}
	switch flag, n := flags[token], len(token)-1; {
	case flag != nil:
		*flag = true
	case token[0] == '-':
		c.options[token[:n]] = token[n]
	case token[0] == '<':
		c.shell, _ = strconv.Atoi(token[1:]) // nothing is 0
	default:
		c.skip, _ = strconv.Atoi(token)
	}
}

// maxSubcommand is how far behind the name a subcommand may be: docker compose -f x exec.
const maxSubcommand = 6

// carrierOf returns the carrier that a command is, and the index of the last word of its name; nil if it is none.
func carrierOf(words []Word) (c *carrier, at int) {
	if len(words) == 0 || !words[0].Known {
		return nil, 0
	}
	name := path.Base(words[0].Text)
	c, is := carriers()[name]
	for i := 1; is && c == nil && i < min(len(words), maxSubcommand); i++ {
		if sub := carriers()[name+" "+words[i].Text]; sub != nil && words[i].Known {
			return sub, i
		}
	}
	return c, 0
}

// maxCarried is how many words of a carrier are taken for the first of its command.
const maxCarried = 256

// Carried returns what a command may run of its own words, as the words of commands: rm v, for sudo rm v. As it is not
// known of all options whether they have a value, any word may be the first one. ok is false if there may be others,
// because they are too many.
func Carried(words []Word) (list [][]Word, ok bool) {
	c, at := carrierOf(words)
	if c == nil || !c.words {
		return nil, true
	}
	begin := at + 1 + c.read(words[at+1:], func(byte, Word) {})
	for i := begin; i < min(len(words), maxCarried); i++ {
		list = append(list, words[i:])
	}
	return list, len(words) <= maxCarried
}

// Far reports whether a command runs others on another machine, or in a container.
func Far(words []Word) bool {
	c, _ := carrierOf(words)
	return c != nil && c.far
}

// Code returns the words of a command that are code of another language than the shell's.
func Code(words []Word) (code []Word) {
	if c, at := carrierOf(words); c != nil {
		c.read(words[at+1:], func(mark byte, value Word) {
			if mark == '*' {
				code = append(code, value)
			}
		})
	}
	return code
}

// read calls found for each option that has a mark, and returns where the command begins, at the earliest.
func (c *carrier) read(args []Word, found func(mark byte, value Word)) (begin int) {
	operands := 0
	for i := 0; i < len(args); i++ {
		w := args[i]
		start := w.Begin()
		switch {
		case w.Known && start == "--" && (c.words || c.text):
			return min(i+1+c.skip-operands, len(args))
		case w.Known && start == "-": // of su
			continue
		case len(start) < 2 || start[0] != '-':
			if w.Many || operands == c.skip && (c.words || c.text) {
				if i++; i < len(args) && c.shell > 0 { // runuser root -c x
					if mark, value, _ := c.option(args[i], args[i].Begin(), args[i+1:]); mark != 0 {
						found(mark, value)
					}
				}
				return i - 1
			}
			operands++
			continue
		}
		mark, value, taken := c.option(w, start, args[i+1:])
		if mark != 0 {
			found(mark, value)
		}
		i += taken
	}
	return len(args)
}

// option returns the mark of an option, its value, and how many of the words behind it that is.
func (c *carrier) option(w Word, start string, rest []Word) (mark byte, value Word, taken int) {
	name, attached, has := strings.Cut(start, "=")
	mark = c.options[name]
	for i := 1; mark == 0 && i < len(start) && start[0] == '-' && start[1] != '-'; i++ { // a cluster
		if mark = c.options["-"+start[i:i+1]]; mark == '<' {
			return mark, Word{}, 0
		}
		attached, has = start[i+1:], len(start) > i+1 || !w.Known
	}
	switch {
	case mark == 0 || mark == '<':
	case has:
		value = w
		if value.Text = attached; !w.Known {
			value = Word{Text: w.Text, Prefix: attached}
		}
	case len(rest) > 0:
		return mark, rest[0], 1
	}
	return mark, value, 0
}

// carry collects what a carrier runs. Commands of its own words are among those of [Carried], and only those are
// collected here that run others in turn.
func (p *parser) carry(c Command) {
	row, at := carrierOf(c.Words)
	if row == nil || p.full() {
		return
	}
	outer, line := *p, p.line.Unknown
	if !p.carried {
		p.heads = 0
	}
	p.carried, p.line.Unknown, p.input = true, "", anything
	p.far = p.far || row.far
	c.Redirects, c.Unknown = nil, ""
	args := c.Words[at+1:]
	begin := p.carriedTexts(c, row, args, true)
	if row.words && !outer.suffix {
		p.suffix = true
		p.runners(c, args, begin)
	}
	why := p.line.Unknown
	p.carried, p.suffix, p.far, p.doubt, p.input = outer.carried, outer.suffix, outer.far, outer.doubt, outer.input
	p.dirs, p.moves, p.assigned = outer.dirs, outer.moves, outer.assigned
	if p.line.Unknown = line; why != "" {
		p.emit(Command{Text: c.Text, Words: c.Words, Through: c.Through, Unknown: why, Carried: true})
	}
}

// maxHeads is how many words of a carrier are looked at as programs that run others, or as texts.
const maxHeads = 16

// another reports whether one more is looked at.
func (p *parser) another() bool {
	if p.heads++; p.heads > maxHeads {
		p.unknown("it is nested too deeply")
	}
	return p.heads <= maxHeads
}

// runners collects what is run by those of a carrier's words, from one on, that are programs that run others. At another
// place than the first, such a name can be a mere argument, as in sudo apt install tmux.
func (p *parser) runners(c Command, words []Word, begin int) {
	for i := begin; i < min(len(words), maxCarried); i++ {
		name := path.Base(words[i].Text)
		_, wraps := wrappers[name]
		_, reads := readers[name]
		row, at := carrierOf(words[i:])
		builtin := slices.Contains([]string{"builtin", "command", "eval", "exec", "trap"}, name)
		if !words[i].Known || builtin || !wraps && !reads && row == nil {
			continue
		}
		if !p.another() {
			return
		}
		inner := c
		inner.Words = append([]Word{{Text: name, Known: true}}, words[i+1:]...)
		inner.Through = p.within(c)
		if row != nil { // its words are among those of c
			p.far = p.far || row.far
			p.carriedTexts(inner, row, inner.Words[at+1:], i == begin)
			continue
		}
		p.run(inner)
	}
}

// carriedTexts collects the commands of the texts that a carrier is given, and returns where its own command begins. If it
// is sure to be a carrier, it may run what it reads.
func (p *parser) carriedTexts(c Command, row *carrier, args []Word, sure bool) (begin int) {
	given, shell := false, row.shell
	text := func(words ...Word) {
		given = true
		if p.another() {
			joined(p, c, words, true)
		}
	}
	begin = row.read(args, func(mark byte, value Word) {
		switch mark {
		case '<':
			shell = 0
		case '!':
			text(value)
		}
	})
	rest := args[begin:]
	if row.text && len(rest) > 0 {
		text(rest...)
		for _, w := range rest {
			if len(rest) > 1 && w.Known && strings.Contains(w.Text, " ") {
				text(w)
			}
		}
	}
	if sure && !given && (row.input || len(rest) <= shell) {
		c.Unknown = c.Words[0].Text + " runs what it reads"
		p.emit(c)
	}
	return begin
}
