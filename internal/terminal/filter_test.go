package terminal

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// clean returns what a Filter with the given line limit makes of the chunks.
func clean(t testing.TB, limit int, chunks ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	f := NewFilter(&out, "")
	f.limit = limit
	for _, p := range chunks {
		if n, err := f.Write(p); n != len(p) || err != nil {
			t.Fatalf("Write(%q) = %d, %v", p, n, err)
		}
	}
	require.NoError(t, f.Close())
	return out.Bytes()
}

var filterTests = []struct {
	name, in, want string
}{
	{"empty", "", ""},
	{"plain", "a\nb\n", "a\nb\n"},
	{"unfinished line", "a\nb", "a\nb"},
	{"tabs", "a\tb\n\t\n", "a\tb\n\t\n"},
	{"trailing spaces stay", "a  \n", "a  \n"},
	{"CRLF", "a\r\n\r\nb\r\n", "a\n\nb\n"},
	{"CRCRLF", "a\r\r\nb", "a\nb"},
	{"LFCR", "a\n\rb\n", "a\nb\n"},

	// Sequences.
	{"colour", "\x1b[01;31mred\x1b[0m\n", "red\n"},
	{"colour by subparameters", "\x1b[38:2::1:2:3mred\x1b[m\n", "red\n"},
	{"grep", "\x1b[35m\x1b[Kf.go\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[Kx\n", "f.go:x\n"},
	{"8-bit CSI", "\x9b31mred\x9bm\n", "red\n"},
	{"0x9b in a character", "\u201b \u26db\n", "\u201b \u26db\n"},
	{"CSI as U+009B", "\u009b31mred\u009bm\n", "red\n"},
	{"OSC as U+009D", "\u009d0;title\aa\u009d8;;x\u009cb\u009d0;t\x1b\\c\n", "abc\n"},
	{"OSC unfinished as U+009D", "x\u009d0;title\nnext\n", "x\nnext\n"},
	{"text that was encoded twice", "â\u0080\u009cSpaÃ\u009f muÃ\u009f seinâ\u0080\u009d, so.\n", "âSpaÃ muÃ seinâ, so.\n"},
	{"OSC with BEL", "\x1b]0;title\aa\n", "a\n"},
	{"OSC with ST", "\x1b]8;;http://x/é\x1b\\link\x1b]8;;\x1b\\\n", "link\n"},
	{"OSC holding 0x9c in a character", "\x1b]0;\u271c\aa\n", "a\n"},
	{"OSC with CAN", "\x1b]0;title\x18a\n", "a\n"},
	{"OSC unfinished at newline", "x\x1b]0;title\nnext\n", "x\nnext\n"},
	{"OSC unfinished at the end", "x\x1b]0;title", "x"},
	{"OSC ended by another sequence", "\x1b]0;t\x1b[31ma\n", "a\n"},
	{"DCS", "\x1bP1$r0m\x1b\\a\n", "a\n"},
	{"DCS not ended by BEL", "\x1bPa\ab\x1b\\c\n", "c\n"},
	{"DCS unfinished", "\x1bPabc\r\ndef\n", "\ndef\n"},
	{"tmux passthrough", "\x1bPtmux;\x1b\x1b]52;c;YQ==\a\x1b\\a\n", "a\n"},
	{"SOS PM APC", "\x1bXa\x1b\\1\x1b^b\x1b\\2\x1b_Gc\x1b\\3\n", "123\n"},
	{"title of screen", "\x1bkvim\x1b\\a\n", "a\n"},
	{"charset", "\x1b(0lqk\x1b(B\x1b)0\n", "lqk\n"},
	{"two bytes", "\x1b7\x1b=\x1bc\x1b>a\x1b8\x1bM\n", "a\n"},
	{"escape at the end", "a\x1b", "a"},
	{"escape before newline", "a\x1b\nb\x1b[\nc\x1b[3\nd\x1b(\n", "a\nb\nc\nd\n"},
	{"escape twice", "\x1b\x1b[1ma\n", "a\n"},
	{"CSI ended by a character", "\x1b[3é\n", "é\n"},
	{"CSI with CAN", "\x1b[3\x18ma\n", "ma\n"},
	{"control in CSI", "abc\x1b[\r31mX\n", "Xbc\n"},
	{"tab and DEL in CSI", "a\x1b[3\t\x7f1mb\n", "a\tb\n"},
	{"private CSI", "\x1b[?25l\x1b[?2Ka\x1b[>1G\x1b[1 Db\n", "ab\n"},
	{"large parameter", "\x1b[99999999999999999999999999mab\x1b[99999999999999999999Dc\n", "cb\n"},
	{"other lines", "a\n\x1b[1Ab\x1b[2;1H\x1b[2J\x1b[3Jc\n", "a\nbc\n"},

	// Within the line.
	{"progress", "\r 10%\r 50%\r100%\ndone\n", "100%\ndone\n"},
	{"shorter rewrite", "abcdef\rxy\n", "xycdef\n"},
	{"rewrite unfinished", "abc\rx", "xbc"},
	{"CR at the end", "abc\r", "abc"},
	{"CR, erase", "abcdef\r\x1b[Kxy\n", "xy\n"},
	{"CR, erase screen below", "abcdef\r\x1b[0Jxy\n", "xy\n"},
	{"erase, CR", "abcdef\x1b[2K\rxy\n", "xy\n"},
	{"erase line keeps the column", "abc\x1b[2Kd\n", "   d\n"},
	{"erase left", "abcdef\x1b[3D\x1b[1K\n", "    ef\n"},
	{"erase left of all", "abcdef\x1b[1K\n", "\n"},
	{"erase right", "abcdef\x1b[3D\x1b[K\n", "abc\n"},
	{"erase unknown", "abc\x1b[9K\x1b[2Dx\n", "axc\n"},
	{"erased blanks at the end go", "abcdef\x1b[3D\x1b[1K\x1b[K\n", "\n"},
	{"erase characters", "abcdef\r\x1b[2X\n", "  cdef\n"},
	{"erase characters to the end", "abcdef\x1b[2D\x1b[9X\n", "abcd\n"},
	{"erase characters past the end", "abc\x1b[9Xd\n", "abcd\n"},
	{"column", "abcdef\x1b[3Gx\x1b[Gy\x1b[2`z\n", "yzxdef\n"},
	{"forward", "a\x1b[3Cb\x1b[Cc\x1b[ad\n", "a   b c d\n"},
	{"forward over text", "abc\r\x1b[Cx\n", "axc\n"},
	{"forward without text", "a\x1b[9C\n", "a\n"},
	{"back", "abc\x1b[2Dx\x1b[99Dy\n", "yxc\n"},
	{"back at the start", "\x1b[D\babc\n", "abc\n"},
	{"far right is bounded", "\x1b[9999Gx\n", strings.Repeat(" ", maxColumn) + "x\n"},
	{"cursor out of the bound stays", strings.Repeat("a", 600) + "\x1b[2K\x1b[Dx\n", strings.Repeat(" ", 599) + "x\n"},
	{"backspace", "abc\b\bx\n", "axc\n"},
	{"man page", "_\bN_\bA b\bbo\bo\n", "NA bo\n"},
	{"spinner", "|\b/\b-\b\\\bok\n", "ok\n"},
	{"tab is a cell", "a\tb\rxyz\n", "xyz\n"},
	{"wide is two cells", "世界\rab\n", "ab界\n"},
	{"wide over narrow", "abcd\r世\n", "世cd\n"},
	{"half of wide", "世界\rabc\n", "abc\n"},
	{"the other half of wide", "世界\r\x1b[Cab\n", " ab\n"},
	{"half of wide, and text", "世界x\rabc\n", "abc x\n"},
	{"wide over halves", "a世界b\r世\n", "世 界b\n"},
	{"half of wide erased", "世界x\r\x1b[C\x1b[X\n", "  界x\n"},
	{"erased behind half of wide", "世界x\x1b[4D\x1b[K\n", "\n"},
	{"progress of wide and narrow", "Installing\r完成      \n", "完成      \n"},
	{"column after wide", "进度: 10%\x1b[7G99\n", "进度: 99%\n"},
	{"marks stay with their cell", "e\u0301a\b\bx\n", "xa\n"},
	{"marks on the second try", "abc\re\u0301\u0302\n", "e\u0301\u0302bc\n"},
	{"mark after colour", "e\x1b[1m\u0301\rx\x1b[C\n", "x\n"},
	{"mark in column 0", "abc\r\u0301\n", "\u0301bc\n"},
	{"mark on a blank", "\x1b[3C\u0301\n", "   \u0301\n"},
	{"joiner", "👩\u200d💻b\rx\n", "x 💻b\n"},

	// Bytes.
	{"controls", "a\x00\x01\a\v\f\x0e\x7fb\n", "ab\n"},
	{"C1", "a\u0080\u0085\u009fb\u00a0\n", "ab\u00a0\n"},
	{"invalid", "a\xffb\xc3(\xe2\x82\n", "a\ufffdb\ufffd(\ufffd\ufffd\n"},
	{"overlong", "\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf", strings.Repeat("\ufffd", 9)},
	{"surrogate", "\xed\xa0\x80\xed\x9f\xbf", "\ufffd\ufffd\ufffd\ud7ff"},
	{"too large", "\xf4\x90\x80\x80\xf4\x8f\xbf\xbf", "\ufffd\ufffd\ufffd\ufffd\U0010ffff"},
	{"unfinished character", "a\xf0\x9f\x92", "a\ufffd\ufffd\ufffd"},
	{"a character is a cell when invalid", "\xff\xfe\rx", "x\ufffd"},
	{"other 8-bit controls are invalid", "\x9d0;a\x90b\x9cc\x84", "\ufffd0;a\ufffdb\ufffdc\ufffd"},
}

