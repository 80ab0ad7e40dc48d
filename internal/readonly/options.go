package readonly

import (
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

// program is what is known of a program, or of a subcommand of it. table.txt says what its columns mean.
type program struct {
	any   bool // nothing that it can be given writes or runs anything
	exact bool // short options are whole words, values are words of their own, and --name is not special
	dirs  bool // no option ends in a slash
	posix bool // options end at the first operand

	operands  int    // how many there may be: 0 is any number, none is none
	listing   string // options of which one allows more operands than that
	needs     string // options of which there must be one
	elsewhere string // what a word begins with that stands for options which the line does not show, such as @

	subs map[string]*program // subcommands; options are then those in front of it

	// judge judges the words instead of all that. extra judges what passed.
	judge func(p *program, name string, args []commandline.Word) string
	extra func(name string, c call) string

	name   string
	short  [128]kind // the harmless options
	long   map[string]kind
	number bool
	harms  []harm // some of the others: they make better reasons, and tests run them
}

// harm is what an option does.
type harm struct{ option, does string }

const none = -1

// kind is what an option takes.
type kind byte

const (
	unknown  kind = iota
	flag          // nothing
	optional      // a value in the same word, or none
	value         // a value in the same word or the next
	format        // value, a format or a sort key of git
)

// call is the arguments of a program, told apart.
type call struct {
	operands []commandline.Word
	given    []option
	many     bool // there may be more operands than these
}

// option is an option that is given.
type option struct {
	name     string // -o or --output
	value    commandline.Word
	attached bool // the value is in the same word
}

// write adds the options by which the program writes to a file, and those of its subcommands.
func (p *program) write(name string) {
	for _, sub := range p.subs {
		sub.write(name)
	}
	for _, option := range writing(name) {
		is := p.long[option]
		if len(option) == 2 && !p.exact {
			is = p.short[option[1]]
		}
		if p.subs == nil && is == unknown {
			p.harms = append(p.harms, harm{option, "writes a file"})
		}
	}
}

// check is Check of the words behind the name.
func (p *program) check(name string, args []commandline.Word) string {
	if p.any {
		return ""
	}
	if p.judge != nil {
		return p.judge(p, name, args)
	}
	if p.subs != nil {
		return p.subcommand(name, args)
	}
	if p.elsewhere != "" {
		for _, w := range args {
			start := w.Begin()
			if strings.HasPrefix(start, p.elsewhere) || !w.Known && strings.HasPrefix(p.elsewhere, start) {
				return w.Text + " may be options of " + name
			}
		}
	}
	c, why := p.parse(name, args)
	if why != "" {
		return why
	}
	if p.needs != "" && !c.has(p.needs) {
		return name + " is only known to change nothing with " + strings.ReplaceAll(p.needs, " ", " or ")
	}
	if p.operands != 0 && (c.many || len(c.operands) > max(p.operands, 0)) && !c.has(p.listing) {
		return name + " is not known to change nothing with these arguments"
	}
	if p.extra != nil {
		return p.extra(name, c)
	}
	return ""
}

// subcommand judges the options in front of a subcommand, and then that.
func (p *program) subcommand(name string, args []commandline.Word) string {
	for i, w := range args {
		if !w.Known {
			return w.Text + " can be any argument of " + name
		}
		if sub, ok := p.subs[w.Text]; ok {
			return sub.check(name+" "+w.Text, args[i+1:])
		}
		if !mayBeOption(w) || w.Text == "--" {
			return p.reason(name, w.Text)
		}
		if k, _ := p.option(&call{}, w, w.Text); k != flag {
			return p.reason(name, w.Text)
		}
		if p.listing != "" && strings.Contains(" "+p.listing+" ", " "+w.Text+" ") {
			if len(args) == 1 {
				return ""
			}
			return name + " is not known to change nothing with these arguments"
		}
	}
	if p.operands == none {
		return name + " alone is not known to change nothing"
	}
	return ""
}

// has reports whether one of some options is there.
func (c call) has(names string) bool {
	for _, o := range c.given {
		for names := names; names != ""; {
			var n string
			n, names, _ = strings.Cut(names, " ")
			if n == o.name {
				return true
			}
		}
	}
	return false
}

// and returns a call with more operands.
func (c call) and(words []commandline.Word) call {
	c.operands = append(c.operands, words...)
	for _, w := range words {
		c.many = c.many || w.Many
	}
	return c
}

// parse tells options from operands, and says why one of them is not harmless.
func (p *program) parse(name string, args []commandline.Word) (c call, why string) {
	for i := 0; i < len(args); i++ {
		w := args[i]
		start := w.Begin()
		switch {
		case w.Known && w.Text == "--" && !p.exact:
			return c.and(args[i+1:]), ""
		case !mayBeOption(w) || p.dirs && w.Dir:
			c.operands = append(c.operands, w)
			c.many = c.many || w.Many
			if p.posix {
				return c.and(args[i+1:]), ""
			}
			continue
		case w.Many || len(start) < 2:
			return c, w.Text + " may be an option of " + name
		}
		if p.operands > 0 && len(c.operands) > 0 {
			return c, w.Text + " may be an argument of " + name // BSD's getopt ends at the first operand
		}
		k, o := p.option(&c, w, start)
		if k == unknown {
			return c, p.reason(name, start)
		}
		if k >= value && o.attached && len(o.name) == 2 && !o.value.Known && o.value.Prefix == "" {
			return c, w.Text + " may be " + name + " " + o.name + " and the next word its value" // $x of -k$x is empty
		}
		if k >= value && !o.attached {
			if i++; i == len(args) {
				return c, name + " " + o.name + " has no value"
			}
			o.value = args[i]
			if why := p.separate(name, o); why != "" {
				return c, why
			}
		}
		if k == format && runsGPG(o.value) {
			return c, name + " " + o.name + " may run gpg"
		}
		c.given = append(c.given, o)
	}
	return c, ""
}

// separate says why a word may be something else than the value of the option in front of it.
func (p *program) separate(name string, o option) string {
	switch {
	case p.exact && o.value.Known && p.harm(o.value.Text) != "":
		return p.reason(name, o.value.Text)
	case o.value.Many:
		return o.value.Text + " may be more than the value of " + name + " " + o.name
	case p.exact || !mayBeOption(o.value) || o.value.Known && isNumber(o.value.Text):
		return ""
	}
	// The option takes a value in the versions that are known. Should another take none, this is an option.
	return o.value.Text + " may be an option of " + name
}

// option returns what the last option of a word takes, or unknown if one of them is not harmless. start is what
// the word begins with, or all of it.
func (p *program) option(c *call, w commandline.Word, start string) (kind, option) {
	if p.exact || start[1] == '-' {
		return p.longOption(w, start)
	}
	if p.number && w.Known && isNumber(start) {
		return flag, option{name: "-#"}
	}
	for i := 1; i < len(start); i++ {
		if start[i] >= 128 {
			break
		}
		o := option{name: "-" + start[i:i+1]}
		switch k := p.short[start[i]]; {
		case k == unknown:
			return unknown, option{}
		case k > flag:
			if !w.Known || i+1 < len(start) {
				o.attached, o.value = true, tail(w, i+1)
			}
			return k, o
		case i+1 == len(start) && w.Known:
			return flag, o
		default:
			c.given = append(c.given, o)
		}
	}
	return unknown, option{} // what follows is not known
}

// longOption is option for one that is a whole word, or all of it in front of "=".
func (p *program) longOption(w commandline.Word, start string) (kind, option) {
	name, _, attached := strings.Cut(start, "=")
	k := p.long[name]
	if !w.Known && !attached || attached && (k == flag || p.exact) {
		return unknown, option{}
	}
	o := option{name: name, attached: attached}
	if attached {
		o.value = tail(w, len(name)+1)
	}
	return k, o
}

// tail is a word without its first n bytes, which are known.
func tail(w commandline.Word, n int) commandline.Word {
	if w.Known {
		return commandline.Word{Text: w.Text[n:], Known: true}
	}
	return commandline.Word{Text: w.Text, Prefix: w.Prefix[n:]}
}

func (p *program) reason(name, given string) string {
	given, _, _ = strings.Cut(given, "=")
	if does := p.harm(given); does != "" {
		return name + " " + given + " " + does
	}
	for _, h := range p.harms {
		if len(given) > 2 && strings.HasPrefix(given, "--") && strings.HasPrefix(h.option, given) {
			return name + " " + h.option + " " + h.does
		}
	}
	if !p.exact && strings.HasPrefix(given, "-") && !strings.HasPrefix(given, "--") {
		for i := 1; i < len(given); i++ {
			for _, h := range p.harms {
				if len(h.option) == 2 && h.option[1] == given[i] {
					return name + " " + h.option + " " + h.does
				}
			}
			if given[i] >= 128 || p.short[given[i]] != flag {
				break
			}
		}
	}
	return name + " " + given + " is not known to change nothing"
}

// harm returns what an option does that is not harmless, or "".
func (p *program) harm(option string) string {
	for _, h := range p.harms {
		if h.option == option {
			return h.does
		}
	}
	return ""
}

// mayBeOption reports whether a word may begin with a dash, and be more than that.
func mayBeOption(w commandline.Word) bool {
	if w.Known {
		return len(w.Text) > 1 && w.Text[0] == '-'
	}
	return !w.Operand && (w.Prefix == "" || w.Prefix[0] == '-')
}

// isNumber reports whether a text is - and digits.
func isNumber(s string) bool {
	return len(s) > 1 && s[0] == '-' && strings.Trim(s[1:], "0123456789") == ""
}

// runsGPG reports whether a format or a sort key of git may contain what makes git run gpg to check a signature: %G?, or
// %(signature) and signature in those of references.
func runsGPG(w commandline.Word) bool {
	return !w.Known || strings.Contains(w.Text, "G") && strings.Contains(w.Text, "%") ||
		strings.Contains(w.Text, "signature")
}
