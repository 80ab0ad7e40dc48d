package search_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

func compiled(t testing.TB, pattern string, o match.Options) *match.Matcher {
	t.Helper()
	m, err := match.Compile(pattern, o)
	require.NoError(t, err)
	return m
}

func run(t testing.TB, s *search.Searcher, r io.Reader, around search.Around) []string {
	var got []string
	err := s.Lines(context.Background(), r, 0, around, func(l search.Line) bool {
		got = append(got, shown(l.Number, string(l.Text), l.Match()))
		return true
	})
	require.NoError(t, err)
	return got
}

func shown(number int, text string, match bool) string {
	mark := "-"
	if match {
		mark = ":"
	}
	return fmt.Sprintf("%d%s%s", number, mark, text)
}

// naive is the definition: a line is shown if it matches or is near one that does.
func naive(text string, re *regexp.Regexp, around search.Around) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		lines = nil
	}
	var got []string
	for i, line := range lines {
		near := false
		for j := max(0, i-around.After); j <= min(len(lines)-1, i+around.Before); j++ {
			near = near || re.MatchString(strings.TrimSuffix(lines[j], "\r"))
		}
		if near {
			line = strings.TrimSuffix(line, "\r")
			got = append(got, shown(i+1, line, re.MatchString(line)))
		}
	}
	return got
}

func TestLinesAreThoseOfANaiveSearch(t *testing.T) {
	m := compiled(t, "x+y|^$", match.Options{})
	re := regexp.MustCompile("x+y|^$")
	s := search.NewGroup(search.Query{Matcher: m}).New()
	words := []string{"x", "y", "xy", "\n", "\n", "\r\n", "é", "other words", strings.Repeat("long ", 3000)}
	for seed := range testkit.Some(400) {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		var b strings.Builder
		for range r.IntN(200) {
			b.WriteString(words[r.IntN(len(words))])
		}
		around := search.Around{Before: r.IntN(4), After: r.IntN(4)}
		var in io.Reader = strings.NewReader(b.String())
		if r.IntN(2) == 0 {
			in = iotest.HalfReader(in)
		}
		require.Equal(t, naive(b.String(), re, around), run(t, s, in, around), "seed %d", seed)
	}
}

func TestSpansAreThoseOfANaiveSearch(t *testing.T) {
	m := compiled(t, `a\n*b`, match.Options{Multiline: true})
	re := regexp.MustCompile(`a\n*b`)
	words := []string{"a", "b", "\n", "\n", "c\n"}
	for seed := range testkit.Some(2000) {
		r := rand.New(rand.NewPCG(uint64(seed), 4))
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(words[r.IntN(len(words))])
		}
		text, touched := b.String(), map[int]bool{}
		spans := re.FindAllStringIndex(text, -1)
		for _, span := range spans {
			for n := strings.Count(text[:span[0]], "\n"); n <= strings.Count(text[:span[1]-1], "\n"); n++ {
				touched[n] = true
			}
		}
		around := search.Around{Before: r.IntN(3), After: r.IntN(3)}
		var want, got []string
		matches := 0
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		for i, line := range lines {
			for j := i - around.After; j <= i+around.Before; j++ {
				if touched[j] {
					want = append(want, shown(i+1, line, touched[i]))
					break
				}
			}
		}
		err := search.NewGroup(search.Query{Matcher: m}).New().Spans(t.Context(), strings.NewReader(text), 0, around, func(l search.Line) bool {
			line := shown(l.Number, string(l.Text), l.Match())
			for i := range l.Begins {
				require.Equal(t, strings.Count(text[:spans[matches][0]], "\n")+1, l.Number)
				if i == l.Begins-1 {
					require.Equal(t, strings.Count(text[spans[matches][0]:spans[matches][1]-1], "\n")+1, l.Lines)
				}
				matches++
			}
			got = append(got, line)
			return true
		})
		require.NoError(t, err)
		require.Len(t, spans, matches)
		require.Equal(t, want, got, "seed %d: %q, %+v", seed, text, around)
	}
}

func TestKinds(t *testing.T) {
	m := compiled(t, "needle", match.Options{})
	s := search.NewGroup(search.Query{Matcher: m}).New()
	require.Equal(t, []string{"2:the needle"}, run(t, s, strings.NewReader("\xef\xbb\xbfa\nthe needle"), search.Around{}))
	require.Equal(t, []string{"1:needle"}, run(t, s, strings.NewReader("\xff\xfen\x00e\x00e\x00d\x00l\x00e\x00\n\x00"), search.Around{}))
	require.Empty(t, run(t, s, strings.NewReader(""), search.Around{}))
	none := func(search.Line) bool { return true }
	require.ErrorIs(t, s.Lines(t.Context(), strings.NewReader("needle\x00"), 0, search.Around{}, none), search.ErrBinary)
	broken := errors.New("broken")
	require.ErrorIs(t, s.Lines(t.Context(), io.MultiReader(strings.NewReader(strings.Repeat("a\n", 50000)), iotest.ErrReader(broken)), 0, search.Around{}, none), broken)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Lines(ctx, strings.NewReader("a"), 0, search.Around{}, none), context.Canceled)
}

