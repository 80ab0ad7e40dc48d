package files_test

import (
	"maps"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

var (
	patternTold = regexp.MustCompile(`: try (?:pattern=)?(.*?)( and leave out literal)?(\n|$)`)
	setTold     = regexp.MustCompile(`set multiline=true`)
)

// follow returns the arguments of a call that does what the text of another says.
func follow(args map[string]any, text string) map[string]any {
	next := maps.Clone(args)
	if m := patternTold.FindStringSubmatch(text); m != nil {
		if next["pattern"] = m[1]; m[2] != "" {
			delete(next, "literal")
		}
	}
	if setTold.MatchString(text) {
		next["multiline"] = true
	}
	if strings.Contains(text, "leave out only_matching") {
		delete(next, "only_matching")
	}
	return next
}

const composed, decomposed = "caf\u00e9", "cafe\u0301"

// A pattern that finds nothing in a file, but would in what it looks like, comes with another that does.
func TestGrepSaysWhatFindsIt(t *testing.T) {
	files := map[string]string{
		"red.log": "start\n\x1b[31mFAILED\x1b[0m: test_x\n\x1b[1m\x1b[31merror[E0308]\x1b[0m\x1b[1m: mismatched\x1b[0m types\n" +
			"\x1b[32mo\x1b[33mk\x1b[0m\n\x1b[01m\x1b[Kfoo.c:\x1b[m\x1b[K In function\n12\x1b[0m34 rows\n",
		"big/late.log": strings.Repeat("x\n", 1<<20) + "\x1b[1mFAILED\x1b[0m: x\n",
		"big/red.log":  strings.Repeat("\x1b[2mx\x1b[0m"+strings.Repeat(" y", 40)+"\n", 15_000) + "\x1b[1mFAILED\x1b[0m: x\n",
		"crlf.txt":     "one two\r\nthree\r\n", "nfc": "a " + composed + " b\n", "nfd": "a " + decomposed + " b\n",
	}
	s := newSuite(t, config.Config{}, files)
	for _, test := range []struct {
		path, pattern string
		with          map[string]any
		said          string
	}{
		{"red.log", "FAILED: test_x", nil, "1 line matches without its escape sequences"},
		{"red.log", `^FAILED: test_\w+$`, nil, "1 line matches without its escape sequences"},
		{"red.log", `\bFAILED\b: `, nil, "1 line matches"},
		{"red.log", "failed: TEST", map[string]any{"ignore_case": true}, "1 line matches"},
		{"red.log", "error[E0308]: mismatched types", map[string]any{"literal": true}, "1 line matches"},
		{"red.log", `(error|warning)\[E\d+\]: \w+ types`, nil, "1 line matches"},
		{"red.log", "ok", nil, "1 line matches"},
		{"red.log", "^ok$", nil, "1 line matches"},
		{"red.log", `foo\.c: In`, nil, "1 line matches"},
		{"red.log", `^\d+ rows`, nil, "1 line matches"},
		{"red.log", `\d{4} rows`, nil, "1 line matches"},
		{"red.log", "^(FAILED|error.E|ok|foo)", nil, "4 lines match without their escape sequences"},
		{"big/red.log", "FAILED: x", nil, "1 line matches"},
		{"big/red.log", "^x y", map[string]any{"limit": 1}, "lines match"},
		{"red.log", "FAILED: test_x", map[string]any{"output_mode": "count"}, "1 line matches"},
		{"crlf.txt", `\r`, nil, "multiline=true"},
		{"crlf.txt", `two\r$`, nil, "multiline=true"},
		{"crlf.txt", `[\r]`, nil, "multiline=true"},
		{"crlf.txt", `e\x0d`, nil, "multiline=true"},
		{"crlf.txt", "two\r", map[string]any{"literal": true}, "multiline=true"},
		{"crlf.txt", `two\r`, map[string]any{"only_matching": true}, "multiline=true"},
		{".", `\r$`, map[string]any{"output_mode": "files_with_matches"}, "multiline=true"},
		{"nfd", composed, nil, "The accents are composed otherwise"},
		{"nfc", decomposed, nil, "The accents are composed otherwise"},
		{"nfd", composed + " b", map[string]any{"literal": true}, "The accents are composed otherwise"},
		{"nfc", `\w+ ` + decomposed + "$|" + decomposed + " b", nil, "The accents are composed otherwise"},
	} {
		if testkit.Race && strings.HasPrefix(test.path, "big/") {
			continue // which takes longer than a search has for what it tells
		}
		args := map[string]any{"pattern": test.pattern, "path": test.path}
		maps.Copy(args, test.with)
		none := call(t, s, "grep", args).Text
		for tries := 0; tries < 20 && !strings.Contains(none, test.said); tries++ { // on a busy machine its time may be over
			none = call(t, s, "grep", args).Text
		}
		require.Contains(t, none, notice.NoMatches, "%v", args)
		require.Contains(t, none, test.said, "%v", args)
		next := follow(args, none)
		require.NotEqual(t, args, next, none)
		require.NotContains(t, call(t, s, "grep", next).Text, notice.NoMatches, "%v: %s", next, none)
	}
	for _, args := range []map[string]any{ // nothing to say
		{"pattern": "nowhere"}, {"pattern": `x\r$`, "path": "nfc"}, {"pattern": "n\u00e9"}, {"pattern": `[^\r]z`}, {"pattern": `\sz`},
		{"pattern": "FAILED: x", "path": "big/late.log"}, // it has no escape sequence in its first part
	} {
		require.Equal(t, notice.NoMatches, call(t, s, "grep", args).Text, "%v", args)
	}
}

// \u4e2d is what JSON and JavaScript write for a character.
func TestGrepKnowsCodePoints(t *testing.T) {
	s := newSuite(t, config.Config{}, map[string]string{"a": "中文\n", "b": "😀\n", "c": `\u4e2d` + "\n", "d": "é1\n"})
	for _, test := range []struct {
		pattern, want string
		literal       bool
	}{
		{`\u4e2d`, "a:1: 中文", false},
		{`\u{4e2d}\u6587`, "a:1: 中文", false},
		{`[\u4e00-\u9fa5]+$`, "a:1: 中文", false},
		{`[^\u0000-\u007f\u00e9]{2}`, "a:1: 中文", false},
		{`\uD83D\uDE00`, "b:1: 😀", false},
		{`\u{1f600}`, "b:1: 😀", false},
		{`\\u4e2d`, `c:1: \u4e2d`, false},
		{`\Q\u4e2d\E`, `c:1: \u4e2d`, false},
		{`\u4e2d`, `c:1: \u4e2d`, true},
		{`\u00e9\d`, "d:1: é1", false},
	} {
		text := call(t, s, "grep", map[string]any{"pattern": test.pattern, "literal": test.literal}).Text
		require.Equal(t, test.want, text, "%s", test.pattern)
	}
}

// Where a pattern finds nothing that would be found as plain text, or every line, the text says what was meant.
func TestPatternMeant(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{
		"a.go": "var m map[string]int\nf(args[0])\nfunc (s *Suite) F()\nfor n++ {\nif a || b {\nx\\d\n", "bin": "a\x00b",
	})
	const plain = "Set literal=true, which finds it as plain text"
	for pattern, want := range map[string]string{
		"map[string]int":  notice.NoMatches + ". " + plain,
		"args[0]":         notice.NoMatches + ". " + plain,
		"func (s *Suite)": notice.NoMatches + ". " + plain,
		"*Suite":          "invalid_input: pattern *Suite is not valid: missing argument to repetition operator in *. " + plain,
		"n++ {":           "invalid_input: pattern n++ { is not valid: invalid nested repetition operator in ++. " + plain,
		`x\\\d`:           notice.NoMatches + "\n\n[",
		"map[string]X":    notice.NoMatches + "\n\n[",
		"*.go":            "invalid_input: pattern *.go is not valid: missing argument to repetition operator in *. It looks like a glob",
		"func [(]t *T":    notice.NoMatches + "\n\n[",
	} {
		require.Eventually(t, func() bool { // the second search has a second, which a busy machine may take
			return strings.Contains(call(t, s, "grep", map[string]any{"pattern": pattern}).Text, want)
		}, time.Minute, time.Millisecond, "%s: no %s", pattern, want)
	}
	require.NotContains(t, call(t, s, "grep", map[string]any{"pattern": "args[0]", "glob": "*.py"}).Text, plain)

	const every = "[The pattern has an empty alternative, which matches every line: try "
	for pattern, meant := range map[string]string{"Suite || args": "Suite|args", "a|": "a", "|a|b": "a|b", "a||b|||c": "a|b|c"} {
		require.Contains(t, call(t, s, "grep", map[string]any{"pattern": pattern}).Text, every+meant, pattern)
	}
	for _, pattern := range []string{"a|b", `if a \|\| b`, "a [|][|] b", "(a|)b", "x*|"} {
		require.NotContains(t, call(t, s, "grep", map[string]any{"pattern": pattern}).Text, "every line", pattern)
	}
	require.NotContains(t, call(t, s, "grep", map[string]any{"pattern": "a || b", "literal": true}).Text, "every line")
}

// A name without wildcards is a whole name: find says what finds it as a part of one.
func TestFindPartOfName(t *testing.T) {
	t.Parallel()
	otherCase := "No files found matching pattern. Case matters: there is go.mod"
	if runtime.GOOS == "windows" {
		otherCase = "go.mod"
	}
	s := newSuite(t, config.Config{}, map[string]string{"tools/shelve.go": "", "tools/shelve_test.go": "", "go.mod": ""})
	for pattern, want := range map[string]string{
		"shelve":       "No files found matching pattern. The pattern is a whole name: try *shelve*",
		"tools/shelve": "No files found matching pattern. The pattern is a whole name: try tools/*shelve*",
		"nothing":      "No files found matching pattern",
		"*nothing":     "No files found matching pattern",
		"GO.MOD":       otherCase,
	} {
		require.Equal(t, want, call(t, s, "find", map[string]any{"pattern": pattern}).Text, pattern)
	}
	require.Contains(t, call(t, s, "find", map[string]any{"pattern": "*shelve*"}).Text, "tools/shelve.go")
}
