package truncation

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

func TestHead(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		limits   Limits
		want     string
		by       Reason
		out, of  int // lines
	}{
		{"empty", "", Limits{Lines: 1, Bytes: 1}, "", "", 0, 0},
		{"no limits", "a\nb", Limits{}, "a\nb", "", 2, 2},
		{"exactly the lines", "a\nb\n", Limits{Lines: 2}, "a\nb\n", "", 2, 2},
		{"one line over", "a\nb\nc", Limits{Lines: 2}, "a\nb", ByLines, 2, 3},
		{"an empty line over", "a\nb\n\n", Limits{Lines: 2}, "a\nb", ByLines, 2, 3},
		{"exactly the bytes", "ab\ncd\n", Limits{Bytes: 6}, "ab\ncd\n", "", 2, 2},
		{"final newline over", "ab\ncd\n", Limits{Bytes: 5}, "ab\ncd", "", 2, 2},
		{"one byte over", "ab\ncd", Limits{Bytes: 4}, "ab", ByBytes, 1, 2},
		{"first line over", "abcde\nf", Limits{Bytes: 4}, "", ByBytes, 0, 2},
		{"lines first", "a\nb\nc\nd", Limits{Lines: 2, Bytes: 5}, "a\nb", ByLines, 2, 4},
		{"bytes first", "aaa\nb\nc\nd", Limits{Lines: 3, Bytes: 4}, "aaa", ByBytes, 1, 4},
		{"lines and bytes at once", "a\nb\nc\nd", Limits{Lines: 2, Bytes: 3}, "a\nb", ByLines, 2, 4},
		{"only newlines", "\n\n\n\n", Limits{Lines: 2}, "\n", ByLines, 2, 4},
		{"characters", "äöü\nß", Limits{Chars: 4}, "äöü", ByChars, 1, 2},
		{"invalid bytes grow", "a\xff\xfe\nb", Limits{Bytes: 7}, "a\ufffd\ufffd", ByBytes, 1, 2},
		{"unfinished character", "a\xe4\xb8", Limits{Bytes: 9}, "a\ufffd\ufffd", "", 1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := unmarked(Head, tt.limits).Truncate(tt.in)
			require.Equal(t, tt.want, r.Text)
			require.Equal(t, tt.by, r.TruncatedBy)
			require.Equal(t, [2]int{tt.out, tt.of}, [2]int{r.OutputLines, r.TotalLines})
			require.Equal(t, tt.by != "" && tt.out == 0, r.FirstLineExceedsLimit)
		})
	}
}

func TestTail(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		limits   Limits
		want     string
		by       Reason
		out, of  int
		partial  bool
	}{
		{"empty", "", Limits{Lines: 1, Bytes: 1}, "", "", 0, 0, false},
		{"no limits", "a\nb", Limits{}, "a\nb", "", 2, 2, false},
		{"exactly the lines", "a\nb\n", Limits{Lines: 2}, "a\nb\n", "", 2, 2, false},
		{"one line over", "a\nb\nc\n", Limits{Lines: 2}, "b\nc\n", ByLines, 2, 3, false},
		{"final newline over, and more", "a\nb\nc\n", Limits{Bytes: 3}, "b\nc", ByBytes, 2, 3, false},
		{"final newline of a part fits", "a\n世世\n", Limits{Bytes: 5}, "世\n", ByBytes, 1, 2, true},
		{"no line, no newline", "a\nb\n", Limits{Lines: nothing}, "", ByLines, 0, 2, false},
		{"exactly the bytes", "ab\ncd\n", Limits{Bytes: 6}, "ab\ncd\n", "", 2, 2, false},
		{"final newline over", "ab\ncd\n", Limits{Bytes: 5}, "ab\ncd", "", 2, 2, false},
		{"one byte over", "ab\ncd", Limits{Bytes: 4}, "cd", ByBytes, 1, 2, false},
		{"whole first line at the edge", "xx\nabcd\n", Limits{Bytes: 4}, "abcd", ByBytes, 1, 2, false},
		{"last line over", "a\nabcdef", Limits{Bytes: 4}, "cdef", ByBytes, 1, 2, true},
		{"last line over, cut between characters", "世界世界", Limits{Bytes: 4}, "界", ByBytes, 1, 1, true},
		{"no room for one character", "世", Limits{Bytes: 2}, "", ByBytes, 1, 1, true},
		{"lines and bytes at once", "a\nb\nc\nd", Limits{Lines: 2, Bytes: 3}, "c\nd", ByLines, 2, 4, false},
		{"only newlines", "\n\n\n\n", Limits{Lines: 2}, "\n\n", ByLines, 2, 4, false},
		{"characters", "ß\näöü", Limits{Chars: 4}, "äöü", ByChars, 1, 2, false},
		{"invalid bytes grow", "b\na\xff\xfe", Limits{Bytes: 7}, "a\ufffd\ufffd", ByBytes, 1, 2, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := unmarked(Tail, tt.limits).Truncate(tt.in)
			require.Equal(t, tt.want, r.Text)
			require.Equal(t, tt.by, r.TruncatedBy)
			require.Equal(t, [2]int{tt.out, tt.of}, [2]int{r.OutputLines, r.TotalLines})
			require.Equal(t, tt.partial, r.LastLinePartial)
		})
	}
}