func TestKindsAcrossLines(t *testing.T) {
	m := compiled(t, `a\nneedle`, match.Options{Multiline: true})
	s := search.NewGroup(search.Query{Matcher: m}).New()
	spans := func(text string, most int64) (lines int, err error) {
		err = s.Spans(t.Context(), strings.NewReader(text), most, search.Around{}, func(search.Line) bool { lines++; return true })
		return lines, err
	}
	const text, wide = "a\nneedle", "\xff\xfea\x00\n\x00n\x00e\x00e\x00d\x00l\x00e\x00"
	for _, text := range []string{text, "\xef\xbb\xbf" + text, wide} {
		for _, most := range []int64{0, int64(len(text))} {
			lines, err := spans(text, most)
			require.NoError(t, err)
			require.Equal(t, 2, lines, "%q", text)
		}
		_, err := spans(text, int64(len(text))-1)
		require.ErrorIs(t, err, search.ErrTooLarge, "%q", text)
	}
	_, err := spans(text+"\x00", 0)
	require.ErrorIs(t, err, search.ErrBinary)
}

// A file that has another length than it was said to have is read to its end.
func TestSizeIsAHint(t *testing.T) {
	m := compiled(t, "needle", match.Options{})
	text := strings.Repeat("x\n", 50_000) + "needle"
	for _, size := range []int64{0, 1, 2, 8192, int64(len(text)) - 1, int64(len(text)), 1 << 40} {
		n := 0
		err := search.NewGroup(search.Query{Matcher: m}).New().Lines(t.Context(), strings.NewReader(text), size, search.Around{}, func(search.Line) bool { n++; return true })
		require.NoError(t, err)
		require.Equal(t, 1, n, size)
	}
}

func TestEndedByTheVisit(t *testing.T) {
	m := compiled(t, "a", match.Options{})
	n := 0
	err := search.NewGroup(search.Query{Matcher: m}).New().Lines(t.Context(), strings.NewReader(strings.Repeat("a\n", 100)), 0, search.Around{Before: 2, After: 2}, func(search.Line) bool {
		n++
		return n < 3
	})
	require.NoError(t, err)
	require.Equal(t, 3, n)
}

// A gigabyte would do as well: the buffer does not grow with the file.
func TestOneBufferForAnyLength(t *testing.T) {
	m := compiled(t, "needle", match.Options{})
	s := search.NewGroup(search.Query{Matcher: m}).New()
	block := bytes.Repeat([]byte("some line of a log without it\n"), 1000)
	var parts []io.Reader
	for range 500 {
		parts = append(parts, bytes.NewReader(block))
	}
	parts = append(parts, strings.NewReader("needle"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.Equal(t, []string{"500001:needle"}, run(t, s, io.MultiReader(parts...), search.Around{}))
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20), "of 15 MB that were searched")
}

// TestAlso compares a search for several patterns with one for each of them, in files in UTF-8 and another encoding.
func TestAlso(t *testing.T) {
	words := []string{"one", "two", "déjà"}
	files := many(200, func(i int) string {
		text := strings.Repeat("x\n", i%5)
		for bit, word := range words {
			if i>>bit&1 == 1 {
				text += word + "\n"
			}
		}
		if i%11 == 0 {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "é", "\xe9"), "à", "\xe0") // Windows-1252
		}
		return text + strings.Repeat("z\n", i%3)
	})
	f := tree(t, files)
	for _, q := range []search.Query{{}, {Multiline: true}, {Count: true, Most: 1}, {Around: search.Around{Before: 1}}} {
		q.Matcher, q.MaxBytes, q.NonASCII = query(t, "x").Matcher, 1<<20, true
		q.Also = []*match.Matcher{query(t, "one").Matcher, query(t, "d.j.$").Matcher}
		got, alone, want, lacking := map[string]int{}, map[string]int{}, map[string]int{}, 0
		stats, err := q.Tree(t.Context(), f, func(f search.File, l search.Line) bool { got[f.Path]++; return true })
		require.NoError(t, err)
		for name := range files {
			file := testkit.Must(t, os.Open, filepath.Join(f.Abs, name))
			info, err := file.Stat()
			require.NoError(t, err)
			in := func(q search.Query, to map[string]int) (lines int) {
				_, err := q.File(t.Context(), file, info.Size(), func(search.Line) bool { lines++; return true })
				require.NoError(t, err)
				_, err = file.Seek(0, 0)
				require.NoError(t, err)
				if lines > 0 && to != nil {
					to[name] = lines
				}
				return lines
			}
			in(q, alone)
			first := q
			first.Also = nil
			if in(first, want) > 0 {
				for _, m := range q.Also {
					first.Matcher = m
					if in(first, nil) == 0 {
						delete(want, name)
						lacking++
						break
					}
				}
			}
			require.NoError(t, file.Close())
		}
		require.NotEmpty(t, want)
		require.Equal(t, want, got, fmt.Sprint(q.Multiline, q.Count))
		require.Equal(t, want, alone)
		require.Equal(t, lacking, stats.Lacking)
	}
}
