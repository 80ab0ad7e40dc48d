package match

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAcrossEscapes(t *testing.T) {
	sequences := []string{"\x1b[0m", "\x1b[1;31m", "\x1b[K", "\x1b[38;5;9m", "\x1b[?25l"}
	r := rand.New(rand.NewPCG(3, 4))
	for _, test := range []struct {
		pattern, text string
		o             Options
	}{
		{"FAILED: test_x", "FAILED: test_x", Options{}},
		{`^\d+ (rows|lines)$`, "1234 lines", Options{}},
		{`\bab\b.*c{2,3}`, "ab x ccc", Options{}},
		{"É: x", "é: X", Options{IgnoreCase: true}},
		{"a[0](1)", "a[0](1)", Options{Literal: true}},
		{`(?i)a+b?(cd)*`, "AACDCD", Options{}},
		{`\u4e2d\s`, "中 ", Options{}},
	} {
		across := AcrossEscapes(test.pattern, test.o, true)
		m, err := Compile(across, Options{IgnoreCase: test.o.IgnoreCase})
		require.NoError(t, err)
		for range 50 {
			var line strings.Builder
			for _, c := range test.text {
				for r.IntN(3) == 0 {
					line.WriteString(sequences[r.IntN(len(sequences))])
				}
				line.WriteRune(c)
			}
			line.WriteString(sequences[0])
			require.Equal(t, test.text, string(WithoutEscapes([]byte(line.String()))))
			require.True(t, m.NewSearcher().Line([]byte(line.String())), "%s in %q", across, line.String())
		}
		require.True(t, m.NewSearcher().Line([]byte(test.text)))
		require.False(t, m.NewSearcher().Line([]byte("\x1b[1mz\x1b[0m")))
	}
	require.Empty(t, AcrossEscapes(strings.Repeat("x", maxEscaped+1), Options{}, false))
	require.Empty(t, AcrossEscapes(strings.Repeat("x", maxEscaped/10), Options{}, true))
}

// A pattern that can be compiled lacks nothing, and is left as it is.
func FuzzPerl(f *testing.F) {
	for _, seed := range []string{`[(?=]\Q(?!\E[]\K][[:alpha:](?<=]`, `\(?=a++`, `(?P<a>b)(?i:c)*?\\1`, `a{1,2}?\Q\1`, `(?<=a)(?#(?>`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		if len(pattern) > 1000 {
			t.Skip()
		}
		lacks, meant := Perl(pattern)
		if _, err := Compile(pattern, Options{}); err != nil {
			return
		}
		require.Empty(t, lacks, pattern)
		require.Equal(t, pattern, meant)
	})
}

// generator makes up patterns and texts that have a chance to match them.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator { return generator{rand.New(rand.NewPCG(seed, 7))} }

func (g generator) pick(s ...string) string { return s[g.IntN(len(s))] }

// atom is a pattern without operators.
func (g generator) atom() string {
	return g.pick("a", "b", "c", "foo", "bar", "ab", "k", "s", "K", "\u212A", "ſ", "é", "É", "日", "日本", "ß", "1", "42", "_", " ", "-",
		".", ".", `\d`, `\w`, `\s`, `\S`, `\W`, `\D`, "[a-c]", "[^a]", "[ab]", "[Kk]", "[^\\s]", `\pL`, `\p{Greek}`, `[\x{80}-\x{10FFFF}]`,
		`\b`, `\B`, "^", "$", `\A`, `\z`, `\n`, `\r`, `[\n]`, `[^\n]`, `\x{FFFD}`, `\x00`, "(?:)", "[é-ü]", "[α-ω]", `[[:alpha:]]`, `[^\x00-\x{10FFFF}]`,
		"Reader", "needle", "xyzzy", `\.`, "[0-9]+", `\w+`, `.*`, `[^é]`, `[\x{FFF0}-\x{FFFD}]`)
}

// pattern is a pattern whose tree is at most depth high.
func (g generator) pattern(depth int) string {
	if depth == 0 {
		return g.atom()
	}
	p := g.pattern(depth - 1)
	switch g.IntN(14) {
	case 0, 1, 2, 3:
		return p + g.pattern(depth-1)
	case 4:
		return p + g.pattern(depth-1) + g.pattern(depth-1)
	case 5, 6:
		return "(?:" + p + "|" + g.pattern(depth-1) + ")"
	case 7:
		return "(" + p + g.pick("|", "||a", "|foo|bar") + ")"
	case 8:
		return "(?:" + p + ")" + g.pick("*", "+", "?", "*?", "+?", "??")
	case 9:
		return "(?:" + p + ")" + g.pick("{2}", "{0,2}", "{1,3}", "{2,}", "{0}", "{9}")
	case 10:
		return g.pick("(?i:", "(?m:", "(?s:", "(?-i:", "(?ims:", "(?U:") + p + ")"
	case 11:
		return p + "|" + g.pattern(depth-1)
	case 12:
		return g.atom()
	}
	return p
}

// text is a few lines, with all that is awkward in them.
func (g generator) text() []byte {
	var b strings.Builder
	for range g.IntN(8) {
		for range g.IntN(7) {
			b.WriteString(g.pick("a", "b", "c", "foo", "bar", "ab", "A", "FOO", "k", "s", "K", "S", "\u212A", "ſ", "é", "É", "日", "日本", "本", "ß", "ẞ", "1", "42", "_", " ", "-", "\t", "\r", "\v",
				"\xff", "\xe6", "\xe6\x97", "\x97", "\xc3", "\xed\xa0\x80", "\xf0\x9f", "\xf4\x90", "\xf0\x9f\x98\x80", "\uFFFD", "\x00", "\u2028", "α", "ω", "Reader", "reader", "needle", "xyzzy", ".", "\u0085", "\xe0\x80\x80", "\xc0\x80", "cccccccccccc", "aaaaaaaaaaaa"))
		}
		b.WriteString(g.pick("\n", "\n", "\n", "\r\n", "\r\n", "\r\r\n", "\n\n", "\n\r\n", "\r"))
	}
	s := b.String()
	if g.IntN(3) == 0 {
		s = strings.TrimRight(s, g.pick("\n", "\r\n"))
	}
	return []byte(s)
}
