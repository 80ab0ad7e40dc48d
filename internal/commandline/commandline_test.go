package commandline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/testkit"
)

// TestLimits parses texts that are at the limits, or beyond them.
func TestLimits(t *testing.T) {
	const most = commandline.MaxBytes
	nest := func(open, inner, end string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	for name, test := range map[string]struct{ text, unknown string }{
		"long":             {strings.Repeat("a", most), ""},
		"too long":         {strings.Repeat("a", most+1), "it has 65537 bytes, over the limit of 64 KiB"},
		"commands":         {strings.Repeat("a;", commandline.MaxCommands), ""},
		"too many":         {strings.Repeat("a;", commandline.MaxCommands+1), "it has over 1000 commands"},
		"pipe":             {"a" + strings.Repeat("|a", 20_000), "it has over 1000 commands"},
		"substitutions":    {"a " + nest("$(a ", "", ")", 50), ""},
		"deep":             {"a " + nest("$(a ", "", ")", 12_000), "it is nested too deeply"},
		"open":             {strings.Repeat("$(", most/2), "it is nested too deeply"},
		"subshells":        {strings.Repeat("(", most), "it is nested too deeply"},
		"arithmetic":       {strings.Repeat("$((a[", most/5), "it is nested too deeply"},
		"expansions":       {strings.Repeat("${x:", most/4), "it is nested too deeply"},
		"blocks":           {strings.Repeat("{ ", most/2), "it is nested too deeply"},
		"sum":              {"echo $((1" + strings.Repeat("+1", 30_000) + "))", ""},
		"NUL":              {"git\x00 status", `it has the control character '\x00'`},
		"escape":           {"git \x1b status", `it has the control character '\x1b'`},
		"carriage return":  {"git status\r\n", `it has the control character '\r'`},
		"not UTF-8":        {"git \xff", "it is not UTF-8"},
		"quote":            {"git 'status", "it is not understood: reached EOF without closing quote `'`"},
		"no command":       {"; ;", "it is not understood: `;` can only immediately follow a statement"},
		"texts in texts":   {nested("a", 20), ""},
		"comment":          {"# a", ""},
		"empty":            {"", ""},
		"a backquote":      {"a `b \\`c\\`` " + strings.Repeat("x", 1000), "it has a backslash in backquotes"},
		"alias":            {"alias a=b", "alias changes what names mean"},
		"declare":          {"declare -n a=b", "declare -n changes what assignments do"},
		"funsubst":         {"a ${ b; }", "${ means another thing in other versions of bash"},
		"coproc":           {"coproc rm x | cat", "what coproc runs is not known"},
		"descriptor":       {"a >&-b", "what -b behind a redirection means is not known"},
		"here-document":    {"a << \"E\\x\"\nE\\x\n", "where the here-document \"E\\x\" ends is not known"},
		"a comment's end":  {"a #\\\nb", `it has a line with # that ends in \`},
		"a divided token":  {"a \"$\\\n(b)\"", `it has a line that ends in \ without a space in front of it`},
		"every brace":      {"a {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", ""},
		"too many of them": {"a {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Within(t, time.Minute, func() {
				line := commandline.Parse(test.text)
				require.Equal(t, test.unknown, line.Unknown)
				require.LessOrEqual(t, len(line.Commands), commandline.MaxCommands)
			})
		})
	}
	require.Contains(t, commandline.Parse(nested("a", 20)).Commands[0].Unknown, "nested too deeply")
	require.Contains(t, commandline.Parse(strings.Repeat("nice ", 17) + "a").Commands[0].Unknown, "nested too deeply")
	require.Empty(t, commandline.Parse(strings.Repeat("nice ", 16) + "a").Commands[0].Unknown)
	require.Len(t, commandline.Parse("a {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}").Commands[0].Words, 65)
	require.True(t, commandline.Parse("a {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}").Commands[0].Words[1].Many)
}

// nested is a command in n evals.
func nested(command string, n int) string { return strings.Repeat("eval ", n) + command }

// TestWords compares what words become.
func TestWords(t *testing.T) {
	known := func(text string) commandline.Word { return commandline.Word{Text: text, Known: true} }
	for text, want := range map[string]commandline.Word{
		`a`:               known("a"),
		`a"b"'c'\d`:       known("abcd"),
		`"a\"\$\n\\"`:     known(`a"$\n\`),
		`'a\'`:            known(`a\`),
		`""`:              known(""),
		`$'a\tb\x41\101'`: known("a\tbAA"),
		`$'\u0041\'\\'`:   known(`A'\`),
		`$"a"`:            known("a"),
		`~/x`:             known("~/x"),
		`~`:               known("~"),
		`{}`:              known("{}"),
		`HEAD@{1}..x`:     known("HEAD@{1}..x"),
		`a{b`:             known("a{b"),
		`[`:               known("["),
		`\*`:              known("*"),
		`a=~/b`:           known("a=~/b"),
		`a\`:              known(`a\`),
		`~u/x`:            {Text: "~u/x"},
		`$'\cA'`:          {Text: `$'\cA'`},
		`a$'\0'`:          {Text: `a$'\0'`, Prefix: "a"},
		`$'\xe9'`:         {Text: `$'\xe9'`},
		`$x`:              {Text: "$x", Many: true},
		`a$x`:             {Text: "a$x", Many: true},
		`"a$x"`:           {Text: `"a$x"`, Prefix: "a"},
		`"$@"`:            {Text: `"$@"`, Many: true},
		`"${x[@]}"`:       {Text: `"${x[@]}"`, Many: true},
		`$(b)`:            {Text: "$(b)", Many: true},
		`"a $(b)"`:        {Text: `"a $(b)"`, Prefix: "a "},
		`<(b)`:            {Text: "<(b)", Prefix: "/dev/fd/"},
		`<()`:             {Text: "<()", Many: true},
		`*.go`:            {Text: "*.go", Glob: true, Many: true},
		`src/*.go`:        {Text: "src/*.go", Glob: true, Many: true, Prefix: "src/"},
		`a'*'b?`:          {Text: `a\*b?`, Glob: true, Many: true, Prefix: "a*b"},
		`a[bc]`:           {Text: "a[bc]", Glob: true, Many: true, Prefix: "a"},
		`*"$x"`:           {Text: `*"$x"`, Many: true},
		`@(a|b)`:          {Text: "@(a|b)", Many: true},
		`{a..c}`:          {Text: "{a..c}", Many: true},
		`{a,$x}`:          {Text: "{a,$x}", Many: true},
		`~{a,b}`:          {Text: "~{a,b}", Many: true},
		`v/{a..c}`:        {Text: "v/{a..c}", Many: true, Prefix: "v/"},
	} {
		line := commandline.Parse("echo " + text)
		require.Empty(t, line.Unknown, text)
		c := line.Commands[len(line.Commands)-1]
		require.Equal(t, []commandline.Word{known("echo"), want}, c.Words, text)
	}
}

// TestThrough names the wrappers around a command.
func TestThrough(t *testing.T) {
	line := commandline.Parse("env A=b nice sh -c 'git log; eval \"time x\"'")
	var got []string
	for _, c := range line.Commands {
		var names []string
		for _, words := range c.Through {
			names = append(names, words[0].Text)
		}
		got = append(got, fmt.Sprint(names, " ", c.Words[0].Text, " ", c.Assigned[0].Text))
	}
	require.Equal(t, []string{"[env nice sh] git A=b", "[env nice sh eval] x A=b"}, got)
}

// TestPOSIX finds syntax that means another thing in a POSIX shell.
func TestPOSIX(t *testing.T) {
	for _, text := range []string{"[[ a || rm ]]", "((rm -x))", `echo $'\'; rm x #'`, "a |& b", "a=(b)", "let x=1",
		"function f { a; }", "select x in a; do b; done", "echo <(a)", "declare x=1", "a <<< b",
		"for ((;;)); do a; done", `echo $"a"`, "echo ${x:0:1}"} {
		require.Contains(t, commandline.ParsePOSIX(text).Unknown, "means another thing in a POSIX shell", text)
	}
	require.Empty(t, commandline.ParsePOSIX("for x in a b; do echo $x; done; [ -f x ] && export y=1 || (a | b)").Unknown)
}

// FuzzParse parses any text: within the limits, and with each command of a simple list that stands behind it.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"git status; rm x", "a $(b `c`) <(d) ${x:-$(e)}", "cat <<E\n$(x)\nE\n",
		"a{b,c} 'd' \"e\" $'f\\x41'",
		"if a; then b; fi", "sh -c 'a; b'", "x=1 env A=b c", "[[ a -eq b ]] && ((x))", "\xff\x00", "f() { a; }; f"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := commandline.Parse(text)
		require.LessOrEqual(t, len(line.Commands), commandline.MaxCommands)
		for _, c := range line.Commands {
			require.NotContains(t, c.Text, "\n")
			for _, w := range c.Words {
				require.False(t, w.Known && (w.Many || w.Glob || w.Prefix != ""), w)
			}
		}
		if line.Unknown != "" || len(line.Commands) > commandline.MaxCommands-2 {
			return
		}
		more := commandline.Parse("first 'a b'\n" + text)
		require.Equal(t, "a b", more.Commands[0].Words[1].Text)
		if more.Unknown == "" && len(text) < commandline.MaxBytes/2 {
			require.Len(t, more.Commands, len(line.Commands)+1)
		}
	})
}

// Braces are expanded before patterns: each word that they become is one of its own.
func TestPatternsInBraces(t *testing.T) {
	for text, want := range map[string][]commandline.Word{
		"{v,w}*":   {{Text: "v*", Glob: true, Many: true, Prefix: "v"}, {Text: "w*", Glob: true, Many: true, Prefix: "w"}},
		"{v/*,w}":  {{Text: "v/*", Glob: true, Many: true, Prefix: "v/"}, {Text: "w", Known: true}},
		"[{a,b}]":  {{Text: "[a]", Glob: true, Many: true}, {Text: "[b]", Glob: true, Many: true}},
		"a{b}{,?}": {{Text: "a{b}", Known: true}, {Text: `a\{b\}?`, Glob: true, Many: true, Prefix: "a{b}"}},
	} {
		require.Equal(t, want, commandline.Parse("x " + text).Commands[0].Words[1:], text)
	}
	require.Equal(t, "a", commandline.ParsePOSIX("x a{b,*}").Commands[0].Words[1].Prefix)
}
