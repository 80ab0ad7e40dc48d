package readonly

import "strings"

// sed reads scripts of addresses and the commands that only print, move and replace. What it does not understand
// is not known to change nothing: e runs a program, w and W write, s///e and s///w do both.
func sed(name string, c call) string {
	var script strings.Builder
	for _, o := range c.given {
		if o.name == "--help" || o.name == "--version" {
			return ""
		}
		if o.name == "-e" || o.name == "--expression" {
			if !o.value.Known {
				return o.value.Text + " can be any script of " + name
			}
			script.WriteString(o.value.Text + "\n")
		}
	}
	text := script.String()
	if text == "" {
		if len(c.operands) == 0 {
			return name + " has no script"
		}
		w := c.operands[0]
		if !w.Known {
			return w.Text + " can be any script of " + name
		}
		text = w.Text
	}
	if s := (sedScript{}); !s.reads(text) {
		return name + " '" + strings.TrimSpace(text) + "' is not known to change nothing"
	}
	return ""
}

// sedScript is what is left of a script.
type sedScript struct {
	rest    string
	lenient bool // what reads and writes files is taken for harmless, and what runs programs is only noted
	runs    bool
	files   []string // that it writes to

	flat   bool // a [ is a character like others
	split  bool // a delimiter is in brackets, where it ends the part for some programs
	broken bool // the script is an error, for which no program runs any of it
}

// reads is harmless for a script that programs may read in two ways: a / in brackets ends a part for those of before
// GNU's sed 4.3. What remains behind it is then harmless, or no flag that any program knows.
func (s *sedScript) reads(script string) bool {
	flat := sedScript{rest: script, lenient: s.lenient, flat: true}
	if s.rest = script; !s.harmless() {
		return false
	}
	if !s.split {
		return true
	}
	ok := flat.harmless()
	s.runs, s.files = s.runs || flat.runs, append(s.files, flat.files...)
	return ok || flat.broken
}

