package jsoncut

import "strings"

// maxDepth bounds the nesting, as in encoding/json. A deeper text does not count as a document.
const maxDepth = 10_000

// A text with more bytes or values does not count as a document: a value costs up to half a microsecond, and a call
// must not outlive its context.
const (
	maxSize   = 16 << 20
	maxValues = 250_000
)

// A Scanner takes a text in pieces, checks that it is one JSON document, an object or an array, and keeps part of it
// in bounded memory. Its zero value is ready. It stops at the first byte that does not belong to a document.
type Scanner struct {
	state state
	stack []byte // '{' or '[' for each open container
	isKey bool   // the string is a key
	esc   int    // what is missing of an escape sequence in a string
	rest  string // of true, false or null
	token text   // the current string, number or literal

	read, values int // bytes, and values that began
	builder
}

type state uint8

const (
	start      state = iota // only space so far
	firstValue              // behind [
	value
	firstKey // behind {
	key
	colon
	after // behind a value in a container
	inString
	inLiteral
	inNumber // and the states of a number, up to exponent
	numberMinus
	numberZero
	numberDot
	numberFraction
	numberE
	numberSign
	exponent
	done
	failed
)

// Write examines more of the text. How it is divided makes no difference.
func (s *Scanner) Write(p []byte) {
	if s.read += len(p); s.read > maxSize {
		s.fail()
	}
	for i := 0; i < len(p) && s.state != failed; {
		switch {
		case s.state == inString:
			i += s.inString(p[i:])
		case s.state == inLiteral:
			if p[i] != s.rest[0] {
				s.fail()
				return
			}
			s.token.add(p[i : i+1])
			if s.rest = s.rest[1:]; s.rest == "" {
				s.endScalar(literal)
			}
			s.column++
			i++
		case s.state >= inNumber && s.state <= exponent:
			switch next := s.number(p[i]); next {
			case after:
				s.endScalar(number)
			case failed:
				s.fail()
			default:
				s.state = next
				s.token.add(p[i : i+1])
				s.column++
				i++
			}
		default:
			s.column++
			s.structure(p[i])
			i++
		}
	}
}

func (s *Scanner) Failed() bool { return s.state == failed }

func (s *Scanner) fail() { *s = Scanner{state: failed} }

// structure takes a byte outside of scalars.
func (s *Scanner) structure(c byte) {
	switch c {
	case ' ', '\t', '\r':
		return
	case '\n':
		s.lines++
		s.column = 0
		s.several = s.several || s.state != start && s.state != done
		return
	}
	switch {
	case s.state == firstValue && c == ']', s.state == firstKey && c == '}':
		s.end()
	case s.state == value || s.state == firstValue || s.state == start && (c == '{' || c == '['):
		s.begin(c)
	case s.state == key && c == '"':
		s.state, s.isKey = inString, true
	case s.state == firstKey && c == '"':
		s.pretty++
		s.state, s.isKey = inString, true
	case s.state == colon && c == ':':
		s.state = value
	case s.state == after && c == ',':
		s.pretty++
		if s.state = value; s.stack[len(s.stack)-1] == '{' {
			s.state = key
		}
	case s.state == after && c == s.stack[len(s.stack)-1]+2: // in ASCII, ] and } are two behind [ and {
		s.pretty++
		s.end()
	default:
		s.fail()
	}
}

// begin takes the first byte of a value.
func (s *Scanner) begin(c byte) {
	if s.values++; s.values > maxValues {
		s.fail()
		return
	}
	if s.state == firstValue {
		s.pretty++
	}
	switch {
	case c == '{' || c == '[':
		if len(s.stack) == maxDepth {
			s.fail()
			return
		}
		s.stack = append(s.stack, c)
		if s.state = firstValue; c == '{' {
			s.state = firstKey
		}
		s.open(c)
		return
	case c == '"':
		s.state, s.isKey = inString, false
		return
	case c == 't':
		s.state, s.rest = inLiteral, "rue"
	case c == 'f':
		s.state, s.rest = inLiteral, "alse"
	case c == 'n':
		s.state, s.rest = inLiteral, "ull"
	case c == '-':
		s.state = numberMinus
	case c == '0':
		s.state = numberZero
	case c >= '1' && c <= '9':
		s.state = inNumber
	default:
		s.fail()
		return
	}
	s.token.add([]byte{c})
}

// number returns the state after another byte of a number: after if the byte does not belong to it, or failed.
func (s *Scanner) number(c byte) state {
	digit := c >= '0' && c <= '9'
	whole := s.state == inNumber || s.state == numberZero
	switch {
	case digit && s.state == numberMinus && c == '0':
		return numberZero
	case digit && (s.state == numberMinus || s.state == inNumber):
		return inNumber
	case digit && (s.state == numberDot || s.state == numberFraction):
		return numberFraction
	case digit && s.state != numberZero:
		return exponent
	case c == '.' && whole:
		return numberDot
	case (c == 'e' || c == 'E') && (whole || s.state == numberFraction):
		return numberE
	case (c == '+' || c == '-') && s.state == numberE:
		return numberSign
	case whole || s.state == numberFraction || s.state == exponent:
		return after
	}
	return failed
}

// inString takes bytes of a string and returns their number.
func (s *Scanner) inString(p []byte) int {
	for n, c := range p {
		if c&0xC0 != 0x80 { // the byte begins a character
			s.column++
		}
		switch {
		case s.esc == 0 && c >= ' ' && c != '"' && c != '\\':
		case s.esc == 0 && c == '\\':
			s.esc = escaped
		case s.esc == 0 && c == '"':
			s.token.add(p[:n])
			s.endString()
			return n + 1
		case s.esc == escaped && c == 'u':
			s.esc = 4
		case s.esc == escaped && strings.IndexByte(`"\/bfnrt`, c) >= 0:
			s.esc = 0
		case s.esc > 0 && s.esc < escaped && isHex(c):
			s.esc--
		default:
			s.fail()
			return len(p)
		}
	}
	s.token.add(p)
	return len(p)
}

const escaped = 5 // behind a backslash; lower values count missing hexadecimal digits

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

func (s *Scanner) endString() {
	if !s.isKey {
		s.endScalar(str)
		return
	}
	s.state = colon
	s.name = s.token.finish(nil)
	s.token.reset()
}

func (s *Scanner) endScalar(k kind) {
	s.state = after
	s.recycle()
	var buffer []byte
	if s.spare != nil {
		buffer = s.spare.text.head[:0]
	}
	s.scalar(k, s.token.finish(buffer))
	s.token.reset()
}

func (s *Scanner) end() {
	s.state = after
	if s.stack = s.stack[:len(s.stack)-1]; len(s.stack) == 0 {
		s.state = done
	}
	s.close()
}
