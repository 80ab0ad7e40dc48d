// On Windows case does not matter in a glob, and a backslash divides names.

//go:build !windows

package files_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// TestPatternsOfOtherKinds: what RE2 lacks is named, and what to do instead works.
func TestPatternsOfOtherKinds(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, map[string]string{"a b.txt": "foobar\nfoo baz\nit's it's\n\tindent\naab\n"})
	probe := call(t, s, "bash", map[string]any{"command": "printf foo | grep -P 'f(?=o)'"})
	for pattern, want := range map[string]struct{ lacks, instead, finds string }{
		`foo(?!bar)`:        {"negative lookahead", "", "foo baz"},
		`foo(?=bar)`:        {"lookahead", "foo(?:bar)", "foobar"},
		`(?<=foo )baz`:      {"lookbehind", "(?:foo )baz", "foo baz"},
		`(?<!foo)bar|z`:     {"negative lookbehind", "", "foo baz"},
		`(it's) \1`:         {"backreferences", "", "it's it's"},
		`(?<w>o)\k<w>(?!b)`: {"backreferences and no negative lookahead", "", "foo baz"},
		`fo++b`:             {"possessive quantifiers", "fo+b", "foobar"},
		`(?>fo+)b`:          {"atomic groups", "(?:fo+)b", "foobar"},
		`foo\Kbar`:          {`\K`, "foobar", "foobar"},
		`^\hindent\Z`:       {`\h and no \Z`, `^[ \t]indent\z`, "\tindent"},
		`foo(?#the first)b`: {"comments", "foob", "foobar"},
		`(?=.*foo).*baz`:    {"lookahead", "", "foo baz"},
		`[(?=]\x(?!o)\Qa`:   {"negative lookahead", "", ""},
	} {
		res := call(t, s, "grep", map[string]any{"pattern": pattern, "path": "a b.txt"})
		require.Equal(t, tools.CodeInvalidInput, res.Code, pattern)
		require.Contains(t, res.Text, "is not valid: RE2 has no "+want.lacks+". ", pattern)
		_, advice, _ := strings.Cut(res.Text, "RE2 has no "+want.lacks+". ")
		if want.instead != "" {
			require.Equal(t, "Try "+want.instead, advice, pattern)
			require.Equal(t, "a b.txt:"+lineNumber(want.finds)+": "+want.finds, call(t, s, "grep", map[string]any{"pattern": want.instead}).Text, pattern)
			continue
		}
		command, ok := strings.CutPrefix(advice, "Use bash: ")
		require.True(t, ok, advice)
		if !probe.IsError && probe.Text == "foo" && want.finds != "" {
			require.Contains(t, call(t, s, "bash", map[string]any{"command": command}).Text, want.finds, command)
		}
	}
	res := call(t, s, "grep", map[string]any{"pattern": "IT'S(?!x)", "ignore_case": true})
	require.Contains(t, res.Text, `Use bash: grep -rnIP --exclude-dir=.git -i -e 'IT'\''S(?!x)' .`)
	res = call(t, s, "grep", map[string]any{"pattern": strings.Repeat("a'b", 60) + "(?!x)"})
	require.True(t, strings.HasSuffix(res.Text, "Use bash with grep -P"), res.Text)

	only := newSuite(t, config.Config{ReadOnly: true}, nil)
	res = call(t, only, "grep", map[string]any{"pattern": "foo(?!bar)"})
	require.NotContains(t, res.Text, "bash")
	require.Contains(t, res.Text, "Search for the part that RE2 can express")
}

// lineNumber is where TestPatternsOfOtherKinds has a line.
func lineNumber(line string) string {
	return map[string]string{"foobar": "1", "foo baz": "2", "\tindent": "4"}[line]
}

