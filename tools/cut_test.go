package tools

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCutLine(t *testing.T) {
	for _, tt := range []struct {
		in   string
		max  int
		want string
		cut  bool
	}{
		{"abc", 3, "abc", false},
		{"abcd", 3, "abc…", true},
		{"äöü", 3, "äöü", false},
		{"äöüß", 3, "äöü…", true},
		{"\xff\xff\xff\xff", 3, "\xff\xff\xff…", true},
		{"abcd", 0, "abcd", false},
		{"", 1, "", false},
	} {
		got, cut := cutLine([]byte(tt.in), tt.max, "…")
		require.Equal(t, tt.want, string(got))
		require.Equal(t, tt.cut, cut)
	}
}

// The cutter of a stream gives what cutLine gives line by line.
func TestLineCutter(t *testing.T) {
	alphabet := []string{"a", "b", "\n", "ä", "世"}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		var in, out, want strings.Builder
		for range r.IntN(30) {
			in.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		max, cuts := 1+r.IntN(5), 0
		for i, line := range strings.Split(in.String(), "\n") {
			if i > 0 {
				want.WriteByte('\n')
			}
			got, cut := cutLine([]byte(line), max, "...")
			want.Write(got)
			if cut {
				cuts++
			}
		}
		c := &lineCutter{w: &out, maxChars: max, marker: "..."}
		for s := []rune(in.String()); len(s) > 0; { // as textfile does, whole characters
			n := min(1+r.IntN(4), len(s))
			c.Write([]byte(string(s[:n])))
			s = s[n:]
		}
		require.Equal(t, want.String(), out.String(), "%d of %q", max, in.String())
		n, _ := c.first(1000)
		require.Equal(t, cuts, n)
	}
}
