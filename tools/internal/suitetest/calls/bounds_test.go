package calls_test

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// noticeLines is how many lines notices, an exit code or an error may add to a
// text: two paragraphs behind it, one in front, with their blank lines; where stderr is
// apart, its label, one paragraph more and one line, of a limit of one line.
const noticeLines = 11

// randomCall is a tool and arguments for it that are mostly right.
func randomCall(r *rand.Rand, files []string) (string, map[string]any) {
	path := "."
	if len(files) > 0 {
		path = files[r.Intn(len(files))]
	}
	some := func(args map[string]any, key string, n int) {
		if r.Intn(2) == 0 {
			args[key] = r.Intn(n)
		}
	}
	switch args := map[string]any{}; r.Intn(5) {
	case 0:
		args["path"] = path
		some(args, "offset", 50)
		some(args, "limit", 20)
		if r.Intn(3) == 0 {
			some(args, "column", 3000)
		}
		return "read", args
	case 1:
		quoted := "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
		args["command"] = []string{"cat -- " + quoted, "cat -- " + quoted + "; exit 7", "ls -R", "printf ''", "cat " + quoted + " >&2; kill -9 $$"}[r.Intn(5)]
		return "bash", args
	case 2:
		args["pattern"] = []string{"a", ".", "^", "ä|漢", "", "x$", "c d.*", "nothing at all"}[r.Intn(8)]
		args["output_mode"] = []string{"", "content", "files_with_matches", "count"}[r.Intn(4)]
		args["multiline"] = r.Intn(4) == 0
		some(args, "limit", 30)
		some(args, "offset", 10)
		some(args, "context", 5)
		return "grep", args
	case 3:
		args["pattern"] = []string{"*", "**", "*-d/**", "?", "[a-z]*", "{a,ä}*", "*/"}[r.Intn(7)]
		some(args, "limit", 10)
		some(args, "offset", 5)
		return "find", args
	default:
		args["path"] = filepath.Dir(path)
		some(args, "limit", 10)
		some(args, "offset", 5)
		return "ls", args
	}
}

func TestEveryResultIsBounded(t *testing.T) {
	t.Parallel()
	for seed := range testkit.Some(60) {
		r := rand.New(rand.NewSource(int64(seed)))
		cfg := randomLimits(r)
		cfg.Workspace = t.TempDir()
		files := randomTree(t, r, cfg.Workspace)
		s := newSuite(t, cfg, nil)
		for range 12 {
			tool, args := randomCall(r, files)
			if cfg.ReadOnly && tool == "bash" {
				continue
			}
			what := fmt.Sprintf("seed %d, MaxLines %d, MaxBytes %d: %s %v", seed, cfg.MaxLines, cfg.MaxBytes, tool, args)
			if path, ok := args["path"].(string); ok && !utf8.ValidString(path) {
				args["path"] = `"` + strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(path, "\xff", `\377`), "\n", `\n`), "\t", `\t`) + `"`
			}
			res := call(t, s, tool, args)
			holds(t, res, nil, cfg.MaxBytes)
			require.LessOrEqual(t, len(linesOf(res.Text)), cfg.MaxLines+noticeLines, what)
			if !res.IsError && tool != "bash" && tool != "read" {
				for _, line := range linesOf(res.Text) {
					require.LessOrEqual(t, utf8.RuneCountInString(line), 4*1024+cfg.Grep.MaxLineChars, what)
				}
			}
		}
		s.Close()
	}
}

