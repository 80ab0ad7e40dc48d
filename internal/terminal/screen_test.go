package terminal

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// draw returns what a Screen makes of the chunks.
func draw(t testing.TB, chunks ...[]byte) string {
	t.Helper()
	var out bytes.Buffer
	s := NewScreen(&out, "")
	for _, p := range chunks {
		n, err := s.Write(p)
		require.NoError(t, err)
		require.Equal(t, len(p), n)
	}
	held := out.String() + string(s.Held())
	partial := s.partialLength
	require.NoError(t, s.Close())
	if partial == 0 {
		require.True(t, out.String() == held, "%.200q: %.300q", chunks, held)
	}
	return out.String()
}

// bars are so many frames of three bars that are drawn in place.
func bars(frames int) string {
	var b strings.Builder
	for i := range frames {
		if i > 0 {
			b.WriteString("\x1b[3A")
		}
		for bar := range 3 {
			fmt.Fprintf(&b, "\x1b[2Kbar%d %3d%% %s\n", bar, i, strings.Repeat("━", i/10))
		}
	}
	return b.String()
}

// screenTests have what pyte 0.8.0 shows on 40 lines of 600 columns, but for CSI s and u, which it does not know.
var screenTests = []struct{ name, in, want string }{
	{"bars", "start\n" + bars(100) + "done\n", "start\n" +
		"bar0  99% ━━━━━━━━━\nbar1  99% ━━━━━━━━━\nbar2  99% ━━━━━━━━━\ndone\n"},
	{"docker", "a: Waiting\nb: Waiting\n\x1b[2A\x1b[2K\ra: Done\r\x1b[2B\x1b[1A\x1b[2K\rb: Done\r\x1b[1B", "a: Done\nb: Done\n"},
	{"npm", "⠋ idle\x1b[1G\x1b[0K⠙ fetch\n  left-pad\x1b[1A\x1b[1G\x1b[0J⠹ link\x1b[1G\x1b[0Kadded 3 packages\n", "added 3 packages\n"},
	{"previous line", "a\nb\x1b[Fc\n\n", "c\nb\n"},
	{"next line", "a\nb\x1b[2F\x1b[Ec\n", "a\nc\n"},
	{"down to new lines", "a\x1b[2Bb\n", "a\n\n b\n"},
	{"down without text", "a\n\x1b[2B", "a\n"},
	{"place", "ab\x1b[1;20Hword\n", "ab                 word\n"},
	{"place of two words", "\x1b[2;3Hone\x1b[2;9Htwo", "\n  one   two"},
	{"row", "a\nb\x1b[1dc\n\n", "ac\nb\n"},
	{"home and draw again", "\x1b[Hone\ntwo\n\x1b[Hsix\nten\n", "six\nten\n"},
	{"save and restore", "10%\x1b7 of a lot\x1b8 of\x1b[K\n", "10% of\n"},
	{"save and restore, CSI", "a\x1b[sb\nc\x1b[ud\n\n", "ad\nc\n"},
	{"erase below", "a\nb\nc\x1b[2A\x1b[Jd\n", "ad\n"},
	{"erase above", "a\nb\nc\x1b[1J\n", "\n\n\n"},
	{"insert", "a\nb\n\x1b[A\x1b[Lnew\n", "a\nnew\nb\n"},
	{"delete", "a\nb\nc\n\x1b[3A\x1b[2Mx\n", "x\n"},
	{"reverse index", "a\nb\x1bMc\n\n", "ac\nb\n"},
	{"index", "a\x1bDb\x1bEc\n", "a\n b\nc\n"},
	{"region", "\x1b[1;3ra\nb\nc\nd\n", "a\nb\nc\nd\n"},
	{"up is bounded", "a\n\x1b[99Ab\n", "b\n"},
	{"wide", "下载 10%\n\x1b[A下载 99%\x1b[6Gx\n", "下载 x9%\n"},
	{"longer before", "a long line\nb\n\x1b[2Aa\x1b[K\n\n", "a\nb\n"},
	// The first screen stays.
	{"clear", "built\n\x1b[2J\x1b[Hfirst\n\x1b[2J\x1b[Hsecond\n", "built\nsecond\n"},
	{"clear twice", "\x1b[2J\x1b[3J\x1b[Hone\n\x1bctwo\n", "two\n"},
	{"clear what scrolled", "\x1b[2J\x1b[H" + strings.Repeat("x\n", 60) + "\x1b[2J\x1b[Hy\n", strings.Repeat("x\n", 21) + "y\n"},
	{"alternate screen", "$ vim\n\x1b[?1049h\x1b[Hfile\n~\n\x1b[Hedited\x1b[?1049lbye\n", "$ vim\nedited\n~\nbye\n"},
}

