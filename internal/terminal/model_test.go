package terminal

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/width"
)

// model is the reference: it holds everything, looks at one line at a time as
// runes, and shares no code with Filter. Bytes that are not UTF-8 are runes
// from invalidBase on. It knows no bound of a line's length.
func model(in []byte) string {
	var shown []string
	for _, raw := range strings.Split(string(in), "\n") {
		var runes []rune
		for len(raw) > 0 {
			r, size := utf8.DecodeRuneInString(raw)
			if r == utf8.RuneError && size == 1 {
				r = invalidBase + rune(raw[0])
			}
			runes = append(runes, r)
			raw = raw[size:]
		}
		s := screen{}
		for len(runes) > 0 {
			runes = s.step(runes)
		}
		shown = append(shown, strings.Join(s.cells, ""))
	}
	return strings.Join(shown, "\n")
}

const invalidBase = 0x200000

// screen is a terminal of one line.
type screen struct {
	cells  []string
	blanks []bool // the cells that were erased or skipped, not written
	column int
}

// step consumes one character, control or sequence.
func (s *screen) step(in []rune) []rune {
	r, rest := in[0], in[1:]
	switch {
	case r == invalidBase+0x9b, r == 0x9b:
		return s.controlSequence(rest)
	case r == 0x9d && len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9':
		return s.escape(append([]rune{']'}, rest...))
	case r == 0x1b:
		return s.escape(rest)
	case r < 0x20 && r != '\t':
		s.control(r)
	case r == 0x7f, 0x80 <= r && r < 0xa0:
	case r >= invalidBase:
		s.print(utf8.RuneError)
	default:
		s.print(r)
	}
	return rest
}

func (s *screen) control(r rune) {
	switch r {
	case '\r':
		s.column = 0
	case '\b':
		s.column = max(0, s.column-1)
	case '\t':
		s.print('\t')
	}
}

func (s *screen) print(r rune) {
	wide := !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) && (r < 0x1160 || r > 0x11ff) || r == 0xad
	if !wide && s.column > 0 {
		s.pad(s.column)
		at := s.column - 1
		if s.cells[at] == "" {
			at--
		}
		s.cells[at] += string(r)
		s.blanks[at] = false
		return
	}
	n := 1
	if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		n = 2
	}
	s.split(s.column)
	s.split(s.column + n)
	s.pad(s.column + n)
	for i := range n { // the second cell of a wide character has no text
		s.cells[s.column+i], s.blanks[s.column+i] = "", false
	}
	s.cells[s.column] = string(r)
	s.column += n
}

// split blanks a wide character within which a column begins.
func (s *screen) split(column int) {
	if column > 0 && column < len(s.cells) && s.cells[column] == "" {
		for i := column - 1; i <= column; i++ {
			s.cells[i], s.blanks[i] = " ", true
		}
		if column == len(s.cells)-1 {
			s.cells, s.blanks = s.cells[:column], s.blanks[:column]
		}
	}
}

func (s *screen) pad(n int) {
	for len(s.cells) < n {
		s.cells, s.blanks = append(s.cells, " "), append(s.blanks, true)
	}
}

func (s *screen) erase(from, to int) {
	s.split(from)
	s.split(to)
	for i := range s.cells {
		if from <= i && i < to {
			s.cells[i], s.blanks[i] = " ", true
		}
	}
	for n := len(s.cells); n > 0 && s.blanks[n-1]; n-- {
		s.cells, s.blanks = s.cells[:n-1], s.blanks[:n-1]
	}
}

// inner deals with what can stand inside any sequence but strings. ok is false
// if r is no such character; done is true if it ends the sequence.
func (s *screen) inner(r rune) (done, ok bool) {
	switch {
	case r == 0x18, r == 0x1a:
		return true, true
	case r == 0x7f:
		return false, true
	case r < 0x20 && r != 0x1b:
		s.control(r)
		return false, true
	}
	return false, false
}

func (s *screen) escape(in []rune) []rune {
	intermediate := false
	for i, r := range in {
		if done, ok := s.inner(r); done {
			return in[i+1:]
		} else if ok {
			continue
		}
		switch {
		case r == 0x1b || r >= 0x80:
			return in[i:]
		case r < 0x30:
			intermediate = true
		case !intermediate && r == '[':
			return s.controlSequence(in[i+1:])
		case !intermediate && strings.ContainsRune("]PX^_k", r):
			for j, end := range in[i+1:] {
				switch {
				case end == 0x1b:
					return in[i+1+j:]
				case end == 0x18, end == 0x1a, end == 0x9c, end == 7 && r == ']':
					return in[i+1+j+1:]
				}
			}
			return nil
		default:
			return in[i+1:]
		}
	}
	return nil
}

