package glob

import (
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		yes, no []string
	}{
		{"*.go", []string{"a.go", "x/y/a.go", ".go"}, []string{"a.got", "go"}},
		{"./*.go", []string{"a.go", "x/a.go"}, nil},
		{"/a/*.go", []string{"a/x.go"}, []string{"b/a/x.go", "a/b/x.go"}},
		{"src/**/*.ts", []string{"src/a.ts", "src/x/y/a.ts"}, []string{"a.ts", "x/src/a.ts"}},
		{"**/a/b*", []string{"a/b", "x/a/bc"}, []string{"a/c"}},
		{"{a,b}.txt", []string{"a.txt", "x/b.txt"}, []string{"c.txt"}},
		{"[a-c]?.md", []string{"ab.md"}, []string{"dd.md"}},
		{`\*`, []string{"*"}, []string{"a"}},
		{"*", []string{"a", ".hidden", "a/b"}, nil},
		{"**", []string{"a", "a/b"}, nil},
		{"src/**", []string{"src/a", "src/a/b"}, []string{"src", "a/src/b"}},
		{"a*/**", []string{"ab/c"}, []string{"a", "ab"}},
		{"a/**/b", []string{"a/b", "a/x/b", "a/x/y/b"}, []string{"a/bb", "a"}},
		{"**/a/**/b/**", []string{"a/b/c", "x/a/y/b/c/d"}, []string{"a/b", "b/a/c"}},
		{"a[!b]c", []string{"axc"}, []string{"a/c", "abc"}},
		{"x/a[+-9]c", []string{"x/a1c"}, []string{"x/a/c"}},
		{"{a/b,c}/d", []string{"a/b/d", "c/d"}, []string{"x/c/d"}},
		{"{,x}{1,{2,3}}", []string{"1", "x3", "y/2"}, []string{"x", "13"}},
		{`a[{]b`, []string{"a{b"}, []string{"ab"}},
		{`\{a,b\}`, []string{"{a,b}"}, []string{"a"}},
		{"a**b", []string{"ab", "axxb"}, []string{"a/b"}},
	} {
		g, err := Compile(tt.pattern)
		require.NoError(t, err, tt.pattern)
		for _, p := range tt.yes {
			require.True(t, g.matchPath(p), "%s of %s", p, tt.pattern)
		}
		for _, p := range tt.no {
			require.False(t, g.matchPath(p), "%s of %s", p, tt.pattern)
		}
	}
}

func TestRefused(t *testing.T) {
	for pattern, want := range map[string]string{
		"":      "it is empty",
		"/":     "it is empty",
		"[a":    "the [ at character 1 is not closed",
		"[!a[]": `a class in it is malformed; write \[ for a bracket that stands for itself`,
		"a{b,c": "the { at character 2 is not closed",
		"a}":    "the } at character 2 closes nothing",
		`a\`:    "it ends in a backslash, which escapes nothing",
		"{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}": "its braces stand for more than 1000 patterns",
	} {
		_, err := Compile(pattern)
		var e *Error
		require.ErrorAs(t, err, &e, pattern)
		require.Equal(t, want, e.Reason, pattern)
	}
	_, err := Compile("{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,9}")
	require.Error(t, err)
	_, err = Compile("{a," + strings.Repeat("{1,2}", 12) + "}")
	require.Error(t, err)
	_, err = Compile(strings.Repeat("{a,a}", 20))
	require.Error(t, err)
	_, err = Compile(strings.Repeat("{a,", 2000))
	require.Error(t, err)
	_, err = Compile("{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}") // 512
	require.NoError(t, err)
}

// A pattern of many "**" does not try every way to divide a path.
func TestManyStars(t *testing.T) {
	g, err := Compile(strings.Repeat("**/a/", 40) + "b")
	require.NoError(t, err)
	require.False(t, g.matchPath(strings.Repeat("a/", 500)+"c"))
	require.True(t, g.matchPath(strings.Repeat("a/", 500)+"b"))
}

func TestFilter(t *testing.T) {
	for _, tt := range []struct {
		globs   string
		yes, no []string
	}{
		{"", []string{"a", "b/c"}, nil},
		{"*.go", []string{"x/a.go"}, []string{"a.md"}},
		{"*.go, *.md", []string{"a.go", "a.md"}, []string{"a.txt"}},
		{"*.{go,md},!*_test.go", []string{"a.go", "b.md"}, []string{"a_test.go", "a.txt"}},
		{"!vendor/**", []string{"a.go"}, []string{"vendor/x/a.go"}},
		{"!vendor/", []string{"a.go"}, []string{"vendor/x/a.go", "x/vendor/a.go"}},
		{"!vendor", []string{"a.go"}, []string{"vendor/x/a.go", "x/vendor/a.go", "vendor"}},
		{"[a,b]*.go", []string{"a.go", ",.go"}, []string{"c.go"}},
		{`a\,b`, []string{"a,b"}, []string{"a"}},
	} {
		f, err := CompileFilter(tt.globs)
		require.NoError(t, err, tt.globs)
		for _, p := range tt.yes {
			require.True(t, f.Match(path.Split(p)), "%s of %s", p, tt.globs)
		}
		for _, p := range tt.no {
			require.False(t, f.Match(path.Split(p)), "%s of %s", p, tt.globs)
		}
	}
	_, err := CompileFilter("*.go,[a")
	require.EqualError(t, err, `glob "[a": the [ at character 1 is not closed`)
}

// A path with everything in it escaped matches itself, and a leading "./" makes
// no difference to any pattern.
func FuzzCompile(f *testing.F) {
	f.Add("{a,{b,c}}*/**/[!x]?", "a/b/c")
	f.Add("{a,a}{a,a}{a,a}", "*[x]{,}")
	f.Fuzz(func(t *testing.T, pattern, p string) {
		if len(p) > 100 || len(pattern) > 100 {
			t.Skip()
		}
		g, err := Compile(pattern)
		dotted, dottedErr := Compile("./" + pattern)
		require.Equal(t, err == nil, dottedErr == nil)
		if err == nil {
			require.Equal(t, g.matchPath(p), dotted.matchPath(p))
		}
		if path.Clean(p) != p || path.IsAbs(p) || !utf8.ValidString(p) || p == "." {
			return
		}
		var escaped strings.Builder
		for _, r := range p {
			if r != '/' {
				escaped.WriteByte('\\')
			}
			escaped.WriteRune(r)
		}
		g, err = Compile(escaped.String())
		require.NoError(t, err)
		require.True(t, g.matchPath(p), escaped.String())
	})
}
