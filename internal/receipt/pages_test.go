package receipt

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// pageOf returns a page of lines of one letter each.
func pageOf(path string, first int, letters string) Page {
	p := Page{Path: path, Name: path, First: first, Total: first + len(letters) - 1}
	for _, letter := range letters {
		p.Sums = append(p.Sums, LineSumOf(string(letter)+"\n"))
	}
	return p
}

func TestPages(t *testing.T) {
	for _, tt := range []struct {
		shown string // with a dot for a line that was not
		first int
		page  string
		want  []Same
	}{
		{"abcdef", 1, "abcdef", []Same{{1, 6, 1}}},
		{"abcdef", 3, "cde", []Same{{3, 5, 3}}},
		{"abcdef", 6, "f", []Same{{6, 6, 6}}},
		{"abcdef", 6, "a", []Same{{6, 6, 1}}},
		{"abcdef", 1, "aXcYeZ", nil},
		{"abcdefg", 1, "abcXefg", []Same{{1, 3, 1}, {5, 7, 5}}},
		{"abcdefg", 1, "XabcdefgX", []Same{{2, 8, 1}}},
		{"abcdefg", 1, "abcXdefg", []Same{{1, 3, 1}, {5, 8, 4}}},
		{"abcdefghi", 1, "abcghi", []Same{{1, 3, 1}, {4, 6, 7}}},
		{"abcdef", 1, "defabc", []Same{{1, 3, 4}}},
		{"abc.efg", 1, "abcdefg", []Same{{1, 3, 1}, {5, 7, 5}}},
		{"abc.efg", 1, "abcefg", []Same{{1, 3, 1}, {4, 6, 5}}},
		{"ab.cd", 1, "abcd", nil},
		{"", 1, "abc", nil},
		{"abcabcabc", 4, "abcabc", []Same{{4, 9, 4}}},
	} {
		var s Pages
		for n, run := range shownRuns(tt.shown) {
			s.Put(s.Begin(""), pageOf("f", n, run))
		}
		before, _ := s.Before(s.Begin(""), pageOf("f", tt.first, tt.page))
		require.Equal(t, tt.want, before.Same, "%q then %q from %d", tt.shown, tt.page, tt.first)
	}
}

// shownRuns returns the runs without a dot, by the number of their first line.
func shownRuns(text string) map[int]string {
	runs := map[int]string{}
	for n := 0; n < len(text); n++ {
		if length := strings.IndexByte(text[n:]+".", '.'); length > 0 {
			runs[n+1] = text[n : n+length]
			n += length
		}
	}
	return runs
}

// What a call shows counts for calls that begin once it was put, to the same reader, and until it is forgotten.
func TestPagesMoment(t *testing.T) {
	var s Pages
	page := pageOf("f", 1, "abc")
	knows := func(m Moment) bool {
		_, ok := s.Before(m, page)
		return ok
	}
	one, two := s.Begin("one"), s.Begin("one")
	s.Put(one, page)
	require.False(t, knows(two), "it began before")
	require.True(t, knows(s.Begin("one")))
	require.False(t, knows(s.Begin("two")))
	s.Put(two, page)
	require.True(t, knows(s.Begin("one")))

	began := s.Begin("one")
	require.False(t, s.Forgot(began))
	s.ForgetReader("one")
	require.True(t, s.Forgot(began))
	require.False(t, knows(s.Begin("one")))
	s.Put(began, page)
	require.False(t, knows(s.Begin("one")), "the call began before it was forgotten")
	s.Put(s.Begin("one"), page)
	began = s.Begin("one")
	s.Forget()
	require.False(t, knows(began))
	require.Zero(t, s.held)

	s.Put(s.Begin("one"), page)
	s.Drop(s.Begin("two"), page)
	s.Drop(s.Begin("one"), pageOf("g", 1, "abc"))
	require.True(t, knows(s.Begin("one")))
	s.Drop(s.Begin("one"), pageOf("f", 2, "x"))
	before, _ := s.Before(s.Begin("one"), page)
	require.Empty(t, before.Same)
	s.Put(s.Begin("one"), Page{Path: "empty"})
	require.Equal(t, 1, s.order.Len())
}

// A page that a receipt has named is shown to who asks for it within the next pages.
func TestPagesInsisted(t *testing.T) {
	var s Pages
	page, other := pageOf("f", 1, "abcdefghij"), pageOf("g", 1, "xyz")
	knows := func(p Page) bool {
		_, ok := s.Before(s.Begin(""), p)
		return ok
	}
	put := func(p Page, repeated bool) {
		p.Repeated = repeated
		s.Put(s.Begin(""), p)
	}
	put(page, false)
	require.True(t, knows(page))
	put(pageOf("f", 3, "cde"), true)
	require.False(t, knows(page))
	require.False(t, knows(pageOf("f", 5, "e")))
	require.True(t, knows(pageOf("f", 6, "f")))
	require.True(t, knows(pageOf("f", 3, "cdX")), "it has changed")
	require.True(t, knows(pageOf("f", 1, "ab")))
	put(pageOf("f", 1, "ab"), false)
	put(pageOf("f", 6, "f"), false)
	require.False(t, knows(pageOf("f", 3, "cde")), "others were shown")
	put(pageOf("f", 7, "gh"), true)
	require.False(t, knows(pageOf("f", 3, "c")), "two receipts")
	for range insisted - 1 {
		require.False(t, knows(page))
		put(other, false)
	}
	require.True(t, knows(page))
	put(page, true)
	require.False(t, knows(page))
	put(pageOf("f", 10, "j"), false)
	require.True(t, knows(page), "it was shown")
	for range 2 * insisted {
		put(other, false)
	}
	put(pageOf("f", 1, "ab"), true)
	require.True(t, knows(pageOf("f", 4, "d")), "an older receipt does not count")
}

