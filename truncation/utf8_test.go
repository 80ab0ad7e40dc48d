package truncation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is not valid is replaced piece by piece, in memory that does not grow with it.
func TestInvalidTextInPieces(t *testing.T) {
	var c cleaner
	var got strings.Builder
	c.write([]byte(strings.Repeat("\xffa世", 10_000)), func(p []byte) {
		require.LessOrEqual(t, len(p), 4096)
		require.NotEmpty(t, p)
		got.Write(p)
	})
	require.Equal(t, strings.Repeat("\ufffda世", 10_000), got.String())
}
