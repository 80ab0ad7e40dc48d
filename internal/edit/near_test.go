package edit

import (
	"context"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/stretchr/testify/require"
)

const program = "package main\n\nfunc main() {\n\tfor i := range 10 {\n\t\tprintln(i, \"times\")  \n\t}\n\treturn\n}\n"

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           Hint
	}{
		{"numbers of read", "     4\t\tfor i := range 10 {\n     5\t\t\tprintln(i, \"times\")", "x", Hint{Foreign: foreign[0].what, First: 4, Last: 5}},
		{"numbers of grep", "main.go:4: \tfor i := range 10 {", "x", Hint{Foreign: foreign[0].what, First: 4, Last: 4}},
		{"numbers of a miss", "   7  return", "x", Hint{Foreign: foreign[0].what, First: 7, Last: 7}},
		{"marks", "> func main() {\n> \tfor i := range 10 {", "x", Hint{Foreign: foreign[1].what, First: 3, Last: 4}},
		{"a diff", "-\treturn", "x", Hint{Foreign: foreign[2].what, First: 7, Last: 7}},
		{"visible tabs", "→→println(i, \"times\")··\n→}", "x", Hint{Foreign: foreign[3].what, First: 5, Last: 6}},
		{"escapes", `main() {\n\tfor i`, "x", Hint{Foreign: foreign[4].what, First: 3, Last: 4}},
		{"entities", "println(i, &quot;times&quot;)", "x", Hint{Foreign: foreign[5].what, First: 5, Last: 5}},
		{"marks of blank lines are gone", "> package main\n\n> func main() {", "x", Hint{Foreign: foreign[1].what, First: 1, Last: 3}},
		{"marks, and nowhere", "> import x", "x", Hint{}},
		{"New is nowhere, too", "zzz", "something else", Hint{}},
		{"New is just long enough", "zzz", "main() {", Hint{There: 3, First: 3, Last: 3}},
		{"a part of the first line", "main() {\n\tfor j := range 10 {\n\t\tprintln(", "x", Hint{First: 3, Last: 5, Differs: 4}},
		{"the longest line is another", "package main\n\nimport \"something/quite/different\"", "x", Hint{First: 1, Last: 3, Differs: 3}},
		{"it is done", "for i := range 20 {", "for i := range 10 {", Hint{There: 4, First: 4, Last: 4}},
		{"a short New says nothing", "zzz", "package", Hint{}},
		{"one line of several", "func main() {\n\tfor j := range 10 {\n\t\tprintln(i, \"times\")", "x", Hint{First: 3, Last: 5, Differs: 4}},
		{"a line", "retrun\n\t}\n\treturn 1", "x", Hint{First: 5, Last: 7, Differs: 5}},
		{"words of a line", "for j := range 10 {", "x", Hint{First: 4, Last: 4, Differs: 4}},
		{"in front of the first line", "one\ntwo\npackage main", "x", Hint{First: 1, Last: 1}},
		{"nothing like it", "import something", "x", Hint{}},
		{"braces alone are like nothing", "}", "x", Hint{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := New([]byte(program), textfile.Info{}).Explain(context.Background(), Edit{Old: c.old, New: c.new})
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

// TestNearest finds a line by another that is written wrongly, in a short file as in a long one.
func TestNearest(t *testing.T) {
	for _, c := range []struct{ name, content, old, want string }{
		{"transposed letters", "package a\n\nfunc Alpha() {\n}\n", "func Alhpa() {", "func Alpha() {"},
		{"transposed letters of the only word", "a\nfunc\n", "fucn", "func"},
		{"a letter too many", "x = 1\ntotal = 1\n", "tottal = 1", "total = 1"},
		{"a letter too few", "x = 1\ntotal = 1\n", "totl = 1", "total = 1"},
		{"another letter", "x = 1\ntotal = 1\n", "tptal = 1", "total = 1"},
		{"capitals", "readFile()\nopen()\n", "Readfile(x)", "readFile()"},
		{"one word in two", "readFile()\nopen()\n", "read_file()", "readFile()"},
		{"the better of two", "func Alpine() {\nfunc Alpha() {\n", "func Alhpa() {", "func Alpha() {"},
		{"spaces only", "a  =  b + c\nd\n", "a=b+c", "a  =  b + c"},
		{"Chinese", "启动服务器\n数据库连接失败，请重试\n", "数据库链接失败，请重试", "数据库连接失败，请重试"},
		{"transposed Chinese", "启动服务器\n数据库连接失败\n", "数据库接连失败", "数据库连接失败"},
		{"little Chinese", "好\n你好吗\n", "你好嘛", "你好吗"},
		{"Japanese", "こんにちは\nファイルを読み込みました\n", "ファイルを読込みました", "ファイルを読み込みました"},
		{"Korean", "안녕하세요\n파일을 열 수 없습니다\n", "파일을 열수 없읍니다", "파일을 열 수 없습니다"},
		{"Russian", "привет\nсоединение потеряно\n", "соеденение потеряно", "соединение потеряно"},
		{"no line is like it", "package a\n\nfunc Alpha() {\n}\n", "import something", ""},
		{"other words", "the quick brown fox jumps over it\n", "pack my box with five dozen jugs", ""},
		{"a pair over and over", "nanananananananana\n", "na", ""},
		{"no word", "}\n{\n", "}\n", ""},
		{"other Chinese", "启动服务器\n", "数据库连接失败", ""},
		{"a long line that begins otherwise", strings.Repeat("abc def ", 1000) + "needle\n", "needle", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := New([]byte(c.content), textfile.Info{})
			hint, err := text.Explain(context.Background(), Edit{Old: c.old, New: "x"})
			require.NoError(t, err)
			if c.want == "" {
				require.Zero(t, hint)
				return
			}
			require.Equal(t, hint.First, hint.Differs)
			require.Equal(t, []string{c.want}, text.Excerpt(hint.First, hint.Last))
		})
	}
}

// Letters and digits tell lines apart, and what is between them does not.
func TestNearestLetters(t *testing.T) {
	for _, word := range []string{"aaa", "zzz", "AAA", "ZZZ", "000", "999", "___"} {
		text := New([]byte("\n"+word+".\n"), textfile.Info{})
		hint, err := text.Explain(t.Context(), Edit{Old: strings.ToLower(word) + ","})
		require.NoError(t, err)
		require.Equal(t, Hint{First: 2, Last: 2, Differs: 2}, hint, word)
	}
}

// Of several lines that are as near, it is the first.
func TestNearestFirst(t *testing.T) {
	for _, c := range []struct{ name, content, old string }{
		{"aligned", "x\nstart\none\nstart\ntwo\n", "start\nzzz"},
		{"four bytes", "x\ncase\ny\n", "case\nzzz"},
		{"alike", "x\nfunc Alpha() {\nfunc Alpha() {\n", "func Alhpa() {"},
		{"the first of the longest lines", "x\nfunc Alpha() {\n", "func Alhpa() {\nimport unknown"},
	} {
		hint, err := New([]byte(c.content), textfile.Info{}).Explain(t.Context(), Edit{Old: c.old})
		require.NoError(t, err)
		require.Equal(t, 2, hint.First, c.name)
	}
}

func TestExcerpt(t *testing.T) {
	for _, content := range []string{"a\nb\nc", "a\r\nb\r\nc\r\n", "a\rb\rc\r"} {
		require.Equal(t, []string{"b", "c"}, New([]byte(content), textfile.Info{}).Excerpt(2, 9))
	}
}

func TestExplainLong(t *testing.T) {
	var lines []string
	for i := range 100 {
		lines = append(lines, "line "+strings.Repeat("x", i))
	}
	text := New([]byte(strings.Join(lines, "\n")), textfile.Info{})
	lines[60] = "other"
	hint, err := text.Explain(context.Background(), Edit{Old: strings.Join(lines[10:90], "\n"), New: "x"})
	require.NoError(t, err)
	require.Equal(t, Hint{First: 56, Last: 75, Differs: 61}, hint)
	hint, err = text.Explain(context.Background(), Edit{Old: strings.Join(lines[50:61], "\n"), New: "x"})
	require.NoError(t, err)
	require.Equal(t, Hint{First: 51, Last: 61, Differs: 61}, hint)
	for _, more := range []int{MostShown, MostShown + 1} {
		hint, err = text.Explain(context.Background(), Edit{Old: strings.Join(lines[60:60+more], "\n"), New: "x"})
		require.NoError(t, err)
		require.Equal(t, Hint{First: 61, Last: 80, Differs: 61}, hint)
	}
	require.Equal(t, []string{"line ", "line x"}, text.Excerpt(1, 2))
}

func TestExplainNotUTF8(t *testing.T) {
	text := New([]byte("caf\xe9 au lait\n"), textfile.Info{})
	hint, err := text.Explain(context.Background(), Edit{Old: "café au", New: "thé"})
	require.NoError(t, err)
	require.Equal(t, Hint{NotUTF8: true}, hint)
}

func TestVisible(t *testing.T) {
	require.Equal(t, "→a b→·", Visible("\ta b\t "))
	require.Equal(t, "···", Visible("   "))
}
