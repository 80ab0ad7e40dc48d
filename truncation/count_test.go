package truncation

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

var alphabet = []string{"a", "\ufffd", "b", "\n", "\n", "ä", "世", "界", "\xe0\xa4\xb9", "한", "퟿", "\xed\xa0\x80", "\xe0\x80\x80", "😀", "\xff", "\xe4\xb8",
	"\xf0\x9f", "\xc0\xaf", " ", "\r", "plain ASCII of more than thirty-two bytes, to be sure"}

func TestCountChars(t *testing.T) {
	for seed := range testkit.Some(20000) {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString(strings.Repeat(alphabet[r.IntN(len(alphabet))], 1+r.IntN(3)))
		}
		checkCount(t, b.String())
	}
}

// Every three bytes that begin, continue or break off a character, and the edges between those.
func TestCountOfAnyBytes(t *testing.T) {
	edges := []byte("\x00a\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf4\xf5\xff")
	for _, a := range edges {
		for _, b := range edges {
			checkCount(t, string([]byte{a, b}))
			for _, c := range edges {
				checkCount(t, string([]byte{a, b, c}))
			}
		}
	}
}

func checkCount(t *testing.T, s string) {
	t.Helper()
	wrong := 0
	for rest := s; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError && size == 1 {
			wrong++
		}
		rest = rest[size:]
	}
	chars, invalid := countChars(s)
	require.Equal(t, [2]int{utf8.RuneCountInString(s), wrong}, [2]int{chars, invalid}, "%q", s)
	valid := validUTF8(s)
	require.Equal(t, utf8.RuneCountInString(valid), countValid([]byte(valid)), "%q", s)
}

func FuzzCount(f *testing.F) {
	f.Add("世界世界 and some ASCII, 32 bytes of it at least \xff\xe4\xb8")
	f.Fuzz(checkCount)
}

func benchmarkText(name string, size int) string {
	unit := map[string]string{
		"ASCII": "an ordinary line of a log, eighty characters long or so, with nothing in it\n",
		"CJK":   "敏捷的棕色狐狸跳过了懒狗。这是一个用来测量速度的普通句子，没有别的意思\n",
		"mixed": "Größe: 12 µm, naïve café — привет, мир; 世界 and 😀 at the end of it\n",
	}[name]
	return strings.Repeat(unit, size/len(unit)+1)[:size/len(unit)*len(unit)]
}

// The peer is utf8.RuneCountInString, and the conversion to []rune.
func BenchmarkCount(b *testing.B) {
	for _, text := range []string{"ASCII", "CJK", "mixed"} {
		s := benchmarkText(text, 100<<20)
		for name, count := range map[string]func(string) int{
			"ours":      func(s string) int { n, _ := countChars(s); return n },
			"valid":     func(s string) int { return countValid(bytesOf(s)) },
			"RuneCount": utf8.RuneCountInString,
		} {
			b.Run(text+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					count(s)
				}
			})
		}
		b.Run(text+"/runes", func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				_ = []rune(s)
			}
		})
	}
}

// A budget that is shorter than the marker holds text, and no piece of the marker.
func TestNoRoomForTheMarker(t *testing.T) {
	text := strings.Repeat("abc def\n", 10)
	const marker = "[{count} of {total}: 0123456789]"
	for _, s := range strategies {
		for n := range 22 { // the shortest that the marker gets
			for _, limits := range []Limits{{Bytes: AtMost(n)}, {Chars: AtMost(n)}, {Tokens: AtMost(n), CountTokens: func(s string) int { return len(s) }}} {
				p := Policy{Strategy: s, Limits: limits, Marker: marker, First: 2, Last: 2}
				r := p.Truncate(text)
				msg := fmt.Sprintf("%s %+v: %q", s, limits, r.Text)
				require.LessOrEqual(t, len(r.Text), n, msg)
				require.NotContains(t, r.Text, "[", msg)
				require.Equal(t, r.OutputBytes > 0, r.Text != "", msg)
				if s != Head || n >= len("abc def") {
					require.Equal(t, n > 0, r.Text != "", msg)
				}
				whole := len(text)
				for i := range len(r.Text) + 1 { // a beginning, and an end behind it or behind a newline
					end := strings.TrimPrefix(r.Text[i:], "\n")
					if strings.HasPrefix(text, r.Text[:i]) && (strings.HasSuffix(text, end) || strings.HasSuffix(text, end+"\n")) {
						whole = i
						break
					}
				}
				require.Less(t, whole, len(text), msg)
			}
		}
	}
	p := Policy{Strategy: MiddleLines, Limits: Limits{Chars: 20}, Marker: marker}
	require.Equal(t, "abc def\nabc def\n", p.Cut(text))
	p.Prefix, p.Strategy = "[sub-agent a]: ", HeadChars
	require.Equal(t, "[sub-agent a]: abc d", p.Cut(text))
}

// What is not valid is replaced piece by piece, in memory that does not grow with it.
func TestInvalidTextInPieces(t *testing.T) {
	var c cleaner
	var got strings.Builder
	c.write([]byte(strings.Repeat("\xffa世", 10_000)), func(p []byte) {
		require.LessOrEqual(t, len(p), 4096)
		require.NotEmpty(t, p)
		got.Write(p)
	})
	require.Equal(t, strings.Repeat("\ufffda世", 10_000), got.String())
}
