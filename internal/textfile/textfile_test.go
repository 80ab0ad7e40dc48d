package textfile

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"
)

func TestSniff(t *testing.T) {
	for _, tt := range []struct {
		name, head string
		want       Info
	}{
		{"empty", "", Info{Encoding: UTF8}},
		{"text", "a\nb\n", Info{Encoding: UTF8, LineEndings: "lf"}},
		{"crlf", "a\r\nb\r\n", Info{Encoding: UTF8, LineEndings: "crlf"}},
		{"mixed", "a\r\nb\n", Info{Encoding: UTF8, LineEndings: "mixed"}},
		{"bom", "\xef\xbb\xbfa\n", Info{Encoding: UTF8BOM, LineEndings: "lf"}},
		{"utf-16", "\xff\xfea\x00\r\x00\n\x00", Info{Encoding: UTF16LE, LineEndings: "crlf"}},
		{"utf-16 big", "\xfe\xff\x00a\x00\n", Info{Encoding: UTF16BE, LineEndings: "lf"}},
		{"latin-1", "caf\xe9\n", Info{Encoding: UTF8, LineEndings: "lf"}},
		{"old mac", "a\rb\r", Info{Encoding: UTF8, LineEndings: "cr"}},
		{"a CR at the very start", "\rb", Info{Encoding: UTF8, LineEndings: "cr"}},
		{"cut between CR and LF", strings.Repeat("a", SniffLen-1) + "\r", Info{Encoding: UTF8}},
		{"nul", "a\x00", Info{Binary: true}},
		{"nul behind a bom", "\xef\xbb\xbfa\x00", Info{Binary: true}},
		{"nul right behind a bom", "\xef\xbb\xbf\x00", Info{Binary: true}},
		{"nul in utf-16", "\xff\xfea\x00\x00\x00", Info{Binary: true}},
		{"utf-32", "\xff\xfe\x00\x00a\x00\x00\x00", Info{Binary: true, Type: "text/plain", Name: "UTF-32 data"}},
		{"ar", "!<arch>\n\x00", Info{Binary: true, Type: "application/x-archive", Name: "an ar archive"}},
		{"text that begins like a bitmap", "BM and the rest", Info{Encoding: UTF8}},
		{"png", "\x89PNG\r\n\x1a\n", Info{Binary: true, Type: "image/png", Name: "a PNG image"}},
		{"webp", "RIFF\x10\x00\x00\x00WEBPVP8 ", Info{Binary: true, Type: "image/webp", Name: "a WebP image"}},
		{"webp, its name alone", "RIFF\x10\x00\x00\x00WEBP", Info{Binary: true, Type: "image/webp", Name: "a WebP image"}},
		{"text that begins like a riff", "RIFF", Info{Encoding: UTF8}},
		{"text with the name of webp", "this is WEBP", Info{Encoding: UTF8}},
		{"elf", "\x7fELF\x02", Info{Binary: true, Type: "application/x-executable", Name: "an ELF executable"}},
		{"pdf", "%PDF-1.7\n", Info{Binary: true, Type: "application/pdf", Name: "a PDF document"}},
		{"tar", strings.Repeat("\x00", 257) + "ustar", Info{Binary: true, Type: "application/x-tar", Name: "a tar archive"}},
		{"bmp", "BM\x00", Info{Binary: true, Type: "image/bmp", Name: "data of type image/bmp"}},
		{"mp4", "\x00\x00\x00\x18ftypmp42", Info{Binary: true, Type: "video/mp4", Name: "data of type video/mp4"}},
		{"heic", "\x00\x00\x00\x18ftypheic", Info{Binary: true, Type: "image/heic", Name: "data of type image/heic"}},
		{"wave", "RIFF\x00\x00\x00\x00WAVE", Info{Binary: true, Type: "audio/wave", Name: "data of type audio/wave"}},
		{"short", "\x00\x01", Info{Binary: true}},
		{"bzip2", "BZh9\x00", Info{Binary: true, Type: "application/x-bzip2", Name: "bzip2 compressed data"}},
	} {
		require.Equal(t, tt.want, Sniff([]byte(tt.head)), tt.name)
	}
}

// buffer is a sink that is full after so many bytes; 0 is never.
type buffer struct {
	bytes.Buffer
	max int
}

