package capture

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// frames are so many states of so many bars that are drawn in place.
func frames(states, bars int) string {
	var b strings.Builder
	for i := range states {
		if i > 0 {
			fmt.Fprintf(&b, "\x1b[%dA", bars)
		}
		for bar := range bars {
			fmt.Fprintf(&b, "\x1b[2Kbar%d %d\n", bar, i)
		}
	}
	return b.String()
}

func finish(t *testing.T, policy truncation.Policy, chunks ...string) (text Text, said string) {
	out := newOutput(t, policy, false)
	t.Cleanup(out.Close)
	for _, c := range chunks {
		out.Stdout().Write([]byte(c))
		out.Snapshot()
	}
	texts := out.Finish(false)
	return texts[0], Compose(texts, "", nil).Text
}

// What was drawn again is shown once, and if something is left out, a notice says that the file has more lines.
func TestDrawnAgain(t *testing.T) {
	all := truncation.Policy{Strategy: truncation.Tail, Limits: truncation.Limits{Bytes: 30 << 10}, Unmarked: true}
	text, said := finish(t, all, "start\n", frames(100, 3), "done\n")
	require.Equal(t, "start\nbar0 99\nbar1 99\nbar2 99\ndone\n", said)
	require.Equal(t, 297, text.Over)
	require.False(t, text.Cut)

	some := all
	some.Lines = 10
	text, said = finish(t, some, frames(100, 3), strings.Repeat("log\n", 1000))
	require.Equal(t, 1003, text.TotalLines)
	require.Contains(t, said, "Showing lines 994-1003 of 1003. Full output: ")
	require.Contains(t, said, "the file has 297 more, as lines were drawn again")
	raw := strings.Count(frames(100, 3), "\n") + 1000
	require.Equal(t, raw, text.TotalLines+text.Over)

	_, said = finish(t, some, strings.Repeat("log\n", 1000))
	require.NotContains(t, said, "drawn again")
}

// The end that progress shows has what is kept back, in its last state, without making that final.
func TestSnapshotOfWhatIsDrawn(t *testing.T) {
	out := newOutput(t, tail(limits(100, 4096, 0)), false)
	defer out.Close()
	for i := range 5 {
		if i > 0 {
			out.Stdout().Write([]byte("\x1b[2A"))
		}
		out.Stdout().Write([]byte(fmt.Sprintf("a %d\nb %d\n", i, i)))
		_, lines, text := out.Snapshot()
		require.Equal(t, fmt.Sprintf("a %d\nb %d\n", i, i), text)
		require.Equal(t, 2, lines)
	}
	require.Equal(t, "a 4\nb 4\n", out.Finish(false)[0].Text)
}

// The parts of a job have each state of what is drawn that was there when one was taken. Together with Over, the lines
// that were shown are those of the file, and a search numbers lines as the file does.
func TestPartsOfWhatIsDrawn(t *testing.T) {
	pieces := []string{"log\n", "log", "\n", "\x1b[2A", "\x1b[A\x1b[2K", "\x1b[2B", "\r", "bar 1\n", "bar 2", "\x1b[5;1H", "\x1b[J", "\x1b[2J\x1b[H", "\x1b[L", "\x1b7", "\x1b8", "世\n"}
	for seed := range testkit.Some(300) {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		out := newOutput(t, tail(limits(1000, 64<<10, 0)), false)
		out.Publish()
		raw := ""
		for range 1 + r.IntN(6) {
			for range r.IntN(20) {
				p := pieces[r.IntN(len(pieces))]
				raw += p
				out.Stdout().Write([]byte(p))
			}
			texts, err := out.first.Take(t.Context())
			require.NoError(t, err)
			v := out.first.views[0]
			require.Equal(t, strings.Count(raw, "\n"), v.lines+v.over, "%q", raw)
			require.Equal(t, v.over, texts[0].Over)
		}
		raw += "\nREADY\n"
		search := out.first.Search(matcher(t, "READY"))
		out.Stdout().Write([]byte("\nREADY\nmore\n"))
		m := search.Await(t.Context(), nil)
		require.Equal(t, strings.Count(raw, "\n"), m.Line, "%q", raw)
		texts, left, err := out.first.TakeUntil(t.Context(), m, 100)
		require.NoError(t, err)
		require.Contains(t, texts[0].Text, "READY", "%q", raw)
		require.Equal(t, int64(len("more\n")), left)
		rest, err := out.first.Take(t.Context())
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(rest[0].Text, "more"), "%q", raw) // what was drawn before may follow
		v := out.first.views[0]
		require.Equal(t, strings.Count(raw, "\n")+1, v.lines+v.over, "%q", raw)
		out.Close()
	}
}

func matcher(t *testing.T, pattern string) *match.Matcher {
	m, err := match.Compile(pattern, match.Options{})
	require.NoError(t, err)
	return m
}