func TestFilter(t *testing.T) {
	for _, test := range filterTests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, string(clean(t, maxLine, []byte(test.in))), test.in)
		})
	}
}

// TestFilterSplit cuts each table entry, behind a line of other text, at every
// pair of places.
func TestFilterSplit(t *testing.T) {
	for _, test := range filterTests {
		if len(test.in) > 100 {
			continue
		}
		in := []byte("x\n" + test.in)
		for i := range len(in) + 1 {
			for j := i; j <= len(in); j++ {
				if got := clean(t, maxLine, in[:i], in[i:j], in[j:]); string(got) != "x\n"+test.want {
					t.Fatalf("%s: filtered %q, %q, %q\n got %q\nwant %q", test.name, in[:i], in[i:j], in[j:], got, "x\n"+test.want)
				}
			}
		}
	}
}

func TestFilterLimit(t *testing.T) {
	tests := []struct {
		name, in, want string
	}{
		{"below", "abcdefg\rx\n", "xbcdefg\n"},
		{"CR goes back to the limit", "abcdefghij\rx\n", "abcdefghxj\n"},
		{"at the limit", "abcdefgh\rx\n", "abcdefghx\n"},
		{"a character over the limit", "abcdef世界\rx\n", "abcdef世x\n"},
		{"cells", "a\rabcdefghij\rx\n", "abcdefghxj\n"},
		{"used marks", "a\b" + strings.Repeat("e\u0301", 7) + "\u0301\rx", strings.Repeat("e\u0301", 7) + "\u0301x"},
		{"unused marks", strings.Repeat("\re\u0301", 50) + "\n", "e\u0301\n"},
		{"newline within", "abcdefghijklm\nabc\rx\n", "abcdefghijklm\nxbc\n"},
	}
	for _, test := range tests {
		if got := clean(t, 8, []byte(test.in)); string(got) != test.want {
			t.Errorf("%s: filtered %q\n got %q\nwant %q", test.name, test.in, got, test.want)
		}
	}
}