func (b *buffer) Full() bool { return b.max > 0 && b.Len() >= b.max }

// naivePage is the definition of a page, on the whole text.
func naivePage(text string, span Span) (page string, stats Stats) {
	stats.Empty = text == ""
	stats.FinalNewline = strings.HasSuffix(text, "\n")
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	stats.Lines = len(lines)
	if span.Line > len(lines) {
		return "", stats
	}
	lines = lines[span.Line-1:]
	if span.Lines > 0 {
		lines = lines[:min(span.Lines, len(lines))]
	}
	first := lines[0]
	for stats.SkippedChars < span.Column-1 && first != "" && first[0] != '\n' {
		_, size := utf8.DecodeRuneInString(first)
		first = first[size:]
		stats.SkippedChars++
	}
	stats.LineBytes = int64(len(strings.TrimSuffix(lines[0], "\n")))
	page = first + strings.Join(lines[1:], "")
	return strings.ReplaceAll(page, "\r\n", "\n"), stats
}

// slow gives one byte at a time.
type slow struct{ r io.ReaderAt }

func (s slow) ReadAt(p []byte, at int64) (int, error) { return s.r.ReadAt(p[:min(1, len(p))], at) }

var utf8Info = Info{Encoding: UTF8}

// A page is the same whatever is read at a time, and with an index that has a
// mark at every character. So it is in UTF-16.
func TestReadPageIsANaivePage(t *testing.T) {
	alphabet := []string{"a", "b", "\n", "\n", "\r\n", "\r", "é", "世", "😀", "\xff", "\xe4\xb8"}
	for seed := range testkit.Some(5000) {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		text := b.String()
		span := Span{Line: 1 + r.IntN(5), Column: 1, Lines: r.IntN(4)}
		if r.IntN(2) == 0 {
			span.Column = 1 + r.IntN(6)
		}
		want, stats := naivePage(text, span)
		check := func(f File) {
			var out buffer
			got, _, err := f.ReadPage(t.Context(), span, &out)
			require.NoError(t, err)
			if span.Line > stats.Lines { // there is no such line
				require.Empty(t, out.String())
				got.SkippedChars, got.LineBytes = 0, 0
			}
			require.True(t, 1 <= got.FirstRead && got.FirstRead <= span.Line, "seed %d: %+v", seed, got)
			got.FirstRead = 0
			require.Equal(t, stats, got, "seed %d: %q %+v", seed, text, span)
			if stats.SkippedChars == span.Column-1 {
				require.Equal(t, want, out.String(), "seed %d: %q %+v", seed, text, span)
			}
		}
		for _, at := range []io.ReaderAt{strings.NewReader(text), slow{strings.NewReader(text)}} {
			f := NewFile(at, int64(len(text)), utf8Info)
			check(f)
			index, err := f.Count(t.Context())
			require.NoError(t, err)
			check(f.With(index))
		}
		for _, kind := range []Info{{Encoding: UTF16LE}, {Encoding: UTF16BE}} {
			text = strings.ToValidUTF8(text, "�")
			want, stats = naivePage(text, span)
			endian := unicode.LittleEndian
			if kind.Encoding == UTF16BE {
				endian = unicode.BigEndian
			}
			encoded, err := unicode.UTF16(endian, unicode.UseBOM).NewEncoder().String(text)
			require.NoError(t, err)
			f := NewFile(slow{strings.NewReader(encoded)}, int64(len(encoded)), kind)
			check(f)
			index, err := f.Count(t.Context())
			require.NoError(t, err)
			check(f.With(index))
		}
	}
}

func TestBrokenUTF16(t *testing.T) {
	for text, want := range map[string]string{
		"\xff\xfea\x00b":         "a�",
		"\xff\xfe\x00\xd8a\x00":  "�a",
		"\xff\xfe\x00\xd8":       "�",
		"\xff\xfe\x00\xdc\n\x00": "�\n",
	} {
		var out buffer
		_, _, err := NewFile(strings.NewReader(text), int64(len(text)), Info{Encoding: UTF16LE}).ReadPage(t.Context(), Span{Line: 1, Column: 1}, &out)
		require.NoError(t, err)
		require.Equal(t, want, out.String(), "%q", text)
	}
}

