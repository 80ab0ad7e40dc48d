package peercut_test

import (
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit/peercut"
	"github.com/stretchr/testify/require"
)

// A suite that is not here is measured by its documented rule.
func TestAgenttoolset(t *testing.T) {
	text := strings.Repeat("0123456789\n", 20_000)
	lines := strings.Split(peercut.Agenttoolset([]byte(text)), "\n")
	require.Equal(t, "[output truncated]", lines[0])
	require.InDelta(t, 100<<10, 12*(len(lines)-2), 60, "a line has 12 bytes on the terminal")
	require.Equal(t, "short\n\n", peercut.Agenttoolset([]byte("\x1b[1mshort\x1b[0m\n")))
}

func TestPi(t *testing.T) {
	text := strings.Repeat("0123456789\n", 20_000)
	require.Equal(t, 2000, strings.Count(peercut.Pi([]byte(text)), "0123456789"))
	require.Equal(t, "short\n", peercut.Pi([]byte("short\n")))
	require.Len(t, peercut.Pi([]byte(strings.Repeat("x", 100<<10))), 50<<10)
}
