package match

import (
	"bytes"
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPrefilter says which literals are looked for, and whether they prove a match.
func TestPrefilter(t *testing.T) {
	tests := []struct {
		pattern  string
		options  Options
		literals string
		exact    bool
	}{
		{"needle", Options{}, "needle", true},
		{"a.b", Options{Literal: true}, "a.b", true},
		{"foo|bar|baz", Options{}, "bar baz foo", true},
		{"(foo|ba[rz])", Options{}, "bar baz foo", true},
		{"https?", Options{}, "http", true},
		{`\w+Reader\b`, Options{}, "Reader", false},
		{`\bReader\b`, Options{}, "Reader", false},
		{"^Reader$", Options{}, "Reader", false},
		{"(Re)(ader)", Options{}, "Reader", true},
		{"Reader+s", Options{}, "Reader", false},
		{"x{900}", Options{}, "xxxxxxxx", false},
		{"foo|", Options{}, "none", false},      // an empty branch requires nothing
		{"foo|.*", Options{}, "none", false},    // nor does this one
		{"(?:foo)?bar", Options{}, "bar", true}, // "bar" alone proves it
		{"(?:foo)*", Options{}, "none", false},
		{"Reader\r", Options{}, "Reader\r", false},            // the \r may be a part of the ending
		{"reader", Options{IgnoreCase: true}, "reader", true}, // no other character folds to these
		{"(?i)book", Options{}, "book boo\u212A", true},       // the Kelvin sign folds to k
		{"(?i:re)Ader", Options{}, "reader", false},           // only partly folded
		{"(?i:re)-1", Options{}, "re-1", true},
		{"[Nn]eedle", Options{}, "needle", false}, // folded for want of anything better
		{`needle\x{FFFD}`, Options{}, "needle", false},
		{`needle\s+haystack`, Options{}, "needle", false},
		{`\d+`, Options{}, "none", false},
		{strings.Repeat("x|", maxPrefilter) + "y", Options{}, "x y", true},
	}
	for _, test := range tests {
		m := compiled(t, test.pattern, test.options)
		assert.Equal(t, test.literals, m.line.prefilter.String(), "%q", test.pattern)
		assert.Equal(t, test.exact, m.line.exact, "%q", test.pattern)
	}
}

// TestBefore says how far in front of its literal a match may begin.
func TestBefore(t *testing.T) {
	for pattern, before := range map[string]int{
		"needle": 0, ".needle": 1, ".{60}needle": 60, "[a-z]?needle.*": 1, "(?:.{3})?needle": 3, `\bneedle`: 0,
		".*needle": unbounded, ".+needle": unbounded, ".{0,}needle": unbounded, ".{2,}needle": unbounded,
		"(?:.{2}){0,3}needle": 6, "(?:.{2}){1,3}needle": 6, "(?:.{100}){9}needle": 900, "(?:.{9}|..)needle": 9, "(?:..|.{9})needle": 9,
		"(?:.{5}foo|..bar)": 5, "(?:..bar|.{5}foo)": 5, ".(..needle.).": 3, ".(?:foo|[^a]{7}bar)": 8, "(needle|.?)foobars": 6,
	} {
		tree, err := syntax.Parse(pattern, syntax.Perl)
		require.NoError(t, err)
		f := extractor{}.facts(tree)
		require.True(t, f.required.usable(), pattern)
		assert.Equal(t, before, f.before, pattern)
	}
}

// TestNewline has patterns that no line can match, because they ask for a newline, and some that
// only allow one.
func TestNewline(t *testing.T) {
	text := []byte("ab\nfoo\n b")
	for pattern, matches := range map[string]bool{
		"a\nb": false, `a\nb`: false, `[\n]`: false, `\n+x`: false, `(?:\n|\n\n)foo`: false, `[^\x00-\x{10FFFF}]`: false,
		`a\n?b`: true, `\s`: true, `\n|b`: true, `\n*`: true,
	} {
		m := compiled(t, pattern, Options{})
		_, _, ok := m.NewSearcher().Next(text, 0)
		assert.Equal(t, matches, ok, "%q", pattern)
	}
}

// TestStartOver has a pattern of 2^13 states: the automaton has to start over again
// and again, and gives up.
func TestStartOver(t *testing.T) {
	const pattern = "(?:a|b)*a(?:a|b){12}c"
	r := rand.New(rand.NewPCG(5, 6))
	var text []byte
	for range testkit.Some(200) {
		for range r.IntN(2000) {
			text = append(text, "ab"[r.IntN(2)])
		}
		if r.IntN(8) == 0 {
			text = append(text, 'c')
		}
		text = append(text, '\n')
	}
	check(t, pattern, Options{}, text, 1)
	checkSpans(t, pattern, Options{}, text[:min(len(text), 20000)])

	m := compiled(t, pattern, Options{})
	s := m.NewSearcher()
	d := s.lines()
	s.prefilter = nil
	for from := 0; s.dfa != nil; {
		_, end, ok := s.Next(text, from)
		assert.LessOrEqual(t, len(d.states), maxStates)
		assert.LessOrEqual(t, d.instCount, maxInsts+len(d.Inst))
		if from = end + 1; !ok {
			break
		}
	}
	assert.Nil(t, s.dfa, "the automaton gave up")
}

// TestHugePatterns are compiled and run in a bounded time: a second or two, or minutes
// without the bounds.
func TestHugePatterns(t *testing.T) {
	testkit.NotUnderRace(t)
	text := bytes.Repeat([]byte("abcabc ccccc 日本語 \xff word99 "), 200)
	for _, pattern := range []string{"(a|b)*c{900}", `\pL{1000}`, "(?i)(x{0,30}y{0,30}){30}", strings.Repeat("word|", 5000) + "last",
		`(?:\w+\s*){50}$`, strings.Repeat("(?:a?", 500) + strings.Repeat(")", 500), strings.Repeat("ab[cd]", 3000), "(?i)" + strings.Repeat("sk", 5000)} {
		begin := time.Now()
		m := compiled(t, pattern, Options{})
		m.NewSearcher().Next(text, 0)
		assert.Less(t, time.Since(begin), time.Minute, "%.20q", pattern)
	}
}

// TestChinese makes sure that the many characters of a script need few rows.
func TestChinese(t *testing.T) {
	m := compiled(t, `a\d+b$`, Options{})
	var text strings.Builder
	for r := rune(0x80); r < 0x20000; r++ {
		text.WriteRune(r)
	}
	s := m.NewSearcher()
	assert.False(t, s.Line([]byte(text.String())))
	assert.Less(t, len(s.dfa.states), 40)
}

// TestConcurrent runs many searchers of one matcher at once.
func TestConcurrent(t *testing.T) {
	text := newGenerator(9).text()
	for len(text) < testkit.Few(100<<10) {
		text = append(text, "some more words 123 foo\r\nand Kelvin \u212A signs\n"...)
	}
	for _, pattern := range []string{"foo|bar", `(?i)k\b`, `\w+\d$`, "(?i)signs", `\x{D800}|foo`, "^some.*more"} {
		m := compiled(t, pattern, Options{Multiline: true})
		want := allLines(m.NewSearcher(), text)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				s := m.NewSearcher()
				assert.Equal(t, want, allLines(s, text), "%q", pattern)
				assert.Equal(t, want, allLines(s, text), "%q, again", pattern)
				s.find(s.matcher.span, text, 10)
			})
		}
		group.Wait()
	}
}

