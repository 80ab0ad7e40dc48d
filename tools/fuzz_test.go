package tools_test

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// fuzzBytes is the byte limit of the suites of this file.
const fuzzBytes = 1024

func fuzzSuite(f *testing.F) (*tools.Suite, string) {
	f.Helper()
	dir := f.TempDir()
	return newSuite(f, config.Config{Workspace: dir, ReadOnly: true, MaxBytes: fuzzBytes, MaxLines: 10}, nil), dir
}

// isText reports whether read and grep take a content for text, in UTF-8 and
// without a mark in front.
func isText(content string) bool {
	for _, magic := range []string{"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff", "\x89PNG", "\xff\xd8\xff", "GIF8", "%PDF-", "PK", "\x1f\x8b", "\x7fELF", "\xcf\xfa\xed\xfe", "\xfd7zXZ",
		"\x28\xb5\x2f\xfd", "7z", "Rar!", "SQLite", "\xca\xfe\xba\xbe", "RIFF"} {
		if strings.HasPrefix(content, magic) {
			return false
		}
	}
	return textfile.SureOf([]byte(content)) == "" && !strings.Contains(content, "\x00") && !(len(content) > 257 && strings.HasPrefix(content[257:], "ustar"))
}

// FuzzRead compares a page with the lines of the file.
func FuzzRead(f *testing.F) {
	s, dir := fuzzSuite(f)
	file := filepath.Join(dir, "f")
	for _, content := range []string{"", "a", "a\nb\r\nc", "\n\n\n", "ä\xff漢\n", strings.Repeat("line\n", 40), strings.Repeat("漢", 800) + "\nx\n", "a\r\r\n\r", "\xe6\xbc"} {
		f.Add([]byte(content), 0, 0, 0)
		f.Add([]byte(content), 2, 1, 0)
		f.Add([]byte(content), -1, 3, 2)
	}
	f.Fuzz(func(t *testing.T, content []byte, offset, limit, column int) {
		if !isText(string(content)) {
			t.Skip()
		}
		require.NoError(t, os.WriteFile(file, content, 0o644))
		res, err := s.Call(t.Context(), "read", json.RawMessage(encode(t, map[string]int{"offset": offset, "limit": limit, "column": column})[:1]+`"path":"f",`+
			encode(t, map[string]int{"offset": offset, "limit": limit, "column": column})[1:]))
		code := holds(t, res, err, fuzzBytes)
		lines := linesOf(normal(string(content)))
		first := offset
		if offset < 0 {
			first = max(len(lines)+offset+1, 1)
		}
		first = max(first, 1)
		switch {
		case limit < 0 || column < 0 || first > max(len(lines), 1):
			require.Equal(t, tools.CodeInvalidInput, code, res.Text)
		case len(lines) == 0:
			require.Equal(t, column > 1, code == tools.CodeInvalidInput, res.Text)
		case column > 1+utf8.RuneCountInString(lines[first-1])+1: // one more for the CR of a CRLF
			require.Equal(t, tools.CodeInvalidInput, code, res.Text)
		case code == "" && column <= 1:
			details := res.Details.(tools.ReadResult)
			require.Equal(t, len(lines), details.TotalLines)
			last := len(lines)
			if details.NextOffset > 0 {
				last = details.NextOffset - 1
			}
			require.LessOrEqual(t, last-first+1, 10)
			if limit > 0 {
				require.LessOrEqual(t, last-first+1, limit)
			}
			if details.NextColumn == 0 {
				require.True(t, strings.HasPrefix(res.Text, strings.Join(lines[first-1:last], "\n")), "lines %d to %d: %q", first, last, res.Text)
			}
		}
	})
}

