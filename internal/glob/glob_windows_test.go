package glob

import (
	"path"
	"testing"

	"github.com/stretchr/testify/require"
)

// A backslash divides names, and their case does not count.
func TestWindowsGlobs(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		yes, no []string
	}{
		{`sub\*.txt`, []string{"sub/a.txt", "SUB/A.TXT"}, []string{"a.txt", "x/sub/a.txt"}},
		{"*.TXT", []string{"a.txt", "x/b.Txt"}, []string{"a.txt.go"}},
		{"README", []string{"readme", "x/ReadMe"}, []string{"readme.md"}},
		{"[A-C]?.md", []string{"ab.md", "CD.MD"}, []string{"dd.md"}},
		{`.\src\**\*.TS`, []string{"src/a.ts", "src/x/a.ts"}, []string{"a.ts"}},
		{`{A,b}\`, []string{"a", "B"}, []string{"c"}},
		{"ÄB*C", []string{"äbxc"}, []string{"abxc"}},
		{"[[]a", []string{"[a", "[A"}, []string{"a"}},
	} {
		g, err := Compile(tt.pattern)
		require.NoError(t, err, tt.pattern)
		for _, p := range tt.yes {
			require.True(t, g.Match(path.Split(p)), "%s of %s", p, tt.pattern)
		}
		for _, p := range tt.no {
			require.False(t, g.Match(path.Split(p)), "%s of %s", p, tt.pattern)
		}
	}
	f, err := CompileFilter(`src\*.GO, !src\*_test.go`, "")
	require.NoError(t, err)
	require.True(t, f.Match("src/", "A.go"))
	require.False(t, f.Match("src/", "A_TEST.go"))
}
