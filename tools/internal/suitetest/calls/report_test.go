package calls_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// How long the lines of a diff may be is no matter of grep's.
func TestLongLinesOfADiff(t *testing.T) {
	t.Parallel()
	for _, chars := range []int{5, 100_000} {
		for length, cut := range map[int]bool{500: false, 501: true} {
			s := newSuite(t, config.Config{Grep: config.Grep{MaxLineChars: chars}}, map[string]string{"f": "old\n"})
			line := strings.Repeat("é", length)
			res := call(t, s, "write", map[string]any{"path": "f", "content": line + "\n"})
			require.Equal(t, !cut, strings.Contains(res.Text, "+"+line+"\n"), res.Text)
			require.Equal(t, cut, strings.Contains(res.Text, "+"+strings.Repeat("é", 500)+"... [truncated]"+"\n"), res.Text)
			require.Equal(t, cut, strings.Contains(res.Text, "Some lines truncated to 500 chars"), res.Text)
		}
	}
}

// edited returns the lines 1 to n, of which those at some lines are put in other words.
func edited(n int, at func(line int) bool) string {
	var text strings.Builder
	for i := range n {
		word := "line"
		if at(i + 1) {
			word = "LINE"
		}
		fmt.Fprintln(&text, word, i+1)
	}
	return text.String()
}

// Of differences that are too long the first hunks are shown, whole, and the notice leads to the next one.
func TestLongDiffShowsWholeHunks(t *testing.T) {
	t.Parallel()
	every := func(n int) func(int) bool { return func(line int) bool { return line%n == 0 } }
	s := newSuite(t, config.Config{}, map[string]string{"f": edited(600, every(1000))})
	call(t, s, "read", map[string]any{"path": "f"})
	res := call(t, s, "write", map[string]any{"path": "f", "content": edited(600, every(40))})
	require.Equal(t, 6, strings.Count(res.Text, "\n@@ "), res.Text)
	require.Equal(t, 6, strings.Count(res.Text, "\n+LINE"))
	require.NotContains(t, res.Text, "left out")
	const led = " line 243\n\n[Showing 54 of 132 lines of changes. Use read offset=277 to see the file as it is now]"
	require.True(t, strings.HasSuffix(res.Text, led), res.Text)
	require.Contains(t, call(t, s, "read", map[string]any{"path": "f", "offset": 277, "limit": 4}).Text, "LINE 280")
}

// A hunk that is longer than the limits is shown by both ends.
func TestLongHunkShowsBothEnds(t *testing.T) {
	t.Parallel()
	all := func(line int) bool { return true }
	s := newSuite(t, config.Config{}, map[string]string{"f": "first\n" + edited(300, all) + "last\n"})
	call(t, s, "read", map[string]any{"path": "f"})
	added := func(lines string) tools.Result {
		old, err := os.ReadFile(filepath.Join(s.Workspace(), "f"))
		require.NoError(t, err)
		require.Equal(t, 302, strings.Count(string(old), "\n"))
		return call(t, s, "edit", map[string]any{"path": "f", "old_string": "last\n", "new_string": lines + "last\n"})
	}
	text := added(edited(200, all)).Text
	require.Contains(t, text, "\n+LINE 25\n[... 147 of 205 lines left out ...]\n+LINE 173\n")
	require.Contains(t, text, "\n+LINE 200\n last\n\n[Showing 58 of 205 lines of changes. "+
		"Use read offset=327 to see the file as it is now]")
	require.True(t, strings.HasPrefix(call(t, s, "read", map[string]any{"path": "f", "offset": 327}).Text, "LINE 26\n"))
}

// Where less than half of the limits is left, no part of a long hunk is shown.
func TestLongHunkBehindOthers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, after string // of the first change
		cut           bool   // the second one is shown in part
	}{
		"short":      {"old\n", "new\n", true},
		"many lines": {"", edited(30, func(int) bool { return true }), false},
		"many bytes": {"", strings.Repeat(strings.Repeat("x", 400)+"\n", 6), false},
		"long line":  {"", strings.Repeat("x", 600) + "\n", true},
	} {
		rest := edited(20, func(int) bool { return false })
		s := newSuite(t, config.Config{}, map[string]string{"f": test.before + rest})
		call(t, s, "read", map[string]any{"path": "f"})
		content := test.after + rest + edited(200, func(int) bool { return true })
		text := call(t, s, "write", map[string]any{"path": "f", "content": content}).Text
		require.True(t, strings.Contains(text, "+"+test.after[:3]), text)
		require.Equal(t, test.cut, strings.Contains(text, " lines left out ...]\n"), "%s: %s", name, text)
		require.Equal(t, name == "long line", strings.Contains(text, "Some lines truncated"), "%s: %s", name, text)
	}
}

// That lines are cut is said of those that are shown.
func TestLongLinesOfALongHunk(t *testing.T) {
	t.Parallel()
	for at, cut := range map[int]bool{1: true, 100: false, 200: true} {
		s := newSuite(t, config.Config{}, map[string]string{"f": ""})
		lines := edited(200, func(line int) bool { return line == at })
		lines = strings.Replace(lines, "LINE", strings.Repeat("x", 501), 1)
		text := call(t, s, "write", map[string]any{"path": "f", "content": lines}).Text
		require.Equal(t, cut, strings.Contains(text, "Some lines truncated to 500 chars"), "%d: %s", at, text)
		require.Equal(t, cut, strings.Contains(text, "... [truncated]\n"), "%d: %s", at, text)
	}
}

