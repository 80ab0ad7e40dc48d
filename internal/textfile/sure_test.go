package textfile

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// TestSure has texts of two or three lines in 21 encodings, and each of their lines. None is taken for another one.
func TestSure(t *testing.T) {
	texts, sure, lines, sureLines := 0, 0, 0, 0
	for _, c := range testkit.Texts {
		for _, name := range strings.Fields(c.Encodings) {
			for _, text := range append([]string{c.Text}, strings.SplitAfter(c.Text, "\n")...) {
				data := encoded(t, name, text)
				if isASCII([]byte(data)) {
					continue
				}
				got := SureOf([]byte("plain text\n" + data))
				if got != "" {
					require.Equal(t, text, decoded(t, got, data), "%s in %s, taken for %s", c.Language, name, got)
				}
				if text == c.Text {
					texts, sure = texts+1, sure+min(len(got), 1)
				} else {
					lines, sureLines = lines+1, sureLines+min(len(got), 1)
				}
			}
		}
	}
	t.Logf("sure of %d of %d texts, and of %d of %d lines", sure, texts, sureLines, lines)
	require.GreaterOrEqual(t, sure*100, texts*50)
	require.GreaterOrEqual(t, sureLines*100, lines*30)
}

func TestSureOf(t *testing.T) {
	long := strings.Repeat("plain text in a line\n", GuessLen/20)
	russian := encoded(t, "windows-1251", testkit.Texts[15].Text)
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"ASCII", "plain\n", ""},
		{"UTF-8", "crème brûlée\n", ""},
		{"one word", "cr\xe8me\n", "windows-1252"},
		{"an apostrophe", "it isn\x92t\n", "windows-1252"},
		{"a sign beside no letter", "\xa9 2019\n", "windows-1252"},
		{"far behind the beginning", long + "cr\xe8me\n" + long, "windows-1252"},
		{"in a long line", strings.ReplaceAll(long, "\n", " ") + "cr\xe8me", "windows-1252"},
		{"a byte that stands for nothing in it", "cr\xe8me\n" + long + "\x81\n", ""},
		{"one character in UTF-8", "cr\xe8me\n" + long + "br\u00fbl\u00e9e\n", ""},
		{"a control character", "cr\xe8me\n" + long + "\x01\n", ""},
		{"a NUL byte", "cr\xe8me\n" + long + "\x00\n", ""},
		{"no letter beside it", "\xe9\n", ""},
		{"what nobody writes", "bad\xffbyte\n", ""},
		{"Cyrillic letters", russian, "windows-1251"},
		{"too few of them", encoded(t, "windows-1251", "меня\n"), ""},
		{"two bytes a character", encoded(t, "shift_jis", testkit.Texts[len(testkit.Texts)-4].Text), "shift_jis"},
		{"UTF-16", encoded(t, "utf-16le", "name,größe\r\n\u4e2d \U0001F600\n"), UTF16LE},
		{"UTF-16, the other order", encoded(t, "utf-16be", long), UTF16BE},
		{"ASCII with a NUL byte, which may be UTF-16", "needle\x00\n", ""},
		{"UTF-16, and an odd byte", encoded(t, "utf-16le", long) + "a", ""},
		{"UTF-16, and what is no character far behind", encoded(t, "utf-16le", long+"\x01\n"), ""},
		{"the same, and half of one at the end", encoded(t, "shift_jis", testkit.Texts[len(testkit.Texts)-4].Text) + "\x82", ""},
	} {
		require.Equal(t, c.want, SureOf([]byte(c.text)), c.name)
	}
	text := []byte("cr\xe8me\n")
	size := int64(len(text))
	require.Equal(t, "windows-1252", Sure(bytes.NewReader(text), size, size))
	require.Empty(t, Sure(bytes.NewReader(text), size, size-1), "it is too large")
	require.Empty(t, Sure(bytes.NewReader(text), 0, size), "its size is not known")
}

// TestSureIsCareful has what is no text in any of these encodings.
func TestSureIsCareful(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range testkit.Some(500) {
		data := make([]byte, 4+r.IntN(400))
		for i := range data {
			data[i] = byte(0x20 + r.IntN(0x5f))
			if r.IntN(2) == 0 {
				data[i] = byte(0x80 + r.IntN(0x80))
			}
		}
		require.Empty(t, SureOf(data), "%q", data)
	}
}

// FuzzSure: what a file is said to be in decodes, and the file is what that encodes to.
func FuzzSure(f *testing.F) {
	f.Add([]byte("caf\xe9\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := SureOf(data)
		if name == "" {
			return
		}
		info := Info{Encoding: name, NoBOM: true}
		text, ok := info.Text(data, int64(3*len(data)))
		require.True(t, ok)
		require.NotContains(t, string(text), "\ufffd")
	})
}
