package search_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
)

// found returns the lines that a query finds in a file.
func found(t *testing.T, q search.Query, f io.Reader, size int) (lines []string, stats search.Stats) {
	stats, err := q.File(context.Background(), f, int64(size), func(l search.Line) bool {
		lines = append(lines, fmt.Sprint(shown(l.Number, string(l.Text), l.Match()), l.Begins, l.Before, l.GoesOn, l.Cut))
		return true
	})
	require.NoError(t, err)
	return lines, stats
}

// TestDecoded searches texts in windows-1252, whose lines are found as if they were UTF-8; and the same with a byte that
// is not in that encoding, of which the lines are found as they are.
func TestDecoded(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields("plain text crème brûlée déjà vu où l’été “never” naïve café a b c")
	decoded := 0
	for range testkit.Some(2000) {
		var b strings.Builder
		for range 1 + r.IntN(40) {
			for range r.IntN(5) {
				b.WriteString(words[r.IntN(len(words))] + " ")
			}
			b.WriteString([]string{"\n", "\r\n", "\n\n"}[r.IntN(3)])
		}
		text := b.String()
		latin, err := charmap.Windows1252.NewEncoder().String(text)
		require.NoError(t, err)
		pattern := []string{"crème", "é", "pl.in", "^$", "l’[^ ]* *$", "x", "br.l.e", "(?i)CRÈME", "a"}[r.IntN(9)]
		q := search.Query{
			Around: search.Around{Before: r.IntN(3), After: r.IntN(3)}, MaxBytes: 1 << 20,
			NonASCII:  strings.ContainsFunc(pattern, func(r rune) bool { return r > 127 }),
			Multiline: r.IntN(3) == 0, Count: r.IntN(5) == 0 && pattern != "br.l.e" && pattern != "pl.in",
		}
		q.Matcher, err = match.Compile(pattern, match.Options{Multiline: q.Multiline})
		require.NoError(t, err)
		want, _ := found(t, q, strings.NewReader(text), len(text))
		got, stats := found(t, q, strings.NewReader(latin), len(latin))
		require.Equal(t, want, got, "%q %+v %q", pattern, q, text)
		if n := stats.Decoded.Files + stats.Silent.Files; n > 0 {
			decoded++
			require.Equal(t, []string{"windows-1252"}, append(stats.Decoded.From, stats.Silent.From...))
			require.Equal(t, len(got) > 0, stats.Decoded.Files > 0)
			require.Zero(t, stats.NotUTF8)
		}
		broken := latin + "\x81\n"
		asBefore := struct{ io.Reader }{strings.NewReader(broken)} // which cannot be read again
		want, wantStats := found(t, q, asBefore, len(broken))
		got, stats = found(t, q, bytes.NewReader([]byte(broken)), len(broken))
		require.Equal(t, want, got, "%q %+v %q", pattern, q, text)
		require.Equal(t, wantStats, stats)
	}
	require.Greater(t, decoded, testkit.Some(2000)/4)
}

// A file that is too large to be sure, or whose encoding is given, is not decoded as it looks.
func TestNotDecoded(t *testing.T) {
	const text = "cr\xe8me\n"
	m, err := match.Compile("cr.me", match.Options{})
	require.NoError(t, err)
	for _, q := range []search.Query{
		{Matcher: m, MaxBytes: int64(len(text)) - 1}, {Matcher: m, MaxBytes: 100, Encoding: "utf-8"},
	} {
		lines, stats := found(t, q, strings.NewReader(text), len(text))
		require.Equal(t, []string{"1:cr\xe8me1 0 false false"}, lines)
		require.Zero(t, stats.Decoded.Files+stats.Silent.Files)
	}
}
