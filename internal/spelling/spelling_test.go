package spelling

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOf(t *testing.T) {
	t.Setenv("HOME", "/home/u")
	t.Setenv("USERPROFILE", "/home/u")
	for name, want := range map[string][]Spelling{
		"a.go":        nil,
		"":            nil,
		"@":           nil,
		" a.go\n":     {{Name: "a.go"}},
		"`a.go`":      {{Name: "a.go"}},
		"“ a.go”":     {{Name: "a.go"}},
		"@a.go":       {{Name: "a.go"}},
		" `@a.go` ":   {{Name: "`@a.go`"}, {Name: "@a.go"}, {Name: "a.go"}},
		"~/a.go":      {{Name: "/home/u/a.go"}},
		"~a.go":       nil,
		"a.go:12":     {{"a.go", 12, 0, true}},
		"a.go:12:5":   {{"a.go", 12, 0, true}},
		"a.go#L12-L4": {{"a.go", 4, 12, true}},
		"a.go:0-2":    {{"a.go", 1, 2, true}},
		"a.go:2-0":    {{"a.go", 1, 2, true}},
		"a.go:0-0":    {{"a.go", 1, 1, true}},
		"@a.go:3":     {{Name: "a.go:3"}, {"@a.go", 3, 0, true}, {"a.go", 3, 0, false}},
		"`a.go:3`":    {{Name: "a.go:3"}, {"a.go", 3, 0, false}},
		":12":         nil,

		"file:///a/b%20c%C3%A9.go": {{Name: "/a/b cé.go"}},
		"FILE://localhost/a.go":    {{Name: "/a.go"}},
		"file:/a.go":               {{Name: "/a.go"}},
		"<file:///a.go>":           {{Name: "file:///a.go"}, {Name: "/a.go"}},
		"file://elsewhere/a.go":    nil,
		"file:///a%2":              nil,
		"file://a.go":              nil,
		"file:///a+b.go":           {{Name: "/a+b.go"}},
		"file:///a.go#L3-L4":       {{Name: "/a.go#L3-L4"}, {"file:///a.go", 3, 4, true}, {"/a.go", 3, 4, false}},
		"a.go:1234567890":          nil,
	} {
		require.Equal(t, want, Of(name), "%q", name)
	}
	if filepath.Separator != '\\' {
		require.Equal(t, []Spelling{{Name: `a\b c`}, {Name: "a/b/ c"}}, Of(`a\b\ c`))
	}
}

func TestWithoutLines(t *testing.T) {
	for name, want := range map[string]string{"a.go": "a.go", "a.go:12": "a.go", "d/a.go:12:5": "d/a.go", "a.go#L1-L2": "a.go", ":1": ":1"} {
		require.Equal(t, want, WithoutLines(name), name)
	}
}

func TestAppearance(t *testing.T) {
	for _, alike := range [][]string{
		{"it's", "it’s", "it‘s", "it′s"},
		{`"a"`, "“a”", "„a‟"},
		{"a-b", "a‐b", "a‑b", "a–b", "a—b", "a−b"},
		{"a b", "a\u00a0b", "a\u202fb", "a\u3000b", " a b ", "a b\u200b", "a\u200b b", "\ufeffa b", "a\u00ad b"},
		{"é", "e\u0301"},
	} {
		for _, name := range alike {
			require.Equal(t, Appearance(alike[0]), Appearance(name), "%q", name)
		}
	}
	different := []string{"a b", "ab", "a-b", "a_b", "A b", "a\tb", "é", "e", "a\nb", "l", "1", "..."}
	for i, name := range different {
		for _, other := range different[i+1:] {
			require.NotEqual(t, Appearance(name), Appearance(other))
		}
	}
}

// What looks like itself is told without work.
func TestAppearanceOfPlainNames(t *testing.T) {
	require.Zero(t, testing.AllocsPerRun(10, func() { Appearance("internal/spelling/spelling_test.go") }))
}
