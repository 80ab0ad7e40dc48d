package truncation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A budget that is shorter than the marker holds text, and no piece of the marker.
func TestNoRoomForTheMarker(t *testing.T) {
	text := strings.Repeat("abc def\n", 10)
	const marker = "[{count} of {total}: 0123456789]"
	for _, s := range strategies {
		for n := range 22 { // the shortest that the marker gets
			for _, limits := range []Limits{{Bytes: AtMost(n)}, {Chars: AtMost(n)}, {Tokens: AtMost(n), CountTokens: func(s string) int { return len(s) }}} {
				p := Policy{Strategy: s, Limits: limits, Marker: marker, First: 2, Last: 2}
				r := p.Truncate(text)
				msg := fmt.Sprintf("%s %+v: %q", s, limits, r.Text)
				require.LessOrEqual(t, len(r.Text), n, msg)
				require.NotContains(t, r.Text, "[", msg)
				require.Equal(t, r.OutputBytes > 0, r.Text != "", msg)
				if s != Head || n >= len("abc def") {
					require.Equal(t, n > 0, r.Text != "", msg)
				}
				whole := len(text)
				for i := range len(r.Text) + 1 { // a beginning, and an end behind it or behind a newline
					end := strings.TrimPrefix(r.Text[i:], "\n")
					if strings.HasPrefix(text, r.Text[:i]) && (strings.HasSuffix(text, end) || strings.HasSuffix(text, end+"\n")) {
						whole = i
						break
					}
				}
				require.Less(t, whole, len(text), msg)
			}
		}
	}
	p := Policy{Strategy: MiddleLines, Limits: Limits{Chars: 20}, Marker: marker}
	require.Equal(t, "abc def\nabc def\n", p.Cut(text))
	p.Prefix, p.Strategy = "[sub-agent a]: ", HeadChars
	require.Equal(t, "[sub-agent a]: abc d", p.Cut(text))
}
