package capture

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

var alphabet = []string{"a", "b", "\n", "\n", "ä", "世", "한", "😀", "\xff", "\xe4\xb8", "plain ASCII of more than thirty-two bytes"}

func limits(lines, bytes, chars int) truncation.Limits {
	return truncation.Limits{Lines: truncation.Limit(lines), Bytes: truncation.Limit(bytes), Chars: truncation.Limit(chars)}
}

func TestHalves(t *testing.T) {
	for seed := range testkit.Some(2000) {
		r := rand.New(rand.NewPCG(uint64(seed), 6))
		l := limits(2+r.IntN(20), 2+r.IntN(60), 2+r.IntN(60))
		var texts [2]string
		var alone [2]truncation.Result
		for i := range texts {
			var b strings.Builder
			for range r.IntN(40) {
				b.WriteString(alphabet[r.IntN(len(alphabet))])
			}
			texts[i] = b.String()
			alone[i] = tail(l).Truncate(texts[i])
		}
		a, b := halves(l, alone[0], alone[1])
		first, second := tail(a).Truncate(texts[0]), tail(b).Truncate(texts[1])
		msg := fmt.Sprintf("%+v of %q: %+v and %+v", l, texts, a, b)
		require.LessOrEqual(t, first.OutputLines+second.OutputLines, int(l.Lines), msg)
		require.LessOrEqual(t, first.OutputBytes+second.OutputBytes, int(l.Bytes), msg)
		require.LessOrEqual(t, first.OutputChars+second.OutputChars, int(l.Chars), msg)
		// No limit is lower than the half unless that is all that the text needs.
		for i, given := range []truncation.Limits{a, b} {
			require.True(t, given.Lines >= l.Lines/2 || max(int(given.Lines), 0) >= alone[i].OutputLines, msg)
			require.True(t, given.Bytes >= l.Bytes/2 || max(int(given.Bytes), 0) >= alone[i].OutputBytes, msg)
			require.True(t, given.Chars >= l.Chars/2 || max(int(given.Chars), 0) >= alone[i].OutputChars, msg)
		}
	}
	text := func(s string) truncation.Result { return tail(truncation.Limits{}).Truncate(s) }
	a, b := halves(truncation.Limits{Lines: 1}, text("a"), text("b"))
	require.Equal(t, [2]truncation.Limit{1, 1}, [2]truncation.Limit{a.Lines, b.Lines})
	a, b = halves(truncation.Limits{}, text("a"), text("b"))
	require.Equal(t, [2]truncation.Limits{}, [2]truncation.Limits{a, b})
	a, b = halves(truncation.Limits{Bytes: -1}, text(""), text(""))
	require.Equal(t, [2]truncation.Limit{-1, -1}, [2]truncation.Limit{a.Bytes, b.Bytes})
	_, b = halves(truncation.Limits{Lines: 10}, text(""), text("1\n2\n3\n4\n5\n6\n7\n8\n9\n10"))
	require.EqualValues(t, 10, b.Lines)
}

var strategies = []truncation.Strategy{
	truncation.Head, truncation.Tail, truncation.HeadChars, truncation.TailChars,
	truncation.Middle, truncation.MiddleLines, truncation.HeadTailLines,
}

// A limit that is divided is one for both texts together, also where a limit on something
// else cuts a text that had no marker, or the marker has a path to name in the end.
func TestHalvesMarked(t *testing.T) {
	for seed := range testkit.Some(4000) {
		r := rand.New(rand.NewPCG(uint64(seed), 8))
		p := truncation.Policy{Strategy: strategies[r.IntN(7)], Limits: limits(2+r.IntN(20), 2+r.IntN(400), 2+r.IntN(400)),
			Marker: []string{"", "{path}", "\n--\n", "\n[{lines} {path}]\n"}[r.IntN(4)]}
		var texts [2]string
		var writers [2]*truncation.Writer
		for i := range texts {
			var b strings.Builder
			for range r.IntN(80) {
				b.WriteString(alphabet[r.IntN(len(alphabet))])
			}
			p.Save = func() (string, error) { return []string{"first.log", "second.log"}[i], nil }
			texts[i], writers[i] = b.String(), p.NewWriter()
			writers[i].WriteString(texts[i])
		}
		first, second := writers[0], writers[1]
		a, b := halves(p.Limits, first.Result(), second.Result())
		together := [2]string{first.Result(a).Text, second.Result(b).Text}
		msg := fmt.Sprintf("%+v of %q: %+v and %+v: %q", p, texts, a, b, together)
		require.LessOrEqual(t, len(together[0])+len(together[1]), int(p.Bytes), msg)
		require.LessOrEqual(t, utf8.RuneCountInString(together[0]+together[1]), int(p.Chars), msg)
		if s := p.Strategy; s != truncation.HeadChars && s != truncation.TailChars && s != truncation.Middle {
			require.LessOrEqual(t, notice.Lines(together[0])+notice.Lines(together[1]), int(p.Lines), msg)
		}
	}
}

func tail(limits truncation.Limits) truncation.Policy {
	return truncation.Policy{Strategy: truncation.Tail, Limits: limits, Unmarked: true}
}
