package readonly

import "strings"

const awkHarmful = `-f --file -i --include -l --load -E --exec: runs a script that is not known;
	-o --pretty-print -p --profile -d --dump-variables: writes a file; -D --debug: reads commands;
	-e --source: runs a script that is not known`

// awk reads programs that print to the standard output. It refuses what writes or runs: > and | behind print, system,
// getline, @ (which calls functions by name, and includes).
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
	s := awkScript{rest: w.Text}
	if !s.harmless() {
		return name + " '" + w.Text + "' is not known to change nothing"
	}
	for _, w := range c.operands {
		if strings.Contains(w.Text, "/inet") {
			return name + " may ask the network for " + w.Text
		}
	}
	return ""
}

// awkScript is what is left of a program, and where it is.
type awkScript struct {
	rest           string
	braces, parens int
	slash          slash
	lenient        bool // what reads and writes files is taken for harmless, and what runs programs is only noted
	runs           bool
}

// slash is what a slash would be after what came last.
type slash int

const (
	regexp slash = iota
	division
	either // if (x) /y/ and (x) / y / z
)

// harmless reads all tokens, and reports whether none of them can write or run anything.
func (s *awkScript) harmless() bool {
	for s.rest != "" {
		n, ok := s.token(s.rest[0])
		if !ok || s.braces < 0 || s.parens < 0 {
			return false
		}
		s.rest = s.rest[n:]
	}
	return true
}

// token judges the token at the start of the program, and returns its length.
func (s *awkScript) token(c byte) (n int, ok bool) {
	before := s.slash
	switch {
	case strings.IndexByte(letters+"_", c) >= 0:
		return s.word()
	case c == ' ' || c == '\t':
		return 1, true
	case c == '#':
		comment, _, _ := strings.Cut(s.rest, "\n")
		return len(comment), true
	case c == '"':
		s.slash = division
		return s.until('"')
	case c == '/' && before == regexp:
		s.slash = division
		return s.until('/')
	case strings.HasPrefix(s.rest, "++") || strings.HasPrefix(s.rest, "--"):
		return 2, true // i++ / 2: as it was before
	}
	s.slash = regexp
	switch c {
	case '/':
		return 1, before == division
	case '|', '@':
		if s.lenient && !strings.HasPrefix(s.rest, "||") {
			s.runs = true
			return 1, true
		}
		return 2, strings.HasPrefix(s.rest, "||")
	case '>':
		// Outside of braces it compares, because a pattern has no print; in parentheses too.
		return 1, s.parens > 0 || s.braces == 0 || s.lenient
	case '{':
		s.braces++
	case '}':
		s.braces--
	case '(':
		s.parens++
	case ')':
		s.parens--
		s.slash = either
	case ']', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		s.slash = division
	}
	return 1, strings.IndexByte("{}()[].0123456789$,;\n+-*%^!=<~?:&", c) >= 0
}

// until returns the length of a string or regular expression with its end.
func (s *awkScript) until(end byte) (n int, ok bool) {
	for i := 1; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case c == '\n':
			return 0, false
		case c == '\\':
			i++
		case c == '[' && end == '/':
			// Whether a slash in brackets is the end depends on the awk.
			n, ok := bracket(s.rest[i:])
			if !ok || strings.ContainsAny(s.rest[i:i+n], "/\n") {
				return 0, false
			}
			i += n - 1
		case c == end:
			return i + 1, s.lenient || !strings.Contains(s.rest[:i], "/inet")
		}
	}
	return 0, false
}

// word judges a name.
func (s *awkScript) word() (n int, ok bool) {
	word := s.rest[:len(s.rest)-len(strings.TrimLeft(s.rest, letters+"0123456789_"))]
	switch word {
	case "system", "getline", "function", "func", "ARGV": // gawk reads /inet/tcp/0/host/80, too
		s.runs = s.runs || word == "system"
		return len(word), s.lenient
	case "print", "printf", "return", "in", "if", "while", "for", "do", "else", "delete", "exit", "next", "nextfile",
		"break", "continue", "case", "default", "switch", "BEGIN", "END", "BEGINFILE", "ENDFILE":
		s.slash = regexp
	case "length":
		s.slash = either
	default:
		s.slash = division
	}
	return len(word), true
}
