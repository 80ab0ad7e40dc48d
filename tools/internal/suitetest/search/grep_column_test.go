package search_test

import (
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

var readsOn = regexp.MustCompile(`Read the first with path=(\w+) offset=(\d+) column=(\d+)`)

// TestGrepShowsTheMatch: of a line that is cut, what is shown has the match in it, and the
// notice leads there.
func TestGrepShowsTheMatch(t *testing.T) {
	t.Parallel()
	words := []string{"a", "é", "漢字", "😀 ", "\xff", strings.Repeat("x", 40), strings.Repeat("日", 300), "hit", "hiiit", "hi" + strings.Repeat("i", 30) + "t"}
	re := regexp.MustCompile("hi+t")
	for seed := range testkit.Some(100) {
		r := rand.New(rand.NewSource(int64(seed)))
		var lines []string
		for range 1 + r.Intn(4) {
			var line strings.Builder
			for range r.Intn(60) {
				line.WriteString(words[r.Intn(len(words))])
			}
			lines = append(lines, line.String())
		}
		most := []int{1, 7, 40, 500}[r.Intn(4)]
		s := newSuite(t, config.Config{ReadOnly: true, Grep: config.Grep{MaxLineChars: most}}, map[string]string{"f": strings.Join(lines, "\n")})
		for _, p := range []tools.GrepParams{{Path: "f"}, {}, {Multiline: true}, {Path: "f", Multiline: true}} {
			p.Pattern = re.String()
			res, err := s.Grep(t.Context(), p)
			require.NoError(t, err)
			first := true
			for _, got := range res.Lines {
				about := fmt.Sprintf("seed %d, %+v, %q: %+v", seed, p, lines, got)
				line := lines[got.Line-1]
				loc := re.FindStringIndex(line)
				require.Equal(t, utf8.RuneCountInString(line[:loc[0]])+1, got.Column, about)
				require.Equal(t, utf8.RuneCountInString(line[loc[0]:loc[1]]), got.Length, about)
				text, before := strings.CutPrefix(got.Text, "[truncated] ...")
				text, after := strings.CutSuffix(text, "... [truncated]")
				require.Equal(t, got.Cut, before || after, about)
				require.LessOrEqual(t, utf8.RuneCountInString(text), most, about)
				require.Equal(t, got.Cut, utf8.RuneCountInString(line) > most, about)
				if got.Length <= most*3/4 {
					require.Regexp(t, re, text, about)
				}
				if !got.Cut || !first {
					require.Contains(t, line, text, about)
					continue
				}
				first = false
				m := readsOn.FindStringSubmatch(res.Text)
				require.NotNil(t, m, about)
				require.Equal(t, fmt.Sprint("f", got.Line), m[1]+m[2], about)
				page := call(t, s, "read", map[string]any{"path": m[1], "offset": m[2], "column": m[3]})
				require.True(t, strings.HasPrefix(page.Text, string([]rune(text))), "%s: %q", about, page.Text)
			}
		}
		s.Close()
	}
}

// The same at any distance, whatever the pattern begins with, in lines that are held whole and in those that are
// not.
func TestGrepShowsAMatchFarAway(t *testing.T) {
	testkit.NotUnderRace(t)
	for _, words := range []int{1_000_000, 6_000_000} {
		line := strings.Repeat("où ", words) + "needle" + strings.Repeat(" là", 1000)
		s := newSuite(t, config.Config{ReadOnly: true, MaxFileBytes: 1 << 30}, map[string]string{"f": "first\n" + line + "\n"})
		for _, p := range []tools.GrepParams{{Path: "f"}, {}, {Path: "f", Multiline: true}} {
			for _, match := range []struct {
				pattern        string
				before, length int
			}{{"n.*dle", 0, 6}, {".needle", 1, 7}, {`.{60}n\w+.{60}`, 60, 126}, {`[^q]{2}n\S*|nothing`, 2, 8}} {
				if p.Multiline && words > 1_000_000 {
					continue
				}
				p.Pattern = match.pattern
				res, err := s.Grep(t.Context(), p)
				require.NoError(t, err)
				require.Len(t, res.Lines, 1)
				got, column := res.Lines[0], 3*words+1-match.before
				require.Equal(t, [3]int{2, column, match.length}, [3]int{got.Line, got.Column, got.Length}, p)
				require.Regexp(t, `^\[truncated\] \.\.\.[où ]{187,250}needle[ là]{187,308}\.\.\. \[truncated\]$`, got.Text)
				how := "Use read tool to see full lines. Read the first with"
				if words > 30<<10 { // of three bytes or more
					how = "The first is too long for one result: use read with"
				}
				require.Contains(t, res.Text, fmt.Sprintf("%s path=f offset=2 column=%d", how, column-(500-match.length)/2))
			}
		}
		s.Close()
	}
}
