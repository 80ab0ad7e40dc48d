package textfile

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/htmlindex"
)

var encodings = []string{UTF8, UTF8BOM, UTF16LE, UTF16BE}

func decode(t testing.TB, info Info, file []byte) string {
	text, err := io.ReadAll(info.Reader(bytes.NewReader(file)))
	require.NoError(t, err)
	return string(text)
}

func TestEncode(t *testing.T) {
	for _, tt := range []struct{ encoding, text, file string }{
		{"", "aé\n", "aé\n"},
		{UTF8, "", ""},
		{UTF8, "aé\xff\n", "aé\xff\n"},
		{UTF8BOM, "", "\xef\xbb\xbf"},
		{UTF8BOM, "aé\xff\n", "\xef\xbb\xbfaé\xff\n"},
		{UTF16LE, "", "\xff\xfe"},
		{UTF16LE, "aé\U0001f600\n", "\xff\xfea\x00\xe9\x00\x3d\xd8\x00\xde\n\x00"},
		{UTF16BE, "", "\xfe\xff"},
		{UTF16BE, "aé\U0001f600\n", "\xfe\xff\x00a\x00\xe9\xd8\x3d\xde\x00\x00\n"},
		{UTF16BE, "\ufeff\uffff\ufffd", "\xfe\xff\xfe\xff\xff\xff\xff\xfd"},
	} {
		info := Info{Encoding: tt.encoding}
		file, err := info.Encode([]byte(tt.text))
		require.NoError(t, err)
		require.Equal(t, tt.file, string(file))
		require.Equal(t, tt.text, decode(t, info, file))
	}
}

func TestText(t *testing.T) {
	for _, tt := range []struct{ encoding, file, text string }{
		{UTF8BOM, "\xef\xbb\xbfa", "a"},
		{UTF16LE, "\xff\xfe\xac\x20\xac", "€\ufffd"},
		{UTF16BE, "\xfe\xff", ""},
		{"windows-1252", "\x80\x93a", "€“a"},
		{"big5", "\x88\x62", "\u00ca\u0304"},
		{"gb18030", "\x94\x39\xfc\x36\x81", "\U0001f600\ufffd"},
		{"koi8-r", "", ""},
	} {
		text, ok := Info{Encoding: tt.encoding}.Text([]byte(tt.file), int64(len(tt.text)))
		require.True(t, ok, tt.encoding)
		require.Equal(t, tt.text, string(text))
		_, ok = Info{Encoding: tt.encoding}.Text([]byte(tt.file), int64(len(tt.text)-1))
		require.False(t, ok && tt.text != "", tt.encoding)
	}
	text, ok := Info{Encoding: UTF16LE, NoBOM: true}.Text([]byte("\xac\x20\xac"), 100)
	require.True(t, ok)
	require.Equal(t, "€\ufffd", string(text))
}

func TestEncodeError(t *testing.T) {
	for _, tt := range []struct {
		text string
		want EncodeError
	}{
		{"\xff", EncodeError{UTF16LE, 0xff, 0, 0, 1, 1}},
		{"é\n\naé\U0001f600\xe9b", EncodeError{UTF16LE, 0xe9, 0, 11, 3, 4}},
		{"a\n\xed\xa0\x80", EncodeError{UTF16LE, 0xed, 0, 2, 2, 1}},      // half of a character in UTF-16
		{"\ufffdab\xf0\x9f\x98", EncodeError{UTF16LE, 0xf0, 0, 5, 1, 4}}, // cut
	} {
		_, err := Info{Encoding: UTF16LE}.Encode([]byte(tt.text))
		require.Equal(t, &tt.want, err)
	}
	_, err := Info{Encoding: UTF16BE}.AppendEncoded(nil, []byte("a\nb\xffc"))
	require.EqualError(t, err, "line 2, character 2 of the text is the byte 0xff, which is not valid UTF-8 and cannot be written in utf-16be")
}

func TestEncodeLegacy(t *testing.T) {
	for _, tt := range []struct{ encoding, text, file string }{
		{"windows-1252", "", ""},
		{"windows-1252", "café €\n", "caf\xe9 \x80\n"},
		{"windows-1251", "да\r\n", "\xe4\xe0\r\n"},
		{"shift_jis", "日本a", "\x93\xfa\x96\x7ba"},
		{"euc-jp", "日本", "\xc6\xfc\xcb\xdc"},
		{"iso-2022-jp", "日本\na", "\x1b$BF|K\\\x1b(B\na"},
		{"gbk", "中文", "\xd6\xd0\xce\xc4"},
		{"gb18030", "中\U0001f600", "\xd6\xd0\x94\x39\xfc\x36"},
		{"big5", "中文", "\xa4\xa4\xa4\xe5"},
		{"euc-kr", "한", "\xc7\xd1"},
	} {
		for _, often := range []int{1, 5000} {
			text, want := strings.Repeat(tt.text, often), strings.Repeat(tt.file, often)
			file, err := Info{Encoding: tt.encoding}.Encode([]byte(text))
			require.NoError(t, err)
			require.Equal(t, want, string(file), tt.encoding)
		}
	}
	for _, tt := range []struct {
		encoding, text string
		want           EncodeError
	}{
		{"windows-1252", "a\nb☃c", EncodeError{Char: '☃', Offset: 3, Line: 2, Column: 2}},
		{"windows-1252", "日", EncodeError{Char: '日', Line: 1, Column: 1}},
		{"shift_jis", "日é", EncodeError{Char: 'é', Offset: 3, Line: 1, Column: 2}},
		{"shift_jis", "5 ¥", EncodeError{Char: '¥', Offset: 2, Line: 1, Column: 3}}, // it would be a backslash
		{"iso-2022-jp", "日ä", EncodeError{Char: 'ä', Offset: 3, Line: 1, Column: 2}},
		{"gbk", "中😀", EncodeError{Char: '😀', Offset: 3, Line: 1, Column: 2}},
		{"windows-1252", "é\xff", EncodeError{Byte: 0xff, Offset: 2, Line: 1, Column: 2}},
		{"gb18030", "中\xff", EncodeError{Byte: 0xff, Offset: 3, Line: 1, Column: 2}}, // it would be U+FFFD
		{"big5", "中\ufffd", EncodeError{Char: '\ufffd', Offset: 3, Line: 1, Column: 2}},
	} {
		tt.want.Encoding = tt.encoding
		_, err := Info{Encoding: tt.encoding}.Encode([]byte(tt.text))
		require.Equal(t, &tt.want, err)
	}
	_, err := Info{Encoding: "windows-1252"}.Encode([]byte("a☃"))
	require.EqualError(t, err, "line 1, character 2 of the text is '☃' (U+2603), which is not in windows-1252")
}

