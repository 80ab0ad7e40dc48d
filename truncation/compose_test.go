package truncation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/truncation"
)

// A line of which both ends are shown is one line.
func TestLinesOfTwoEnds(t *testing.T) {
	for _, tt := range []struct {
		text, shown string
		lines       int
	}{
		{"abcdefghij", "ab~ij", 1},
		{"abcde\nfghij", "ab~ij", 2},
		{"abc\n\n\nhij", "ab~ij", 2},
		{"a\ncdefghij", "a\n~ij", 2},
		{"a\ncdefgh\nj", "a\n~\nj", 3},
		{"a\nbxxxxfgh", "a\nb~fgh", 2},
		{"abcxxxxf\nh", "abc~f\nh", 2},
		{"a\nbxxx\nfgh", "a\nb~fgh", 3},
	} {
		limits := truncation.Limits{Chars: truncation.AtMost(len(tt.shown))}
		res := truncation.Policy{Strategy: truncation.Middle, Limits: limits, Marker: "~"}.Truncate(tt.text)
		require.Equal(t, tt.shown, res.Text)
		require.Equal(t, tt.lines, res.OutputLines, "%q", tt.text)
	}
}

// HeadTailLines that shows all the lines that it is meant to says that their number decided,
// also where another limit was exceeded.
func TestHeadTailLinesNamesTheLimit(t *testing.T) {
	text := strings.Repeat("1234\n", 20)
	for bytes, want := range map[int]truncation.Reason{
		0: truncation.ByLines, 99: truncation.ByLines, 30: truncation.ByLines, 24: truncation.ByBytes, 19: truncation.ByBytes, 9: truncation.ByBytes,
	} {
		p := truncation.Policy{Strategy: truncation.HeadTailLines, First: 3, Last: 2, Marker: "~\n"}
		if bytes > 0 {
			p.Limits.Bytes = truncation.AtMost(bytes)
		}
		res := p.Truncate(text)
		require.Equal(t, want, res.TruncatedBy, "%d bytes: %q", bytes, res.Text)
	}
}
