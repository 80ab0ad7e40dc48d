package calls_test

import (
	"fmt"
	"math/rand"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

var (
	goesOn    = regexp.MustCompile(`Use offset=(\d+) to continue|Use limit=(\d+) for more`)
	partShown = regexp.MustCompile(`Showing (\d+) of the (\d+) lines of the match\. Use read tool with offset=(\d+)`)
)

// grepped is all that a search shows, page by page.
type grepped struct {
	matches int            // by the offsets
	lines   map[string]int // how often each line of a match is shown
	order   []string       // the lines of matches, without those that a page begins with again
}

// grepPages follows the offsets until there is none. Each page has to say that it is one.
func grepPages(t testing.TB, s *tools.Suite, args map[string]any, about string) grepped {
	t.Helper()
	all := grepped{lines: map[string]int{}}
	offset := 0
	for range mostPages {
		args["offset"] = offset
		res := call(t, s, "grep", args)
		require.False(t, res.IsError, "%s: %v: %s", about, args, res.Text)
		details := res.Details.(tools.GrepResult)
		body, said := noticeOf(res.Text)
		require.False(t, strings.HasSuffix(strings.TrimRight(body, "\n"), "\n--"), "%s: %v: a divider ends the page %q", about, args, res.Text)
		var last tools.GrepLine
		for _, line := range details.Lines {
			if !line.Match {
				continue
			}
			key := fmt.Sprintf("%s:%d:%d", line.Path, line.Line, line.Count)
			if len(all.order) == 0 || all.order[len(all.order)-1] != key {
				all.order = append(all.order, key)
			}
			all.lines[key]++
			last = line
		}
		if m := partShown.FindStringSubmatch(said); m != nil { // the rest is for read to show
			n, _ := strconv.Atoi(m[1])
			of, _ := strconv.Atoi(m[2])
			next, _ := strconv.Atoi(m[3])
			for i := range of - n {
				key := fmt.Sprintf("%s:%d:%d", last.Path, next+i, last.Count)
				all.order = append(all.order, key)
				all.lines[key]++
			}
		}
		next := goesOn.FindStringSubmatch(said)
		require.Equal(t, details.NextOffset > 0, next != nil, "%s: %v: the notice %q, the details %d, the text %q", about, args, said, details.NextOffset, body)
		if next == nil {
			all.matches = offset + details.Matches
			return all
		}
		if next[1] != "" {
			require.Equal(t, strconv.Itoa(details.NextOffset), next[1], "%s: %v", about, args)
		} else {
			more, _ := strconv.Atoi(next[2])
			require.Greater(t, more, details.NextOffset-offset, "%s: %v: %q shows no more", about, args, said)
		}
		require.Greater(t, details.NextOffset, offset, "%s: %v: it does not get on: %q", about, args, res.Text)
		offset = details.NextOffset
	}
	require.Fail(t, "it does not end", "%s: %v", about, args)
	return all
}

// grepText is a small file of lines that match often, some of them long.
func grepText(r *rand.Rand) string {
	var b strings.Builder
	for range r.Intn(14) {
		switch r.Intn(8) {
		case 0:
			b.WriteString(strings.Repeat("za"[r.Intn(2):][:1], 300+r.Intn(400)))
		case 1:
		default:
			for range r.Intn(5) {
				b.WriteByte("abxz"[r.Intn(4)])
			}
		}
		b.WriteByte('\n')
	}
	return strings.Repeat(strings.TrimSuffix(b.String(), "\n"), 1+r.Intn(2))
}

// TestGrepPagesAreAllMatches: whoever goes where the notices say is shown every match. The
// first line of a page may be the last one of the page before, if several matches touch it.
func TestGrepPagesAreAllMatches(t *testing.T) {
	t.Parallel()
	single := []string{"a", "[^a]$", "^$", "x|b", "."}
	multi := []string{"a", "[^a]$", "(?m)[^a]$", "(?m)^", "a\\n*", "b[^b]*b", "\\n", "(?s)x.{0,9}z", "z\\n+a|b", "[abxz]\\n[abxz]?", "(?s)a.*?a"}
	for seed := range testkit.Some(80) {
		r := rand.New(rand.NewSource(int64(seed)))
		files := map[string]string{}
		for i := range 1 + r.Intn(3) {
			files[fmt.Sprintf("f%d", i)] = grepText(r)
		}
		cfg := config.Config{ReadOnly: true, MaxLines: []int{1, 2, 3, 5, 8, 100}[r.Intn(6)], MaxBytes: []int{1024, 1500, 4096}[r.Intn(3)],
			Grep: config.Grep{MaxLineChars: []int{10, 500}[r.Intn(2)]}}
		small, whole := newSuite(t, cfg, files), newSuite(t, config.Config{ReadOnly: true, MaxLines: 1 << 20, MaxBytes: 1 << 20}, files)
		for range 8 {
			args := map[string]any{"multiline": r.Intn(2) == 0, "context": r.Intn(5), "limit": 1 << 20,
				"output_mode": []string{"content", "content", "files_with_matches", "count"}[r.Intn(4)]}
			args["pattern"] = single[r.Intn(len(single))]
			if args["multiline"] == true {
				args["pattern"] = multi[r.Intn(len(multi))]
			}
			if r.Intn(3) == 0 {
				args["path"] = "f0"
			}
			about := fmt.Sprintf("seed %d, %q, MaxLines %d, MaxBytes %d", seed, files, cfg.MaxLines, cfg.MaxBytes)
			want := grepPages(t, whole, args, about)
			args["limit"] = []int{1, 2, 3, 7, 100}[r.Intn(5)]
			got := grepPages(t, small, args, about)
			require.Equal(t, want.matches, got.matches, "%s: %v", about, args)
			require.Equal(t, want.order, got.order, "%s: %v", about, args)
			if args["multiline"] == false {
				require.Equal(t, want.lines, got.lines, "%s: %v: shown twice", about, args)
			}
		}
		small.Close()
		whole.Close()
	}
}

// TestGrepContextHidesNoMatch are the least files with which context may keep a match from
// being shown, or from being spoken of.
func TestGrepContextHidesNoMatch(t *testing.T) {
	t.Parallel()
	limit := notice.LimitReached{Limit: 1, Found: 2, One: "match", Many: "matches", Refine: true}
	for name, test := range map[string]struct {
		cfg  config.Config
		text string
		args map[string]any
		want string // the text ends so
	}{
		"matches that share a line, at the limit": {
			text: "b\n\nxxx", args: map[string]any{"pattern": "[^a]$", "multiline": true, "limit": 1, "context": 1},
			want: "f:1: b\nf-2- \n\n[" + string(limit.Notice()) + ". " + suitetest.NextAlone(2) + ". There are 3 matches in all]",
		},
		"the context is all there is room for": {
			cfg: config.Config{MaxLines: 2}, text: "a\nz\nz\na\n", args: map[string]any{"pattern": "a", "context": 1},
			want: "f:1: a\nf-2- z\n\n[2 lines limit reached (1 of 2 matches shown). " + suitetest.Next(1) + "]",
		},
		"the same with the defaults": {
			text: "a\n" + strings.Repeat("z\n", 2000) + "a\n" + strings.Repeat("z\n", 2000) + "a\n", args: map[string]any{"pattern": "a", "context": 1000},
			want: "\n\n[2000 lines limit reached (1 of 3 matches shown). " + suitetest.Next(1) + "]",
		},
		"there is no room left to the byte": {
			cfg: config.Config{MaxBytes: 1024, Grep: config.Grep{MaxLineChars: 2000}}, text: "a\n" + strings.Repeat("z", 1024-len("f:1: a\nf-2- ")) + "\na\n",
			args: map[string]any{"pattern": "a", "context": 1},
			want: "z\n\n[1KB limit reached (1 of 2 matches shown). " + suitetest.Next(1) + "]",
		},
		"the limit comes before the end of the room": {
			cfg: config.Config{MaxLines: 2}, text: "a\nz\nz\na\n", args: map[string]any{"pattern": "a", "context": 1, "limit": 1},
			want: "f:1: a\nf-2- z\n\n[" + suitetest.Limited(1, "match") + ". " + suitetest.NextAlone(1) + ". There are 2 matches in all]",
		},
		"all matches of a file were shown": {
			cfg: config.Config{MaxLines: 2}, text: "a\nz\nz\na\nz\nz\na\n", args: map[string]any{"pattern": "a", "context": 1, "offset": 3},
			want: "g:1: a",
		},
	} {
		s := newSuite(t, test.cfg, map[string]string{"f": test.text, "g": "a"})
		if test.args["offset"] == nil {
			test.args["path"] = "f"
		}
		res := call(t, s, "grep", test.args)
		require.True(t, strings.HasSuffix(res.Text, test.want), "%s: %q", name, res.Text)
		require.NotContains(t, res.Text, "--", name)
	}
}
