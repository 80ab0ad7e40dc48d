package textfile

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
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

func TestEncodeError(t *testing.T) {
	for _, tt := range []struct {
		text string
		want EncodeError
	}{
		{"\xff", EncodeError{UTF16LE, 0xff, 0, 1, 1}},
		{"é\n\naé\U0001f600\xe9b", EncodeError{UTF16LE, 0xe9, 11, 3, 4}},
		{"a\n\xed\xa0\x80", EncodeError{UTF16LE, 0xed, 2, 2, 1}},      // half of a character in UTF-16
		{"\ufffdab\xf0\x9f\x98", EncodeError{UTF16LE, 0xf0, 5, 1, 4}}, // cut
	} {
		_, err := Info{Encoding: UTF16LE}.Encode([]byte(tt.text))
		require.Equal(t, &tt.want, err)
	}
	_, err := Info{Encoding: UTF16BE}.AppendEncoded(nil, []byte("a\nb\xffc"))
	require.EqualError(t, err, "line 2, character 2 of the text is the byte 0xff, which is no character of UTF-8 and cannot be written in utf-16be")
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
