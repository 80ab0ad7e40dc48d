package calls_test

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

var groupedLine = regexp.MustCompile(`^\d+([:-]) `)

// ungrouped returns the body of a grouped result as it is without Grep.Grouped.
func ungrouped(t testing.TB, body string, context bool) string {
	t.Helper()
	var groups []string
	for group := range strings.SplitSeq(body, "\n\n") {
		path, text, ok := strings.Cut(group, "\n")
		if !ok { // there is no room for two lines
			groups = append(groups, group)
			continue
		}
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			if line != "--" {
				m := groupedLine.FindStringSubmatch(line)
				require.NotNil(t, m, "%q in %q", line, body)
				lines[i] = path + m[1] + line
			}
		}
		groups = append(groups, strings.Join(lines, "\n"))
	}
	if context {
		return strings.Join(groups, "\n--\n")
	}
	return strings.Join(groups, "\n")
}

func TestGrepGrouped(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.go": "x\nneedle 1\ny\nz\nw\nneedle 2\n", "d/b.go": "needle 3\nneedle 4", "[c]": "needle 5"}
	s := newSuite(t, config.Config{Grep: config.Grep{Grouped: true}}, files)
	for args, want := range map[string]string{
		`{"pattern":"needle"}`:             "\"[c]\"\n1: needle 5\n\na.go\n2: needle 1\n6: needle 2\n\nd/b.go\n1: needle 3\n2: needle 4",
		`{"pattern":"needle","path":"d"}`:  "d/b.go\n1: needle 3\n2: needle 4",
		`{"pattern":"needle","context":1}`: "\"[c]\"\n1: needle 5\n\na.go\n1- x\n2: needle 1\n3- y\n--\n5- w\n6: needle 2\n\nd/b.go\n1: needle 3\n2: needle 4",
		`{"pattern":"needle","offset":2,"limit":2}`: "a.go\n6: needle 2\n\nd/b.go\n1: needle 3\n\n" +
			"[" + suitetest.LimitedAgain(2, "match") + ". " + suitetest.Next(4) + ". There are 5 matches in all: ./ 3, d/ 2]",
		`{"pattern":"needle","offset":4}`:                         "d/b.go\n2: needle 4",
		`{"pattern":"needle","path":"d/b.go"}`:                    "d/b.go:1: needle 3\nd/b.go:2: needle 4",
		`{"pattern":"needle","path":"d/b.go","after":1}`:          "d/b.go:1: needle 3\nd/b.go:2: needle 4",
		`{"pattern":"needle","output_mode":"files_with_matches"}`: "\"[c]\"\na.go\nd/b.go",
		`{"pattern":"needle","output_mode":"count"}`:              "\"[c]\":1\na.go:2\nd/b.go:2",
		`{"pattern":"none"}`:                                      notice.NoMatches,
		`{"pattern":"3\\nneedle","multiline":true,"context":5}`:   "d/b.go\n1: needle 3\n2: needle 4",
	} {
		res, err := s.Call(t.Context(), "grep", []byte(args))
		holds(t, res, err, 30<<10)
		require.Equal(t, want, res.Text, args)
	}
	require.Contains(t, s.Tools()[2].Description(), "the path of each file with matches on its own line")
	plain := newSuite(t, config.Config{}, files)
	require.Contains(t, plain.Tools()[2].Description(), "Prints path:line: text for each matching line")
	for _, args := range []string{`{"pattern":"needle","path":"d/b.go"}`, `{"pattern":"needle","path":"d/b.go","before":1}`} {
		res, err := plain.Call(t.Context(), "grep", []byte(args))
		require.NoError(t, err)
		require.Equal(t, "d/b.go:1: needle 3\nd/b.go:2: needle 4", res.Text)
	}
}

