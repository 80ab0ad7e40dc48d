package walk

import (
	"cmp"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Names are compared as their small letters are, however long the beginning is that they
// have in common, and wherever letters stand that take more than a byte.
func TestCompareFold(t *testing.T) {
	letters := []string{"a", "A", "b", "Z", "_", "0", "é", "É", "\u212a", "ß", "\xff", "\x80"} // one is the Kelvin sign, whose small letter is k
	random := rand.New(rand.NewPCG(1, 2))
	word := func(most int) string {
		var b strings.Builder
		for range random.IntN(most) {
			b.WriteString(letters[random.IntN(len(letters))])
		}
		return b.String()
	}
	for range 100_000 {
		prefix := word(20)
		a, b := prefix+word(12), prefix+word(12)
		require.Equal(t, strings.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(compareFold(a, b), 0), "%q %q", a, b)
	}
}
