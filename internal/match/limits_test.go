package match

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// TestSizes has patterns at a bound, which compile, and patterns over it.
func TestSizes(t *testing.T) {
	far := "\u0080-\U0001E943"
	for _, test := range []struct {
		name, fits, over string
		options          Options
		what             string
	}{
		{"length", strings.Repeat("x", MaxPattern), strings.Repeat("x", MaxPattern+1), Options{}, "bytes"},
		{"length of a literal", strings.Repeat("(", MaxPattern), strings.Repeat("(", 2_000_000), Options{Literal: true}, "bytes"},
		{"optional characters", strings.Repeat("(?:.?){1000}", 18), strings.Repeat("(?:.?){1000}", 21), Options{}, "instructions"},
		{"repetitions", "(?:a{10}){100}", strings.Repeat("(?:.?){1000}", 100), Options{}, "instructions"},
		{"classes", strings.Repeat(`\pL`, 300), strings.Repeat(`\pL`, 500), Options{}, "class ranges"},
		{"repetitions of nothing", "(?:(?:a){1000}){0}", strings.Repeat("(?:(?:", 22) + "a" + strings.Repeat("){1000}){0}", 22), Options{}, "instructions"},
		{"one class", `\pL{1000}`, `(?:\pL\pN){300}` + strings.Repeat(`\pL`, 500), Options{}, "class ranges"},
		{"groups", strings.Repeat("(?:", 400) + strings.Repeat(")*", 400), strings.Repeat("(?:", 950) + strings.Repeat(")*", 950), Options{}, "nested groups"},
		{"folded ranges", "[" + strings.Repeat(far, 32) + "]", "[" + strings.Repeat(far, 33) + "]", Options{IgnoreCase: true}, "ranges of characters outside ASCII in which case is ignored"},
		{"folded by a flag", strings.Repeat(`a-\x{61}-`, 10), "(?si)[" + strings.Repeat(far, 2000) + "]", Options{}, "ranges of characters outside ASCII in which case is ignored"},
	} {
		t.Run(test.name, func(t *testing.T) {
			compiled(t, test.fits, test.options)
			_, err := Compile(test.over, test.options)
			var size *SizeError
			require.True(t, errors.As(err, &size), "%v", err)
			require.Equal(t, test.what, size.What)
			require.Greater(t, size.Size, size.Max)
		})
	}
}

// slow are patterns and texts with which a search follows tens of thousands of
// instructions for each character.
var slow = []struct {
	name, pattern string
	text          []byte
	found         string // a text that the pattern is found in at once
}{
	{"package regexp", strings.Repeat("(?:.?){1000}", 18) + "[^a-z ]", bytes.Repeat([]byte("word and words "), 1<<20/15), "aa[["},
	{"automaton", "a(?:a|b){900}(?:a|b){900}[^a-z]", letters(1 << 20), strings.Repeat("a", 1801) + "[["},
	{"many lines", strings.Repeat("(?:.?){1000}", 18) + "[^a-z \n]", bytes.Repeat([]byte("word and words and some more\n"), 1<<20/29), "aa[["},
	{"a surrogate", `\x{D800}|` + strings.Repeat("(?:.?){1000}", 18) + "[^a-z ]", bytes.Repeat([]byte("word and words "), 1<<20/15), "aa[["},
}

// letters is a text of a and b in which no part comes twice.
func letters(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, n)
	for i := range text {
		text[i] = "ab"[r.IntN(2)]
	}
	return text
}

// TestUntil ends searches that would take minutes.
func TestUntil(t *testing.T) {
	testkit.NotUnderRace(t)
	for _, test := range slow {
		t.Run(test.name, func(t *testing.T) {
			m := compiled(t, test.pattern, Options{Multiline: true})
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			s := m.NewSearcher()
			s.Until(ctx)
			s.Next(test.text, 0)
			require.Error(t, ctx.Err(), "it had to be ended")
			_, _, ok := s.find(s.matcher.span, test.text, 0)
			require.False(t, ok)
			_, _, ok = s.Next([]byte("[[["), 0)
			require.False(t, ok)
			require.Less(t, s.cancel.steps, 2*checkInterval)

			s.Until(t.Context())
			_, _, ok = s.Next([]byte(test.found), 0)
			require.True(t, ok, "of use for the next search")
		})
	}
}

// TestCancelReader compares what package regexp finds in a text that is read with what it
// finds in the text itself.
func TestCancelReader(t *testing.T) {
	text := []byte("ab\r\ncd \xff\xe2\x82 \u20ac \U0001F600 word\nab\n")
	long := append(bytes.Repeat([]byte("x y\xff\n"), testkit.Some(checkInterval/4)), text...)
	for _, pattern := range []string{`(a)(b)?`, `\bword$`, `\x{FFFD}+`, `(?m)^ab$`, `[^\x00-\x{10FFFF}]`, `(?s)cd.*\z`, `€ (.)`} {
		re := regexp.MustCompile(pattern)
		for _, text := range [][]byte{text, long} {
			w := &canceler{}
			require.Equal(t, re.FindSubmatchIndex(text), w.find(re, 1, text), pattern)
			require.Equal(t, re.FindSubmatchIndex(text), w.find(re, checkInterval, text), pattern)
			require.Equal(t, re.Match(text), w.match(re, checkInterval, text), pattern)
		}
	}
	done := make(chan struct{})
	close(done)
	require.False(t, (&canceler{done: done}).match(regexp.MustCompile(`\z`), checkInterval, text), "it ended before the text")
	require.Nil(t, (&canceler{done: done}).find(regexp.MustCompile(`\z`), checkInterval, text))
}

// TestManyInstructions bounds the instructions of all states.
func TestManyInstructions(t *testing.T) {
	m := compiled(t, "a[ab]{900}[ab]{900}[ab]{900}c", Options{})
	s := m.NewSearcher()
	require.False(t, s.Line(letters(2950)))
	require.NotNil(t, s.dfa)
	require.LessOrEqual(t, s.dfa.instCount, maxInsts+len(s.dfa.Inst))
}