// harmless reads all commands, and reports whether it understood them.
func (s *sedScript) harmless() bool {
	for {
		s.rest = strings.TrimLeft(s.rest, " \t\n;")
		if s.rest == "" {
			return true
		}
		if !s.addresses() || s.rest == "" {
			return false
		}
		command := s.rest[0]
		s.rest = s.rest[1:]
		ok := true
		switch command {
		case '{', '}':
			continue
		case '#':
			_, s.rest, _ = strings.Cut(s.rest, "\n")
			continue
		case '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z':
		case 'q', 'Q', 'l', 'L':
			s.rest = strings.TrimLeft(strings.TrimLeft(s.rest, " "), "0123456789")
		case ':', 'b', 't', 'T':
			s.rest = strings.TrimLeft(strings.TrimLeft(s.rest, " "), letters+"0123456789_")
		case 's':
			ok = s.substitution()
		case 'y':
			ok = s.delimited(2, false)
		case 'a', 'i', 'c', 'r', 'R', 'w', 'W', 'e':
			s.runs = s.runs || command == 'e'
			ok = s.lenient
			if command == 'w' || command == 'W' {
				s.file()
			}
			s.text()
		default:
			return false
		}
		if !ok || !s.ends() {
			s.broken = ok && command == 's' && strings.IndexByte("/|,", s.rest[0]) >= 0
			return false
		}
	}
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func (s *sedScript) ends() bool {
	s.rest = strings.TrimLeft(s.rest, " \t")
	return s.rest == "" || strings.IndexByte(";\n}#", s.rest[0]) >= 0
}

// addresses reads no, one or two addresses, and exclamation marks.
func (s *sedScript) addresses() bool {
	if !s.address() {
		return false
	}
	s.rest = strings.TrimLeft(s.rest, " \t")
	if strings.HasPrefix(s.rest, ",") {
		s.rest = strings.TrimLeft(s.rest[1:], " \t")
		if strings.HasPrefix(s.rest, "+") || strings.HasPrefix(s.rest, "~") {
			s.rest = s.rest[1:]
		}
		if !s.address() {
			return false
		}
	}
	s.rest = strings.TrimLeft(s.rest, " \t!")
	return true
}

func (s *sedScript) address() bool {
	if s.rest == "" {
		return true
	}
	switch c := s.rest[0]; {
	case c == '$':
		s.rest = s.rest[1:]
	case c >= '0' && c <= '9':
		s.rest = strings.TrimLeft(s.rest, "0123456789~")
	case c == '/' || c == '\\':
		if c == '\\' {
			s.rest = s.rest[1:]
		}
		if !s.delimited(1, true) {
			return false
		}
		s.rest = strings.TrimLeft(s.rest, "IM")
	}
	return true
}

// substitution reads s/a/b/flags, behind the s.
func (s *sedScript) substitution() bool {
	if !s.delimited(2, true) {
		return false
	}
	if !s.lenient {
		s.rest = strings.TrimLeft(s.rest, "gpiIM0123456789")
		return true
	}
	flags := s.rest[:len(s.rest)-len(strings.TrimLeft(s.rest, "gpiIMme0123456789"))]
	s.runs = s.runs || strings.Contains(flags, "e")
	if s.rest = s.rest[len(flags):]; strings.HasPrefix(s.rest, "w") {
		s.rest = s.rest[1:]
		s.file()
		s.text()
	}
	return true
}

// file notes the name of a file, which ends with the line.
func (s *sedScript) file() {
	name, _, _ := strings.Cut(s.rest, "\n")
	s.files = append(s.files, strings.TrimLeft(name, " \t"))
}

// text skips what ends with the line, unless a backslash is in front of its end.
func (s *sedScript) text() {
	for i := 0; i < len(s.rest); i++ {
		switch s.rest[i] {
		case '\\':
			i++
		case '\n':
			s.rest = s.rest[i:]
			return
		}
	}
	s.rest = ""
}

// delimited reads parts that end with the byte that the script begins with. The first may be a regular expression.
func (s *sedScript) delimited(parts int, regexp bool) bool {
	if s.rest == "" || s.rest[0] >= 128 || strings.IndexByte(" \t\n\\;#{}[]"+letters+"0123456789", s.rest[0]) >= 0 {
		return false
	}
	delimiter := s.rest[0]
	i := 1
	for part := range parts {
		for ; i < len(s.rest) && s.rest[i] != delimiter; i++ {
			switch {
			case s.rest[i] == '\n':
				return false
			case s.rest[i] == '\\':
				i++
			case s.rest[i] == '[' && part == 0 && regexp && !s.flat:
				n, ok := bracket(s.rest[i:])
				if !ok || strings.Contains(s.rest[i:i+n], "\n") {
					return false
				}
				if set := strings.TrimPrefix(s.rest[i+1:i+n-1], "^"); strings.IndexByte(set, delimiter) >= 0 {
					if s.split = true; strings.ContainsAny(set, `[]\`) {
						return false
					}
				}
				i += n - 1
			}
		}
		if i >= len(s.rest) {
			return false
		}
		i++
	}
	s.rest = s.rest[i:]
	return true
}

// bracket returns the length of the bracket expression that a text begins with, if all programs read it alike.
func bracket(text string) (n int, ok bool) {
	i := 1
	if strings.HasPrefix(text[i:], "^") {
		i++
	}
	if strings.HasPrefix(text[i:], "]") {
		i++
	}
	for ; i < len(text); i++ {
		switch text[i] {
		case ']':
			return i + 1, true
		case '\\':
			if i++; i < len(text) && text[i] == ']' {
				return 0, false // the end, or not
			}
		case '[':
			if i+1 < len(text) && strings.IndexByte(":.=", text[i+1]) >= 0 {
				end := strings.Index(text[i+2:], text[i+1:i+2]+"]")
				if end < 0 {
					return 0, false
				}
				i += 2 + end + 1
			}
		}
	}
	return 0, false
}
