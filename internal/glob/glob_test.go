package glob

import (
	"fmt"
	"path"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/testkit"
)

// escapes reports whether the backslashes of a glob escape, which they do not on Windows.
func escapes(globs string) bool { return slashed(globs) == globs }

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
		{"*..", []string{"a..", "x/b.."}, []string{"a."}},
		{"*", []string{"a", ".hidden", "a/b"}, nil},
		{"**", []string{"a", "a/b"}, nil},
		{"src/**", []string{"src/a", "src/a/b"}, []string{"src", "a/src/b"}},
		{"a*/**", []string{"ab/c"}, []string{"a", "ab"}},
		{"a/**/b", []string{"a/b", "a/x/b", "a/x/y/b"}, []string{"a/bb", "a"}},
		{"**/a/**/b/**", []string{"a/b/c", "x/a/y/b/c/d"}, []string{"a/b", "b/a/c"}},
		{"a[!b]c", []string{"axc"}, []string{"a/c", "abc"}},
		{"[!a[]", []string{"b", "x/]"}, []string{"a", "["}},
		{"x/a[+-9]c", []string{"x/a1c"}, []string{"x/a/c"}},
		{"{a/b,c}/d", []string{"a/b/d", "c/d"}, []string{"x/c/d"}},
		{"{,x}{1,{2,3}}", []string{"1", "x3", "y/2"}, []string{"x", "13"}},
		{`a[{]b`, []string{"a{b"}, []string{"ab"}},
		{`\{a,b\}`, []string{"{a,b}"}, []string{"a"}},
		{"a**b", []string{"ab", "axxb"}, []string{"a/b"}},
	} {
		if !escapes(tt.pattern) {
			continue
		}
		g, err := Compile(tt.pattern)
		require.NoError(t, err, tt.pattern)
		for _, p := range tt.yes {
			require.True(t, g.Match(path.Split(p)), "%s of %s", p, tt.pattern)
		}
		for _, p := range tt.no {
			require.False(t, g.Match(path.Split(p)), "%s of %s", p, tt.pattern)
		}
	}
}

