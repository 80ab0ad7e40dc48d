package tools_test

import (
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/stretchr/testify/require"
)

// How long the lines of a diff may be is no matter of grep's.
func TestLongLinesOfADiff(t *testing.T) {
	for _, chars := range []int{5, 100_000} {
		for length, cut := range map[int]bool{500: false, 501: true} {
			s := newSuite(t, config.Config{Grep: config.Grep{MaxLineChars: chars}}, map[string]string{"f": "old\n"})
			line := strings.Repeat("é", length)
			res := call(t, s, "write", map[string]any{"path": "f", "content": line + "\n"})
			require.Equal(t, !cut, strings.Contains(res.Text, "+"+line+"\n"), res.Text)
			require.Equal(t, cut, strings.Contains(res.Text, "+"+strings.Repeat("é", 500)+"... [truncated]"+"\n"), res.Text)
			require.Equal(t, cut, strings.Contains(res.Text, "Some lines truncated to 500 chars"), res.Text)
		}
	}
}
