package textfile

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
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
		{"nul", "a\x00", Info{Binary: true}},
		{"text that begins like a bitmap", "BM and the rest", Info{Encoding: UTF8}},
		{"png", "\x89PNG\r\n\x1a\n", Info{Binary: true, Type: "image/png", Name: "a PNG image"}},
		{"webp", "RIFF\x10\x00\x00\x00WEBPVP8 ", Info{Binary: true, Type: "image/webp", Name: "a WebP image"}},
		{"elf", "\x7fELF\x02", Info{Binary: true, Type: "application/x-executable", Name: "an ELF executable"}},
		{"pdf", "%PDF-1.7\n", Info{Binary: true, Type: "application/pdf", Name: "a PDF document"}},
		{"tar", strings.Repeat("\x00", 257) + "ustar", Info{Binary: true, Type: "application/x-tar", Name: "a tar archive"}},
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
		stats.Skipped += size
		stats.SkippedChars++
	}
	page = first + strings.Join(lines[1:], "")
	return strings.ReplaceAll(page, "\r\n", "\n"), stats
}

func TestReadPageIsANaivePage(t *testing.T) {
	alphabet := []string{"a", "b", "\n", "\n", "\r\n", "\r", "é", "世", "😀", "\xff", "\xe4\xb8"}
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 5))
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		span := Span{Line: 1 + r.IntN(5), Column: 1, Lines: r.IntN(4)}
		if r.IntN(2) == 0 {
			span.Column = 1 + r.IntN(6)
		}
		want, stats := naivePage(b.String(), span)
		for _, in := range []io.Reader{strings.NewReader(b.String()), iotest.OneByteReader(strings.NewReader(b.String()))} {
			var out buffer
			got, err := ReadPage(t.Context(), in, span, &out)
			require.NoError(t, err)
			require.Equal(t, want, out.String(), "seed %d: %q %+v", seed, b.String(), span)
			require.Equal(t, stats, got, "seed %d: %q %+v", seed, b.String(), span)
		}
	}
}

func TestReadPageCountsBehindAFullSink(t *testing.T) {
	out := buffer{max: 10}
	stats, err := ReadPage(t.Context(), strings.NewReader(strings.Repeat("line\n", 1_000_000)+"end"), Span{Line: 3, Column: 1}, &out)
	require.NoError(t, err)
	require.Equal(t, 1_000_001, stats.Lines)
	require.False(t, stats.FinalNewline)
	require.Equal(t, "line\nline\n", out.String())
}

func TestReadPageEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := ReadPage(ctx, strings.NewReader("a\n"), Span{Line: 1, Column: 1}, &buffer{})
	require.ErrorIs(t, err, context.Canceled)
	var out buffer
	stats, err := ReadPage(t.Context(), iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("ab"))), Span{Line: 1, Column: 1}, &out)
	require.ErrorIs(t, err, iotest.ErrTimeout)
	require.Equal(t, "a", out.String())
	require.Equal(t, 1, stats.Lines)
}

func BenchmarkCountLines(b *testing.B) {
	text := bytes.Repeat([]byte("an ordinary line of a log, eighty characters long or so, with nothing in it\n"), 1<<20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := CountLines(b.Context(), bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
