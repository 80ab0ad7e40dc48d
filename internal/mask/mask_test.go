package mask_test

import (
	"testing"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/stretchr/testify/require"
)

func TestSummary(t *testing.T) {
	n, kinds := mask.Summary([]mask.Finding{{Kind: "JWT"}, {Kind: "token"}, {Kind: "cookie"}, {Kind: "token"}})
	require.Equal(t, 4, n)
	require.Equal(t, []string{"token", "JWT", "cookie"}, kinds)
}