// TestErrorsAreBounded: an error is a result too, however long what it quotes is.
func TestErrorsAreBounded(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(strings.Repeat("漢", 60)+"/", 4)
	s := newSuite(t, config.Config{MaxBytes: 1024}, map[string]string{deep + "aaa1": "", deep + "aaa2": "", deep + "aaa3": ""})
	long := strings.Repeat("漢", 10_000)
	for _, test := range []struct {
		tool string
		args map[string]any
	}{
		{"read", map[string]any{"path": deep + "aaa4"}},
		{"ls", map[string]any{"path": deep + "aaa4"}},
		{"grep", map[string]any{"pattern": "x", "glob": "[" + long}},
		{"grep", map[string]any{"pattern": "x", "glob": "*.go,{" + long}},
		{"grep", map[string]any{"pattern": "(" + long}},
		{"grep", map[string]any{"pattern": "x", "output_mode": long}},
		{"find", map[string]any{"pattern": "[" + long}},
		{"find", map[string]any{"pattern": "x", "type": long}},
		{"bash", map[string]any{"command": "true", "cwd": long}},
		{"bash", map[string]any{"command": "echo " + long + "; sleep 60", "timeout_ms": 100}},
		{long, map[string]any{}},
	} {
		t.Run(test.tool[:min(len(test.tool), 4)], func(t *testing.T) {
			require.NotEmpty(t, holds(t, call(t, s, test.tool, test.args), nil, 1024))
		})
	}
}

// numbered is n lines of which each is size bytes with its newline.
func numbered(n, size int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%0*d\n", size-1, i+1)
	}
	return b.String()
}

// TestNoticeOnlyIfSomethingIsLeftOut goes to each limit exactly, and one over it.
func TestNoticeOnlyIfSomethingIsLeftOut(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for i := range 20 {
		names[fmt.Sprintf("ten/%09d", i)] = "" // twenty names of ten bytes with a newline
	}
	names["lines.txt"] = numbered(8, 10)
	names["bytes.txt"] = numbered(64, 16) // 1024
	names["over.txt"] = numbered(65, 16)
	names["unended.txt"] = strings.Repeat("x", 1024)
	names["ended.txt"] = strings.Repeat("x", 1024) + "\n"
	names["long.txt"] = strings.Repeat("x", 1025)
	names["chars.txt"] = strings.Repeat("ä", 40) + "\n"
	names["empties.txt"] = strings.Repeat("\n", 8)
	for _, test := range []struct {
		cfg    config.Config
		tool   string
		args   map[string]any
		notice string
	}{
		{config.Config{MaxLines: 8}, "read", map[string]any{"path": "lines.txt"}, ""},
		{config.Config{MaxLines: 8}, "read", map[string]any{"path": "empties.txt"}, "8 empty lines"},
		{config.Config{MaxLines: 7}, "read", map[string]any{"path": "lines.txt"}, "Showing lines 1-7 of 8. " + suitetest.Next(8)},
		{config.Config{MaxLines: 7}, "read", map[string]any{"path": "lines.txt", "offset": 2}, ""},
		{config.Config{}, "read", map[string]any{"path": "lines.txt", "limit": 8}, ""},
		{config.Config{}, "read", map[string]any{"path": "lines.txt", "limit": 7}, "1 more line in file. " + suitetest.Next(8)},
		{config.Config{MaxLines: 7}, "read", map[string]any{"path": "lines.txt", "limit": 7}, "1 more line in file. " + suitetest.Next(8)},
		{config.Config{MaxBytes: 1024}, "read", map[string]any{"path": "bytes.txt"}, ""},
		{config.Config{MaxBytes: 1024}, "read", map[string]any{"path": "over.txt"}, "Showing lines 1-64 of 65 (1KB limit). " + suitetest.Next(65)},
		{config.Config{MaxBytes: 1024}, "read", map[string]any{"path": "unended.txt"}, ""},
		{config.Config{MaxBytes: 1024}, "read", map[string]any{"path": "ended.txt"}, ""},
		{config.Config{MaxBytes: 1024}, "read", map[string]any{"path": "long.txt"}, "Line 1 is 1.0KB, exceeds 1KB limit. Use bash to read: head -c 1000 long.txt. Or column=1 to read it in pieces"},
		{config.Config{Read: config.Read{MaxLineChars: 40}}, "read", map[string]any{"path": "chars.txt"}, ""},
		{config.Config{MaxLines: 8}, "bash", map[string]any{"command": "cat lines.txt"}, ""},
		{config.Config{MaxLines: 8}, "bash", map[string]any{"command": "cat empties.txt"}, "8 empty lines"},
		{config.Config{MaxLines: 8}, "bash", map[string]any{"command": "printf '1\n2\n3\n4\n5\n6\n7\n8'"}, ""},
		{config.Config{MaxBytes: 1024}, "bash", map[string]any{"command": "cat bytes.txt"}, ""},
		{config.Config{MaxBytes: 1024}, "bash", map[string]any{"command": "cat ended.txt"}, ""},
		{config.Config{}, "grep", map[string]any{"pattern": "0", "path": "lines.txt", "limit": 8}, ""},
		{config.Config{}, "grep", map[string]any{"pattern": "0", "path": "lines.txt", "limit": 7}, suitetest.Limited(7, "match") + ". " + suitetest.NextAlone(7) + ". There are 8 matches in all"},
		{config.Config{}, "grep", map[string]any{"pattern": "0", "path": "lines.txt", "limit": 4, "offset": 4}, ""},
		{config.Config{}, "grep", map[string]any{"pattern": "0", "glob": "{lines,bytes}.txt", "limit": 2, "output_mode": "count"}, ""},
		{config.Config{Grep: config.Grep{MaxLineChars: 40}}, "grep", map[string]any{"pattern": "ä", "path": "chars.txt"}, ""},
		{config.Config{Grep: config.Grep{MaxLineChars: 39}}, "grep", map[string]any{"pattern": "ä", "path": "chars.txt"}, "Some lines truncated to 39 chars. Use read tool to see full lines. Read the first with path=chars.txt offset=1 column=1"},
		{config.Config{}, "find", map[string]any{"pattern": "*", "path": "ten", "limit": 20}, ""},
		{config.Config{}, "find", map[string]any{"pattern": "*", "path": "ten", "limit": 19}, suitetest.Limited(19, "result") + ". " + suitetest.NextAlone(19)},
		{config.Config{MaxLines: 20}, "find", map[string]any{"pattern": "*", "path": "ten"}, ""},
		{config.Config{}, "ls", map[string]any{"path": "ten", "limit": 20}, ""},
		{config.Config{}, "ls", map[string]any{"path": "ten", "limit": 19}, suitetest.Limited(19, "entry") + ". " + suitetest.NextAlone(19) + ". 20 entries in all"},
		{config.Config{}, "ls", map[string]any{"path": "ten", "limit": 10, "offset": 10}, ""},
		{config.Config{MaxLines: 20}, "ls", map[string]any{"path": "ten"}, ""},
	} {
		t.Run(fmt.Sprintf("%s %v", test.tool, test.args), func(t *testing.T) {
			s := newSuite(t, test.cfg, names)
			_, said := noticeOf(call(t, s, test.tool, test.args).Text)
			if test.notice == "" {
				require.Empty(t, said)
				return
			}
			require.Equal(t, test.notice, said)
		})
	}
}