func TestReadPageCountsBehindAFullSink(t *testing.T) {
	out := buffer{max: 10}
	text := strings.Repeat("line\n", 1_000_000) + "end"
	stats, index, err := NewFile(strings.NewReader(text), 0, utf8Info).ReadPage(t.Context(), Span{Line: 3, Column: 1}, &out)
	require.NoError(t, err)
	require.Equal(t, 1_000_001, stats.Lines)
	require.Equal(t, 1_000_001, index.Lines())
	require.False(t, stats.FinalNewline)
	require.GreaterOrEqual(t, out.Len(), 10)
	require.LessOrEqual(t, out.Len(), runSize)
}

// Short lines are passed on together, and a long one whole.
func TestReadPageWritesSeveralLines(t *testing.T) {
	short, long := strings.Repeat("line\n", runSize/5), strings.Repeat("x", 3*runSize)+"\n"
	var writes lengths
	_, _, err := NewFile(strings.NewReader(short+long+short), 0, utf8Info).ReadPage(t.Context(), Span{Line: 1, Column: 1}, &writes)
	require.NoError(t, err)
	require.Equal(t, lengths{len(short), len(long), len(short)}, writes)
}

// lengths is a sink that remembers how much is written at a time.
type lengths []int

func (l *lengths) Write(p []byte) (int, error) {
	*l = append(*l, len(p))
	return len(p), nil
}

func (*lengths) Full() bool { return false }

// counting is the number of bytes that were read.
type counting struct {
	r io.ReaderAt
	n atomic.Int64
}

func (c *counting) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.r.ReadAt(p, at)
	c.n.Add(int64(n))
	return n, err
}

// With an index a page costs what it holds, however deep it is: in lines, and in
// one long line.
func TestIndexedPagesReadLittle(t *testing.T) {
	lines := strings.Repeat("an ordinary line\n", 2_000_000)
	line := strings.Repeat("0123456789abcdéf", 2_000_000) + "\nlast\n"
	for _, tt := range []struct {
		text string
		span Span
		want string
	}{
		{lines, Span{Line: 1_900_000, Column: 4, Lines: 1}, "ordinary line\n"},
		{line, Span{Line: 1, Column: 31_000_000}, "f"},
		{line, Span{Line: 2, Column: 1}, "last\n"},
		{"\n" + lines, Span{Line: 1, Column: 1, Lines: 1}, "\n"},
	} {
		r := &counting{r: strings.NewReader(tt.text)}
		f := NewFile(r, int64(len(tt.text)), utf8Info)
		index, err := f.Count(t.Context())
		require.NoError(t, err)
		r.n.Store(0)
		out := buffer{max: 1}
		stats, _, err := f.With(index).ReadPage(t.Context(), tt.span, &out)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(out.String(), tt.want), "%.20q", out.String())
		require.LessOrEqual(t, r.n.Load(), int64(4*chunkSize))
		if tt.span.Line == 1 {
			require.EqualValues(t, strings.IndexByte(tt.text, '\n'), stats.LineBytes)
		}
	}
}

// A file that is counted in parts has the same marks as if it was read from its
// beginning, also where parts meet inside of a character or between CR and LF.
func TestCountInParts(t *testing.T) {
	size := 2*partSize + partSize/2
	if testing.Short() {
		size -= partSize // two parts meet once
	}
	for shift, unit := range []string{"é\r\n", "世界", "😀x\r\n\n", "\r\r\n", "\xe4\xb8", "plain text\n"} {
		text := strings.Repeat("a", shift) + strings.Repeat(unit, size/len(unit))
		f := NewFile(strings.NewReader(text), int64(len(text)), utf8Info)
		index, err := f.Count(t.Context())
		require.NoError(t, err)
		require.NotEmpty(t, index.marks)
		at := mark{}
		for _, m := range append(index.marks, index.end) {
			if rest := text[m.offset:]; rest != "" {
				require.True(t, utf8.RuneStart(rest[0]), "%q: a mark in the middle of a character", unit)
				require.False(t, rest[0] == '\n' && text[m.offset-1] == '\r', "%q: a mark between CR and LF", unit)
			}
			at = at.past([]byte(text[at.offset:m.offset]), m.offset)
			require.Equal(t, at, m)
		}
		require.EqualValues(t, len(text), index.end.offset)
		_, alone, err := f.ReadPage(t.Context(), Span{Line: 1, Column: 1}, full{})
		require.NoError(t, err)
		require.Equal(t, alone.end, index.end)
		require.Equal(t, alone.lines, index.lines)
		require.Equal(t, alone.final, index.final)
		short, err := NewFile(strings.NewReader(text[:partSize+1000]), int64(len(text)), utf8Info).Count(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, partSize+1000, short.end.offset)
	}
}