func TestTailOfNoLine(t *testing.T) {
	w := unmarked(Tail, Limits{Lines: nothing}).NewWriter()
	w.WriteString("a\nb\n")
	require.Equal(t, unmarked(Tail, Limits{Lines: nothing}).Truncate("a\nb\n"), w.Result())
	require.Empty(t, w.Result().Text)
}

// unmarked is the policy of Truncate.
func unmarked(s Strategy, l Limits) Policy { return Policy{Strategy: s, Limits: l, Unmarked: true} }

// within reports whether a text is within the limits of bytes and characters.
func within(l Limits, bytes, chars int) bool { return bytes <= most(l.Bytes) && chars <= most(l.Chars) }

func TestTextThatFitsIsTheSameString(t *testing.T) {
	text := strings.Repeat("line\n", 100)
	for _, strategy := range []Strategy{Head, Tail} {
		r := unmarked(strategy, Limits{Lines: 100}).Truncate(text)
		require.Same(t, unsafe.StringData(text), unsafe.StringData(r.Text))
	}
}

func TestMemoryIsBounded(t *testing.T) {
	limits := Limits{Lines: 2000, Bytes: 30 << 10}
	head, tail := unmarked(Head, limits).NewWriter(), unmarked(Tail, limits).NewWriter()
	chunk := []byte(strings.Repeat("y\n", 1<<15) + strings.Repeat("x", 1<<16))
	chunks := testkit.Some(200)
	for range chunks {
		head.Write(chunk)
		tail.Write(chunk)
	}
	require.LessOrEqual(t, cap(head.first)+cap(head.last.held), 2*limits.Bytes)
	require.LessOrEqual(t, cap(tail.first)+cap(tail.last.held), 3*limits.Bytes)
	require.Empty(t, tail.first)
	require.Empty(t, head.last.held)
	require.Equal(t, chunks*len(chunk), tail.Result().TotalBytes)
	require.Equal(t, chunks<<15+1, head.Result().TotalLines)
	require.Equal(t, 1<<16, tail.Result().LongLineBytes)
}

// naive is the definition of both strategies, on a list of lines.
func naive(text string, s Strategy, l Limits) (kept []string, lines []string) {
	text = strings.Join(strings.Split(validUTF8(text), "\n"), "\n")
	lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		lines = nil
	}
	fits := func(kept []string) bool {
		j := strings.Join(kept, "\n")
		return len(kept) <= most(l.Lines) && within(l, len(j), utf8.RuneCountInString(j))
	}
	for n := len(lines); n > 0; n-- {
		kept = lines[:n]
		if s == Tail {
			kept = lines[len(lines)-n:]
		}
		if fits(kept) {
			return kept, lines
		}
	}
	if s == Head || len(lines) == 0 || most(l.Lines) == 0 {
		return nil, lines
	}
	last := []rune(lines[len(lines)-1])
	for !fits([]string{string(last)}) {
		last = last[1:]
	}
	return []string{string(last)}, lines
}

func validUTF8(s string) string { return string([]rune(s)) } // one U+FFFD a byte

func check(t *testing.T, text string, limits Limits, split []int) {
	t.Helper()
	for _, s := range []Strategy{Head, Tail} {
		whole := unmarked(s, limits).Truncate(text)
		kept, lines := naive(text, s, limits)
		msg := fmt.Sprintf("%s %+v of %q", s, limits, text)
		want := strings.Join(kept, "\n")
		ends := len(kept) > 0 && strings.HasSuffix(text, "\n") && (s == Tail || len(kept) == len(lines))
		if ends && within(limits, len(want)+1, utf8.RuneCountInString(want)+1) {
			want += "\n" // ends the last line, and is kept where it fits
			ends = false
		}
		require.Equal(t, want, whole.Text, msg)
		require.Equal(t, ends || s == Tail && len(kept) == 0 && strings.HasSuffix(text, "\n"), whole.NewlineDropped, msg)
		require.Equal(t, len(lines), whole.TotalLines, msg)
		require.Equal(t, len(kept), whole.OutputLines, msg)
		require.Equal(t, [2]int{len(want), utf8.RuneCountInString(want)}, [2]int{whole.OutputBytes, whole.OutputChars}, msg)
		require.Equal(t, len(validUTF8(text)), whole.TotalBytes, msg)
		require.Equal(t, whole.Truncated, len(kept) < len(lines) || whole.LastLinePartial, msg)
		require.True(t, utf8.ValidString(whole.Text), msg)
		require.True(t, within(limits, len(whole.Text), utf8.RuneCountInString(whole.Text)), msg)
		if whole.LastLinePartial {
			require.Equal(t, len(lines[len(lines)-1]), whole.LongLineBytes, msg)
		}
		if whole.FirstLineExceedsLimit {
			require.Equal(t, len(lines[0]), whole.LongLineBytes, msg)
		}
		require.Equal(t, whole, chunked(text, s, limits, split), msg)
		if s == Tail {
			w := unmarked(Tail, raised(limits)).NewWriter()
			w.WriteString(text)
			require.Equal(t, whole, w.Result(limits), "lowered: "+msg)
		}
	}
}

