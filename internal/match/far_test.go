package match

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// TestFindFar: the place of a match in a long line is the one that package regexp gives, whatever the
// pattern begins with.
func TestFindFar(t *testing.T) {
	t.Parallel()
	line := bundle(testkit.Some(2<<20), `;日本,"retryBudget:42,maxDelay:é`)
	for _, pattern := range []string{
		`retryBudget`, `.retryBudget`, `.{60}retryBudget:\d+.{60}`, `\w*Budget`, `[^;]*retryBudget`, `[^;]{3,9}retryBudget`, `.*retryBudget`,
		`.*?retryBudget`, `^.*retryBudget.*$`, `(?:.|é)+retryBudget`, `\S+retryBudget`, `(?i).RETRYBUDGET`, `.\bretryBudget\b.`, `.\b.etryBudget`,
		`\pL..retryBudget`, `[^a]..retryBudget:4(?:2|.*)`, `(?s).{5}maxDelay:é.*$`, `.maxDelay.*`, `.{0,40}?nothing|.maxDelay`, `x.*maxDelay`,
		`日.*|.retryBudget`, `(?:a|b)*.retry|maxDelay`, `\z`, `(?:)`, `.$`, `\D\D:42,m`, `.(retry|max)(Budget|Delay).\d*`,
	} {
		for _, o := range []Options{{}, {Multiline: true}} {
			re, m := compileBoth(t, pattern, o)
			s := m.NewSearcher()
			want := re.FindIndex(line)
			require.NotNil(t, want, pattern)
			start, end := s.Find(line)
			require.Equal(t, want, []int{start, end}, pattern)
			if o.Multiline {
				start, end, ok := s.NextSpan(line, 0)
				require.True(t, ok)
				require.Equal(t, want, []int{start, end}, pattern)
			}
		}
	}
}

// TestFindFarRandom is TestFindFar with random patterns in random lines.
func TestFindFarRandom(t *testing.T) {
	t.Parallel()
	g := newGenerator(11)
	for range testkit.Some(400) {
		o := Options{IgnoreCase: g.IntN(3) == 0}
		pattern := g.pick("", ".", `\S+`, `[^b]*`, ".{7}", `\w?.`, `(?:.|a)*?`) + g.pattern(1+g.IntN(3)) + g.pick("", "", ".", `\w+`, ".{3}", ".*?x")
		re, m := compileBoth(t, pattern, o)
		if m == nil {
			continue
		}
		s := m.NewSearcher()
		for range 3 {
			line := bytes.Repeat([]byte(g.pick("_", "-~", "漢", "\xff", "q ")), g.IntN(30_000))
			line = append(line, bytes.ReplaceAll(g.text(), []byte("\n"), []byte("_"))...)
			line = append(line, strings.Repeat("=", g.IntN(3000))...)
			if want := re.FindIndex(line); want != nil {
				start, end := s.Find(line)
				require.Equal(t, want, []int{start, end}, "%q in %d bytes that end in %q", re, len(line), line[max(0, len(line)-99):])
			}
		}
	}
}

// TestFindGivesUp has patterns for which the automata take too many states. The place is then that of a match
// nevertheless: the first one, unless that is longer than Reach; or the end of one, if all are longer.
func TestFindGivesUp(t *testing.T) {
	t.Parallel()
	for _, letters := range [][2]string{{"a", "b"}, {"é", "日"}} {
		r := rand.New(rand.NewPCG(8, 9))
		var text strings.Builder
		for text.Len() < 3*Reach/2 {
			text.WriteString(letters[r.IntN(2)])
		}
		at := text.Len() + len(letters[0]+strings.Repeat(letters[1], 12))
		line := []byte(text.String() + letters[0] + strings.Repeat(letters[1], 12) + "c, and so on")
		find := func(pattern string) (re *regexp.Regexp, start, end int) {
			re, m := compileBoth(t, strings.NewReplacer("a", letters[0], "b", letters[1]).Replace(pattern), Options{})
			s := m.NewSearcher()
			start, end = s.Find(line)
			require.Nil(t, s.inside.forward, pattern)
			return re, start, end
		}
		re, start, end := find("a[ab]{12}c") // the automaton for lines gives up, too
		require.Equal(t, re.FindIndex(line), []int{start, end})
		re, start, end = find(".{12}a.*c")
		require.Less(t, at-Reach-utf8.UTFMax, start)
		require.Equal(t, at+1, end)
		require.Equal(t, []int{0, end - start}, re.FindIndex(line[start:]))
		require.True(t, utf8.Valid(line[:start]))
		_, start, _ = find(".{12}a.*c|" + strings.Repeat("x{1000}", 15)) // is long, so that less is looked at
		require.Less(t, at-maxFind/15_000-utf8.UTFMax, start)
		_, start, end = find("^.{12}a.*c")
		require.Equal(t, []int{at, at}, []int{start, end})
	}
}

// TestBackwardMemory bounds what is held of the characters of a script that are read backward.
func TestBackwardMemory(t *testing.T) {
	m, err := Compile(`(?:\pL|\PL).*[a-z]{3}$`, Options{})
	require.NoError(t, err)
	var line strings.Builder
	for r := rune(0x80); r < 0x20000; r++ {
		line.WriteRune(r)
		line.WriteByte(byte('a' + r%26))
	}
	line.WriteString("end")
	s := m.NewSearcher()
	start, end := s.Find([]byte(line.String()))
	require.Equal(t, []int{0, line.Len()}, []int{start, end})
	entries := 0
	for _, r := range s.inside.backward.rows {
		entries += len(r.far)
	}
	require.NotZero(t, entries)
	require.Less(t, entries*costFar, maxListed+costFar)
	require.GreaterOrEqual(t, s.inside.backward.listed, entries*costFar)
}
