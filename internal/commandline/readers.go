package commandline

import (
	"slices"
	"strings"
)

// readers are the programs and builtins that read commands, from an argument or from their input.
var readers map[string]func(*parser, Command)

func init() {
	readers = map[string]func(*parser, Command){"eval": eval, "trap": trap, "find": find}
	for _, name := range []string{"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "rbash"} {
		readers[name] = shell
	}
}

// eval runs its words as one text in this shell.
func eval(p *parser, c Command) {
	words := c.Words[1:]
	if len(words) > 0 && words[0].Known && words[0].Text == "--" {
		words = words[1:]
	}
	joined(p, c, words, p.posix)
}

// joined collects the commands of a text that is made of words.
func joined(p *parser, c Command, words []Word, posix bool) {
	texts := make([]string, len(words))
	for i, w := range words {
		if !w.Known {
			c.Unknown = w.Text + " can be any command"
			p.emit(c)
			p.lost()
			return
		}
		texts[i] = w.Text
	}
	p.inner(c, strings.Join(texts, " "), posix)
}

// trap runs a text later.
func trap(p *parser, c Command) {
	words := c.Words[1:]
	if len(words) > 0 && words[0].Known && words[0].Text == "--" {
		words = words[1:]
	}
	switch {
	case len(words) == 0 || words[0].Known && strings.HasPrefix(words[0].Text, "-"):
		c.ShellOnly = true
		p.emit(c)
		return
	case !words[0].Known:
		c.Unknown = words[0].Text + " can be any command"
		p.emit(c)
		p.lost()
		return
	}
	from, moves := len(p.line.Commands), p.moves
	p.inner(c, words[0].Text, p.posix)
	p.bodies = append(p.bodies, span{from, len(p.line.Commands)})
	if p.moves != moves {
		p.lost()
	}
}

// shell runs the text behind -c, or what it reads from its input. Another call of it is a command like others.
func shell(p *parser, c Command) {
	name := c.Words[0].Text
	command, operands, why := shellOptions(c.Words)
	switch {
	case why != "":
	case command && len(operands) == 0:
		why = name + " -c has no command"
	case command && !operands[0].Known:
		why = operands[0].Text + " can be any command"
	case strings.HasSuffix(name, "zsh"):
		why = "zsh has another language"
	case command:
		p.inner(c, operands[0].Text, program(name) != "bash")
		return
	case len(operands) == 0:
		why = name + " runs what it reads"
	default:
		why = unread(name, operands[0])
	}
	if why != "" && c.Unknown == "" {
		c.Unknown = why
	}
	p.emit(c)
}

// shellOptions reads the options of a shell: whether -c is among them, and what stands behind them.
func shellOptions(words []Word) (command bool, operands []Word, why string) {
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case !w.Known && (w.Prefix == "" || strings.IndexByte("-+", w.Prefix[0]) >= 0):
			return false, nil, w.Text + " can be an option of " + words[0].Text
		case !w.Known || w.Text == "" || w.Text[0] != '-' && w.Text[0] != '+':
			return command, words[i:], ""
		case w.Text == "--":
			return command, words[i+1:], ""
		case slices.Contains([]string{"--login", "--norc", "--noprofile", "--version", "--help"}, w.Text):
			if w.Text == "--version" || w.Text == "--help" {
				return false, words[i:], ""
			}
		case strings.Trim(w.Text[1:], "ceuxvlfno") != "" || len(w.Text) == 1:
			return false, nil, "what " + words[0].Text + " " + w.Text + " runs is not known"
		default:
			command = command || strings.Contains(w.Text, "c")
			if strings.HasSuffix(w.Text, "o") {
				if i++; i < len(words) && !(words[i].Known && slices.Contains(setOptions, words[i].Text)) {
					return false, nil, "what " + words[0].Text + " -o " + words[i].Text + " runs is not known"
				}
			} else if strings.Contains(w.Text, "o") {
				return false, nil, "what " + words[0].Text + " " + w.Text + " runs is not known"
			}
		}
	}
	return command, nil, ""
}

// maxUncertain is how many words behind -exec are judged if its end is not known.
const maxUncertain = 32

// find is a command by its other words, and runs those behind -exec.
func find(p *parser, c Command) {
	own := c
	own.Words = nil
	start := ""
	if len(c.Words) > 1 && c.Words[1].Known && (len(c.Words) == 2 || strings.HasPrefix(c.Words[2].Text, "-")) {
		start = c.Words[1].Text
	}
	for i := 0; i < len(c.Words); i++ {
		w := c.Words[i]
		if !w.Known && !w.Operand && !w.Dir && (w.Prefix == "" || w.Prefix[0] == '-') && own.Unknown == "" {
			own.Unknown = w.Text + " can be -exec"
		}
		if !w.Known || !slices.Contains([]string{"-exec", "-execdir", "-ok", "-okdir"}, w.Text) {
			own.Words = append(own.Words, w)
			continue
		}
		end, many := terminator(c.Words, i+1)
		if end < 0 { // it is judged as what goes up to a certain end, too
			own.Unknown = "what find " + w.Text + " runs is not known"
			certain := func(w Word) bool { return w.Known && w.Text == ";" }
			if end = i + 1 + slices.IndexFunc(c.Words[i+1:], certain); end == i {
				end = len(c.Words)
			}
			if end-i > maxUncertain {
				break
			}
		}
		inner := c
		inner.Redirects = nil
		inner.Through = p.within(c)
		dirs, prefix := p.dirs, start
		if strings.HasSuffix(w.Text, "dir") {
			p.dirs, prefix = nil, "" // GNU's begins with ./, and BSD's does not
		}
		inner.Words = replace(c.Words[i+1:end], "{}", prefix, many)
		p.run(inner)
		p.dirs = dirs
		i = end
	}
	p.emit(own)
}

// terminator returns where the command behind -exec ends; -1 if that is not known.
func terminator(words []Word, from int) (end int, many bool) {
	for i := from; i < len(words); i++ {
		w := words[i]
		switch {
		case w.Known && w.Text == ";":
			return i, false
		case !w.Known && (w.Prefix == "" || w.Prefix == ";" || w.Prefix == "+"):
			return -1, false // it can be the end
		case w.Known && w.Text == "+" && i > from && words[i-1].Text == "{}":
			return i, true
		}
	}
	return -1, false
}