func chunked(text string, s Strategy, l Limits, split []int) Result {
	w := unmarked(s, l).NewWriter()
	for i := 0; len(text) > 0; i++ {
		n := min(split[i%len(split)], len(text))
		w.Write([]byte(text[:n]))
		w.Result() // a snapshot changes nothing
		text = text[n:]
	}
	return w.Result()
}

func TestRandomTexts(t *testing.T) {
	alphabet := []string{"a", "b", "\n", "\n", "ä", "世", "😀", "\xff", "\xe4\xb8", "\xf0\x9f", " ", "\r"}
	for seed := range testkit.Some(20000) {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		limits := Limits{Lines: Limit(r.IntN(6)), Bytes: Limit(r.IntN(40))}
		if r.IntN(3) == 0 {
			limits.Chars = Limit(r.IntN(20))
		}
		check(t, b.String(), limits, []int{1 + r.IntN(4), 1 + r.IntN(9)})
	}
}

func FuzzTruncate(f *testing.F) {
	f.Add("a\nb\n", 2, 10, 0, 1)
	f.Add("世界\n\xff\n\n", 0, 4, 0, 2)
	f.Add(strings.Repeat("x", 50)+"\n", 1, 10, 7, 3)
	f.Fuzz(func(t *testing.T, text string, lines, bytes, chars, split int) {
		if split < 1 || len(text) > 10000 {
			t.Skip()
		}
		check(t, text, Limits{Lines: Limit(lines), Bytes: Limit(bytes), Chars: Limit(chars)}, []int{split})
	})
}

func TestHeadChars(t *testing.T) {
	for _, tt := range []struct {
		in     string
		limits Limits
		want   string
		by     Reason
	}{
		{"abc", Limits{Bytes: 3}, "abc", ""},
		{"abcd", Limits{Bytes: 3}, "abc", ByBytes},
		{"世界", Limits{Bytes: 5}, "世", ByBytes},
		{"世界\n界", Limits{Chars: 3}, "世界\n", ByChars},
		{"a\xffb", Limits{Chars: 2}, "a\ufffd", ByChars},
		{"a\xe4\xb8", Limits{Chars: 2}, "a\ufffd", ByChars},
		{"", Limits{Chars: 2}, "", ""},
	} {
		for split := 1; split <= 3; split++ {
			w := unmarked(HeadChars, tt.limits).NewWriter()
			for in := tt.in; in != ""; {
				n := min(split, len(in))
				w.WriteString(in[:n])
				in = in[n:]
			}
			r := w.Result()
			require.Equal(t, tt.want, r.Text)
			require.Equal(t, tt.by, r.TruncatedBy)
			require.Equal(t, unmarked(HeadChars, tt.limits).Truncate(tt.in), r)
		}
	}
}

// The newline that ends the last of whole lines is none too many.
func TestFull(t *testing.T) {
	for _, tt := range []struct {
		strategy Strategy
		limits   Limits
		text     string
		full     bool
	}{
		{Head, Limits{Bytes: 6}, "", false},
		{Head, Limits{Bytes: 6}, "ab\ncde", false},
		{Head, Limits{Bytes: 6}, "ab\ncde\n", false},
		{Head, Limits{Bytes: 6}, "ab\ncdef", true},
		{Head, Limits{Bytes: 6}, "ab\ncdef\n", true},
		{Tail, Limits{Chars: 6}, "äb\ncdé\n", false},
		{Tail, Limits{Chars: 6}, "äb\ncdéf", true},
		{Tail, Limits{Chars: 6}, "äb\ncdéf\n", true},
		{Middle, Limits{Bytes: 6}, "ab\ncd\n", false},
		{Middle, Limits{Bytes: 6}, "ab\ncde\n", true},
		{MiddleLines, Limits{Chars: 6}, "ab\ncde\n", true},
		{Head, Limits{Lines: 2}, "ab\ncd\n", false},
		{Head, Limits{Lines: 2}, "ab\ncd\ne", true},
		{Head, Limits{Bytes: nothing}, "", false},
		{Head, Limits{Bytes: nothing}, "a", true},
	} {
		w := unmarked(tt.strategy, tt.limits).NewWriter()
		w.WriteString(tt.text)
		require.Equal(t, tt.full, w.plan.overflows(w.total), "%s %+v of %q", tt.strategy, tt.limits, tt.text)
	}
	w := Policy{Strategy: HeadTailLines, First: 1, Last: 2, Threshold: 10}.NewWriter()
	for _, tt := range []struct {
		text string
		full bool
	}{{"one\ntwo\nthree\n", false}, {"4", true}} {
		w.WriteString(tt.text)
		require.Equal(t, tt.full, w.plan.overflows(w.total))
	}
	w = Policy{Strategy: HeadTailLines, First: 1, Last: 2, Threshold: 10}.NewWriter()
	w.WriteString("1\n2\n3\n4\n5\n")
	require.False(t, w.plan.overflows(w.total), "no more characters than the threshold")
	w.WriteString("6")
	require.True(t, w.plan.overflows(w.total))
}

