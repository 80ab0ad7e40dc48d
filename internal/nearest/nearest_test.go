package nearest

import (
	"math/rand/v2"
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
	require.Equal(t, []candidate{{"cmd/Main.go", 0}, {"man.go", 1}, {"cmd/man.go", 1}}, r.names)
}