// TestFilterMemory checks that what is held stays bounded without newlines.
func TestFilterMemory(t *testing.T) {
	for _, in := range []string{"abcdefgh", "\x1b[1mx", "\re\u0301", "é", "e\u0301\b\x1b[C", "\x1b]0;title", "\xff", "\x1b[9Ca\t", "\x1b[\t"} {
		f := NewFilter(io.Discard, "")
		for range 64 {
			io.WriteString(f, strings.Repeat(in, 32<<10/len(in)))
		}
		held := cap(f.buffer) + 8*cap(f.line.cells) + 8*cap(f.line.marks)
		assert.LessOrEqual(t, held, 512<<10, "a Filter holds %d bytes after repeated %q", held, in)
		assert.LessOrEqual(t, len(f.Pending()), 2*maxLine, in)
	}
}

// writes records each call of Write.
type writes []string

func (w *writes) Write(p []byte) (int, error) {
	*w = append(*w, string(p))
	return len(p), nil
}

func TestFilterPassesWhenFinished(t *testing.T) {
	var got writes
	f := NewFilter(&got, "")
	lines := strings.Repeat("a line of text\n", 1000)
	steps := []struct {
		in      string
		want    []string
		pending string
	}{
		{"abc", nil, "abc"},
		{"\rx", nil, "xbc"},
		{"", nil, "xbc"},
		{"\n", []string{"xbc\n"}, ""},
		{"a\nb\nc", []string{"a\nb\n"}, "c"},
		{"\x1b[1md\x1b[", nil, "cd"},
		{"m\n\x1b[1me\n\x1b[mf\n", []string{"cd\ne\nf\n"}, ""},
		{lines + "g", []string{lines}, "g"},
		{lines, []string{"g", lines}, ""},
		{"h\xe4\xb8", nil, "h"},
		{"\x96\r", nil, "h世"},
	}
	for _, step := range steps {
		got = nil
		io.WriteString(f, step.in)
		assert.Equal(t, strings.Join(step.want, "|"), strings.Join(got, "|"), "after %.20q: written %.60q, want %.60q", step.in, got, step.want)
		for range 2 {
			if pending := string(f.Pending()); pending != step.pending {
				t.Errorf("after %.20q: pending %q, want %q", step.in, pending, step.pending)
			}
		}
	}
	for range 2 {
		got = nil
		require.NoError(t, f.Close())
	}
	require.Empty(t, got)
}