// Lines that were shown by another name are forgotten when some are shown by a new one.
func TestPagesName(t *testing.T) {
	var s Pages
	put := func(name string, repeated bool, first int, letters string) {
		p := pageOf("f", first, letters)
		p.Name, p.Repeated = name, repeated
		s.Put(s.Begin(""), p)
	}
	put("f", false, 1, "abc")
	put("f", true, 1, "abc")
	before, _ := s.Before(s.Begin(""), pageOf("f", 7, "xyz"))
	require.Equal(t, Before{Name: "f", Total: 3}, before)
	put("link", false, 4, "def")
	before, _ = s.Before(s.Begin(""), pageOf("f", 1, "abcdef"))
	require.Equal(t, Before{[]Same{{4, 6, 4}}, "link", 6}, before)
}

// Lines that are said to be the same are, and come in the order that they had.
func TestPagesSame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range testkit.Some(5000) {
		var s Pages
		text := func() string {
			letters := make([]byte, 1+r.IntN(30))
			for i := range letters {
				letters[i] = byte('a' + r.IntN(4))
			}
			return string(letters)
		}
		shown := map[int]byte{}
		for range 1 + r.IntN(4) {
			first, page := 1+r.IntN(40), text()
			s.Put(s.Begin(""), pageOf("f", first, page))
			for i := range page {
				shown[first+i] = page[i]
			}
		}
		first, page := 1+r.IntN(40), text()
		before, ok := s.Before(s.Begin(""), pageOf("f", first, page))
		require.True(t, ok)
		next, after := first, 1
		for _, same := range before.Same {
			require.GreaterOrEqual(t, same.First, next)
			require.GreaterOrEqual(t, same.Was, after)
			for n := same.First; n <= same.Last; n++ {
				require.Equal(t, shown[same.Was+n-same.First], page[n-first])
			}
			next, after = same.Last+1, same.Was+same.Last-same.First+1
		}
		require.LessOrEqual(t, next, first+len(page))
	}
}

// What is held is bounded, of a file and in all, however many files, readers and lines there are.
func TestPagesAreBounded(t *testing.T) {
	var s Pages
	knows := func(reader string, p Page) bool {
		before, _ := s.Before(s.Begin(reader), p)
		return len(before.Same) > 0
	}
	one := pageOf("path", 1, "abc")
	one.Name = "name of it"
	s.Put(s.Begin("reader"), one)
	require.Equal(t, entrySize+len("reader"+"path"+"name of it")+3*shownLineSize, s.held)
	s.Forget()

	long := Page{Path: "long", First: 1, Sums: make([]LineSum, 1000)}
	for i := range 2 * maxShownLines / 1000 {
		long.First = 1 + i*1000
		s.Put(s.Begin(""), long)
		require.LessOrEqual(t, len(s.readers[""].files["long"].Value.(*shownEntry).lines), maxShownLines)
		require.True(t, knows("", long))
	}
	long.Sums = make([]LineSum, maxShownLines+1)
	s.Put(s.Begin(""), long)
	require.Len(t, s.readers[""].files["long"].Value.(*shownEntry).lines, maxShownLines)

	for i := range 2 * maxShown / entrySize {
		reader := fmt.Sprint(i % 100)
		s.Put(s.Begin(reader), pageOf(fmt.Sprint(i), 1, "abcdefghij"))
		require.LessOrEqual(t, s.held, maxShown)
		require.True(t, knows("0", pageOf("0", 1, "abc")), "it is used")
	}
	require.False(t, knows("1", pageOf("1", 1, "abc")))
	require.NotContains(t, s.readers, "", "nothing is left of it")
	sum, files := 0, 0
	for at := s.order.Front(); at != nil; at = at.Next() {
		sum += at.Value.(*shownEntry).size()
	}
	for _, r := range s.readers {
		files += len(r.files)
	}
	require.Equal(t, sum, s.held)
	require.Equal(t, files, s.order.Len())
}

// However alike lines are, a page costs little.
func BenchmarkPagesOfEqualLines(b *testing.B) {
	var s Pages
	shown := Page{Path: "f", First: 1, Sums: make([]LineSum, maxShownLines)}
	for i := range shown.Sums {
		shown.Sums[i] = LineSum(i % 2)
	}
	s.Put(s.Begin(""), shown)
	page := Page{Path: "f", First: 1, Sums: make([]LineSum, 2000)} // two alike after each other are nowhere
	for b.Loop() {
		s.Before(s.Begin(""), page)
	}
}
