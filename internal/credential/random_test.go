package credential

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChecksum has a token that GitHub's documentation shows.
func TestChecksum(t *testing.T) {
	require.Equal(t, "0mLq17", checksum([]byte("zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ")))
	require.True(t, summed([]byte("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"+checksum([]byte("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")))))
	require.False(t, summed([]byte("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")))
}
