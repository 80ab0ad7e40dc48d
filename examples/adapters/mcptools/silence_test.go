package mcptools_test

import (
	"math"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/stretchr/testify/assert"
)

// What the other side says of its silence is a time within bounds, however large the number is.
func TestSilenceDoesNotOverflow(t *testing.T) {
	for ms, want := range map[float64]time.Duration{
		1500: 1500 * time.Millisecond, 499: 0, 3_600_000: 0, -1e13: 0, 1e13: 0, 1e300: 0, -1e300: 0, math.Inf(-1): 0,
	} {
		ping := &mcp.ServerRequest[*mcp.PingParams]{Params: &mcp.PingParams{Meta: mcp.Meta{"spillway/silenceMs": ms}}}
		assert.Equal(t, want, mcptools.PromisedSilence(ping), ms)
	}
	for silence, want := range map[any]time.Duration{
		3000: 3 * time.Second, int64(10_000_000_000_000): math.MaxInt64 / time.Millisecond * time.Millisecond, int64(-10_000_000_000_000): mcptools.ShortestSilence,
	} {
		_, session := dial(t, dialect{capabilities: map[string]any{
			"spillway": map[string]any{"protocol": 1, "watches": true, "silenceMs": silence},
		}})
		assert.Equal(t, want, mcptools.Silence(session), silence)
	}
}
