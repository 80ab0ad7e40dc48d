package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/spillway-go/spillway/internal/need"
)

// The commands as somebody types them: testdata/script.
func TestScripts(t *testing.T) {
	t.Parallel()
	needBash(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+env.Getenv("PATH"))
			return nil
		},
	})
}

func TestVersion(t *testing.T) {
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "fbb4f04abc1234567890"}, {Key: "vcs.modified", Value: "true"}}
	tests := []struct {
		name, release string
		info          *debug.BuildInfo
		want          string
	}{
		{"go install", "", &debug.BuildInfo{Main: debug.Module{Version: "v0.2.0"}}, "v0.2.0"},
		{"checkout", "", &debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-20261122135654-fbb4f04abc12+dirty"}, Settings: commit}, "v0.0.0-20261122135654-fbb4f04abc12+dirty"},
		{"release", "v0.2.0", &debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-20261122135654-fbb4f04abc12"}, Settings: commit[:1]}, "v0.2.0, commit fbb4f04abc12"},
		{"changed release", "v0.2.0", &debug.BuildInfo{Settings: commit}, "v0.2.0, commit fbb4f04abc12 with changes"},
		{"release of no repository", "v0.2.0", &debug.BuildInfo{}, "v0.2.0"},
		{"nothing known", "", nil, "(devel)"},
	}
	for _, test := range tests {
		if got := versionOf(test.release, test.info) + commitOf(test.release, test.info); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestVersionInJSON(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "fbb4f04abc1234567890"}, {Key: "vcs.modified", Value: "true"}}}
	got := jsonVersion("v0.2.0", info)
	if got.Format != 1 || got.Version != "v0.2.0" || got.Commit != "fbb4f04abc1234567890" || !got.Changed {
		t.Errorf("%+v", got)
	}
	info.Settings[1].Value = "false"
	if jsonVersion("", info).Changed || jsonVersion("", nil).Commit != "" {
		t.Error("what is not known is said")
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, []byte("two\nlines\n"))
	empty, list := filepath.Join(t.TempDir(), "empty"), filepath.Join(t.TempDir(), "list")
	write(t, empty, nil)
	write(t, list, []byte("[1]"))
	tests := []struct {
		args []string
		want string // JSON, or what an error says
	}{
		{nil, `{}`},
		{[]string{`{"path": "a"}`}, `{"path": "a"}`},
		{[]string{"path=a", "limit=5", "glob=a=b", "text="}, `{"glob":"a=b","limit":"5","path":"a","text":""}`},
		{[]string{"paths=a", "paths=b", "paths=c"}, `{"paths":["a","b","c"]}`},
		{[]string{`edits=[{"old_string": "a"}]`}, `{"edits":"[{\"old_string\": \"a\"}]"}`},
		{[]string{"content=@" + file}, `{"content":"two\nlines\n"}`},
		{[]string{"content=@-"}, `{"content":"from stdin"}`},
		{[]string{"@-"}, "the arguments of grep must be one JSON object, but at byte 2: invalid character"},
		{[]string{"@" + empty}, ""},
		{[]string{"@" + list}, `the arguments of grep must be one JSON object, such as {"path": "go.mod"}`},
		{[]string{`{"path": "a"`}, "the arguments of grep must be one JSON object, but at byte 12: unexpected end of JSON input. A text that is no JSON is written pattern=TEXT"},
		{[]string{"content=@@home"}, `{"content":"@home"}`},
		{[]string{"content=@-", "path=@-"}, "stdin is there for one value only"},
		{[]string{"content=@missing"}, "missing"},
		{[]string{"@-", "path=a"}, `{"path":"a","pattern":"from stdin"}`},
		{[]string{"TODO"}, `{"pattern":"TODO"}`},
		{[]string{"path=a", "-x"}, `{"path":"a","pattern":"-x"}`},
		{[]string{"@@home"}, `{"pattern":"@home"}`},
		{[]string{"=a"}, `{"pattern":"=a"}`},
		{[]string{"a b=c"}, `{"pattern":"a b=c"}`},
		{[]string{"a", "b"}, `{"path":"b","pattern":"a"}`},
		{[]string{"a", "limit=5", "b"}, `{"limit":"5","path":"b","pattern":"a"}`},
		{[]string{"a", "b", "c"}, `"c" is one too many without a key: grep takes only pattern, path so. Put quotes`},
		{[]string{"a", "b", "path=c"}, `path is given twice, the second time as "path=c". Leave out one`},
		{[]string{"path=c", "a", "b"}, `path is given twice, the second time as "b". Leave out one`},
		{[]string{"a", "pattern=b"}, `pattern is given twice, the second time as "pattern=b". Leave out one`},
		{[]string{"pattern=b", "a"}, `pattern is given twice, the second time as "a". Leave out one`},
		{[]string{"pattern=a", "pattern=b"}, `{"pattern":["a","b"]}`},
		{[]string{"path=a\xff"}, "not valid UTF-8"},
	}
	for _, test := range tests {
		got, err := arguments("grep", []string{"pattern", "path"}, test.args, strings.NewReader("from stdin"))
		text := string(got)
		if err != nil {
			text = err.Error()
		}
		if err == nil && text != test.want || !strings.Contains(text, test.want) {
			t.Errorf("%q: %s, want %s", test.args, text, test.want)
		}
	}
}