// Only UTF-8 is counted in parts: in another encoding the place where two parts meet may be
// in the middle of a character, or of what looks like a line break.
func TestCountOfOtherEncodings(t *testing.T) {
	testkit.Alone(t)
	for _, c := range []struct{ encoding, unit string }{
		{UTF16BE, "\x00a\x00\r\x00\n\x00\r\x00\n"},
		{UTF16LE, "\n\x00\x0a\x0d"}, // a line break in front of a letter of Malayalam
		{UTF8BOM, "\xe4\xb8\x96\r\n"},
		{"shift_jis", "\x83a\r\n"},
	} {
		data := strings.Repeat(c.unit, Large/len(c.unit)+1)
		if c.encoding == UTF8BOM {
			data = "\xef\xbb\xbf" + data
		}
		f := NewFile(strings.NewReader(data), int64(len(data)), Info{Encoding: c.encoding, NoBOM: c.encoding != UTF8BOM})
		counted, err := f.Count(t.Context())
		require.NoError(t, err)
		_, alone, err := f.ReadPage(t.Context(), Span{Line: 1, Column: 1}, full{})
		require.NoError(t, err)
		require.Equal(t, alone.end, counted.end, c.encoding)
		require.Equal(t, alone.lines, counted.lines, c.encoding)
	}
}

// The parts of a large file are counted at the same time: the first waits here for another.
func TestLargeFilesAreCountedInParts(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("one part is counted at a time")
	}
	for _, encoding := range []string{UTF8, UTF8BOM} {
		text := strings.Repeat("plain text\n", Large/11+1)
		r := &waiting{ReaderAt: strings.NewReader(text), other: make(chan struct{})}
		_, err := NewFile(r, int64(len(text)), Info{Encoding: encoding}).Count(t.Context())
		require.NoError(t, err)
		require.False(t, r.alone.Load(), encoding)
	}
}

// waiting is a file whose beginning can be read after something of its second part.
type waiting struct {
	io.ReaderAt
	once  sync.Once
	other chan struct{} // closed then
	alone atomic.Bool   // it was waited for in vain
}

func (w *waiting) ReadAt(p []byte, at int64) (int, error) {
	if at >= partSize {
		w.once.Do(func() { close(w.other) })
	} else if at < chunkSize {
		select {
		case <-w.other:
		case <-time.After(time.Minute):
			w.alone.Store(true)
		}
	}
	return w.ReaderAt.ReadAt(p, at)
}

// Whichever read fails, what was counted is no index.
func TestCountFails(t *testing.T) {
	text := strings.Repeat("\u4e16\n", Large/4+1)
	r := &failingOnce{ReaderAt: strings.NewReader(text)}
	_, err := NewFile(r, int64(len(text)), utf8Info).Count(t.Context())
	require.NoError(t, err)
	for n := range -r.left.Load() {
		r.left.Store(n + 1)
		_, err := NewFile(r, int64(len(text)), utf8Info).Count(t.Context())
		require.ErrorIs(t, err, iotest.ErrTimeout, "read %d", n)
	}
}

// failingOnce fails when so many reads are left.
type failingOnce struct {
	io.ReaderAt
	left atomic.Int64
}

func (f *failingOnce) ReadAt(p []byte, at int64) (int, error) {
	if f.left.Add(-1) == 0 {
		return 0, iotest.ErrTimeout
	}
	return f.ReaderAt.ReadAt(p, at)
}

