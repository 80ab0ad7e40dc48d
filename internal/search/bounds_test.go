package search

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

func group(t testing.TB, pattern string, o match.Options, b bounds) *Group {
	m, err := match.Compile(pattern, o)
	require.NoError(t, err)
	g := NewGroup(Query{Matcher: m, Text: 10})
	g.bounds = b
	return g
}

// both is as many lines before as after.
func both(n int) Around { return Around{n, n} }

// TestSmallBounds compares searches that hold hardly anything with a naive one.
func TestSmallBounds(t *testing.T) {
	g := group(t, "x", match.Options{}, bounds{own: 128 << 10, buffer: 192 << 10, line: 96 << 10, overlap: 1 << 10, window: 32 << 10})
	s := g.New()
	for seed := range testkit.Some(150) {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		var lines []string
		for range r.IntN(40) {
			line := strings.Repeat("abc ", 1<<r.IntN(16))
			for n := r.IntN(4); n == 0 && len(line) < 250<<10; n = r.IntN(2) {
				line += "x" + line
			}
			lines = append(lines, line[r.IntN(4):])
		}
		text := strings.Join(lines, "\n")
		if r.IntN(2) == 0 {
			text += "\n"
		} else if len(lines) > 0 && lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		around := Around{r.IntN(5), r.IntN(5)}
		var want, got []string
		for i, line := range lines {
			for j := max(0, i-around.After); j <= min(len(lines)-1, i+around.Before); j++ {
				if strings.Contains(lines[j], "x") {
					want = append(want, fmt.Sprint(i+1, strings.Index(line, "x")))
					break
				}
			}
		}
		var in io.Reader = strings.NewReader(text)
		if r.IntN(2) == 0 {
			in = iotest.HalfReader(in)
		}
		require.NoError(t, s.Lines(t.Context(), in, 0, around, func(l Line) bool {
			require.False(t, l.Dropped)
			require.False(t, l.GoesOn)
			require.True(t, strings.HasPrefix(lines[l.Number-1][l.Before:], string(l.Text)))
			at := -1
			if l.Match() {
				start, end, _ := l.Place(s.lines)
				require.Equal(t, "x", string(l.Text[start:end]))
				at = l.Before + start
			}
			got = append(got, fmt.Sprint(l.Number, at))
			return true
		}))
		require.Equal(t, want, got, "seed %d", seed)
		require.Empty(t, g.large)
		require.LessOrEqual(t, len(s.buf), 128<<10)
	}
}

// TestMatchAcrossPieces has a match at every place around the end of a piece.
func TestMatchAcrossPieces(t *testing.T) {
	testkit.NotUnderRace(t)
	const line = 96 << 10
	g := group(t, "needle", match.Options{}, bounds{own: 128 << 10, buffer: 192 << 10, line: line, overlap: 1 << 10, window: 4 << 10})
	s := g.New()
	text := strings.Repeat("a", 2*line)
	for at := line - 8; at < line+8; at++ {
		found := 0
		in := iotest.OneByteReader(strings.NewReader("needle\n" + text[:at] + "needle" + text[at:] + "\n" + "needle\n"))
		require.NoError(t, s.Lines(t.Context(), in, 0, Around{}, func(l Line) bool {
			found++
			require.Equal(t, found, l.Number)
			return true
		}))
		require.Equal(t, 3, found, at)
		require.True(t, s.inPieces)
	}
	require.NoError(t, s.Lines(t.Context(), strings.NewReader(text[:line-1]), 0, Around{}, func(Line) bool { return true }))
	require.False(t, s.inPieces)
}

// TestDropped has more context than is held: the lines nearest to the match are
// shown, and the first of them says that there were others.
func TestDropped(t *testing.T) {
	g := group(t, "x", match.Options{}, bounds{own: 128 << 10, buffer: 192 << 10, line: 96 << 10, overlap: 1 << 10, window: 4 << 10})
	text := strings.Repeat(strings.Repeat("abc ", 100)+"\n", 1000) + "x"
	var lines []Line
	require.NoError(t, g.New().Lines(t.Context(), strings.NewReader(text), 0, both(990), func(l Line) bool {
		lines = append(lines, l)
		return true
	}))
	require.True(t, lines[0].Dropped)
	require.Equal(t, 1001-len(lines)+1, lines[0].Number)
	require.Greater(t, len(lines), (4<<10)/(10+keptCost)-2)
	for _, l := range lines[1:] {
		require.False(t, l.Dropped)
	}
}