// What was not counted is left out.
func TestResultAsJSON(t *testing.T) {
	for _, tt := range []struct {
		r    Result
		want string
	}{
		{Result{TotalLines: 3, TotalBytes: 30, TotalChars: 20, OutputLines: 1, OutputBytes: 5, OutputChars: 4, Truncated: true},
			`{"truncated":true,"totalLines":3,"totalBytes":30,"totalChars":20,"outputLines":1,"outputBytes":5,"outputChars":4,
			"lastLinePartial":false,"firstLineExceedsLimit":false,"charsRemoved":16,"bytesRemoved":25,"linesRemoved":2}`},
		{Result{TotalLines: -1, TotalBytes: 30, TotalChars: -1, OutputLines: 1, OutputBytes: 5, OutputChars: 4, Truncated: true},
			`{"truncated":true,"totalBytes":30,"outputLines":1,"outputBytes":5,"outputChars":4,
			"lastLinePartial":false,"firstLineExceedsLimit":false,"bytesRemoved":25}`},
		{Result{}, `{"truncated":false,"totalLines":0,"totalBytes":0,"totalChars":0,"outputLines":0,"outputBytes":0,"outputChars":0,
			"lastLinePartial":false,"firstLineExceedsLimit":false,"charsRemoved":0,"bytesRemoved":0,"linesRemoved":0}`},
	} {
		got, err := json.Marshal(tt.r)
		require.NoError(t, err)
		require.JSONEq(t, tt.want, string(got))
	}
}

func BenchmarkTail(b *testing.B) {
	chunk := []byte(strings.Repeat("an ordinary line of a log, eighty characters long or so, with nothing in it\n", 3400))
	for name, p := range map[string][]byte{"256KiB": chunk, "4KiB": chunk[:4096]} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(p)))
			b.ReportAllocs()
			w := unmarked(Tail, Limits{Lines: 2000, Bytes: 30 << 10}).NewWriter()
			for b.Loop() {
				w.Write(p)
			}
		})
	}
}

func BenchmarkHead(b *testing.B) {
	text := strings.Repeat("an ordinary line of a log, eighty characters long or so, with nothing in it\n", 3400)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		unmarked(Head, Limits{Lines: 2000, Bytes: 30 << 10}).Truncate(text)
	}
}

// The flat metadata have the limit that cut.
func TestMetadataNamesTheLimitThatCut(t *testing.T) {
	text := strings.Repeat("世", 50) // 150 bytes
	for _, tt := range []struct {
		limits Limits
		by     Reason
		length [2]int // original and most
	}{
		{Limits{Chars: 40, Bytes: 1000}, ByChars, [2]int{50, 40}},
		{Limits{Chars: 40, Bytes: 30}, ByBytes, [2]int{150, 30}},
		{Limits{Chars: 45, Bytes: 140}, ByChars, [2]int{50, 45}},
		{Limits{Chars: 40}, ByChars, [2]int{50, 40}},
		{Limits{Bytes: 40}, ByBytes, [2]int{150, 40}},
		{Limits{Chars: 100, Bytes: 1000}, "", [2]int{50, 100}},
		{Limits{Chars: 1000, Bytes: 200}, "", [2]int{150, 200}},
		{Limits{Chars: 200, Bytes: 200}, "", [2]int{50, 200}},
		{Limits{Tokens: 10, Bytes: 1000}, ByTokens, [2]int{150, 1000}},
		{Limits{}, "", [2]int{150, 0}},
	} {
		r := unmarked(HeadChars, tt.limits).Truncate(text)
		require.Equal(t, tt.by, r.TruncatedBy, tt.limits)
		m := r.Metadata()
		require.Equal(t, tt.length, [2]int{m.OriginalLength, m.MaxLength}, tt.limits)
	}
}