// FuzzGrep compares the lines that match with those of a loop over package
// regexp.
func FuzzGrep(f *testing.F) {
	dir := f.TempDir()
	s := newSuite(f, config.Config{Workspace: dir, ReadOnly: true, MaxBytes: 64 << 20, MaxLines: 1 << 30, Grep: config.Grep{Limit: 1 << 30}}, nil)
	file := filepath.Join(dir, "f")
	for _, content := range []string{"", "a", "foo\r\nbar\nfoo", "\n\n", "ä\xff漢\nÄ\n", "x\ry\n", "a\n\nb\n", "K\u212a\n", "foo bar\nbarfoo"} {
		for _, pattern := range []string{"a", "^$", "foo|bar", `\bfoo\b`, "(?i)k", "ä", "a.c", "o$", `\s`, `[^a]`, "", "x*", `\x{ff}`, `\z`, `(?s).`, "^", `\A`, `\r`} {
			f.Add([]byte(content), pattern, false, false)
			f.Add([]byte(content), pattern, true, true)
		}
	}
	f.Fuzz(func(t *testing.T, content []byte, pattern string, ignoreCase, literal bool) {
		if !isText(string(content)) || len(content) > 4000 || len(pattern) > 200 || pattern == "" || !utf8.ValidString(pattern) {
			t.Skip()
		}
		require.NoError(t, os.WriteFile(file, content, 0o644))
		res := call(t, s, "grep", map[string]any{"pattern": pattern, "path": "f", "ignore_case": ignoreCase, "literal": literal})
		code := holds(t, res, nil, 64<<20)
		expr := pattern
		if literal {
			expr = regexp.QuoteMeta(expr)
		}
		if ignoreCase {
			expr = "(?i)" + expr
		}
		naive, err := regexp.Compile(expr)
		if err != nil || strings.ContainsAny(pattern, "\n\x00") {
			require.Equal(t, tools.CodeInvalidInput, code, res.Text)
			return
		}
		require.Empty(t, code, res.Text)
		if parsed, err := syntax.Parse(expr, syntax.Perl); err != nil || strings.Contains(parsed.String(), `\n`) {
			t.Skip() // what a pattern that names a line break means of a line is not settled
		}
		var want []int
		for i, line := range strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(content), "\r\n", "\n"), "\n"), "\n") {
			if len(content) > 0 && naive.MatchString(line) {
				want = append(want, i+1)
			}
		}
		var got []int
		for _, line := range strings.Split(res.Text, "\nf:") {
			if number, _, ok := strings.Cut(strings.TrimPrefix(line, "f:"), ": "); ok {
				if n, err := strconv.Atoi(number); err == nil {
					got = append(got, n)
				}
			}
		}
		require.Equal(t, want, got, "%q (ignore case %v, literal %v) in %q: %q", pattern, ignoreCase, literal, content, res.Text)
	})
}

