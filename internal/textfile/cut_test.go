package textfile

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/testkit"
)

func TestMain(m *testing.M) {
	testkit.InMemory()
	os.Exit(m.Run())
}

// The cutter of a stream gives what quote.Cut gives line by line.
func TestLineCutter(t *testing.T) {
	alphabet := []string{"a", "b", "\n", "ä", "世"}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		var in, out, want strings.Builder
		for range r.IntN(30) {
			in.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		most, cuts := 1+r.IntN(5), 0
		for i, line := range strings.Split(in.String(), "\n") {
			if i > 0 {
				want.WriteByte('\n')
			}
			got, cut := quote.Cut(line, most, "...")
			want.WriteString(got)
			if cut {
				cuts++
			}
		}
		c := NewLineCutter(&out, most, "...")
		for s := []rune(in.String()); len(s) > 0; { // as textfile does, whole characters
			n := min(1+r.IntN(4), len(s))
			c.Write([]byte(string(s[:n])))
			s = s[n:]
		}
		require.Equal(t, want.String(), out.String(), "%d of %q", most, in.String())
		n, _ := c.First(1000)
		require.Equal(t, cuts, n)
	}
}

func TestUnsized(t *testing.T) {
	text := strings.Repeat("x", 1000)
	file := func(most int64) *unsized {
		return &unsized{strings.NewReader(text), "endless", most}
	}
	buf := make([]byte, 10)
	_, err := file(1000).ReadAt(buf, 990)
	require.NoError(t, err)
	_, err = file(999).ReadAt(buf, 990)
	var e *fault.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, fault.TooLarge, e.Code)
	require.ErrorContains(t, err, "endless does not say how long it is")
}