// There is no line to read from in a file without any.
func TestLongDiffOfAnEmptiedFile(t *testing.T) {
	t.Parallel()
	for _, lines := range []int{2, 6, 60} {
		files := map[string]string{"f": edited(100, func(int) bool { return false })}
		s := newSuite(t, config.Config{Edit: config.Edit{MaxLines: lines}}, files)
		call(t, s, "read", map[string]any{"path": "f"})
		text := call(t, s, "write", map[string]any{"path": "f", "content": ""}).Text
		require.Regexp(t, `lines of changes. Use read to see the file as it is now\]$`, text)
	}
}

// Of several files the notice names the one that it leads to, and the text all of them.
func TestLongDiffOfSeveralFiles(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	patch := "*** Begin Patch\n"
	for i := range 4 {
		name := fmt.Sprintf("f%d", i)
		files[name] = edited(99, func(int) bool { return false })
		patch += "*** Update File: " + name + "\n"
		for line := 10; line < 99; line += 30 {
			patch += fmt.Sprintf("@@\n-line %d\n+LINE %[1]d\n", line)
		}
	}
	s := patchSuite(t, config.Config{}, files)
	text := call(t, s, "apply_patch", map[string]any{"patch": patch + "*** End Patch\n"}).Text
	const each = ": 3 lines added, 3 removed.\n"
	head := "Updated f0" + each + "Updated f1" + each + "Updated f2" + each + "Updated f3" + each
	require.True(t, strings.HasPrefix(text, head+"--- f0\n@@ -7,7 +7,7 @@\n"), text)
	require.Contains(t, text, " line 73\n--- f1\n@@ ")
	require.NotContains(t, text, "--- f2")
	require.True(t, strings.HasSuffix(text, "\n line 73\n\n[Showing 56 of 112 lines of changes. "+
		"Use read path=f2 offset=7 to see the file as it is now]"), text)
}

// What is shown of random differences is part of all of it, in order, and within the limits; the notice counts what is
// left out, and leads to the first line of it.
func TestExcerptsAreExact(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	for range testkit.Some(100) {
		before, after := randomEdits(r)
		limits := config.Edit{MaxLines: 5 + r.IntN(60), MaxBytes: 1024 + r.IntN(3000)}
		part, whole := bothDiffs(t, limits, before, after)
		text, said, cut := strings.Cut(part.Text, "\n\n[Showing ")
		if !cut {
			require.Equal(t, whole.Text, part.Text)
			continue
		}
		lines := strings.Split(text, "\n")
		require.LessOrEqual(t, len(lines), limits.MaxLines)
		require.LessOrEqual(t, len(text), limits.MaxBytes)
		var shown, total, offset int
		_, err := fmt.Sscanf(said, "%d of %d lines of changes. Use read offset=%d to see", &shown, &total, &offset)
		require.NoError(t, err, said)
		all := strings.Split(whole.Text, "\n")
		require.Equal(t, total, len(all)-1)
		at, hidden, removed := 0, 0, 0
		for i, line := range lines {
			var left, of int
			if n, _ := fmt.Sscanf(line, "[... %d of %d lines left out ...]", &left, &of); n == 2 {
				hidden, at = at, at+left
				removed += utf8.RuneCountInString(strings.Join(all[hidden:at], "\n")) + 1
				continue
			}
			require.Equal(t, all[at], line, "line %d of\n%s", i, text)
			at++
			shown--
		}
		if at < len(all) {
			removed += utf8.RuneCountInString(strings.Join(all[at:], "\n")) + 1
		}
		require.Equal(t, removed, part.Shown().CharsRemoved)
		require.Equal(t, -1, shown, "the headline is the only other line")
		if hidden == 0 {
			hidden = at
			require.True(t, strings.HasPrefix(all[at], "@@"), "whole hunks:\n%s", text)
		}
		require.Equal(t, lineAfter(t, all[:hidden+1]), offset, "%s\n%s", part.Text, whole.Text)
	}
}

// randomEdits returns a text, and what some edits make of it.
func randomEdits(r *rand.Rand) (before, after string) {
	var a, b strings.Builder
	n := 0
	lines := func(texts ...*strings.Builder) {
		for range 1 + r.IntN(80)*r.IntN(2) {
			n++
			for _, text := range texts {
				fmt.Fprintf(text, "%d %s\n", n, strings.Repeat("ä", r.IntN(30)))
			}
		}
	}
	for range 1 + r.IntN(12) {
		lines(&a, &b)
		if r.IntN(3) > 0 {
			lines(&a)
		}
		if r.IntN(3) > 0 {
			lines(&b)
		}
	}
	return a.String(), b.String()
}

// bothDiffs returns what a write shows with the limits, and without.
func bothDiffs(t *testing.T, limits config.Edit, before, after string) (part, whole tools.Result) {
	for res, limits := range map[*tools.Result]config.Edit{&part: limits, &whole: {MaxLines: 1 << 20, MaxBytes: 1 << 20}} {
		cfg := config.Config{Edit: limits, MaxLines: 1 << 20, MaxBytes: 1 << 20}
		s := newSuite(t, cfg, map[string]string{"f": before})
		call(t, s, "read", map[string]any{"path": "f"})
		*res = call(t, s, "write", map[string]any{"path": "f", "content": after})
	}
	return part, whole
}

// lineAfter returns the number of the last line of a diff in the new text, or of the next one there.
func lineAfter(t *testing.T, diff []string) (line int) {
	for i, text := range diff[1:] {
		switch {
		case strings.HasPrefix(text, "@@"):
			_, numbers, _ := strings.Cut(text, " +")
			_, err := fmt.Sscanf(numbers, "%d", &line)
			require.NoError(t, err)
		case i < len(diff)-2 && !strings.HasPrefix(text, "-"):
			line++
		}
	}
	return line
}