// FuzzCallArguments gives every tool but bash arguments of any bytes.
func FuzzCallArguments(f *testing.F) {
	s, dir := fuzzSuite(f)
	special(f, dir)
	for name, content := range map[string]string{"file": "one\ntwo\n", "long": strings.Repeat("x", 5000), "dir/inner": "one\n", "bin": "\x00", "dir/new\nline": "one\n"} {
		require.NoError(f, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	names := []string{"read", "grep", "find", "ls"}
	for i := range names {
		for _, args := range []string{"", "null", "{}", `{"path":"file"}`, `{"path":"file","offset":-1,"limit":"2","column":1e0}`, `{"pattern":"o","context":1,"glob":"*,!x"}`,
			`{"pattern":"**/*","type":"any","offset":1}`, `"{\"path\":\"dir\"}"`, `{"path":"\"dir/new\\nline\""}`, `{"path":"fifo"}`, `{"path":"loop","pattern":"x"}`,
			`{"pattern":"(","output_mode":"count","multiline":true}`, `{"path":"../x","pattern":"{a,{b,c}}"}`, "{\"path\":\"\xff\"}"} {
			f.Add(byte(i), []byte(args))
		}
	}
	f.Fuzz(func(t *testing.T, tool byte, args []byte) {
		res, err := s.Call(t.Context(), names[int(tool)%len(names)], args)
		holds(t, res, err, fuzzBytes)
		require.NotContains(t, res.Text, "a bug in the tool")
	})
}

// FuzzFindPattern compares find with doublestar, name by name.
func FuzzFindPattern(f *testing.F) {
	dir := f.TempDir()
	var all []string
	for _, name := range []string{"a", "b.go", "dir/a", "dir/b.go", "dir/sub/c.go", "dir/sub/[x]", "dir/{y}", "-n", "ä/漢.go", "a b", "dir/sub/deep/a"} {
		require.NoError(f, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(f, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
		for all = append(all, name); path.Dir(name) != "."; {
			name = path.Dir(name)
			all = append(all, name+"/")
		}
	}
	all = slices.Compact(sorted(all))
	s := newSuite(f, config.Config{Workspace: dir, ReadOnly: true}, nil)
	for _, pattern := range []string{"*", "**", "*.go", "**/*.go", "dir/**", "dir/*/", "{a,b}*", "[a-c]*", "[!a]*", "[^a]", `\[x\]`, "?", "ä/*", "./a", "/a", "a/", "{a,{b.go,c.go}}", "[]a]", "**/sub/**", "*{", "{a,}", "[a,b]", "**a", "a**/", "[!a[]"} {
		f.Add(pattern)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		if !utf8.ValidString(pattern) || len(pattern) > 100 {
			t.Skip()
		}
		res := call(t, s, "find", map[string]any{"pattern": pattern})
		code := holds(t, res, nil, 30<<10)
		trimmed := strings.TrimLeft(pattern, "/")
		for strings.HasPrefix(trimmed, "./") {
			trimmed = strings.TrimLeft(trimmed[2:], "/")
		}
		dirs := strings.HasSuffix(trimmed, "/")
		trimmed = strings.TrimRight(trimmed, "/")
		if trimmed == "" || strings.Contains(pattern, "\x00") || !doublestar.ValidatePattern(trimmed) {
			require.Equal(t, tools.CodeInvalidInput, code, res.Text)
			return
		}
		if code != "" {
			require.Regexp(t, "braces stand for more than|it goes up by|a class in it is malformed", res.Text)
			return
		}
		if strings.Contains(trimmed, "/") && strings.ContainsAny(trimmed, "{[\\") {
			t.Skip() // what a slash in braces divides is not settled
		}
		var want []string
		for _, name := range all {
			names := strings.Split(strings.TrimSuffix(name, "/"), "/")
			if !strings.Contains(trimmed, "/") {
				names = names[len(names)-1:]
			}
			if naiveGlob(t, strings.Split(trimmed, "/"), names) && (!dirs || strings.HasSuffix(name, "/")) {
				want = append(want, name)
			}
		}
		if len(want) == 0 {
			if !strings.HasPrefix(res.Text, "No files found matching pattern") { // it was taken for something else, and says so
				require.Regexp(t, `(?s)\n\n\[.* matches nothing[^\n]*\]$`, res.Text)
			}
			return
		}
		require.Equal(t, strings.Join(want, "\n"), res.Text, pattern)
	})
}

// naiveGlob matches name by name. A ** at the end is what is below, not the
// directory itself.
func naiveGlob(t *testing.T, pattern, names []string) bool {
	t.Helper()
	switch {
	case len(pattern) == 0:
		return len(names) == 0
	case pattern[0] == "" || pattern[0] == ".":
		return naiveGlob(t, pattern[1:], names)
	case pattern[0] == "**" && len(pattern) > 1:
		return naiveGlob(t, pattern[1:], names) || len(names) > 0 && naiveGlob(t, pattern, names[1:])
	case len(names) == 0:
		return false
	case pattern[0] == "**":
		return true
	}
	ok, err := doublestar.Match(pattern[0], names[0])
	if err != nil {
		t.Skip(err) // valid to doublestar until it meets this name
	}
	return ok && naiveGlob(t, pattern[1:], names[1:])
}
