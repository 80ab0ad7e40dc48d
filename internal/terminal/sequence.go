package terminal

// The escape sequences are recognised by the state machine of Paul Williams'
// VT500 parser (https://vt100.net/emu/dec_ansi_parser), reduced to what a
// filter needs: no sequence's content is kept but one number.
//
// The parser of github.com/charmbracelet/x/ansi v0.11.9 was considered. It
// follows the same diagram, but it takes one byte a call, so that clean text
// could not be passed on in runs (measured with handlers that only count: 178
// MB/s for ASCII); it collects up to 64 KB of each string's content; and while
// it assembles a character it takes any byte as its continuation, so that a
// newline after a cut-off character is lost, where this package promises the
// line count of the raw output. It would also bring four more modules.
//
// It differs from the diagram where readers need something else:
//   - A newline ends every sequence, also an unfinished one, and is a newline.
//     An operating system command without its end (a program was killed, a
//     binary file was printed) thus costs the rest of one line, not all that
//     follows. Images sent as strings with newlines inside leak their other
//     lines.
//   - Bytes from 0x80 on inside an escape or control sequence end it and are
//     text: today they are UTF-8, not the right half of an 8-bit character set.
//   - Of the 8-bit forms only CSI (0x9b) is known. In UTF-8 they are never
//     valid, and terminals ignore them there; the other ones (string
//     introducers) would hide the rest of the line of a Shift JIS or
//     Windows-1252 text, which have letters in their place.

// state is a state of the parser.
type state uint8

const (
	ground             state = iota // text
	escape                          // after ESC
	escapeIntermediate              // after ESC and 0x20-0x2f: the final byte is to come
	csi                             // control sequence: parameters, then a final byte
	controlString                   // DCS, SOS, PM, APC, tmux's title: ends with ST
	commandString                   // OSC: ends with ST or BEL
)

const (
	bellByte   = 0x07
	cancelByte = 0x18
	subByte    = 0x1a
	escapeByte = 0x1b
	deleteByte = 0x7f
	csiByte    = 0x9b
)

// maxParameter bounds a parameter's value; no line has more columns.
const maxParameter = 1 << 20

// sequence is the parser's state. Its zero value is the ground state.
type sequence struct {
	state     state
	parameter int  // the first parameter; 0 if missing, as the standard has it
	later     bool // past the first parameter
	private   bool // it has a private marker, an intermediate byte or a subparameter, so it is ignored
}

// parseSequence processes p, whose first byte is inside an escape sequence, up
// to the sequence's end, and returns how many bytes that is.
func (f *Filter) parseSequence(p []byte) int {
	s := &f.sequence
	for i, c := range p {
		inString := s.state >= controlString
		switch {
		case c == '\n', c >= 0x80 && !inString:
			s.state = ground
			return i
		case c == escapeByte:
			// This ends a string as well: its ESC \ is an escape sequence
			// that does nothing.
			*s = sequence{state: escape}
		case c == cancelByte, c == subByte, c == bellByte && s.state == commandString:
			s.state = ground
			return i + 1
		case inString, c == deleteByte:
		case c < 0x20:
			f.control(c)
		default:
			f.advance(c)
			if s.state == ground {
				return i + 1
			}
		}
	}
	return len(p)
}

// skipColour returns the length of the complete SGR sequence (colours, bold)
// that p, which begins with ESC, begins with; 0 if it begins with another one
// or an unfinished one. Nearly all sequences in commands' output are SGR.
func skipColour(p []byte) int {
	if len(p) < 2 || p[1] != '[' {
		return 0
	}
	for i, c := range p[2:] {
		if c == 'm' {
			return i + 3
		}
		if c < '0' || c > ';' {
			return 0
		}
	}
	return 0
}

// advance takes one printable byte of an escape or control sequence.
func (f *Filter) advance(c byte) {
	s := &f.sequence
	switch {
	case s.state == csi:
		f.advanceControlSequence(c)
	case c < 0x30:
		s.state = escapeIntermediate
	case s.state == escapeIntermediate:
		s.state = ground
	default:
		switch c {
		case '[':
			s.state = csi
		case ']':
			s.state = commandString
		case 'P', 'X', '^', '_', 'k': // DCS, SOS, PM, APC; k sets the title in screen and tmux
			s.state = controlString
		default:
			s.state = ground
		}
	}
}

// advanceControlSequence takes one printable byte after CSI.
func (f *Filter) advanceControlSequence(c byte) {
	s := &f.sequence
	switch {
	case c >= 0x40:
		s.state = ground
		if !s.private {
			f.dispatch(c, s.parameter)
		}
	case '0' <= c && c <= '9':
		if !s.later {
			s.parameter = min(s.parameter*10+int(c-'0'), maxParameter)
		}
	case c == ';':
		s.later = true
	default: // a private marker < = > ?, an intermediate byte, or a subparameter
		s.private = true
	}
}

// dispatch carries out the control sequence with the given final byte, if it
// works within the line.
func (f *Filter) dispatch(final byte, parameter int) {
	switch final {
	case 'C', 'a':
		f.moveBy(max(1, parameter))
	case 'D':
		f.moveBy(-max(1, parameter))
	case 'G', '`':
		f.moveTo(max(1, parameter) - 1)
	case 'K':
		f.erase(parameter)
	case 'J':
		// Erase to the end of the screen includes the rest of this line, and
		// is used so, as \r CSI J, by npm, pnpm and Vite. The other forms
		// clear the screen.
		if parameter == 0 {
			f.erase(eraseRight)
		}
	case 'X':
		// Erase characters: the console of Windows sends spaces as CSI nX CSI nC.
		f.eraseCharacters(max(1, parameter))
	}
}
