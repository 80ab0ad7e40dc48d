package match

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAcrossEscapes(t *testing.T) {
	sequences := []string{"\x1b[0m", "\x1b[1;31m", "\x1b[K", "\x1b[38;5;9m", "\x1b[?25l"}
	r := rand.New(rand.NewPCG(3, 4))
	for _, test := range []struct {
		pattern, text string
		o             Options
	}{
		{"FAILED: test_x", "FAILED: test_x", Options{}},
		{`^\d+ (rows|lines)$`, "1234 lines", Options{}},
		{`\bab\b.*c{2,3}`, "ab x ccc", Options{}},
		{"É: x", "é: X", Options{IgnoreCase: true}},
		{"a[0](1)", "a[0](1)", Options{Literal: true}},
		{`(?i)a+b?(cd)*`, "AACDCD", Options{}},
		{`\u4e2d\s`, "中 ", Options{}},
	} {
		across := AcrossEscapes(test.pattern, test.o, true)
		m, err := Compile(across, Options{IgnoreCase: test.o.IgnoreCase})
		require.NoError(t, err)
		for range 50 {
			var line strings.Builder
			for _, c := range test.text {
				for r.IntN(3) == 0 {
					line.WriteString(sequences[r.IntN(len(sequences))])
				}
				line.WriteRune(c)
			}
			line.WriteString(sequences[0])
			require.Equal(t, test.text, string(WithoutEscapes([]byte(line.String()))))
			require.True(t, m.NewSearcher().Line([]byte(line.String())), "%s in %q", across, line.String())
		}
		require.True(t, m.NewSearcher().Line([]byte(test.text)))
		require.False(t, m.NewSearcher().Line([]byte("\x1b[1mz\x1b[0m")))
	}
	require.Empty(t, AcrossEscapes(strings.Repeat("x", maxEscaped+1), Options{}, false))
	require.Empty(t, AcrossEscapes(strings.Repeat("x", maxEscaped/10), Options{}, true))
}