func (s *screen) controlSequence(in []rune) []rune {
	var parameters []rune
	for i, r := range in {
		if done, ok := s.inner(r); done {
			return in[i+1:]
		} else if ok {
			continue
		}
		switch {
		case r == 0x1b || r >= 0x80:
			return in[i:]
		case r < 0x40:
			parameters = append(parameters, r)
		default:
			s.dispatch(r, string(parameters))
			return in[i+1:]
		}
	}
	return nil
}

func (s *screen) dispatch(final rune, parameters string) {
	if strings.Trim(parameters, "0123456789;") != "" {
		return
	}
	first, _, _ := strings.Cut(parameters, ";")
	n, err := strconv.Atoi(first)
	if err != nil && first != "" {
		n = 1 << 30
	}
	right := max(s.column, len(s.cells), 512)
	switch final {
	case 'G', '`':
		s.column = min(max(n, 1)-1, right)
	case 'C', 'a':
		s.column = min(s.column+max(n, 1), right)
	case 'D':
		s.column = max(s.column-max(n, 1), 0)
	case 'X':
		s.erase(s.column, s.column+max(n, 1))
	case 'K', 'J':
		switch {
		case n == 0:
			s.erase(s.column, len(s.cells))
		case final == 'J':
		case n == 1:
			s.erase(0, s.column+1)
		case n == 2:
			s.erase(0, len(s.cells))
		}
	}
}

// fragments are what random inputs are made of.
var fragments = []string{
	"a", "bc", "hello world", " ", "\t", "\n", "\n", "\r", "\r", "\r\n", "\b", "\b\b", "\x00", "\a", "\f", "\x7f", "\x18", "\x1a",
	"\x1b", "\x1b[", "\x1b[K", "\x1b[0K", "\x1b[1K", "\x1b[2K", "\x1b[3K", "\x1b[J", "\x1b[1J", "\x1b[G", "\x1b[3G", "\x1b[4`",
	"\x1b[C", "\x1b[2C", "\x1b[999C", "\x1b[D", "\x1b[3D", "\x1b[99D", "\x1b[2X", "\x1b[X", "\x1b[600C", "\x1b[3a",
	"\x1b[m", "\x1b[1;31m", "\x1b[?25h", "\x1b[2;3H", "\x1b[A", "\x1b(B", "\x1b]0;t\a", "\x1b]8;;x\x1b\\", "\x1b]", "\x1bP", "\x1b\\", "\x1bk", "\x1b_",
	"\x9b", "\x9b2K", "\x9c", "\x9d", "\u009b", "\u009d", "\u009d0;", "\u009c", "\u0085", "\u00a0", "\u00ad", "é", "世", "界", "💻", "\u0301", "\u0302", "\u200d", "\ufe0f", "\u1161", "█", "\ufffd",
	"\xff", "\xc3", "\xe4", "\xb8", "\xf0", "\x9f", "\xed\xa0\x80", "0", ";", "1", "m", "K", "D", "[", "?",
}

// randomInput returns up to n fragments, or random bytes.
func randomInput(r *rand.Rand, n int) []byte {
	var b []byte
	for range r.IntN(n) {
		if r.IntN(20) == 0 {
			b = append(b, byte(r.Uint32()))
			continue
		}
		b = append(b, fragments[r.IntN(len(fragments))]...)
	}
	return b
}

// randomChunks splits p at random places.
func randomChunks(r *rand.Rand, p []byte) [][]byte {
	var chunks [][]byte
	for len(p) > 0 {
		n := 1 + r.IntN(min(len(p), 1+r.IntN(40)))
		chunks, p = append(chunks, p[:n]), p[n:]
	}
	return chunks
}

func TestFilterAgainstModel(t *testing.T) {
	rounds := testkit.Some(100_000)
	r := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		in := randomInput(r, 60)
		want := model(in)
		require.Equal(t, want, string(clean(t, maxLine, in)), in)
		chunks := randomChunks(r, in)
		require.Equal(t, want, string(clean(t, maxLine, chunks...)), chunks)
	}
}

// TestFilterChunksAtLimit checks that a line is cut at the same place however
// the chunks end.
func TestFilterChunksAtLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range testkit.Some(20_000) {
		in := randomInput(r, 60)
		limit := 1 + r.IntN(30)
		want := clean(t, limit, in)
		chunks := randomChunks(r, in)
		if got := clean(t, limit, chunks...); !bytes.Equal(got, want) {
			t.Fatalf("limit %d, chunks %q\n  got %q\nwhole %q", limit, chunks, got, want)
		}
	}
}
