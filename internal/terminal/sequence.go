package terminal

// The escape sequences are recognized by the state machine of Paul Williams'
// VT500 parser (https://vt100.net/emu/dec_ansi_parser), reduced to what a
// filter needs: no sequence's content is kept but two numbers.
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
//   - Of the 8-bit forms only CSI (0x9b) is known, and OSC as U+009D. The
//     others (string introducers) would hide the rest of the line of a Shift
//     JIS or Windows-1252 text, which have letters in their place.

type state uint8

const (
	ground             state = iota // text
	escape                          // after ESC
	escapeIntermediate              // after ESC and 0x20-0x2f: the final byte is to come
	csi                             // control sequence: parameters, then a final byte
	commandStart                    // after OSC as U+009D: text unless a digit follows
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
	endByte    = 0x9c
	leadByte   = 0xc2 // of U+0080 to U+009F in UTF-8
)

// maxParameter bounds a parameter's value; no line has more columns.
const maxParameter = 1 << 20

// sequence is the parser's state. Its zero value is the ground state.
type sequence struct {
	state     state
	parameter [2]int // the first two; 0 if missing, as in the standard
	at        int    // the index of the current one
	private   bool   // it has a private marker, an intermediate byte or a subparameter, so it is ignored
	question  bool   // it begins with the private marker ?
	lead      bool   // the byte before was the first byte of a C1 control character
}

// introduced returns the state behind a C1 control character, by its last byte in UTF-8. Only CSI and OSC have an
// effect: text that was encoded twice is full of the others, and would lose the rest of a line at each string
// introducer.
func introduced(c byte) sequence {
	switch c {
	case csiByte:
		return sequence{state: csi}
	case 0x9d:
		return sequence{state: commandStart}
	}
	return sequence{}
}

// parseSequence processes p, whose first byte is inside an escape sequence, up
// to the sequence's end, and returns how many bytes that is.
func (f *Filter) parseSequence(p []byte) int {
	s := &f.sequence
	for i, c := range p {
		inString := s.state >= controlString
		switch {
		case s.state == commandStart && '0' <= c && c <= '9':
			s.state = commandString
		case s.state == commandStart:
			s.state = ground
			return i
		case c == '\n', c >= 0x80 && !inString:
			s.state = ground
			return i
		case s.lead && c == endByte: // U+009C, the end of a string
			s.state = ground
			return i + 1
		case c == escapeByte:
			// This ends a string too, because its ESC \ is an escape sequence without effect.
			*s = sequence{state: escape}
		case c == cancelByte, c == subByte, c == bellByte && s.state == commandString:
			s.state = ground
			return i + 1
		case inString:
			s.lead = c == leadByte
		case c == deleteByte:
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

// skipColour returns the length of the SGR sequence (colors, bold) at the beginning of p, which begins with ESC; 0 if
// it is another or an unfinished sequence. Nearly all sequences in commands' output are SGR.
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
			f.escaped(c)
		}
	}
}

// advanceControlSequence takes one printable byte after CSI.
func (f *Filter) advanceControlSequence(c byte) {
	s := &f.sequence
	switch {
	case c >= 0x40:
		s.state = ground
		switch mode := s.parameter[0]; {
		case !s.private:
			f.dispatch(c, s.parameter[0], s.parameter[1])
		case s.question && (c == 'h' || c == 'l') && (mode == 47 || mode == 1047 || mode == 1049):
			f.alternate()
		}
	case '0' <= c && c <= '9':
		if s.at < len(s.parameter) {
			s.parameter[s.at] = min(s.parameter[s.at]*10+int(c-'0'), maxParameter)
		}
	case c == ';':
		s.at++
	case c == '?' && !s.private && s.at == 0 && s.parameter[0] == 0:
		s.private, s.question = true, true
	default: // a private marker < = > ?, an intermediate byte, or a subparameter
		s.private = true
	}
}

func (f *Filter) dispatch(final byte, parameter, second int) {
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
		f.betweenLines(final, parameter, second)
	case 'X':
		// Erase characters: the console of Windows sends spaces as CSI nX CSI nC.
		f.eraseCharacters(max(1, parameter))
	default:
		f.betweenLines(final, parameter, second)
	}
}
