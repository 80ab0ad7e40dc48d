package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// measured matches a figure as a measurement gives it: a time, a rate, a share, a size in memory.
var measured = regexp.MustCompile(`[0-9][0-9.,]*(?: ?(?:ms|µs|ns|%|[kMG]B/s)| (?:s|MiB|seconds|minutes|times as|times the)\b)`)

// bounds lists the figures of pages that are set in the code, not measured.
var bounds = map[string][]string{
	"job.md":        {"30 ms in a read", "it has had 50 ms to end"},
	"ls.md":         {"at most 40 MiB"},
	"mcp.md":        {"after 60 seconds", "within 50 seconds", "10 seconds less", "[60 s]"},
	"read.md":       {"over 65%"},
	"record.md":     {"30 seconds for a call", "256 MiB and", "the first 1 MiB", "At 64 MiB"},
	"remote.md":     {"1.5 seconds", "30 seconds, and its error"},
	"script.md":     {"at most 1 MiB", "64 MiB", "computes for 10 s"},
	"truncation.md": {"up to 256 MiB at a time", "a text over 16 MiB"},
}

// Figures that were measured go stale in prose, so they stand in sections that a command writes,
// or not at all. What is in code, such as a recorded result, is not looked at.
func TestFiguresAreGenerated(t *testing.T) {
	for _, page := range pages(t) {
		name := filepath.Base(page)
		if name == "CHANGELOG.md" || name == "security.md" {
			continue // what was measured for a version; a page of bounds
		}
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for i, line := range prose(string(text)) {
			for _, bound := range bounds[name] {
				line = strings.ReplaceAll(line, bound, "")
			}
			if found := measured.FindString(line); found != "" {
				t.Errorf("%s:%d: %q is a figure that no command writes: %s", page, i+1, found, line)
			}
		}
	}
}

// prose returns the lines of a page, empty where they are code or belong to a generated section.
func prose(page string) []string {
	lines := strings.Split(page, "\n")
	code, written := false, false
	for i, line := range lines {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		if strings.HasPrefix(line, "<!-- ") {
			written = !strings.HasPrefix(line, "<!-- /")
		}
		if code || fence || written {
			lines[i] = ""
		}
		code = code != fence
	}
	inline := regexp.MustCompile("`[^`]*`")
	return strings.Split(inline.ReplaceAllStringFunc(strings.Join(lines, "\n"), func(code string) string {
		return strings.Repeat("\n", strings.Count(code, "\n")) // the numbers of the lines stay
	}), "\n")
}

// A figure is found where it stands in prose, and only there.
func TestFiguresAreFound(t *testing.T) {
	page := "It takes\n<!-- table -->\n| 3 ms |\n<!-- /table -->\n```\n4 ms\n```\nor `5\nms`, and 6 ms\n"
	var found []string
	for _, line := range prose(page) {
		found = append(found, measured.FindAllString(line, -1)...)
	}
	require.Equal(t, []string{"6 ms"}, found)
	for _, figure := range []string{"1.5 GB/s", "94%", "44 % less", "12 minutes", "30 times as long", "18 MiB", "0.4 s."} {
		require.True(t, measured.MatchString(figure), figure)
	}
	for _, other := range []string{"30 KB", "2000 lines", "3 shells", "100 matches", "Go 1.26", "2 minutely"} {
		require.False(t, measured.MatchString(other), other)
	}
}
