package shapes

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Looking in the background finds the same, however the text is divided, and also where more is written after a report.
func TestBackground(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 10 {
		text := []byte(texts(r, 20_000))
		var whole Finder
		whole.Write(text)
		var b Background
		for rest := text; len(rest) > 0; {
			n := min(1+r.IntN(3*batch), len(rest))
			b.Write(rest[:n])
			rest = rest[n:]
			if r.IntN(4) == 0 {
				b.Report()
			}
		}
		want, got := whole.Report(), b.Report()
		require.Equal(t, want.Lines, got.Lines)
		require.Equal(t, want.More, got.More)
		require.Equal(t, want.Repeats, got.Repeats)
	}
	require.Empty(t, (*Background)(nil).Report())
}

// A panic is one of the goroutine that writes, where a call's are caught.
func TestBackgroundPanics(t *testing.T) {
	var b Background
	b.finder.layouts = layouts{list: make([]layout, 1), first: 7}
	b.Write(make([]byte, batch-1))
	b.Write([]byte("\n"))
	require.Panics(t, func() { b.Report() })
}