// What there is no room for in two lines has its path in front.
func TestGrepGroupedWithoutRoom(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{MaxLines: 1, Grep: config.Grep{Grouped: true}}, map[string]string{"f": "a\nb\na\n"})
	res := call(t, s, "grep", map[string]any{"pattern": "a", "context": 1})
	require.Equal(t, "f:1: a\n\n[1 lines limit reached (1 of 2 matches shown). "+suitetest.Next(1)+"]", res.Text)
	res = call(t, s, "grep", map[string]any{"pattern": "b", "context": 1})
	require.Equal(t, "f:2: b\n\n[1 lines limit reached (1 of 1 matches shown). "+
		"Some context lines left out for lack of room. Use a smaller context to see those next to a match]", res.Text)
	name := strings.Repeat("d", 200) + "/" + strings.Repeat("e", 200) + "/" + strings.Repeat("f", 200)
	s = newSuite(t, config.Config{MaxBytes: 1024, Grep: config.Grep{Grouped: true}}, map[string]string{name: strings.Repeat("x", 499) + "\n"})
	res = call(t, s, "grep", map[string]any{"pattern": "x"})
	require.Contains(t, res.Text, name+":1: xxx")
	require.Equal(t, 1, res.Details.(tools.GrepResult).Matches)

	// The least lines fill the room.
	s = newSuite(t, config.Config{MaxBytes: 1024, Grep: config.Grep{Grouped: true}}, map[string]string{"f": strings.Repeat("\n", 300)})
	body, _ := noticeOf(call(t, s, "grep", map[string]any{"pattern": "^$", "limit": 1000}).Text)
	require.Greater(t, len(strings.TrimSuffix(body, "\n")), 1024-len("\n123: "))

	// The path alone has no room.
	deep := strings.Repeat(strings.Repeat("d", 200)+"/", 6) + "f"
	s = newSuite(t, config.Config{MaxBytes: 1024, Grep: config.Grep{Grouped: true}}, map[string]string{deep: "a\nb\n"})
	res = call(t, s, "grep", map[string]any{"pattern": "b", "context": 1})
	holds(t, res, nil, 1024)
	require.Contains(t, res.Text, "Some context lines left out")
}

// FuzzGrepGrouped compares the pages with those that are not grouped: the same lines, and the paths are all that
// differs.
func FuzzGrepGrouped(f *testing.F) {
	for seed := range int64(testkit.Some(100)) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int64) {
		r := rand.New(rand.NewSource(seed))
		files := map[string]string{}
		for i := range 1 + r.Intn(4) {
			files[fmt.Sprintf("f%d%s", i, strings.Repeat("y", r.Intn(2)*r.Intn(200)))] = grepText(r)
		}
		cfg := config.Config{ReadOnly: true, Workspace: t.TempDir(), MaxLines: []int{1, 2, 3, 5, 8, 100}[r.Intn(6)], MaxBytes: []int{1024, 1500, 4096}[r.Intn(3)],
			Grep: config.Grep{MaxLineChars: []int{10, 500, 2000}[r.Intn(3)]}}
		for name, text := range files {
			require.NoError(t, os.WriteFile(filepath.Join(cfg.Workspace, name), []byte(text), 0o644))
		}
		args := map[string]any{"multiline": r.Intn(2) == 0, "before": r.Intn(3), "after": r.Intn(3), "limit": []int{1, 2, 7, 1 << 20}[r.Intn(4)]}
		args["pattern"] = []string{"a", "[^a]$", "^$", "x|b", "."}[r.Intn(5)]
		if args["multiline"] == true {
			args["pattern"] = []string{"(?m)^", "b[^b]*b", "\\n", "z\\n+a|b", "(?s)a.*?a"}[r.Intn(5)]
		}
		about := fmt.Sprintf("%q, MaxLines %d, MaxBytes %d", files, cfg.MaxLines, cfg.MaxBytes)
		large := cfg
		large.MaxLines, large.MaxBytes = 1<<20, 1<<20
		plain := newSuite(t, large, nil)
		want := grepPages(t, plain, args, about)
		cfg.Grep.Grouped, large.Grep.Grouped = true, true
		require.Equal(t, want, grepPages(t, newSuite(t, large, nil), args, about), about)
		grouped := newSuite(t, cfg, nil)
		got := grepPages(t, grouped, args, about)
		require.Equal(t, want.matches, got.matches, "%s: %v", about, args)
		require.Equal(t, want.order, got.order, "%s: %v", about, args)

		// Every page is within its limits, and the whole of it is what is shown without grouping.
		for offset := 0; ; {
			args["offset"] = offset
			res := call(t, grouped, "grep", args)
			holds(t, res, nil, cfg.MaxBytes)
			details := res.Details.(tools.GrepResult)
			body, _ := noticeOf(res.Text)
			body = strings.TrimSuffix(body, "\n")
			require.LessOrEqual(t, len(body), cfg.MaxBytes, about)
			require.LessOrEqual(t, strings.Count(body, "\n")+1, cfg.MaxLines, about)
			if details.Matches > 0 && !details.Shown.Truncated {
				same := call(t, plain, "grep", args)
				was, _ := noticeOf(same.Text)
				context := args["before"] != 0 || args["after"] != 0
				require.Equal(t, strings.TrimSuffix(was, "\n"), ungrouped(t, body, context), "%s: %v: %q", about, args, res.Text)
				require.Equal(t, same.Details.(tools.GrepResult).Lines, details.Lines)
			}
			if offset = details.NextOffset; offset == 0 {
				break
			}
		}
	})
}
