package files_test

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
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
		if testing.Short() && words == 1_000_000 {
			words /= 10
		}
		line := strings.Repeat("où ", words) + "needle" + strings.Repeat(" là", 1000)
		s := newSuite(t, config.Config{ReadOnly: true, MaxFileBytes: 1 << 30}, map[string]string{"f": "first\n" + line + "\n"})
		for _, p := range []tools.GrepParams{{Path: "f"}, {}, {Path: "f", Multiline: true}} {
			for i, match := range []struct {
				pattern        string
				before, length int
			}{{"n.*dle", 0, 6}, {".needle", 1, 7}, {`.{60}n\w+.{60}`, 60, 126}, {`[^q]{2}n\S*|nothing`, 2, 8}} {
				if words > 1_000_000 && (p.Multiline || testing.Short() && (i%2 == 0) != (p.Path == "")) {
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

// A multiline search holds a file whole, so that the limit counts wherever the file is: in a
// directory, named, or in the spill directory, whose files have no limit otherwise.
func TestMultilineIsLimited(t *testing.T) {
	t.Parallel()
	const limit = 1024
	ws := t.TempDir()
	for _, dir := range []string{"d", ".clarvis"} {
		require.NoError(t, os.Mkdir(filepath.Join(ws, dir), 0o700))
		for name, size := range map[string]int{"fits": limit, "large": limit + 1} {
			text := "begin\nend\n" + strings.Repeat("x", size-len("begin\nend\n"))
			require.NoError(t, os.WriteFile(filepath.Join(ws, dir, name), []byte(text), 0o600))
		}
	}
	s := newSuite(t, config.Config{Workspace: ws, MaxFileBytes: limit}, nil)
	for _, dir := range []string{"d", ".clarvis"} {
		search := tools.GrepParams{Pattern: `begin\nend`, Path: dir, Multiline: true}
		res, err := s.Grep(t.Context(), search)
		require.NoError(t, err)
		require.Equal(t, [2]int{1, 1}, [2]int{res.Matches, res.SkippedLarge}, dir)

		search.Path = dir + "/fits"
		res, err = s.Grep(t.Context(), search)
		require.NoError(t, err)
		require.Equal(t, 1, res.Matches)

		search.Path = dir + "/large"
		_, err = s.Grep(t.Context(), search)
		var failed *tools.Error
		require.ErrorAs(t, err, &failed)
		require.Equal(t, tools.CodeTooLarge, failed.Code)
		require.Contains(t, failed.Message, "is 1.0KB, over the limit of 1KB for a multiline search")
	}
}

// Each match is a line of its own, and counts as one.
func TestOnlyMatching(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Grep: config.Grep{MaxLineChars: 20}}, map[string]string{
		"a.txt": "é id=1 id=22\nnothing\nid=333\n", "d/b.txt": "id=4 " + strings.Repeat("x", 9<<10) + " id=5\n",
		"long": "<" + strings.Repeat("y", 100) + ">\n",
	})
	for _, p := range []tools.GrepParams{{}, {Glob: "*.txt"}} {
		p.Pattern, p.OnlyMatching = `id=\d+`, true
		res, err := s.Grep(t.Context(), p)
		require.NoError(t, err)
		require.Equal(t, "a.txt:1: id=1\na.txt:1: id=22\na.txt:3: id=333\nd/b.txt:1: id=4\nd/b.txt:1: id=5", res.Text)
		require.Equal(t, 5, res.Matches)
		columns := []int{}
		for _, l := range res.Lines {
			columns = append(columns, l.Column)
			require.Equal(t, len(l.Text), l.Length)
			require.False(t, l.Cut)
		}
		require.Equal(t, []int{3, 8, 1, 1, 9<<10 + 7}, columns)
	}
	grep := func(args map[string]any) string {
		args["-o"] = true
		return call(t, s, "grep", args).Text
	}
	text := grep(map[string]any{"pattern": `id=\d+`, "limit": 2})
	require.True(t, strings.HasPrefix(text, "a.txt:1: id=1\na.txt:1: id=22\n\n["+suitetest.Limited(2, "match")), text)
	text = grep(map[string]any{"pattern": `id=\d+`, "offset": 1, "limit": 1})
	require.True(t, strings.HasPrefix(text, "a.txt:1: id=22\n\n["+suitetest.LimitedAgain(1, "match")+". Use offset=2"), text)
	require.Equal(t, "a.txt:3\nd/b.txt:2\nlong:1", grep(map[string]any{"pattern": "id=|<", "output_mode": "count"}))
	require.Equal(t, "a.txt:1: é", grep(map[string]any{"pattern": "é*", "path": "a.txt"}), "empty matches are no matches")
	require.Contains(t, grep(map[string]any{"pattern": "<.*>"}), "long:1: <"+strings.Repeat("y", 19)+"... [truncated]\n\n[Some lines truncated")
	require.Contains(t, grep(map[string]any{"pattern": "id", "context": 1}), "invalid_input: only_matching shows matches in a line")
	require.Contains(t, grep(map[string]any{"pattern": "id", "multiline": true}), "invalid_input: only_matching shows matches in a line")
}

// A file with more matches than are held is searched to the end all the same.
func TestOnlyMatchingMany(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "n%d ", i)
		if i%100 == 99 {
			text.WriteByte('\n')
		}
	}
	s := newSuite(t, config.Config{}, map[string]string{"f": text.String()})
	for _, p := range []tools.GrepParams{{Path: "f"}, {}} {
		p.Pattern, p.OnlyMatching, p.Limit, p.Offset = `n\d+`, true, 1000, 19_500
		res, err := s.Grep(t.Context(), p)
		require.NoError(t, err)
		require.Equal(t, 500, res.Matches)
		require.Equal(t, "n19500", res.Lines[0].Text)
		require.Equal(t, "n19999", res.Lines[499].Text)
	}
}