// peak is what is held at most while f reads from the reader that it is given, as
// far as that is seen when it reads.
func peak(t testing.TB, r io.Reader, f func(io.Reader)) uint64 {
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	most := before.HeapAlloc
	n := 0
	f(readerFunc(func(p []byte) (int, error) {
		if n++; n%64 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc)
		}
		return r.Read(p)
	}))
	return most - before.HeapAlloc
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// endless repeats a text up to a number of bytes.
type endless struct {
	text []byte
	left int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), e.left)], e.text)
	e.left -= n
	return n, nil
}

// TestMemory searches lines and context of hundreds of megabytes.
func TestMemory(t *testing.T) {
	testkit.NotUnderRace(t)
	size := 300 << 20
	if testing.Short() {
		size /= 3 // it is still twice what may be held
	}
	long := bytes.Repeat([]byte("no line "), 1<<17)
	lines := bytes.Repeat([]byte(strings.Repeat("no line ", 1<<14)+"\n"), 8)
	for _, test := range []struct {
		name, pattern string
		text          []byte
		around        int
	}{
		{"a line", "needle", long, 0},
		{"a line with context", "needle", long, 3},
		{"much context", "needle", lines, 10_000},
		{"matches", "^no", lines, 10_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := group(t, test.pattern, match.Options{}, defaultBounds).New()
			most := peak(t, &endless{test.text, size}, func(r io.Reader) {
				require.NoError(t, s.Lines(t.Context(), r, 0, both(test.around), func(Line) bool { return true }))
			})
			require.Less(t, most, uint64(48<<20))
		})
	}
}

// TestManyMatchesWithMuchContext is linear: it visits each line once and looks at few
// more. Before, this took minutes.
func TestManyMatchesWithMuchContext(t *testing.T) {
	matches := testkit.Some(2_000_000)
	s := group(t, "x", match.Options{}, defaultBounds).New()
	visits := 0
	text := strings.Repeat("x\n\n", matches)
	require.NoError(t, s.Lines(t.Context(), strings.NewReader(text), 0, both(10_000), func(Line) bool { visits++; return true }))
	require.Equal(t, 2*matches, visits)
}

// TestLargeIsShared lets one searcher of a group have long lines, and the other wait
// until its context ends.
func TestLargeIsShared(t *testing.T) {
	testkit.Alone(t)
	g := group(t, "needle", match.Options{Multiline: true}, defaultBounds)
	g.large <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	text := &endless{bytes.Repeat([]byte("no line "), 8<<10), 30 << 20}
	n := 0
	r := readerFunc(func(p []byte) (int, error) {
		if n += len(p); n > 2<<20 {
			cancel()
		}
		return text.Read(p)
	})
	require.ErrorIs(t, g.New().Lines(ctx, r, 0, Around{}, func(Line) bool { return true }), context.Canceled)
	require.ErrorIs(t, g.New().Spans(ctx, text, 0, Around{}, func(Line) bool { return true }), context.Canceled)
	<-g.large
	require.NoError(t, g.New().Lines(t.Context(), text, 0, Around{}, func(Line) bool { return true }))
	require.Empty(t, g.large)
}

// TestSpansOfAFileThatGrows reads no more than it may.
func TestSpansOfAFileThatGrows(t *testing.T) {
	testkit.Alone(t)
	s := group(t, "needle", match.Options{Multiline: true}, defaultBounds).New()
	for _, text := range []string{"no line\n", "\xff\xfe\n\x00"} {
		r := &endless{append([]byte(text[:2]), strings.Repeat(text[2:], 8<<10)...), 300 << 20}
		require.ErrorIs(t, s.Spans(t.Context(), r, 20_000_000, Around{}, func(Line) bool { return true }), ErrTooLarge)
		require.Greater(t, r.left, 250<<20)
		require.NoError(t, s.Spans(t.Context(), strings.NewReader(text), int64(len(text)), Around{}, func(Line) bool { return true }))
		require.ErrorIs(t, s.Spans(t.Context(), strings.NewReader(text), int64(len(text))-1, Around{}, func(Line) bool { return true }), ErrTooLarge)
	}
}

// TestManySpansInOneLine is linear as well.
func TestManySpansInOneLine(t *testing.T) {
	s := group(t, "a", match.Options{Multiline: true}, defaultBounds).New()
	matches := 0
	require.NoError(t, s.Spans(t.Context(), strings.NewReader(strings.Repeat("ab", 200_000)), 0, both(2), func(l Line) bool {
		matches += l.Begins
		return true
	}))
	require.Equal(t, 200_000, matches)
}
