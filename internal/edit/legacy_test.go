package edit

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/stretchr/testify/require"
)

func TestLegacy(t *testing.T) {
	for _, c := range []struct{ encoding, content, old, new, want string }{
		{"windows-1252", "caf\xe9\nna\xefve\n", "café", "thé à la", "th\xe9 \xe0 la\nna\xefve\n"},
		{"windows-1252", "\x93a\x94 \xe9\n", `"a"`, "“b”", "\x93b\x94 \xe9\n"}, // through a map
		{"windows-1252", "\xe9\r\n\xe8\r\n", "é\nè\n", "é\nê\n", "\xe9\r\n\xea\r\n"},
		{"shift_jis", "\x93\xfa\x96\x7b \x8c\xea\n", "本", "中", "\x93\xfa\x92\x86 \x8c\xea\n"},
		{"shift_jis", "\x83\x5c\\\n", "\\", "x", "\x83\x5cx\n"}, // the second byte of ソ is a backslash
		{"gb18030", "\x94\x39\xfc\x36\xd6\xd0\n", "中", "😀", "\x94\x39\xfc\x36\x94\x39\xfc\x36\n"},
		{"gbk", "\xff\xd6\xd0 x\xff\n", "中", "文", "\xff\xce\xc4 x\xff\n"}, // bytes that are not valid stay
		{"gbk", "\xff中\n", "z", "", ""},
		{"big5", "\x88\x62\xa4\xa4", "中", "文", "\x88\x62\xa4\xe5"},
		{"iso-2022-jp", "a \x1b$BF|K\\\x1b(B b\n", "b", "本", "a \x1b$BF|K\\\x1b(B \x1b$BK\\\x1b(B\n"},
		{"utf-16le", "a\x00\xe9\x00", "é", "€", "a\x00\xac\x20"}, // without a byte order mark
		{"utf-16be", "\x00a\x00\xe9", "a", "b", "\x00b\x00\xe9"},
	} {
		res, err := New([]byte(c.content), textfile.Info{Encoding: c.encoding, NoBOM: true}).Apply(context.Background(), []Edit{{Old: c.old, New: c.new}}, limit)
		if c.want == "" {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err, c.content)
		require.Equal(t, c.want, string(res.Content))
	}
}

func TestLegacyRefused(t *testing.T) {
	const limit = 20_000
	for _, c := range []struct {
		name, encoding, content, old, new string
		reason                            Reason
	}{
		{"what it has no character for", "windows-1252", "caf\xe9\n", "é", "☃", Encoding},
		{"a half of what stands for two characters", "big5", "\x88\x62", "\u00ca", "x", Inside},
		{"the other half", "big5", "\x88\x62", "\u0304", "x", Inside},
		{"a letter behind the beginning of a character", "gbk", "\x81 x\n", " x", "a", Inside},
		{"a part of what one escape sequence is for", "iso-2022-jp", "\x1b$BF|K\\\x1b(B", "日", "語", Inside},
		{"the byte of a character", "windows-1252", "\xe9\n", "\xc3", "x", Missing},
		{"more than the limit in UTF-8", "windows-1252", "a\xe9", "é", strings.Repeat("é", limit/2), TooLarge},
		{"more than the limit in the file", "gb18030", "a", "a", strings.Repeat("ƀ", limit/4+1), TooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := New([]byte(c.content), textfile.Info{Encoding: c.encoding, NoBOM: true}).Apply(context.Background(), []Edit{{Old: c.old, New: c.new}}, limit)
			var bad *Error
			require.ErrorAs(t, err, &bad)
			require.Equal(t, c.reason, bad.Reason)
		})
	}
}

// TestLegacyAgainstUTF8 makes the same edits in a file in an encoding, with bytes that are not valid, and in its text. What an
// edit of the file makes is read as what the edit of the text makes.
func TestLegacyAgainstUTF8(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	read := func(info textfile.Info, content []byte) []byte {
		text, err := io.ReadAll(info.Reader(bytes.NewReader(content)))
		require.NoError(t, err)
		return text
	}
	changed := 0
	for range testkit.Some(20_000) {
		info := textfile.Info{Encoding: []string{"windows-1252", "koi8-r", "shift_jis", "euc-jp", "gbk", "gb18030", "big5", "euc-kr"}[random.IntN(8)], NoBOM: true}
		var content []byte
		for range random.IntN(12) {
			content = append(content, byte(random.IntN(256)))
		}
		text := []rune(string(read(info, content)))
		if len(text) == 0 {
			continue
		}
		from := random.IntN(len(text))
		e := Edit{Old: string(text[from : from+1+random.IntN(len(text)-from)]), New: []string{"", "a", "é", "日", "д", "한\n"}[random.IntN(6)]}
		want, err := New([]byte(string(text)), textfile.Info{Encoding: textfile.UTF8}).Apply(context.Background(), []Edit{e}, limit)
		if err != nil {
			continue
		}
		got, err := New(content, info).Apply(context.Background(), []Edit{e}, limit)
		if err != nil {
			continue // what the encoding cannot hold, or would read otherwise
		}
		changed++
		require.Equal(t, string(want.Content), string(read(info, got.Content)), "%s %q %q", info.Encoding, content, e)
	}
	require.Greater(t, changed, testkit.Some(20_000)/20)
}
