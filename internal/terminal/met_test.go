package terminal

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

func TestMet(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want Met
	}{
		{"", Met{}},
		{"text\ttext\r\n\b\a\f\v\x0e\x0f\x1a\x1b[31mred\x1b[0m é世😀\n", Met{}},
		{"a\x00b", Met{NULs: 1}},
		{"\x00", Met{NULs: 1}},
		{"\x00\x00a\x00\x00\x00", Met{NULs: 5, Runs: 3}},
		{"\x01\x02\x1f\x7f", Met{Controls: 4}},
		{"caf\xe9\n\xff", Met{Invalid: 2, First: 3}},
		{"\xe4\xb8", Met{Invalid: 2}},
		{"é\xe4\xb8x", Met{Invalid: 2, First: 2}},
		{"\x1b]0;title\x00\xff\a\x00", Met{NULs: 1}},
	} {
		f := NewFilter(io.Discard)
		f.Write([]byte(tt.in))
		f.Close()
		require.Equal(t, tt.want, f.TakeMet(), "%q", tt.in)
		require.False(t, f.TakeMet().Any())
	}
}

// What is met does not depend on how the output comes, and neither does what is shown for it.
func TestMetInChunks(t *testing.T) {
	alphabet := []string{"a", "\n", "\r", "\x00", "\x00", "\x00\x00", "\x01", "\xff", "\xe4\xb8", "é", "😀", "\xf0\x9f", "\x1b[1m", "\x1b", "\x9b", "]"}
	for seed := range testkit.Some(5000) {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		var in, whole, parts strings.Builder
		for range r.IntN(40) {
			in.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		one, many := NewFilter(&whole), NewFilter(&parts)
		for _, f := range []*Filter{one, many} {
			f.ShowNUL("␀")
		}
		io.WriteString(one, in.String())
		for _, chunk := range randomChunks(r, []byte(in.String())) {
			many.Write(chunk)
		}
		one.Close()
		many.Close()
		require.Equal(t, one.Met(), many.Met(), "%q", in.String())
		require.Equal(t, whole.String(), parts.String(), "%q", in.String())
	}
}

func TestShowNUL(t *testing.T) {
	var out strings.Builder
	f := NewFilter(&out)
	f.ShowNUL("␀")
	io.WriteString(f, "a\x00b\x00\n12\x00\rx\n\x00\x1b]0;\x00\a|\x1b[\x001mred\n")
	f.Close()
	require.Equal(t, "a␀b␀\nx2␀\n␀|red\n", out.String())
}