func TestScreen(t *testing.T) {
	for _, tt := range screenTests {
		require.Equal(t, tt.want, draw(t, []byte(tt.in)), tt.name)
		for size := 1; size < 9; size++ {
			var chunks [][]byte
			for p := []byte(tt.in); len(p) > 0; p = p[min(size, len(p)):] {
				chunks = append(chunks, p[:min(size, len(p))])
			}
			require.Equal(t, tt.want, draw(t, chunks...), tt.name)
		}
	}
}

// The cursor moves up to what was printed long before it moved, within what is kept back.
func TestScreenKeepsLines(t *testing.T) {
	for lines, want := range map[int]int{10: 10, 199: 199, 1000: 199} {
		text := strings.Repeat("x\n", lines)
		got := strings.Split(draw(t, []byte(text+"\x1b[999Ay")), "\n")
		require.Len(t, got, lines+1)
		require.Equal(t, "y", got[lines-want])
	}
	long := strings.Repeat("x", 1000)
	got := strings.Split(draw(t, []byte(strings.Repeat(long+"\n", 30)+"\x1b[30Ay")), "\n")
	require.Equal(t, "y"+long[1:], got[22], "8 lines of 1001 bytes are kept")
}

// What scrolled off is passed on while the program goes on, and the fast way is taken again after the last movement.
func TestScreenPassesOn(t *testing.T) {
	var out bytes.Buffer
	s := NewScreen(&out, "")
	io.WriteString(s, bars(100))
	require.True(t, s.rows.active)
	io.WriteString(s, strings.Repeat("log\n", 2*maxRows))
	require.False(t, s.rows.active)
	io.WriteString(s, strings.Repeat("log\n", 20_000))
	require.Greater(t, out.Len(), 40_000)
	require.NoError(t, s.Close())
	require.Equal(t, 3+2*maxRows+20_000, strings.Count(out.String(), "\n"))
	require.Equal(t, 297, s.Over())
}

// After Flush, lines that are drawn again are passed on if they differ.
func TestScreenFlush(t *testing.T) {
	var got writes
	s := NewScreen(&got, "")
	io.WriteString(s, bars(50))
	s.Flush()
	require.Equal(t, 3, strings.Count(strings.Join(got, ""), "\n"))
	got = nil
	s.Flush()
	require.Empty(t, got)
	io.WriteString(s, "\x1b[2Abar1 done\x1b[K\n\n")
	s.Flush()
	require.Equal(t, writes{"bar1 done\n"}, got)
	got = nil
	io.WriteString(s, "end")
	s.Close()
	require.Equal(t, "end", strings.Join(got, ""))
	require.Equal(t, 50*3+2-4, s.Over())
}

var screenFragments = append([]string{
	"\x1b[A", "\x1b[2A", "\x1b[99A", "\x1b[B", "\x1b[3B", "\x1b[999999999B", "\x1b[E", "\x1b[2F", "\x1b[3;4H", "\x1b[H", "\x1b[9999;9999H",
	"\x1b[5d", "\x1b[J", "\x1b[1J", "\x1b[2J", "\x1b[3J", "\x1b7", "\x1b8", "\x1b[s", "\x1b[u", "\x1bD", "\x1bE", "\x1bM", "\x1bc", "\x1b[L",
	"\x1b[2M", "\x1b[99L", "\x1b[99M", "\x1b[2;6r", "\x1b[1;39r", "\x1b[r", "\x1b[?1049h", "\x1b[?1049l", "\n\n\n", "a line\n", "世界\n",
}, fragments...)

func randomScreen(r *rand.Rand, n int) []byte {
	var b []byte
	for range r.IntN(4) {
		b = append(b, strings.Repeat("line\n", r.IntN(250))...)
		for range r.IntN(n) {
			b = append(b, screenFragments[r.IntN(len(screenFragments))]...)
		}
	}
	return b
}