func TestRefused(t *testing.T) {
	for pattern, want := range map[string]string{
		"":       "it is empty",
		"../*":   "it goes up by .., and matches only what is below the directory that is searched",
		"a/../b": "it goes up by .., and matches only what is below the directory that is searched",
		"/":      "it is empty",
		"[a":     "the [ at character 1 is not closed",
		"x[a/b]": `a class in it is malformed; write [[] for a bracket that stands for itself`,
		"a[]":    "the [ at character 2 is not closed",
		"a{b,c":  "the { at character 2 is not closed",
		"a}":     "the } at character 2 closes nothing",
		`a\`:     "it ends in a backslash, which escapes nothing",
		"{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}": "its braces stand for more than 1000 patterns, or 32768 bytes",
	} {
		if !escapes(pattern) {
			continue
		}
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
	require.False(t, g.Match(path.Split(strings.Repeat("a/", 500)+"c")))
	require.True(t, g.Match(path.Split(strings.Repeat("a/", 500)+"b")))
}

// OfRegexp tells regular expressions from globs, and finds the glob that is meant.
func TestOfRegexp(t *testing.T) {
	for pattern, want := range map[string]string{
		`.*\.go$`: "*.go", `^test_.*\.py$`: "test_*.py", `\.tsx?$`: "", `(foo|bar)\.go`: "*{foo,bar}.go",
		`src/.*\.go`: "**/src/**/*.go", `^src/.*\.go$`: "src/**/*.go",
		`\d+`: "*[0-9]*", `v\d+\.\d+`: "*v[0-9]*.[0-9]*", `[a-z]+_test\.go`: "*[a-z]*_test.go",
		`handler.*test`: "*handler*test*", `a|b\.go`: "", `.*`: "-", "*.*": "-", "config.*": "-", "[a-z]*": "-",
		"*.go": "-", "a+b": "-", "{a,b}*": "-", `\w+Test.java`: "*Test.java", `^README$`: "README", `(a`: "-", `(a|b\.x`: "",
		"*.yml|*.yaml": "{*.yml,*.yaml}", "*.(yml|yaml)": "*.{yml,yaml}", "src/*.@(a|b)": "src/*.{a,b}", "(*.a|*.b)": "{*.a,*.b}",
		"*.(a|b)|c": "{*.{a,b},c}", "a|": "-", "|": "-", "*.(a|b": "-", "a|b)": "-", "a,b|c": "-", "a.*|b": "", "{a,b}|c": "-",
	} {
		if !escapes(pattern) {
			continue
		}
		glob, looks := OfRegexp(pattern)
		require.Equal(t, want != "-", looks, pattern)
		if looks {
			require.Equal(t, want, glob, pattern)
		}
	}
}

// A glob that is given for a regular expression can be compiled.
func FuzzOfRegexp(f *testing.F) {
	f.Add(`^(a|b)\w+.*\.go$`)
	f.Fuzz(func(t *testing.T, pattern string) {
		if glob, looks := OfRegexp(pattern); glob != "" {
			require.True(t, looks)
			_, err := Compile(glob)
			require.NoError(t, err)
		}
	})
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
		if !escapes(tt.globs) {
			continue
		}
		f, err := CompileFilter(tt.globs, "")
		require.NoError(t, err, tt.globs)
		for _, p := range tt.yes {
			require.True(t, f.Match(path.Split(p)), "%s of %s", p, tt.globs)
		}
		for _, p := range tt.no {
			require.False(t, f.Match(path.Split(p)), "%s of %s", p, tt.globs)
		}
	}
	f, err := CompileFilter("!src/gen, !src/*.md, *", "src/")
	require.NoError(t, err)
	for file, want := range map[string]bool{
		"gen/a.go": false, "src/gen/a.go": false, "a.md": false, "a.go": true, "x/gen/a.go": true, "x/a.md": true,
	} {
		require.Equal(t, want, f.Match(path.Split(file)), file)
	}
	_, err = CompileFilter("*.go,[a", "")
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
			require.Equal(t, g.Match(path.Split(p)), dotted.Match(path.Split(p)))
		}
		if !escapes(`\`) || path.Clean(p) != p || path.IsAbs(p) || !utf8.ValidString(p) || p == "." {
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
		require.True(t, g.Match(path.Split(p)), escaped.String())
	})
}

// What is too long says so. Names without braces may be as many as there is room for.
func TestBounds(t *testing.T) {
	const many = "its braces stand for more than 1000 patterns, or 32768 bytes"
	repeat := strings.Repeat
	for globs, want := range map[string]string{
		repeat("a", maxPattern):                                "",
		repeat("a", maxPattern+1):                              "it is 4097 bytes long, and more than 4096 are not taken",
		repeat("a,", maxFilter/2):                              "",
		repeat("a,", maxFilter/2) + "b":                        "it is 16385 bytes long, and more than 16384 are not taken",
		"{" + repeat("a,", 999) + "a}":                         "",
		"{" + repeat("a,", 999) + "a},{b,c}":                   many,
		"{a,b}" + repeat("x", 4000):                            "",
		"{a,b,c,d,e,f,g,h,i}" + repeat("x", 4000):              many,
		repeat("{a,b,c,d}"+repeat("x", 3000)+",", 2):           "",
		repeat("{a,b,c,d}"+repeat("x", 3000)+",", 3):           many,
		repeat("{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2},", 3): "",
		repeat("{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2},", 4): many,
	} {
		_, err := CompileFilter(globs, "")
		if want == "" {
			require.NoError(t, err)
			continue
		}
		var e *Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, want, e.Reason)
	}
}

// BenchmarkMatch compares with doublestar, which is given the whole pattern and the whole path.
func BenchmarkMatch(b *testing.B) {
	var paths []string
	for i := range 100_000 {
		top, end := []string{"a", "b", "src", "pkg"}[i%4], []string{".go", "_test.go", ".c", ".md", "/x"}[i%5]
		paths = append(paths, fmt.Sprintf("%s/pkg%d/sub%d/file%d%s", top, i%40, i%2000, i%50, end))
	}
	for name, pattern := range map[string]string{
		"suffix": "**/*.go", "test": "**/*_test.go", "below": "src/**/x", "braces": "{a,b}/*.c",
	} {
		g, err := Compile(pattern)
		require.NoError(b, err)
		b.Run(name+"/ours", func(b *testing.B) {
			for b.Loop() {
				for _, p := range paths {
					g.Match(path.Split(p))
				}
			}
		})
		b.Run(name+"/doublestar", func(b *testing.B) {
			for b.Loop() {
				for _, p := range paths {
					doublestar.MatchUnvalidated(pattern, p)
				}
			}
		})
	}
}

// Globs that are made to take long are refused, or take no longer than others.
func TestHostileGlobs(t *testing.T) {
	deep := strings.Repeat("a/", 1000) + "a"
	long := strings.Repeat("a", 250)
	for kind, pattern := range map[string]string{
		"brackets":               strings.Repeat("[", 1_000_000),
		"brackets and commas":    strings.Repeat("[,", 500_000),
		"braces":                 strings.Repeat("{", 1_000_000),
		"braces for one each":    strings.Repeat("{1,2}", 9) + strings.Repeat("{a}", 1300),
		"braces in braces":       strings.Repeat("{a,", 1300) + strings.Repeat("}", 1300),
		"empty braces":           strings.Repeat("{,}", 1300),
		"long alternatives":      strings.Repeat("{*,?}", 9) + strings.Repeat("*?", 2000),
		"many long alternatives": strings.Repeat(strings.Repeat("{*,?}", 9)+strings.Repeat("*?a", 30)+",", 1000),
		"stars":                  strings.Repeat("*a", 1300) + "b",
		"stars in alternatives":  strings.Repeat("{*a,*aa}", 9) + "b",
		"trees":                  strings.Repeat("**/a/", 800) + "b",
		"trees and stars":        strings.Repeat("**/*a*a/", 500) + "b",
		"left out":               "!" + strings.Repeat("**/a/", 800) + "b",
		"left out by name":       "!" + strings.Repeat("*a", 1300) + "b",
	} {
		t.Run(kind, func(t *testing.T) {
			testkit.Within(t, time.Minute, func() {
				f, err := CompileFilter(pattern, "")
				if err != nil {
					return
				}
				for range 20 {
					f.Match(path.Split(deep))
					f.Match("", long)
				}
			})
		})
	}
}

// A name given as a glob is matched by the glob, or by something that it may mean.
func FuzzReadings(f *testing.F) {
	for _, name := range []string{"a", "app/[id]/page.tsx", "{x}", "{a,b}/[c]", "[", "q[1].txt", "a]b[", "{", "}{", "[!a]/{b", "it’s", "[a-\u00a0]"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean := strings.TrimPrefix(path.Clean("/"+name), "/")
		if name == "" || len(name) > 200 || clean != name || strings.ContainsAny(name, "\\*?") || !utf8.ValidString(name) {
			t.Skip()
		}
		dir, base := path.Split(name)
		g, err := Compile(name)
		if err == nil && g.Match(dir, base) {
			return
		}
		for _, r := range Readings(name) {
			if r.Match(dir, base) {
				return
			}
		}
		assert.GreaterOrEqual(t, strings.Count(name, "{"), 8, "%q is not matched", name) // or its braces may stand for too much
	})
}
