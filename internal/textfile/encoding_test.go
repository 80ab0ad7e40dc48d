package textfile

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/htmlindex"
)

func TestCanonical(t *testing.T) {
	for label, want := range map[string]string{
		"latin1": "windows-1252", "Latin-1": "windows-1252", "ISO_8859-1": "windows-1252", "cp1252": "windows-1252", " SJIS ": "shift_jis", "gb2312": "gbk",
		"utf8": "utf-8", "UTF-16": "utf-16le", "koi8-r": "koi8-r", "cp1251": "windows-1251", "euc_jp": "euc-jp",
		"": "", "klingon": "", "hz-gb-2312": "", "replacement": "", "iso-2022-kr": "",
	} {
		name, ok := Canonical(label)
		require.Equal(t, want, name, label)
		require.Equal(t, want != "", ok, label)
	}
	for _, name := range Encodings {
		got, ok := Canonical(name)
		require.True(t, ok, name)
		require.Equal(t, name, got)
		e, err := htmlindex.Get(name)
		require.NoError(t, err)
		require.NotNil(t, e)
	}
}

// Pages of a file in any encoding are pages of what its decoder makes of it in one go:
// whatever the bytes are, wherever chunks divide them, and with an index or without.
func TestPagesOfADecodedFile(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	names := slices.Clone(Encodings[1:])
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names[:testkit.Some(len(names))] {
		{
			data := make([]byte, chunkSize+r.IntN(1000))
			for i := range data {
				data[i] = byte(r.IntN(256))
				if r.IntN(3) == 0 {
					data[i] = "\n\r\n a\x1b$B(J"[r.IntN(10)]
				}
			}
			info := Info{Encoding: name, NoBOM: true}
			decoder := info.Legacy()
			if decoder == nil {
				_, decoder = info.utf16(0)
			}
			decoded, err := decoder.Bytes(data)
			require.NoError(t, err)
			text := strings.ReplaceAll(string(decoded), "\r\n", "\n")
			f := NewFile(bytes.NewReader(data), int64(len(data)), info)
			var whole buffer
			stats, index, err := f.ReadPage(t.Context(), Span{Line: 1, Column: 1}, &whole)
			require.NoError(t, err)
			require.Equal(t, text, whole.String(), name)
			for _, f := range []File{f, f.With(index)} {
				span := Span{Line: 1 + r.IntN(stats.Lines), Column: 1 + r.IntN(3), Lines: r.IntN(9)}
				want, found := naivePage(string(decoded), span)
				var page buffer
				_, _, err := f.ReadPage(t.Context(), span, &page)
				require.NoError(t, err)
				if found.SkippedChars == span.Column-1 {
					require.Equal(t, want, page.String(), "%s %+v", name, span)
				}
			}
		}
	}
}

// Chunks divide no character, whatever number of bytes it has.
func TestChunksOfLegacyCharacters(t *testing.T) {
	for _, encoding := range []string{"shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"} {
		for shift := range 4 {
			text := strings.Repeat("a", shift) + strings.Repeat("一", 2*chunkSize/2)
			data := encoded(t, encoding, text)
			var page buffer
			_, _, err := NewFile(strings.NewReader(data), 0, Info{Encoding: encoding, NoBOM: true}).ReadPage(t.Context(), Span{Line: 1, Column: 1}, &page)
			require.NoError(t, err)
			require.True(t, text == page.String(), "%s behind %d bytes", encoding, shift)
		}
	}
}

func TestSniffAs(t *testing.T) {
	for _, c := range []struct {
		head, name string
		want       Info
	}{
		{"caf\xe9\r\n", "windows-1252", Info{Encoding: "windows-1252", NoBOM: true, LineEndings: "crlf"}},
		{"caf\xe9\r\n", "", Info{Encoding: UTF8, LineEndings: "crlf"}},
		{"\xef\xbb\xbfa\n", "windows-1252", Info{Encoding: UTF8BOM, LineEndings: "lf"}},
		{"a\x00\n\x00", "utf-16le", Info{Encoding: UTF16LE, NoBOM: true, LineEndings: "lf"}},
		{"a\x00\n\x00", "windows-1252", Info{Binary: true}},
		{"\x00\x00\n\x00", "utf-16le", Info{Binary: true}},
		{"\x89PNG\r\n\x1a\n", "windows-1252", Info{Binary: true, Type: "image/png", Name: "a PNG image"}},
	} {
		require.Equal(t, c.want, SniffAs([]byte(c.head), c.name), "%q %s", c.head, c.name)
	}
}