// However the output comes, what is shown is the same: text in UTF-8 without control characters, which a Screen leaves
// as it is.
func TestScreenInChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for range testkit.Some(1000) {
		in := randomScreen(r, 40)
		checkScreen(t, in, r)
	}
}

func checkScreen(t *testing.T, in []byte, r *rand.Rand) {
	t.Helper()
	whole := draw(t, in)
	require.True(t, utf8.ValidString(whole))
	require.Equal(t, len(whole), cleanLength([]byte(whole)))
	parts := draw(t, randomChunks(r, in)...)
	require.True(t, whole == parts, "%q\n%q\n%q", in, whole, parts)
	require.Equal(t, whole, draw(t, []byte(whole)))
	require.LessOrEqual(t, strings.Count(whole, "\n"), 2*len(in)+maxRows)
}

func FuzzScreen(f *testing.F) {
	for _, tt := range screenTests {
		f.Add([]byte(tt.in), uint64(1))
	}
	r := rand.New(rand.NewPCG(1, 9))
	for range 20 {
		f.Add(randomScreen(r, 40), r.Uint64())
	}
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) { checkScreen(t, in, rand.New(rand.NewPCG(seed, 0))) })
}

// An output that does not move the cursor between lines is what a Filter makes of it.
func TestScreenOfPlainText(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range testkit.Some(1000) {
		var in []byte
		for range r.IntN(60) {
			in = append(in, []string{"a", "bc\n", "\r", "\b", "\x1b[K", "\x1b[2D", "\x1b[5G", "世", "\x1b[31m", "\xff", strings.Repeat("x", 5000), strings.Repeat("yy\n", 3000)}[r.IntN(12)]...)
		}
		require.Equal(t, string(clean(t, maxLine, in)), draw(t, randomChunks(r, in)...))
	}
}

// Neither memory nor work grows with what a few bytes ask for.
func TestScreenIsBounded(t *testing.T) {
	wide := "\x1b[600C" + strings.Repeat("x", 100) + "\n"
	rounds := 16
	if testing.Short() {
		rounds = 8 // eight bytes for each of one are still more than there may be
	}
	for _, in := range []string{
		"\x1b[999999999B", "\x1b[9999;9999Hx", "\x1b[A", "\x1b[999L", "\x1b[999M", "\x1b[2J", "\x1b[J\n", "\x1b[1J", "\x1bM", "\x1bD", "x\x1b[9999B\n",
		"\x1b[2;5r\n", "\x1b[1;39r\n", "\x1b7\n\x1b8", "\x1bc", "\x1b[?1049h\x1b[9999B", wide, wide + "\x1b[2A", wide + "\x1b[L", "\x1b[A\x1b[16000Gx",
		strings.Repeat("x", maxLine-2) + "\x1b[A", strings.Repeat("x", maxLine-2) + "\n", "e\u0301\x1b[A", "\x1b[Be\u0301\u0301\u0301\u0301",
	} {
		var most int
		var out counting
		s := NewScreen(&out, "")
		total := 0
		for range rounds {
			n, _ := io.WriteString(s, "\x1b[A"+strings.Repeat(in, 1+64<<10/len(in)))
			total += n
			held := cap(s.buffer) + 8*(cap(s.line.cells)+cap(s.line.marks))
			for _, row := range s.rows.all {
				held += 64 + 8*(cap(row.cells)+cap(row.marks))
			}
			most = max(most, held)
			require.LessOrEqual(t, len(s.rows.all), maxRows+Rows+1)
		}
		s.Close()
		require.Less(t, most, 3<<20, "%q", in)
		require.Less(t, int(out), 600*total, "%q", in)
	}
}

type counting int

func (c *counting) Write(p []byte) (int, error) {
	*c += counting(len(p))
	return len(p), nil
}

func TestScreenError(t *testing.T) {
	s := NewScreen(&failing{4}, "")
	_, err := io.WriteString(s, "a\nb\nc\n")
	require.NoError(t, err, "it is kept back")
	require.ErrorIs(t, s.Flush(), errFull)
	_, err = io.WriteString(s, strings.Repeat("x\n", keptBytes))
	require.ErrorIs(t, err, errFull)
	require.ErrorIs(t, s.Close(), errFull)
	require.ErrorIs(t, NewScreen(short{}, "").flushed("abc\n"), io.ErrShortWrite)
}

func (s *Screen) flushed(text string) error {
	io.WriteString(s, text)
	return s.Flush()
}