// What looks like something else is said to.
func TestPatternsThatAreMistaken(t *testing.T) {
	t.Parallel()
	files := map[string]string{"main.go": "package main // TODO\n", "README.md": "read\n", "sub/a_test.go": "package sub\n", "sub/deep/b.go": "package deep\n"}
	for _, tt := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"grep", map[string]any{"pattern": "*.go"}, `missing argument to repetition operator in *. It looks like a glob: give it as glob, and the text to search for as pattern; find lists the files themselves`},
		{"grep", map[string]any{"pattern": "a("}, `Set literal=true to search for it as plain text`},
		{"grep", map[string]any{"pattern": "main*.go"}, notice.NoMatches + `. The pattern is a regular expression; a glob goes into glob`},
		{"grep", map[string]any{"pattern": `func (s *Suite)`}, notice.NoMatches + `. ( and ) only group here: write \( and \) for the characters themselves`},
		{"grep", map[string]any{"pattern": `qq(q)*x(y|z)`}, notice.NoMatches},
		{"grep", map[string]any{"pattern": `qqq(?:s)`}, notice.NoMatches},
		{"grep", map[string]any{"pattern": `qqq(s)`, "literal": true}, notice.NoMatches},
		{"grep", map[string]any{"pattern": `qqq(s)?`}, notice.NoMatches},
		{"grep", map[string]any{"pattern": `TODO\|FIXME`}, notice.NoMatches + `. \| stands for the character itself: write | for one or the other`},
		{"grep", map[string]any{"pattern": `\<main\>`}, notice.NoMatches + `. \< and \> stand for the characters themselves: write \b for the end of a word`},
		{"grep", map[string]any{"pattern": `\<main\>`, "literal": true}, notice.NoMatches},
		{"grep", map[string]any{"pattern": "package", "glob": `\.(go|md)$`}, notice.NoMatches + `. No file matches the glob \.(go|md)$. It is a glob, not a regular expression: try *.{go,md}`},
		{"find", map[string]any{"pattern": `.*_test\.go$`}, `No files found matching pattern. It is a glob, not a regular expression: try *_test.go`},
		{"find", map[string]any{"pattern": `a\w{3}\d`}, `No files found matching pattern. It is a glob, not a regular expression: * stands for any characters, ? for one, {a,b} for a or b`},
		{"find", map[string]any{"pattern": "readme*"}, `No files found matching pattern. Case matters: there is README.md`},
		{"find", map[string]any{"pattern": "A_*.GO"}, `No files found matching pattern. Case matters: there is sub/a_test.go`},
		{"find", map[string]any{"pattern": "Deep/*", "path": "sub"}, `No files found matching pattern. Case matters: there is sub/deep/b.go`},
		{"find", map[string]any{"pattern": "sub/*.go", "path": "sub"}, `No files found matching pattern. It is relative to path: try it without path`},
		{"find", map[string]any{"pattern": "/etc/*.conf"}, `No files found matching pattern. An absolute pattern must be below path: set path to search elsewhere`},
		{"find", map[string]any{"pattern": "../*.go", "path": "sub/deep"}, `invalid_input: pattern ../*.go: it goes up by .., and matches only what is below the directory that is searched. Use path=sub pattern=*.go`},
		{"grep", map[string]any{"pattern": "x", "glob": "../../*.go", "path": "sub/deep"}, `Use path=. glob=*.go`},
		{"grep", map[string]any{"pattern": "x", "glob": "../../../*.go", "path": "sub/deep"}, `Directories above the workspace are not searched`},
		{"grep", map[string]any{"pattern": "x", "glob": "*.go,../*.go", "path": "sub/deep"}, `glob ../*.go: it goes up by .., and matches only what is below the directory that is searched. Globs look like *.go or src/**/*.ts`},
		{"grep", map[string]any{"pattern": "package", "glob": "sub/*.go", "path": "sub"},
			"sub/a_test.go:1: package sub\n\n[The glob was taken relative to the workspace: no file matches it relative to path]"},
		{"grep", map[string]any{"pattern": "nothing", "glob": "sub/**/*.go", "path": "sub/deep"},
			notice.NoMatches + "\n\n[The glob was taken relative to the workspace: no file matches it relative to path]"},
		{"grep", map[string]any{"pattern": "x", "glob": "sup/*.go", "path": "sub"}, notice.NoMatches + ". No file matches the glob sup/*.go"},
	} {
		s := newSuite(t, config.Config{}, files)
		res := call(t, s, tt.tool, tt.args)
		require.True(t, strings.HasSuffix(res.Text, tt.want), "%v: %s", tt.args, res.Text)
		s.Close()
	}
	s := newSuite(t, config.Config{}, files)
	res := call(t, s, "grep", map[string]any{"pattern": "main", "glob": s.Workspace() + "/*.go"})
	require.Regexp(t, regexp.MustCompile(`^main.go:1: `), res.Text)
}
