package tools

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/config"
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
		got := newRanking(a, most, 3).distance(b)
		if want <= most {
			require.Equal(t, want, got, "%q %q %d", a, b, most)
		} else {
			require.Greater(t, got, most, "%q %q %d", a, b, most)
		}
	}
}

func TestRanking(t *testing.T) {
	r := newRanking("main.go", 2, 3)
	for _, name := range []string{"mean.go", "Main.go", "mian.go", "other.go", "main.rs", "man.go"} {
		r.offer("cmd/", name)
	}
	r.offer("", "man.go")
	require.Equal(t, []candidate{{"cmd/Main.go", 0}, {"man.go", 1}, {"cmd/man.go", 1}}, r.names)
}

// TestNearestLooksAtSoManyNames and no more: how long that takes does not decide.
func TestNearestLooksAtSoManyNames(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "cmd"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cmd", "main.go"), nil, 0o644))
	s, err := New(config.Config{Workspace: dir})
	require.NoError(t, err)
	defer s.Close()
	require.Equal(t, []string{"cmd/main.go"}, s.nearest(t.Context(), "mian.go", nearestNames))
	require.Empty(t, s.nearest(t.Context(), "mian.go", 1))
	require.Equal(t, []string{"cmd/main.go"}, s.nearest(t.Context(), "cmd/mian.go", 1), "the batch is looked at to its end")
}
