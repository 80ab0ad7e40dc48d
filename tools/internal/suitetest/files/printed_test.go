package files_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// spilled runs a command that prints content and is cut, and returns the path of its full output.
func spilled(t *testing.T, s *tools.Suite, name string) (path, text string) {
	res := call(t, s, "bash", map[string]any{"command": "cat " + name})
	path = res.Details.(tools.BashResult).FullOutputPath
	require.NotEmpty(t, path)
	return path, res.Text
}

// What bash and read show of an output, grep finds, and shows the same way.
func TestGrepFindsWhatBashShowed(t *testing.T) {
	filler := strings.Repeat("a line of the output\n", 3000)
	for _, test := range []struct{ name, raw, pattern, shown string }{
		{"colours", "\x1b[31mFAILED\x1b[0m: test_x", "FAILED: test_x", "FAILED: test_x"},
		{"end", "\x1b[1mdone\x1b[0m", "done$", "done"},
		{"beginning", "\x1b[32mok\x1b[0m all", "^ok", "ok all"},
		{"CRLF", "\x1b[32mok\x1b[m all\r", "all$", "ok all"},
		{"redrawn", " 10%\r 50%\r100% done", "^100% done$", "100% done"},
		{"erased", "downloading\r\x1b[Kready", "^ready$", "ready"},
		{"backspace", "abx\b\bcd", "^acd$", "acd"},
		{"link", "see \x1b]8;;https://example.com\x1b\\the page\x1b]8;;\x1b\\ now", "the page now", "see the page now"},
		{"not UTF-8", "\x1b[1mna\xefve\x1b[0m text", "ve text$", "naïve text"},
		{"nothing to take out", "plain: text", "^plain: text$", "plain: text"},
		{"literal", "\x1b[31mx(1)\x1b[0m [y]", `x\(1\) \[y\]`, "x(1) [y]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSuite(t, config.Config{}, map[string]string{"raw": "first\n" + test.raw + "\n" + filler})
			path, _ := spilled(t, s, "raw")
			want := path + ":2: " + test.shown
			for _, args := range []map[string]any{
				{"path": path}, {"path": ".clarvis"}, {"path": path, "multiline": true}, {"path": path, "also": []string{test.pattern}},
			} {
				args["pattern"] = test.pattern
				require.Equal(t, want, firstLine(call(t, s, "grep", args).Text), "%v", args)
			}
			page := call(t, s, "read", map[string]any{"path": path, "offset": 2, "limit": 1})
			require.Equal(t, test.shown, firstLine(page.Text))
			digest := call(t, s, "read", map[string]any{"path": path, "show": "digest"})
			require.Contains(t, digest.Text, test.shown)
			require.NotContains(t, digest.Text, "\x1b")
		})
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// randomOutput returns lines that are made of what programs print.
func randomOutput(r *rand.Rand) string {
	parts := []string{
		"a", "b", "ab", " ", "é", "e\u0301", "界", "\t", "\x1b[31m", "\x1b[0m", "\x1b[K", "\x1b[2K", "\x1b[1;32m", "\r", "\b", "\x1b[5C",
		"\x1b[3D", "\x1b[2G", "\x1b]0;title\a", "\x1b[", "\x1b", "\x9b1m", "\u0085", "\a", "\x00", "\xff", "\r\n", "\n", "\n", "FAIL", "ok: ",
	}
	if r.IntN(2) == 0 { // in UTF-8
		parts = slices.DeleteFunc(parts, func(s string) bool { return !utf8.ValidString(s) })
	}
	var b strings.Builder
	for range 20 + r.IntN(200) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

// Each line of an output that read shows is found by grep as that line, at its number, and grep shows no other.
func TestGrepFindsWhatReadShows(t *testing.T) {
	s := newSuite(t, config.Config{Bash: config.Bash{MaxBytes: 1024}, Grep: config.Grep{Limit: 1000}}, nil)
	r := rand.New(rand.NewPCG(1, 2))
	for range testkit.Some(30) {
		const before = 5000 // enough to be taken for text, whatever follows
		raw := strings.Repeat("z\n", before) + randomOutput(r)
		require.NoError(t, os.WriteFile(filepath.Join(s.Workspace(), "raw"), []byte(raw), 0o644))
		path, text := spilled(t, s, "raw")
		page := call(t, s, "read", map[string]any{"path": path, "offset": before + 1})
		shown := page.Details.(tools.ReadResult).Page
		require.NotContains(t, shown, "\x1b")
		redrawn := strings.Contains(text, "Lines are counted as shown") // which only bash shows as it was drawn
		if utf8.ValidString(raw) && !redrawn {                          // else read may know the encoding
			require.Contains(t, text+"\n", shown[max(0, len(shown)-500):], "%q", raw)
		}
		lines := strings.Split(strings.TrimSuffix(shown, "\n"), "\n")
		var want []string
		for i, line := range lines {
			i += before
			if line != "z" {
				want = append(want, fmt.Sprintf("%s:%d: %s", path, i+1, line))
			}
			if line == "" || line == "z" {
				continue
			}
			found := call(t, s, "grep", map[string]any{"path": path, "pattern": "^" + regexp.QuoteMeta(line) + "$"})
			require.Contains(t, found.Text+"\n", fmt.Sprintf("%s:%d: %s\n", path, i+1, line), "%q", raw)
			cut := call(t, s, "read", map[string]any{"path": path, "offset": i + 1, "limit": 1, "column": 2})
			if runes := []rune(line); len(runes) > 1 {
				require.Equal(t, string(runes[1:]), firstLine(cut.Text), "%q", raw)
			}
		}
		all := call(t, s, "grep", map[string]any{"path": path, "pattern": "^([^z]|$)"})
		require.Equal(t, strings.Join(want, "\n"), strings.Join(strings.Split(all.Text, "\n")[:len(want)], "\n"), "%q", raw)
	}
}
