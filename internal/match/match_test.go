package match

import (
	"bytes"
	"fmt"
	"regexp"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

func compiled(t testing.TB, pattern string, o Options) *Matcher {
	t.Helper()
	m, err := Compile(pattern, o)
	require.NoError(t, err)
	return m
}

// plainLines returns the lines of buf that re matches, taken one by one.
func plainLines(re *regexp.Regexp, buf []byte) (found [][2]int) {
	for from := 0; from < len(buf); {
		end, next := len(buf), len(buf)
		if i := bytes.IndexByte(buf[from:], '\n'); i >= 0 {
			end, next = from+i, from+i+1
			if end > from && buf[end-1] == '\r' {
				end--
			}
		}
		if re.Match(buf[from:end]) {
			found = append(found, [2]int{from, end})
		}
		from = next
	}
	return found
}

// allLines returns what Next finds in buf.
func allLines(s *Searcher, buf []byte) (found [][2]int) {
	for from := 0; ; {
		start, end, ok := s.Next(buf, from)
		if !ok {
			return found
		}
		found = append(found, [2]int{start, end})
		i := bytes.IndexByte(buf[end:], '\n')
		if i < 0 {
			return found
		}
		from = end + i + 1
	}
}

// plain compiles as Compile does, with package regexp.
func plain(pattern string, o Options) (*regexp.Regexp, error) {
	if o.Literal {
		pattern = regexp.QuoteMeta(pattern)
	}
	if o.IgnoreCase {
		pattern = "(?i)" + pattern
	}
	if o.Multiline {
		pattern = "(?m)" + pattern
	}
	return regexp.Compile(pattern)
}

// check compares Next and Line with package regexp; repeat makes the buffer long
// enough for the paths that read far.
func check(t testing.TB, pattern string, o Options, text []byte, repeat int) {
	t.Helper()
	o.Multiline = false
	if re, m := compileBoth(t, pattern, o); m != nil {
		checkLines(t, re, m, text, repeat)
	}
}

// compileBoth compiles with package regexp and this one, which must agree on whether
// that is possible.
func compileBoth(t testing.TB, pattern string, o Options) (*regexp.Regexp, *Matcher) {
	t.Helper()
	re, err := plain(pattern, o)
	m, err2 := Compile(pattern, o)
	require.Equal(t, err == nil, err2 == nil, "pattern %q: %v, %v", pattern, err, err2)
	return re, m
}

func checkLines(t testing.TB, re *regexp.Regexp, m *Matcher, text []byte, repeat int) {
	t.Helper()
	s := m.NewSearcher()
	buf := bytes.Repeat(text, repeat)
	want := plainLines(re, buf)
	require.Equal(t, want, allLines(s, buf), "pattern %q, text %q * %d, prefilter %v", re, text, repeat, m.line.prefilter)
	for _, line := range bytes.Split(text, []byte("\n")) {
		require.Equal(t, re.Match(line), s.Line(line), "pattern %q, line %q", re, line)
	}
}

// checkSpans compares Spans with package regexp.
func checkSpans(t testing.TB, pattern string, o Options, text []byte) {
	t.Helper()
	o.Multiline = true
	re, m := compileBoth(t, pattern, o)
	if m == nil {
		return
	}
	if bytes.IndexByte(text, '\r') >= 0 {
		re = m.span.plain() // with the changes for \r\n, which tables test
	}
	var want, got [][2]int
	for _, loc := range re.FindAllIndex(text, -1) {
		want = append(want, [2]int(loc))
	}
	for start, end := range m.NewSearcher().Spans(text) {
		got = append(got, [2]int{start, end})
	}
	require.Equal(t, want, got, "pattern %q, text %q, prefilter %v", re, text, m.span.prefilter)
}

// TestNext has what fuzzing found and what is known to be awkward.
func TestNext(t *testing.T) {
	tests := []struct {
		pattern string
		options Options
		text    string
		lines   []string
	}{
		{"b", Options{}, "abc\nxyz\nb\n", []string{"abc", "b"}},
		{"b$", Options{}, "ab\r\nab\nb", []string{"ab", "ab", "b"}},
		{"^$", Options{}, "a\n\n\r\nb\n", []string{"", ""}},
		{"^$", Options{}, "", nil},
		{"^$", Options{}, "\n", []string{""}},
		{"", Options{}, "a\n\nb", []string{"a", "", "b"}},
		{`\r$`, Options{}, "a\r\nb\r\r\nc\r", []string{"b\r", "c\r"}}, // a \r that ends no line is text
		{`\Aa\z`, Options{}, "a\nab\na\r\n", []string{"a", "a"}},
		{`a\sb`, Options{}, "a\nb\na b\n", []string{"a b"}}, // \s holds a newline
		{`a[^x]b`, Options{}, "a\nb\na\rb\n", []string{"a\rb"}},
		{"a\nb", Options{Literal: true}, "a\nb\n", nil},
		{"k", Options{IgnoreCase: true}, "K\n\u212A\nx\n", []string{"K", "\u212A"}},
		{"task", Options{IgnoreCase: true}, "TASK\nta\u017F\u212A\ntax\n", []string{"TASK", "ta\u017F\u212A"}},
		{"(?i:a)B", Options{}, "aB\nab\nAB\n", []string{"aB", "AB"}},
		{"x|", Options{}, "a\nb\n", []string{"a", "b"}},
		{"a.b", Options{}, "a\xffb\na\xe6\x97b\n", []string{"a\xffb"}}, // bytes of bad UTF-8 count one by one
		{`\x{FFFD}`, Options{}, "\xff\na\n\uFFFD\n\xe6\x97\n", []string{"\xff", "\uFFFD", "\xe6\x97"}},
		{"日", Options{}, "\xe6日\n\xe6\x97\n", []string{"\xe6日"}},
		{`\b日`, Options{}, "a日\n日\n", []string{"a日"}}, // \b knows ASCII only
		{"(?m)^b", Options{}, "a\nb\n", []string{"b"}},
		{`\x{D800}`, Options{}, "\xed\xa0\x80\na\n", nil},
		{`a\z|b`, Options{}, "a", []string{"a"}},
	}
	for _, test := range tests {
		m := compiled(t, test.pattern, test.options)
		var got []string
		for _, line := range allLines(m.NewSearcher(), []byte(test.text)) {
			got = append(got, test.text[line[0]:line[1]])
		}
		require.Equal(t, test.lines, got, "%q in %q", test.pattern, test.text)
		check(t, test.pattern, test.options, []byte(test.text), 1)
		check(t, test.pattern, test.options, []byte(test.text), 500)
	}
}

func TestCompileError(t *testing.T) {
	_, err := Compile("a(b", Options{})
	require.EqualError(t, err, "invalid pattern \"a(b\": error parsing regexp: missing closing ): `a(b`")
	_, err = Compile("a(b", Options{Literal: true})
	require.NoError(t, err)
}

func TestSpans(t *testing.T) {
	tests := []struct {
		pattern, text string
		spans         []string
	}{
		{`a\nb`, "a\nb a\r\nb", []string{"a\nb", "a\r\nb"}},
		{"a$", "a\nba\r\nab\na", []string{"a", "a\r", "a"}},
		{"^a", "a\nba\r\nab", []string{"a", "a"}},
		{`(?s)b.*?e`, "abc\nde be", []string{"bc\nde", "be"}},
		{`\bb`, "ab b", []string{"b"}},
		{`\Aa`, "aa\na", []string{"a"}},
		{`a\z`, "a\na", []string{"a"}},
		{"x*", "axb", []string{"", "x", ""}},
		{"", "日\xff", []string{"", "", ""}},
		{"b+", "abbabb", []string{"bb", "bb"}},
		{`a\r\nb`, "a\r\nb", []string{"a\r\nb"}},
		{`\n+`, "a\r\n\r\nb\n\n", []string{"\r\n\r\n", "\n\n"}},
		{"é", "éé", []string{"é", "é"}},
		{"nothing", "a\nb", nil},
		{"aab|ab", "aab ab", []string{"aab", "ab"}},     // where "ab" is found, no match begins
		{`a|\Qb.`, "b. ab.", []string{"b.", "a", "b."}}, // the quotation is not closed
	}
	for _, test := range tests {
		m := compiled(t, test.pattern, Options{Multiline: true})
		var got []string
		for start, end := range m.NewSearcher().Spans([]byte(test.text)) {
			got = append(got, test.text[start:end])
		}
		require.Equal(t, test.spans, got, "%q in %q", test.pattern, test.text)
		checkSpans(t, test.pattern, Options{}, []byte(test.text))
	}
}

// TestFind compares where matches are in random lines with what package regexp says.
func TestFind(t *testing.T) {
	t.Parallel()
	g := newGenerator(7)
	for range testkit.Some(3000) {
		o := Options{IgnoreCase: g.IntN(3) == 0}
		re, m := compileBoth(t, g.pattern(1+g.IntN(4)), o)
		if m == nil {
			continue
		}
		s := m.NewSearcher()
		for range 4 {
			line := bytes.ReplaceAll(g.text(), []byte("\n"), []byte("_"))
			want := re.FindIndex(line)
			if want == nil {
				continue
			}
			start, end := s.Find(line)
			require.Equal(t, want, []int{start, end}, "%q in %q", re, line)
		}
	}
}

// TestFindFar: the place of a match in a long line is the one that package regexp gives, whatever the
// pattern has in front of its literals.
func TestFindFar(t *testing.T) {
	t.Parallel()
	line := bundle(50_000, `;日本,"retryBudget:42,maxDelay:é`)
	for _, pattern := range []string{
		`retryBudget`, `.retryBudget`, `.{60}retryBudget:\d+.{60}`, `\w*Budget`, `[^;]*retryBudget`, `[^;]{3,9}retryBudget`, `.*retryBudget`,
		`.*?retryBudget`, `^.*retryBudget.*$`, `(?:.|é)+retryBudget`, `\S+retryBudget`, `(?i).RETRYBUDGET`, `.\bretryBudget\b.`, `.\b.etryBudget`,
		`\pL..retryBudget`, `[^a]..retryBudget:4(?:2|.*)`, `(?s).{5}maxDelay:é.*$`, `.maxDelay.*`, `.{0,40}?nothing|.maxDelay`, `x.*maxDelay`,
		`日.*|.retryBudget`, `(?:a|b)*.retry|maxDelay`, `\z`, `(?:)`, `.$`, `\D\D:42,m`, `.(retry|max)(Budget|Delay).\d*`,
		`(?:..){2,3}retryBudget`, `(?:,"|.{3}","?)retry`, `.?.?(?:"retryB|retryBudget:4)`, `(?:日?.){2}.{3}retryB`,
	} {
		for _, o := range []Options{{}, {Multiline: true}} {
			re, m := compileBoth(t, pattern, o)
			s := m.NewSearcher()
			want := re.FindIndex(line)
			require.NotNil(t, want, pattern)
			start, end := s.Find(line)
			require.Equal(t, want, []int{start, end}, pattern)
			if o.Multiline {
				start, end, ok := s.find(s.matcher.span, line, 0)
				require.True(t, ok)
				require.Equal(t, want, []int{start, end}, pattern)
			}
		}
	}
}

// TestFindInLongLines: a match is found at any distance, of any length.
func TestFindInLongLines(t *testing.T) {
	far := bytes.Repeat([]byte("abc "), 500_000)
	for pattern, length := range map[string]int{"needle": 6, "n[e]+dle$": 6, `\bneedle`: 6, "(?i)NEEDLE|nothing": 6, "needle.*": 6, `n\w+`: 6} {
		m := compiled(t, pattern, Options{})
		start, end := m.NewSearcher().Find(append(far, "needle"...))
		require.Equal(t, [2]int{len(far), len(far) + length}, [2]int{start, end}, pattern)
	}
	m := compiled(t, "needle.*", Options{})
	start, end := m.NewSearcher().Find(append([]byte("a needle "), far...))
	require.Equal(t, [2]int{2, 2 + len("needle ") + len(far)}, [2]int{start, end})
	s := m.NewSearcher()
	s.cancel.ended = true
	start, end = s.Find(far)
	require.Equal(t, [2]int{}, [2]int{start, end})
}

// TestRandom compares random patterns with package regexp on random texts.
func TestRandom(t *testing.T) {
	t.Parallel()
	patterns := testkit.Some(4000)
	g := newGenerator(1)
	for i := range patterns {
		pattern := g.pattern(1 + g.IntN(4))
		o := Options{IgnoreCase: g.IntN(3) == 0, Literal: g.IntN(20) == 0}
		if re, m := compileBoth(t, pattern, o); m != nil {
			for range 5 {
				checkLines(t, re, m, g.text(), 1)
			}
			if i%10 == 0 {
				checkLines(t, re, m, g.text(), 1+g.IntN(300))
			}
		}
		if i%4 == 0 {
			checkSpans(t, pattern, o, g.text())
		}
	}
}

func FuzzNext(f *testing.F) {
	for seed := range uint64(50) {
		g := newGenerator(seed)
		f.Add(g.pattern(3), seed%2 == 0, seed%10 == 0, uint8(1), g.text())
	}
	f.Fuzz(func(t *testing.T, pattern string, ignoreCase, literal bool, repeat uint8, text []byte) {
		if len(pattern) > 200 || len(text) > 2000 {
			return
		}
		check(t, pattern, Options{IgnoreCase: ignoreCase, Literal: literal}, text, 1+int(repeat))
	})
}

func FuzzSpans(f *testing.F) {
	for seed := range uint64(50) {
		g := newGenerator(seed)
		f.Add(g.pattern(3), seed%2 == 0, seed%10 == 0, g.text())
	}
	f.Fuzz(func(t *testing.T, pattern string, ignoreCase, literal bool, text []byte) {
		if len(pattern) > 200 || len(text) > 2000 {
			return
		}
		checkSpans(t, pattern, Options{IgnoreCase: ignoreCase, Literal: literal}, text)
	})
}

// FuzzGenerated reaches deeper than FuzzNext: what is mutated is the seed of a
// generator of valid patterns.
func FuzzGenerated(f *testing.F) {
	f.Add(uint64(1), uint8(1))
	f.Fuzz(func(t *testing.T, seed uint64, repeat uint8) {
		g := newGenerator(seed)
		pattern, o := g.pattern(1+g.IntN(5)), Options{IgnoreCase: g.IntN(3) == 0}
		check(t, pattern, o, g.text(), 1+int(repeat%50))
		checkSpans(t, pattern, o, g.text())
	})
}

func ExampleMatcher() {
	m, err := Compile(`\w+Reader\b`, Options{})
	if err != nil {
		panic(err)
	}
	s := m.NewSearcher()
	buf := []byte("type bufReader struct\ntype Writer struct\nvar _ io.Reader = byteReader{}\n")
	for from := 0; ; {
		start, end, ok := s.Next(buf, from)
		if !ok {
			break
		}
		fmt.Printf("%s\n", buf[start:end])
		next := bytes.IndexByte(buf[end:], '\n')
		if next < 0 {
			break
		}
		from = end + next + 1
	}
	// Output:
	// type bufReader struct
	// var _ io.Reader = byteReader{}
}
