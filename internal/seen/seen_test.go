package seen

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

func TestStore(t *testing.T) {
	var s Store
	require.Nil(t, s.Latest("a"))
	a := []byte("one")
	s.Put("a", Version{Sum: SumOf(a), Content: a})
	v := s.Latest("a", "b")
	require.Equal(t, "one", string(v.Content))
	require.True(t, v.Is(SumOf([]byte("one")), nil))
	require.False(t, v.Is(SumOf([]byte("two")), nil))
	require.False(t, v.Is(Sum{}, nil))
	s.Put("a", Version{})
	v = s.Latest("a")
	require.False(t, v.Is(SumOf(nil), nil), "an empty file is not none")
	require.True(t, v.Is(Sum{}, nil))
	s.Put("b", Version{Content: a})
	for range 2 {
		require.Nil(t, s.Latest("a").Content)
		require.NotNil(t, s.Latest("a", "b").Content, "it was put later, and not only used")
		require.NotNil(t, s.Latest("b", "a").Content)
	}
}

// What is held is bounded, whatever the number of files, their size and the length of paths.
func TestStoreIsBounded(t *testing.T) {
	for _, size := range []int{0, 1000, maxContent, maxContent + 1} {
		var s Store
		content := make([]byte, size)
		s.Put("first", Version{})
		for i := range 2 * maxHeld / entrySize {
			s.Put(fmt.Sprint(i), Version{Content: content})
			s.Latest("first")
			require.LessOrEqual(t, s.held, maxHeld)
		}
		require.NotNil(t, s.Latest("first"), "it was used")
		require.Nil(t, s.Latest("0"))
		sum := 0
		for at := s.order.Front(); at != nil; at = at.Next() {
			sum += at.Value.(entry).size()
		}
		require.Equal(t, sum, s.held)
		require.Len(t, s.files, s.order.Len())
	}
}

func TestRecorder(t *testing.T) {
	for _, size := range []int{0, 1, maxContent, maxContent + 1} {
		content := bytes.Repeat([]byte("x"), size)
		path := filepath.Join(t.TempDir(), "file")
		require.NoError(t, os.WriteFile(path, content, 0o600))
		f, err := os.Open(path)
		require.NoError(t, err)
		defer f.Close()
		info, err := f.Stat()
		require.NoError(t, err)

		r := Record(f, info)
		buf := make([]byte, 8192)
		r.ReadAt(buf[:min(size, 100)], 0) // to see what it is
		for at := 0; at < size; {
			n, _ := r.ReadAt(buf, int64(at))
			at += n
		}
		r.ReadAt(buf, int64(size/2))
		v := r.Version()
		require.Equal(t, SumOf(content), v.Sum)
		require.True(t, v.Is(SumOf(content), info))
		require.Equal(t, size <= maxContent, len(v.Content) == size)

		if size > 1 { // a gap
			r = Record(f, info)
			r.ReadAt(buf[:1], int64(size-1))
			v = r.Version()
			require.True(t, v.Is(Sum{}, info))
			require.NoError(t, os.Chtimes(path, time.Time{}, time.Unix(1e9, 0)))
			later, err := os.Stat(path)
			require.NoError(t, err)
			require.False(t, v.Is(Sum{}, later))
			require.False(t, v.Is(Sum{}, nil))
		}
	}
}

// known returns the numbers of the lines.
func (l Lines) known() map[int]bool {
	m := map[int]bool{}
	for i, r := range l.runs {
		for n := r.start; n < r.end; n++ {
			m[n] = true
		}
		if r.start >= r.end || i > 0 && r.start <= l.runs[i-1].end {
			panic(fmt.Sprint(l))
		}
	}
	return m
}

func TestLines(t *testing.T) {
	require.False(t, Lines{}.All())
	require.True(t, AllLines(0).All(), "an empty file")
	require.True(t, AllLines(5).All())
	require.False(t, SomeLines(2, 4, 5).All())
	require.False(t, SomeLines(1, 4, 5).All())
	require.True(t, SomeLines(1, 4, 5).and(SomeLines(5, 1, 5)).All())
	require.True(t, SomeLines(4, 2, 5).and(SomeLines(1, 1, 5)).and(SomeLines(2, 2, 5)).All())
	require.False(t, SomeLines(1, 2, 5).and(SomeLines(4, 2, 5)).All())
	require.False(t, SomeLines(1, 4, 5).and(SomeLines(5, 1, 6)).All(), "of another rendering")
	require.True(t, Lines{}.and(AllLines(5)).All())
	require.Zero(t, Lines{}.Changed(diff.New(nil, []byte("a\n"))), "of an unknown number")

	many := Lines{total: 1000}
	for n := range 500 {
		many = many.and(SomeLines(2*n+1, 1, 1000))
	}
	require.Len(t, many.runs, maxRuns)
}

// A line that stays is known if it was, and one that comes is.
func TestLinesChanged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range testkit.Some(3000) {
		text := func() (lines []string) {
			for range r.IntN(12) {
				lines = append(lines, fmt.Sprintf("%d\n", r.IntN(8)))
			}
			return lines
		}
		before, after := text(), text()
		l := Lines{total: len(before), runs: []run{}}
		for range r.IntN(3) {
			if first := 1 + r.IntN(12); first <= len(before) {
				l.add(run{first, first + 1 + r.IntN(len(before)-first+1)})
			}
		}
		d := diff.New([]byte(strings.Join(before, "")), []byte(strings.Join(after, "")))
		want := map[int]bool{}
		from, to := 1, 1
		for _, c := range append(d.Changes, diff.Change{Old: len(before) + 1, New: len(after) + 1}) {
			for ; from < c.Old; from, to = from+1, to+1 {
				if l.known()[from] {
					want[to] = true
				}
			}
			for n := range c.Added {
				want[c.New+n] = true
			}
			from, to = c.Old+c.Removed, c.New+c.Added
		}
		got := l.Changed(d)
		require.Equal(t, want, got.known(), "%v to %v: %v", before, after, d.Changes)
		require.Equal(t, len(want) == len(after), got.All())
	}
}

// However many places change, few runs are held.
func TestLinesChangedAreBounded(t *testing.T) {
	before, after := strings.Repeat("a\nb\n", 500), strings.Repeat("a\nc\n", 500)
	l := Lines{total: 1000, runs: []run{}}.Changed(diff.New([]byte(before), []byte(after)))
	require.Len(t, l.runs, maxRuns)
	require.Equal(t, run{1000, 1001}, l.runs[maxRuns-1])
}

// What was shown of a content is put together, and forgotten with it.
func TestStoreKnowsLines(t *testing.T) {
	var s Store
	one, two := SumOf([]byte("one")), SumOf([]byte("two"))
	s.Put("a", Version{Sum: one, Lines: SomeLines(1, 2, 3)})
	s.Put("a", Version{Sum: one, Lines: SomeLines(3, 1, 3)})
	require.True(t, s.Latest("a").Lines.All())
	s.Put("a", Version{Sum: one})
	require.True(t, s.Latest("a").Lines.All())
	s.Put("a", Version{Sum: two, Lines: SomeLines(1, 1, 3)})
	require.False(t, s.Latest("a").Lines.All())
	s.Put("a", Version{Sum: one, Lines: SomeLines(1, 1, 3)})
	require.False(t, s.Latest("a").Lines.All())
}