// failing accepts its first n bytes.
type failing struct{ n int }

var errFull = errors.New("full")

func (w *failing) Write(p []byte) (int, error) {
	if len(p) > w.n {
		return w.n, errFull
	}
	w.n -= len(p)
	return len(p), nil
}

type short struct{}

func (short) Write(p []byte) (int, error) { return len(p) / 2, nil }

func TestFilterError(t *testing.T) {
	f := NewFilter(&failing{4}, "")
	for i, want := range []error{nil, nil, errFull, errFull} {
		if n, err := io.WriteString(f, "a\n"); n != 2 || err != want {
			t.Errorf("Write %d = %d, %v; want 2, %v", i, n, err, want)
		}
	}
	require.ErrorIs(t, f.Close(), errFull)
	if _, err := io.WriteString(NewFilter(short{}, ""), "abc\n"); err != io.ErrShortWrite {
		t.Errorf("Write with a short write below = %v", err)
	}
}

// TestFilterTransparent passes clean text of many lengths, so that each line
// and chunk length meets the directSize and limit decisions.
func TestFilterTransparent(t *testing.T) {
	var text []byte
	for i := 0; len(text) < 1<<20; i++ {
		text = append(text, strings.Repeat("aé世💻\t", i*i%20000)...)
		text = append(text, '\n')
	}
	for _, size := range []int{1000, directSize - 1, 32 << 10, 100_003, len(text)} {
		var chunks [][]byte
		for p := text; len(p) > 0; {
			n := min(size, len(p))
			chunks, p = append(chunks, p[:n]), p[n:]
		}
		assert.True(t, bytes.Equal(clean(t, maxLine, chunks...), text), "clean text in chunks of %d bytes changed", size)
	}
}

func TestMet(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want Met
	}{
		{"", Met{}},
		{"text\ttext\r\n\b\a\f\v\x0e\x0f\x1a\x1b[31mred\x1b[0m é世😀\n", Met{}},
		{"a\x00b", Met{NULs: 1}},
		{"\x00", Met{NULs: 1}},
		{"\x00\x00a\x00\x00\x00", Met{NULs: 5, Runs: 3}},
		{"\x01\x02\x1f\x7f", Met{Controls: 4}},
		{"caf\xe9\n\xff", Met{Invalid: 2, First: 3}},
		{"\xe4\xb8", Met{Invalid: 2}},
		{"é\xe4\xb8x", Met{Invalid: 2, First: 2}},
		{"\x1b]0;title\x00\xff\a\x00", Met{NULs: 1}},
	} {
		f := NewFilter(io.Discard, "")
		f.Write([]byte(tt.in))
		f.Close()
		require.Equal(t, tt.want, f.TakeMet(), "%q", tt.in)
		require.False(t, f.TakeMet().Any())
	}
}

// What is met does not depend on how the output comes, and neither does what is shown for it.
func TestMetInChunks(t *testing.T) {
	alphabet := []string{"a", "\n", "\r", "\x00", "\x00", "\x00\x00", "\x01", "\xff", "\xe4\xb8", "é", "😀", "\xf0\x9f", "\x1b[1m", "\x1b", "\x9b", "]"}
	for seed := range testkit.Some(5000) {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		var in, whole, parts strings.Builder
		for range r.IntN(40) {
			in.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		one, many := NewFilter(&whole, "␀"), NewFilter(&parts, "␀")
		io.WriteString(one, in.String())
		for _, chunk := range randomChunks(r, []byte(in.String())) {
			many.Write(chunk)
		}
		one.Close()
		many.Close()
		require.Equal(t, one.Met(), many.Met(), "%q", in.String())
		require.Equal(t, whole.String(), parts.String(), "%q", in.String())
	}
}

func TestShowNUL(t *testing.T) {
	var out strings.Builder
	f := NewFilter(&out, "␀")
	io.WriteString(f, "a\x00b\x00\n12\x00\rx\n\x00\x1b]0;\x00\a|\x1b[\x001mred\n")
	f.Close()
	require.Equal(t, "a␀b␀\nx2␀\n␀|red\n", out.String())
}
