package nearest

import (
	"math/rand/v2"
	"path"
	"testing"

	"github.com/stretchr/testify/require"
)

// levenshtein is the distance by its definition.
func levenshtein(a, b string) int {
	if a == "" || b == "" {
		return len(a) + len(b)
	}
	d := levenshtein(a[1:], b[1:])
	if a[0] == b[0] {
		return d
	}
	return 1 + min(d, levenshtein(a[1:], b), levenshtein(a, b[1:]))
}

func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	word := func() string {
		w := make([]byte, r.IntN(7))
		for i := range w {
			w[i] = "abc"[r.IntN(3)]
		}
		return string(w)
	}
	for range 20_000 {
		a, b, most := word(), word(), r.IntN(6)
		want := levenshtein(a, b)
		got := New(a, most, 3).distance(b)
		if want <= most {
			require.Equal(t, want, got, "%q %q %d", a, b, most)
		} else {
			require.Greater(t, got, most, "%q %q %d", a, b, most)
		}
	}
}

func TestRanking(t *testing.T) {
	r := New("main.go", 2, 3)
	for _, name := range []string{"mean.go", "Main.go", "mian.go", "other.go", "main.rs", "man.go"} {
		r.Offer("cmd/", name)
	}
	r.Offer("", "man.go")
	require.Equal(t, []candidate{{"cmd/Main.go", 0, 0}, {"man.go", 1, 0}, {"cmd/man.go", 1, 0}}, r.names)
}

// TestFiles has names of files that do not exist, with those that do, the nearest first.
func TestFiles(t *testing.T) {
	files := []string{
		"LICENSE", "docs/design.md", "internal/diff/diff.go", "internal/glob/filter.go", "internal/notice/done_test.go",
		"internal/notice/read.go", "tools/add.go", "tools/func_test.go", "tools/grep.go", "tools/read.go", "tools/readers.go",
		"tools/record/read.go",
	}
	for missing, want := range map[string][]string{
		"tools/red.go":             {"tools/read.go"},
		"tools/raed.go":            {"tools/read.go"},
		"tools/reader.go":          {"tools/readers.go", "tools/read.go"},
		"Tools/Read.go":            {"tools/read.go"},
		"internal/notices/read.go": {"internal/notice/read.go"},
		"src/tools/read.go":        {"tools/read.go", "tools/record/read.go", "internal/notice/read.go"},
		"internal/diff/differ.go":  {"internal/diff/diff.go"},
		"docs/design":              {"docs/design.md"},
		"license.txt":              {"LICENSE"},
		"tools/grep_test.go":       nil,
	} {
		dir, base := path.Split(missing)
		r := Files(dir, base, max(2, len(base)/3), 3)
		for _, file := range files {
			r.Offer(path.Split(file))
		}
		require.Equal(t, want, r.Better(New("", 0, 0)), missing)
	}
}

// Better leaves out what is not as near as what another ranking has.
func TestBetter(t *testing.T) {
	beside, anywhere := Files("a/", "differ.go", 3, 3), Files("a/", "differ.go", 3, 3)
	beside.Offer("a/", "differs.go")
	anywhere.Offer("b/", "filter.go")
	anywhere.Offer("b/", "differs.go")
	require.Empty(t, anywhere.Better(beside))
	anywhere.Offer("b/", "differ.go")
	require.Equal(t, []string{"b/differ.go"}, anywhere.Better(beside))
}