// What is read for a value is bounded, however much there is.
func TestEndlessValue(t *testing.T) {
	t.Parallel()
	args, err := arguments("write", []string{"path"}, []string{"content=@-"}, endless{})
	if err != nil || len(args) > maxArguments+100 {
		t.Errorf("%d bytes, %v", len(args), err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestComplete(t *testing.T) {
	need.Part(t, "tools/patch")
	need.Part(t, "tools/checkpoint")
	tests := []struct{ line, want string }{
		{"spillway ", "demo |call |script |tools |mcp |rewind |config |sweep |report |replay |completion |version |help "},
		{"spillway d", "demo "},
		{"spillway demo ", ""},
		{"spillway sweep -", "-config |-dry-run |-set |-workspace "},
		{"spillway c", "call |config |completion "},
		{"spillway call gr", "grep "},
		{"spillway call -js", "-json "},
		{"spillway call -json re", "read "},
		{"spillway call -workspace gr", ""},
		{"spillway call grep -workspace gr", ""},
		{"spillway call grep -workspace /tmp pat", "pattern=|path="},
		{"spillway call grep x -js", "-json "},
		{"spillway call grep -- -js", ""},
		{"spillway config Gre", "Grep |Grep.MaxLines |Grep.MaxBytes |Grep.MaxLineChars |Grep.Limit |Grep.Grouped "},
		{"spillway config -json Ls.L", "Ls.Limit "},
		{"spillway sweep -dr", "-dry-run "},
		{"spillway call -workspace /tmp gr", "grep "},
		{"spillway call -set Grep.L", "Grep.Limit="},
		{"spillway mcp -sandbox ", "off |auto |landlock |bwrap "},
		{"spillway mcp -sandbox=a", "-sandbox=auto "},
		{"spillway mcp -print-config v", "vscode "},
		{"spillway mcp -ch", "-checkpoint "},
		{"spillway call -checkpoint gr", "grep "},
		{"spillway rewind -", "-config |-others |-set |-workspace |-yes "},
		{"spillway rewind -set Checkpoint.I", "Checkpoint.Ignored="},
		{"spillway rewind ", ""},
		{"spillway mcp --re", "--read-only |--record |--redact "},
		{"spillway call --set=Grep.L", "--set=Grep.Limit="},
		{"spillway call -set Bash.Strategy=mid", "Bash.Strategy=middle |Bash.Strategy=middle_lines "},
		{"spillway call -set Bash.Strategy=head_t", "Bash.Strategy=head_tail_lines "},
		{"spillway call -set ReadOnly=", "ReadOnly=true |ReadOnly=false "},
		{"spillway call -set Grep.Limit=", ""},
		{"spillway call grep output_mode=", "output_mode=content |output_mode=files_with_matches |output_mode=count "},
		{"spillway call grep pattern=x output_mode=co", "output_mode=content |output_mode=count "},
		{"spillway call grep ignore_case=t", "ignore_case=true "},
		{"spillway call grep limit=", ""},
		{"spillway call grep pat", "pattern=|path="},
		{"spillway call grep pattern=x p", "path="},
		{"spillway call grep path=exa", ""},
		{"spillway replay -sweep Bash.NoS", "Bash.NoStandout="},
		{"spillway replay -sweep Bash.Strategy=tail_", "Bash.Strategy=tail_chars "},
		{"spillway replay -set MaxLines=1 ", ""},
		{"spillway replay -set Bash.", "Bash.MaxLines=|Bash.MaxBytes=|Bash.Strategy=|Bash.Policy=|Bash.NoStandout="},
		{"spillway replay -set=Rules.", ""},
		{"spillway call ap", ""},
		{"spillway call -set Tools=apply_patch,ls ", "ls |apply_patch "},
		{"spillway call -set=Tools=ls ", "ls "},
		{"spillway call -read-only ba", ""},
		{"spillway tools -read-only=false ba", "bash "},
		{"spillway call -read-only wr", ""},
		{"spillway call -set Nothing=1 ", ""},
		{"spillway tools read gr", "grep "},
		{"spillway help co", "config |completion "},
		{"spillway completion ", "bash |zsh |fish "},
		{"spillway nothing ", ""},
		{"", "demo |call |script |tools |mcp |rewind |config |sweep |report |replay |completion |version |help "},
	}
	t.Chdir(t.TempDir())
	for _, test := range tests {
		if got := complete(test.line); strings.Join(got, "|") != test.want {
			t.Errorf("%q: %q, want %q", test.line, got, test.want)
		}
	}
}

// Flags stand anywhere, and "--" ends them.
func TestParse(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/patch")
	tests := []struct {
		args []string
		want string // the operands and the flags, or what an error says
	}{
		{nil, "[] false []"},
		{[]string{"a", "-json", "b"}, "[a b] true []"},
		{[]string{"--json=false", "a"}, "[a] false []"},
		{[]string{"a", "-set", "x=1", "b", "--set=y=2"}, "[a b] false [x=1 y=2]"},
		{[]string{"-set", "--", "a"}, "[a] false [--]"},
		{[]string{"a", "--", "-json", "--"}, "[a -json --] false []"},
		{[]string{"-", "-json"}, "[-] true []"},
		{[]string{"a", "-set"}, "a value is missing behind -set"},
		{[]string{"-jsn"}, "there is no flag -jsn; did you mean -json? An argument of a tool is written jsn=VALUE"},
		{[]string{"bash", "ls", "-la"}, "there is no flag -la. Put quotes around a whole command: spillway call bash 'ls -la'"},
		{[]string{"bash", "echo 'x'", "-q"}, "there is no flag -q, and no argument of bash like it"},
		{[]string{"grep", "-glob=*.go"}, "there is no flag -glob=*.go. An argument of a tool is written glob=*.go"},
		{[]string{"grep", "-5"}, "What begins with - goes behind --"},
		{[]string{"-json=perhaps"}, `invalid boolean value "perhaps" for -json`},
		{[]string{"a", "-h"}, "help requested"},
	}
	for _, test := range tests {
		flags := flag.NewFlagSet("call", flag.ContinueOnError)
		flags.SetOutput(io.Discard)
		asJSON := flags.Bool("json", false, "")
		var set []string
		flags.Func("set", "", func(text string) error { set = append(set, text); return nil })
		operands, err := parse(flags, test.args)
		got := fmt.Sprint(operands, *asJSON, set)
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != test.want || !strings.Contains(got, test.want) {
			t.Errorf("%q: %s, want %s", test.args, got, test.want)
		}
	}
}

// A line is divided as a shell would.
func TestSplit(t *testing.T) {
	t.Parallel()
	tests := []struct{ line, want string }{
		{"", "[]"},
		{" a  b\tc ", `["a" "b" "c"]`},
		{`'a b' "c d" e\ f`, `["a b" "c d" "e f"]`},
		{`k='a "b"'c "" ''`, `["k=a \"b\"c" "" ""]`},
		{`"a\"b\\c\$d\n" 'a\b'`, `["a\"b\\c$d\\n" "a\\b"]`},
		{`$HOME *.go`, `["$HOME" "*.go"]`},
		{`a 'b`, "the quote ' is not closed"},
		{`a "b\"`, `the quote " is not closed`},
		{`a \`, "nothing behind the last backslash"},
		{"a \xff", "not valid UTF-8"},
	}
	for _, test := range tests {
		words, err := split(test.line)
		got := fmt.Sprintf("%q", words)
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != test.want || !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", test.line, got, test.want)
		}
	}
}