// TestNoticesTellTheTruth compares what read, grep and ls left out with a naive
// reference.
func TestNoticesTellTheTruth(t *testing.T) {
	t.Parallel()
	for seed := range testkit.Some(100) {
		r := rand.New(rand.NewSource(int64(seed)))
		cfg := randomLimits(r)
		cfg.MaxFileBytes, cfg.Read.MaxLineChars, cfg.ReadOnly = 0, 0, false
		text := randomText(r, 60, 2000)
		s := newSuite(t, cfg, map[string]string{"f": text})
		lines := linesOf(normal(text))
		res := call(t, s, "read", map[string]any{"path": "f"})
		body, said := noticeOf(res.Text)
		require.False(t, utf8.ValidString(text) && notValid.MatchString(said), "seed %d: %q", seed, res.Text)
		said = empties.ReplaceAllString(notValid.ReplaceAllString(format.ReplaceAllString(said, ""), ""), "")
		fits := len(lines) <= cfg.MaxLines && len(strings.TrimSuffix(normal(text), "\n")) <= cfg.MaxBytes
		require.Equal(t, fits, said == "", "seed %d: %q", seed, res.Text)
		if fits && text != "" {
			require.Equal(t, strings.TrimSuffix(normal(text), "\n"), strings.TrimSuffix(body, "\n"), "seed %d", seed)
		}

		pattern := regexp.MustCompile([]string{"a", "ä", "^$", "漢.*漢", "."}[r.Intn(5)])
		matches, long := 0, false
		shown := 0
		for i, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
			if i < len(lines) && pattern.MatchString(line) {
				if matches++; matches <= cfg.Grep.Limit {
					shown++
					long = long || utf8.RuneCountInString(line) > cfg.Grep.MaxLineChars
				}
			}
		}
		found, err := s.Grep(t.Context(), tools.GrepParams{Pattern: pattern.String(), Path: "f"})
		require.NoError(t, err)
		require.Equal(t, shown, found.Matches, "seed %d: %s in %q", seed, pattern, text)
		require.Equal(t, matches > cfg.Grep.Limit, found.LimitReached > 0, "seed %d: %q", seed, found.Text)
		if found.Truncation == nil {
			require.Equal(t, long, found.LinesTruncated, "seed %d: %q", seed, found.Text)
		}
		cut := strings.Contains(found.Text, "... [truncated]")
		require.Equal(t, cut, strings.Contains(found.Text, "Some lines truncated"), "seed %d: %q", seed, found.Text)
		s.Close()
	}
}

