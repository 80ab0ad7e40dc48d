package quote

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		cut      bool
	}{
		{"abc", "abc", false},
		{"abcd", "abc…", true},
		{"äöü", "äöü", false},
		{"äöüß", "äöü…", true},
		{"\xff\xff\xff\xff", "\xff\xff\xff…", true},
		{"", "", false},
	} {
		got, cut := Cut(tt.in, 3, "…")
		require.Equal(t, tt.want, got)
		require.Equal(t, tt.cut, cut)
		got, _ = Cut([]byte(tt.in), 3, "…")
		require.Equal(t, tt.want, got)
	}
}

func TestNameAtTheEdges(t *testing.T) {
	for name, want := range map[string]string{
		"a\x80": `"a\200"`, "\x80": `"\200"`, "\x7f": `"\177"`, "a\x1f": `"a\037"`, "bell\a": `"bell\a"`, "~ !": "~ !", `back\slash`: `back\slash`, "\"\"": `"\"\""`,
	} {
		require.Equal(t, want, Name(name))
	}
	for quoted, want := range map[string]string{`""`: "", `"\a"`: "\a", `"\\"`: `\`, `"\101"`: "A", `"\101B"`: "AB"} {
		got, ok := Unquote(quoted)
		require.True(t, ok, quoted)
		require.Equal(t, want, got)
	}
	for _, bad := range []string{"", "a", `a"`, `"\10"`, `"\400"`} {
		_, ok := Unquote(bad)
		require.False(t, ok, bad)
	}
}

// Each element of a path may be in quotes of its own. What is not closed stands for itself.
func TestQuotedElements(t *testing.T) {
	for path, want := range map[string]string{
		`"a\nb"/c`: "a\nb/c", `x/"a\tb"`: "x/a\tb", `x/"a\tb"/`: "x/a\tb/", `/"\101"/y`: "/A/y", `"a\"/b"/c`: `a"/b/c`, `"a/b"`: "a/b", `"\101"/"\102"`: "A/B",
		`"a"b/c`: `"a"b/c`, `x/"b`: `x/"b`, `a"b/c`: `a"b/c`, `a/b`: "a/b", `"`: `"`, `x/"\`: `x/"\`, `x/"\z"/y`: `x/"\z"/y`, `x//"\101"`: "x//A",
	} {
		require.Equal(t, want, UnquotePath(path), path)
	}
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"plain name.go": "plain name.go",
		"日本語 äöü":       "日本語 äöü",
		"a\nb\tc":       `"a\nb\tc"`,
		"a\xffb":        `"a\377b"`,
		`"quoted"`:      `"\"quoted\""`,
		`in "side" \ x`: `in "side" \ x`,
		"esc\x1b[0m":    `"esc\033[0m"`,
		"nb\u202fsp":    `"nb\342\200\257sp"`,
		"\ufffd":        "\ufffd",
		"\x01ä\\":       `"\001ä\\"`,
	} {
		require.Equal(t, want, Name(name), name)
	}
	for _, bad := range []string{`"`, `"a`, `"a"b"`, `"\x"`, `"\1"`, `"\`, `"\9999"`} {
		_, ok := Unquote(bad)
		require.False(t, ok, bad)
	}
}

func FuzzQuote(f *testing.F) {
	f.Add("a\nb")
	f.Add("\"\xff\\")
	f.Fuzz(func(t *testing.T, name string) {
		q := Name(name)
		if q == name {
			_, ok := Unquote(name)
			require.False(t, ok)
			return
		}
		plain, ok := Unquote(q)
		require.True(t, ok, q)
		require.Equal(t, name, plain)
	})
}

// A value that is cut keeps whole characters. Bytes that are not UTF-8 come out in C quotes.
func TestValue(t *testing.T) {
	for value, want := range map[string]string{
		"short": "short", "a\nb": `"a\nb"`, strings.Repeat("é", 200): strings.Repeat("é", 200),
		strings.Repeat("é", 201): strings.Repeat("é", 200) + "...", "\xff": `"\377"`,
	} {
		require.Equal(t, want, Value(value))
	}
}

func TestLine(t *testing.T) {
	for line, want := range map[string]string{
		"": "", "\ta b": "\ta b", "nbsp\u00a0": "nbsp\u00a0", "👩\u200d💻": "👩\u200d💻", `"a\`: `"a\`,
		"\x1b[31m": `"\033[31m"`, "a\r": `"a\r"`, "\tx\x00": `"\tx\000"`, "a\u202eb": `"a\342\200\256b"`,
		"\ufeffa": `"\357\273\277a"`, "\xff": `"\377"`, "tag\U000e0041": `"tag\363\240\201\201"`, "\u0085": `"\302\205"`,
	} {
		got, quoted := Line(line)
		require.Equal(t, want, got)
		require.Equal(t, want != line, quoted, line)
	}
}

// No terminal acts on a line, and what is quoted can be read back.
func FuzzLine(f *testing.F) {
	f.Add("a\x1b[2Jb\t\u202e")
	f.Fuzz(func(t *testing.T, line string) {
		got, quoted := Line(line)
		require.True(t, utf8.ValidString(got))
		require.False(t, strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }))
		if !quoted {
			require.Equal(t, line, got)
			return
		}
		back, ok := Unquote(got)
		require.True(t, ok)
		require.Equal(t, line, back)
	})
}