// TestEncodeCharacters holds that what is written is read as it was, in every encoding, or refused.
func TestEncodeCharacters(t *testing.T) {
	step := rune(11)
	if testing.Short() {
		step = 211
	}
	for _, name := range Encodings {
		info := Info{Encoding: name, NoBOM: true}
		for r := rune(1); r < 0x30000; r += step {
			if r >= 0xd800 && r < 0xe000 {
				continue
			}
			text := "a" + string(r) + "b"
			if file, err := info.Encode([]byte(text)); err == nil {
				require.Equal(t, text, decode(t, info, file), "%s %U", name, r)
			} else {
				require.Equal(t, r, err.(*EncodeError).Char, name)
			}
		}
	}
}

// A text may be encoded in parts, behind what is there.
func TestAppendEncoded(t *testing.T) {
	for _, encoding := range encodings {
		info := Info{Encoding: encoding}
		file, err := info.Encode([]byte("a\U0001f600"))
		require.NoError(t, err)
		file, err = info.AppendEncoded(file, []byte("é\n"))
		require.NoError(t, err)
		whole, err := info.Encode([]byte("a\U0001f600é\n"))
		require.NoError(t, err)
		require.Equal(t, whole, file)
	}
}

// Room is made for what is encoded, and not for what it could be at most.
func TestEncodeMakesRoomOnce(t *testing.T) {
	text := []byte(strings.Repeat("aé\u4e00\U0001f600\n", 100_000))
	file, err := Info{Encoding: UTF16LE}.AppendEncoded(nil, text)
	require.NoError(t, err)
	require.Less(t, cap(file)-len(file), len(file)/16)
}

func FuzzEncodeText(f *testing.F) {
	for _, text := range []string{"", "a\r\nb", "\ufeffé\U0001f600", "a\xff", "\xed\xa0\x80", "\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, encoding := range encodings {
			info := Info{Encoding: encoding}
			file, err := info.Encode([]byte(text))
			if strings.HasPrefix(encoding, "utf-16") && !utf8.ValidString(text) {
				wrong := err.(*EncodeError)
				require.True(t, utf8.ValidString(text[:wrong.Offset]))
				_, size := utf8.DecodeRuneInString(text[wrong.Offset:])
				require.Equal(t, 1, size)
				lines := strings.Split(text[:wrong.Offset], "\n")
				require.Equal(t, len(lines), wrong.Line)
				require.Equal(t, utf8.RuneCountInString(lines[len(lines)-1])+1, wrong.Column)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, text, decode(t, info, file), encoding)
		}
	})
}

// valid reports whether a file is one that can be decoded without loss.
func valid(info Info, file []byte) bool {
	var order binary.ByteOrder = binary.LittleEndian
	switch info.Encoding {
	case UTF8, UTF8BOM:
		return true
	case UTF16BE:
		order = binary.BigEndian
	}
	var units []uint16
	for at := 0; at+1 < len(file); at += 2 {
		units = append(units, order.Uint16(file[at:]))
	}
	again := utf16.Encode(utf16.Decode(units))
	if len(file)%2 != 0 || len(again) != len(units) {
		return false
	}
	for i := range units {
		if units[i] != again[i] {
			return false
		}
	}
	return true
}

func FuzzEncodeFile(f *testing.F) {
	for _, file := range []string{"", "\xff\xfe", "\xfe\xff\x00a", "\xef\xbb\xbfa", "\xff\xfea\x00\x3d\xd8\x00\xde", "\xff\xfe\x3d\xd8", "\xef\xbb", "\xfe\xff\xfe\xff"} {
		f.Add([]byte(file))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		info := Sniff(file[:min(len(file), SniffLen)])
		if info.Binary {
			return
		}
		text := decode(t, info, file)
		again, err := info.Encode([]byte(text))
		if valid(info, file) {
			require.NoError(t, err)
			require.Equal(t, file, append([]byte{}, again...))
		} else if err == nil {
			require.Equal(t, text, decode(t, info, again), "decoded, it does not change any more")
		}
	})
}

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
	testkit.Alone(t)
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