// TestDense checks a text that is full of false candidates.
func TestDense(t *testing.T) {
	text := bytes.Repeat([]byte("10.10.10.10 - - [10/Oct/2000:13:55:36] 200 2326\n"), testkit.Some(5000))
	text = append(text, "10.3.117.201 - -\n"...)
	for _, pattern := range []string{`10\.3\.117\.201`, `1[0-9]\.3\.117`, "2326x|117", ` 3|9.*117`} {
		check(t, pattern, Options{}, text, 1)
	}
	// The automaton takes over within a line.
	check(t, `needle\d`, Options{}, []byte(strings.Repeat("nee ", 1000)+"needle1\nhay\n"), 1)
}

// TestTakeover: the automaton reads more and more of a text full of false candidates, and little of the next text.
func TestTakeover(t *testing.T) {
	m := compiled(t, `needle\d`, Options{})
	s := m.NewSearcher()
	lines := []string{"needle\n"}
	if vector { // which stops at fingerprints
		lines = append(lines, "nee nee neither\n")
	}
	for _, line := range lines {
		for range 1000 { // small files
			s.Next(bytes.Repeat([]byte(line), 4<<10/len(line)), 0)
		}
		assert.Equal(t, maxTakeover, s.takeover, line)
		s.automaton = 0
		s.Next(bytes.Repeat([]byte("hay\n"), 4<<10), 0)
		assert.Equal(t, minTakeover, s.takeover, line)
	}
	for range 100 { // one candidate in 4 KB is no reason
		s.Next(append(bytes.Repeat([]byte("hay\n"), 1<<10), "needle\n"...), 0)
	}
	assert.Equal(t, minTakeover, s.takeover)
}

// String lists the literals.
func (p *prefilter) String() string {
	if p == nil {
		return "none"
	}
	var s []string
	for _, x := range p.literals {
		s = append(s, x.text)
	}
	return strings.Join(s, " ")
}
