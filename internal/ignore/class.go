package ignore

import "strings"

// byteSet is a set of bytes. Classes work by byte in git, whatever the
// encoding of names.
type byteSet [4]uint64

func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *byteSet) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }
func (s *byteSet) empty() bool     { return *s == byteSet{} }

// classes are the POSIX classes as git knows them: ASCII only, and without
// vertical tab and form feed in [:space:].
var classes = map[string]func(c byte) bool{
	"alnum":  func(c byte) bool { return isLetter(c) || isDigit(c) },
	"alpha":  isLetter,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"digit":  isDigit,
	"graph":  isGraphic,
	"lower":  isLower,
	"print":  func(c byte) bool { return c == ' ' || isGraphic(c) },
	"punct":  func(c byte) bool { return isGraphic(c) && !isLetter(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' },
	"upper":  isUpper,
	"xdigit": func(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' },
}

func isLower(c byte) bool   { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool   { return 'A' <= c && c <= 'Z' }
func isLetter(c byte) bool  { return isLower(c) || isUpper(c) }
func isDigit(c byte) bool   { return '0' <= c && c <= '9' }
func isGraphic(c byte) bool { return ' ' < c && c < 0x7f }

// parseClass reads the bracket expression at the beginning of pattern. It returns the bytes that match, never a slash,
// and the length of the expression, 0 if it is malformed.
//
// With fold, names come in lower case, and the set is lower-case too: a range and [:upper:] match a letter whose
// capital is in them, but a single capital matches nothing.
func parseClass(pattern string, fold bool) (*byteSet, int) {
	set := new(byteSet)
	i := 1
	negated := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if negated {
		i++
	}
	low := 0 // where a range may begin, 0 for nowhere
	for first := true; ; first = false {
		if i >= len(pattern) {
			return nil, 0
		}
		c := pattern[i]
		switch {
		case c == ']' && !first:
			if negated {
				for k := range set {
					set[k] = ^set[k]
				}
			}
			set['/'>>6] &^= 1 << ('/' & 63)
			set[0] &^= 1 // no name holds a NUL
			return set, i + 1
		case c == '-' && low != 0 && i+1 < len(pattern) && pattern[i+1] != ']':
			i++
			if pattern[i] == '\\' {
				if i++; i >= len(pattern) {
					return nil, 0
				}
			}
			set.addRange(byte(low), pattern[i], fold)
			i, low = i+1, 0
			continue
		case strings.HasPrefix(pattern[i:], "[:"):
			name, n := className(pattern[i:])
			if n < 0 {
				return nil, 0
			}
			if n > 0 {
				has, ok := classes[name]
				if !ok {
					return nil, 0
				}
				set.addClass(has, fold)
				i, low = i+n, 0
				continue
			}
		case c == '\\':
			if i++; i >= len(pattern) {
				return nil, 0
			}
			c = pattern[i]
		}
		set.add(c)
		i, low = i+1, int(c)
	}
}

// className reads "[:name:]" and returns the name and the length of the whole:
// 0 if this is not a POSIX class but a bracket in a class, -1 if nothing closes
// it.
func className(pattern string) (string, int) {
	end := strings.IndexByte(pattern[2:], ']')
	if end < 0 {
		return "", -1
	}
	name, ok := strings.CutSuffix(pattern[2:2+end], ":")
	if !ok {
		return "", 0
	}
	return name, 2 + end + 1
}

func (s *byteSet) addRange(low, high byte, fold bool) {
	s.addClass(func(c byte) bool { return low <= c && c <= high }, fold)
}

func (s *byteSet) addClass(has func(c byte) bool, fold bool) {
	for i := range 256 {
		c := byte(i)
		if has(c) || fold && isLower(c) && has(c-('a'-'A')) {
			s.add(c)
		}
	}
}