func TestIndexIsBounded(t *testing.T) {
	var x Index
	for i := range int64(100_000) {
		x.add(mark{offset: i * chunkSize, before: int(i)})
	}
	require.LessOrEqual(t, len(x.marks), maxMarks)
	for i, m := range x.marks {
		require.Equal(t, int64(i)*x.gap, m.offset, "no mark is left out that has room")
	}
	first, ok := x.last(0, 0)
	require.True(t, ok)
	require.Equal(t, x.marks[0], first)
	m, ok := x.last(77_777, 0)
	require.True(t, ok)
	require.LessOrEqual(t, m.before, 77_777)
	require.Greater(t, m.before, 77_777-200)
}

func TestLast(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < maxLast+chunkSize; i++ {
		fmt.Fprintf(&b, "line %d of a log that is long enough not to be counted at once\n", i)
	}
	for _, text := range []string{b.String(), b.String() + "no newline"} {
		lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
		r := &counting{r: strings.NewReader(text)}
		for _, n := range []int{1, 2, 1000, 10_000} {
			r.n.Store(0)
			last, ok, err := NewFile(r, int64(len(text)), utf8Info).Last(t.Context(), n)
			require.NoError(t, err)
			require.True(t, ok)
			require.LessOrEqual(t, r.n.Load(), int64(100*n+chunkSize))
			var out buffer
			stats, _, err := last.ReadPage(t.Context(), Span{Line: 1, Column: 1}, &out)
			require.NoError(t, err)
			require.Equal(t, n, stats.Lines)
			require.Equal(t, strings.Join(lines[len(lines)-n:], ""), strings.TrimSuffix(out.String(), "\n"))
		}
		_, ok, err := NewFile(r, int64(len(text)), utf8Info).Last(t.Context(), len(lines)+1)
		require.NoError(t, err)
		require.False(t, ok)
		_, ok, err = NewFile(r, int64(len(text))+1, utf8Info).Last(t.Context(), 1) // it was shortened
		require.NoError(t, err)
		require.False(t, ok)
	}
}

// Chunks may end with a line, and hold as many as are asked for.
func TestLastOfLinesThatFillChunks(t *testing.T) {
	const line, perChunk = 64, chunkSize / 64
	text := strings.Repeat(strings.Repeat("x", line-1)+"\n", maxLast/line+1)
	for _, n := range []int{1, perChunk - 1, perChunk, perChunk + 1, 2 * perChunk, 3*perChunk + 1} {
		last, ok, err := NewFile(strings.NewReader(text), int64(len(text)), utf8Info).Last(t.Context(), n)
		require.NoError(t, err)
		require.True(t, ok)
		require.EqualValues(t, len(text)-n*line, last.begin, "%d lines", n)
	}
}

// The end of a file is looked at where it is UTF-8 and too large to be counted as quickly.
func TestLastIsWorthIt(t *testing.T) {
	for _, tt := range []struct {
		encoding   string
		begin, end int64
		ok         bool
	}{
		{UTF8, 0, maxLast, false},
		{UTF8, 0, maxLast + 1, true},
		{UTF8BOM, 0, maxLast + 1, true},
		{UTF16LE, 0, maxLast + 2, false},
		{UTF8, 100, maxLast + 100, false},
		{UTF8, 99, maxLast + 100, true},
		{UTF8, 0, 1 << 62, true},
		{UTF8, 0, 1<<62 + 1, false},
		{UTF8, 100, 1<<62 + 100, true},
	} {
		f := NewFile(newlines{}, tt.end, Info{Encoding: tt.encoding})
		f.begin = tt.begin
		_, ok, err := f.Last(t.Context(), 1)
		require.NoError(t, err)
		require.Equal(t, tt.ok, ok, "%+v", tt)
	}
}

// newlines is a file of any length that has nothing else.
type newlines struct{}

func (newlines) ReadAt(p []byte, _ int64) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}

func TestReadPageEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := NewFile(strings.NewReader("a\n"), 0, utf8Info).ReadPage(ctx, Span{Line: 1, Column: 1}, &buffer{})
	require.ErrorIs(t, err, context.Canceled)
	var out buffer
	stats, index, err := NewFile(failing{"ab"}, 0, utf8Info).ReadPage(t.Context(), Span{Line: 1, Column: 1}, &out)
	require.ErrorIs(t, err, iotest.ErrTimeout)
	require.Nil(t, index)
	require.Equal(t, "ab", out.String())
	require.Equal(t, 1, stats.Lines)
}