// TestNoCharacterIsBroken shows only whole characters where the limit falls into
// one, and keeps within it to the byte.
func TestNoCharacterIsBroken(t *testing.T) {
	t.Parallel()
	for _, char := range []string{"ä", "漢", "😀"} {
		for limit := 1024; limit < 1028; limit++ { // which divided by 2, 3 and 4 leave all there is
			s := newSuite(t, config.Config{MaxBytes: limit, Grep: config.Grep{MaxLineChars: 100}}, map[string]string{"f": strings.Repeat(char, 2000)})
			res := call(t, s, "bash", map[string]any{"command": "cat f"})
			body, said := noticeOf(res.Text)
			require.Contains(t, said, "Showing last 1")
			body = strings.TrimSuffix(body, "\n")
			require.Empty(t, strings.Trim(body, char))
			require.Equal(t, limit/len(char)*len(char), len(body))

			res = call(t, s, "read", map[string]any{"path": "f", "column": 2})
			body, _ = noticeOf(res.Text)
			require.Empty(t, strings.Trim(strings.TrimSuffix(body, "\n"), char))

			res = call(t, s, "grep", map[string]any{"pattern": ".", "path": "f"})
			require.Contains(t, res.Text, strings.Repeat(char, 100)+"... [truncated]\n")
		}
	}
}

// TestDetailsAgreeWithTheText: what the program is told is what the model sees.
func TestDetailsAgreeWithTheText(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	agree := func(r *truncation.Result, body string) {
		t.Helper()
		require.NotNil(t, r)
		require.Equal(t, len(linesOf(body)), r.OutputLines)
		require.InDelta(t, len(body), r.OutputBytes, 1) // the newline that ends it
	}
	s := newSuite(t, config.Config{MaxBytes: 1024}, map[string]string{"long": strings.Repeat("x", 3000) + "\n", "many": numbered(200, 20)})
	ctx := t.Context()
	read, err := s.Read(ctx, tools.ReadParams{Path: "many"})
	require.NoError(t, err)
	body, _ := noticeOf(read.Text)
	agree(read.Truncation, body)
	read, err = s.Read(ctx, tools.ReadParams{Path: "long", Column: 5})
	require.NoError(t, err)
	body, _ = noticeOf(read.Text)
	require.True(t, read.Truncation.LastLinePartial)
	agree(read.Truncation, body)
	bash, err := s.Bash(ctx, tools.BashParams{Command: "cat many"})
	require.NoError(t, err)
	body, _ = noticeOf(bash.Text)
	agree(bash.Truncation, body)
	require.Equal(t, body, bash.Output)
	grep, err := s.Grep(ctx, tools.GrepParams{Pattern: "0", Path: "many"})
	require.NoError(t, err)
	body, _ = noticeOf(grep.Text)
	agree(grep.Truncation, body)
	require.Equal(t, grep.NextOffset, len(linesOf(body)))
}