// failing fails behind its text.
type failing struct{ text string }

func (f failing) ReadAt(p []byte, at int64) (int, error) {
	return copy(p, f.text[at:]), iotest.ErrTimeout
}

// A file that is shorter than its index gives what is left of it; one that grows
// while it is read ends where it ended before.
func TestReadPageOfAChangedFile(t *testing.T) {
	text := strings.Repeat("line\n", 100_000)
	index, err := NewFile(strings.NewReader(text), int64(len(text)), utf8Info).Count(t.Context())
	require.NoError(t, err)
	var out buffer
	_, _, err = NewFile(strings.NewReader("short\n"), 6, utf8Info).With(index).ReadPage(t.Context(), Span{Line: 1, Column: 1}, &out)
	require.ErrorIs(t, err, ErrChanged)
	require.Equal(t, "short\n", out.String())
	out.Reset()
	stats, _, err := NewFile(strings.NewReader("a\nb\nc\n"), 4, utf8Info).ReadPage(t.Context(), Span{Line: 1, Column: 1}, &out)
	require.NoError(t, err)
	require.Equal(t, 2, stats.Lines)
	require.Equal(t, "a\nb\n", out.String())
}

func TestCache(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-time.Hour)
	stat := func(name string, size int64, age time.Duration) os.FileInfo {
		path := filepath.Join(dir, name)
		f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
		require.NoError(t, err)
		require.NoError(t, f.Truncate(size))
		require.NoError(t, f.Close())
		require.NoError(t, os.Chtimes(path, time.Time{}, old.Add(-age)))
		info := testkit.Must(t, os.Stat, path)
		return info
	}
	var c Cache
	index := &Index{}
	c.Put("small", stat("small", MinCached-1, 0), index)
	require.Nil(t, c.Get("small", stat("small", MinCached-1, 0)))
	info := stat("f", MinCached, 0)
	c.Put("f", info, index)
	require.Same(t, index, c.Get("f", info))
	require.Nil(t, c.Get("f", stat("f", MinCached+1, 0)), "grew")
	require.Nil(t, c.Get("f", info), "forgotten for good")
	c.Put("f", info, index)
	require.Nil(t, c.Get("f", stat("f", MinCached, time.Second)), "written to")
	c.Put("f", info, index)
	require.Nil(t, c.Get("f", stat("g", MinCached, 0)), "replaced")
	now := time.Now()
	require.NoError(t, os.Chtimes(filepath.Join(dir, "f"), now, now.Add(time.Hour)))
	fresh := testkit.Must(t, os.Stat, filepath.Join(dir, "f"))
	c.Put("f", fresh, index)
	require.Nil(t, c.Get("f", fresh), "a change right now would not show")
	for i := range maxCached + 1 {
		c.Put(fmt.Sprint(i), info, index)
	}
	require.Nil(t, c.Get("0", info))
	require.Len(t, c.files, maxCached)
}

func BenchmarkCountLines(b *testing.B) {
	text := bytes.Repeat([]byte("an ordinary line of a log, eighty characters long or so, with nothing in it\n"), 1<<20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := NewFile(bytes.NewReader(text), 0, utf8Info).Count(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// TestCountOfAHugeFile counts a file that is larger than all that can be counted: it
// holds little, and reads little after its context has ended.
func TestCountOfAHugeFile(t *testing.T) {
	for _, size := range []int64{maxParts * partSize, 1 << 50, 1<<63 - 1} {
		for _, most := range []int{0, 100} {
			ctx, cancel := context.WithCancel(t.Context())
			var reads, late atomic.Int64
			r := zeros(func() {
				if reads.Add(1) > int64(most) {
					cancel()
				}
				if ctx.Err() != nil {
					late.Add(1)
				}
			})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := NewFile(r, size, Info{Encoding: UTF8}).Count(ctx)
			runtime.ReadMemStats(&after)
			require.ErrorIs(t, err, context.Canceled)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20))
			require.LessOrEqual(t, late.Load(), int64(4*maxCounters))
		}
	}
}

// zeros is a file without end that tells of each read.
type zeros func()

func (z zeros) ReadAt(p []byte, _ int64) (int, error) {
	z()
	clear(p)
	return len(p), nil
}
