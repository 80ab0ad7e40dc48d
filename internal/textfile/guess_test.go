package textfile

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

func encoded(t *testing.T, name, text string) string {
	e, err := htmlindex.Get(name)
	require.NoError(t, err)
	data, err := encoding.ReplaceUnsupported(e.NewEncoder()).String(text)
	require.NoError(t, err)
	return data
}

func decoded(t *testing.T, name, data string) string {
	e, err := htmlindex.Get(name)
	require.NoError(t, err)
	text, err := e.NewDecoder().String(data)
	require.NoError(t, err)
	return text
}

// TestGuess has texts of two or three lines in 19 encodings, and each of their lines.
func TestGuess(t *testing.T) {
	lines, right := 0, 0
	seen := map[string]bool{}
	for _, c := range testkit.Texts {
		for _, name := range strings.Fields(c.Encodings) {
			seen[name] = true
			// Some texts are the same in two encodings, byte for byte.
			guess := Guess([]byte(encoded(t, name, c.Text)))
			require.Equal(t, c.Text, decoded(t, guess, encoded(t, name, c.Text)), "%s in %s, taken for %q", c.Language, name, guess)
			for line := range strings.Lines(c.Text) {
				data := encoded(t, name, line)
				if isASCII([]byte(data)) {
					continue
				}
				lines++
				if got := Guess([]byte("plain text\n" + data)); got != "" && decoded(t, got, data) == line {
					right++
				} else {
					t.Logf("%s in %s, a line: %q %q", c.Language, name, got, line)
				}
			}
		}
	}
	t.Logf("%d encodings; single lines: %d of %d right", len(seen), right, lines)
	require.GreaterOrEqual(t, right*100, lines*90)
}

// TestGuessIsCareful has what is no text in any of these encodings.
func TestGuessIsCareful(t *testing.T) {
	for _, text := range []string{
		"", "plain", "größe: 5µm, überall\n", "größe, but one \xff byte\n", "\xff\xfe\xfd\n", "bad\xffbyte\n", "caf\xe9\x01\n",
	} {
		require.Empty(t, Guess([]byte(text)), "%q", text)
	}
	require.Equal(t, "windows-1252", Guess([]byte("caf\xe9\n")))
	for _, few := range []string{"\xff\xd8\xff\xe0", "\xff\xd8", "\xac\xed", "\xed\xab\xee\xdb", "\xe9", "q\xfb\x90d", "\x93\xfa\xe1\xc4"} {
		require.Empty(t, Guess([]byte(few)), "%q", few)
		require.Empty(t, SureOf([]byte(few)), "%q", few)
	}
	r := rand.New(rand.NewPCG(3, 4))
	named := map[string]int{}
	tries := testkit.Some(500)
	for range tries {
		data := make([]byte, 16+r.IntN(2000))
		for i := range data {
			data[i] = byte(r.IntN(256))
		}
		named[Guess(data)]++
	}
	t.Log(named)
	require.GreaterOrEqual(t, named[""], tries-tries/100)
	named = map[string]int{}
	for range tries { // without control characters, which give most of them away
		data := make([]byte, 16+r.IntN(400))
		for i := range data {
			data[i] = byte(0x20 + r.IntN(0x5f))
			if r.IntN(2) == 0 {
				data[i] = byte(0x80 + r.IntN(0x80))
			}
		}
		named[Guess(data)]++
	}
	t.Log(named)
	require.GreaterOrEqual(t, named[""], tries-tries/100)
}

// A few random bytes are hardly ever taken for a text.
func TestGuessOfFewBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	guessed, tries := 0, testkit.Some(5000)
	for range tries {
		data := make([]byte, 2+r.IntN(14))
		for i := range data {
			data[i] = byte(r.IntN(256))
		}
		if Guess(data) != "" {
			guessed++
		}
	}
	t.Logf("%d of %d", guessed, tries)
	require.Less(t, guessed, tries/10)
}

// TestGuessLimits has texts with just enough for a guess, and with just too little.
func TestGuessLimits(t *testing.T) {
	french, russian := testkit.Texts[0].Text, testkit.Texts[15].Text
	for _, c := range []struct{ name, text, want string }{
		{"as many bytes that are not UTF-8 as characters that are", "caf\xe3 \u00e9\n", ""},
		{"more of them", "caf\xe3 caf\xe3 \u00e9\n", "windows-1252"},
		{"three letters that are not Latin", encoded(t, "windows-1251", "для\n"), ""},
		{"four of them", encoded(t, "windows-1251", "меня\n"), "windows-1251"},
		{"the same without the end of a line, which may be anything", encoded(t, "windows-1251", "меня"), ""},
		{"many letters without one", encoded(t, "windows-1251", "превосходительство"), "windows-1251"},
		{"as many ASCII letters as others", "\xe9t", "windows-1252"},
		{"fewer of them", "\xe9t\xe9", ""},
		{"the first of two encodings that explain it equally well", "\xa1\xa2\xa1\xa3\xa1\xa2\xa1\xa3\n", "euc-jp"},
		{"a start that suffices, before another encoding", strings.Repeat(encoded(t, "windows-1252", french), 1+guessText/len(encoded(t, "windows-1252", french))) +
			strings.Repeat(encoded(t, "windows-1251", russian), GuessLen/len(russian)), "windows-1252"},
		{"plain lines before it", strings.Repeat("plain\n", guessText/4) + encoded(t, "windows-1251", russian), "windows-1251"},
		{"a control character far behind the sample", encoded(t, "windows-1251", strings.Repeat(russian, GuessLen/len(russian)*2)) + "\x01\n", "windows-1251"},
	} {
		require.Equal(t, c.want, Guess([]byte(c.text)), c.name)
	}
}

// TestPairCharacters has the bytes at the edges of what two bytes may be, and how frequent
// the character is.
func TestPairCharacters(t *testing.T) {
	for _, c := range []struct {
		encoding, from, to string // every lead byte between the two, with every trailing one
		size               int
		frequent           float64
	}{
		{"shift_jis", "\x80\x40", "\x80\x7e", 0, 0},
		{"shift_jis", "\x81\x3f", "\x83\x3f", 0, 0},
		{"shift_jis", "\x81\x40", "\x83\x7e", 2, 1},
		{"shift_jis", "\x81\x7f", "\x9f\x7f", 0, 0},
		{"shift_jis", "\x81\x80", "\x83\xfc", 2, 1},
		{"shift_jis", "\x81\xfd", "\x9f\xff", 0, 0},
		{"shift_jis", "\x84\x40", "\x87\x7e", 2, unusual},
		{"shift_jis", "\x88\x40", "\x97\x7e", 2, kanji},
		{"shift_jis", "\x98\x40", "\x9f\x7e", 2, unusual},
		{"shift_jis", "\xa0\x40", "\xa0\x7e", 0, 0},
		{"shift_jis", "\xa1\x00", "\xdf\xff", 1, unusual},
		{"shift_jis", "\xe0\x40", "\xfc\x7e", 2, unusual},
		{"shift_jis", "\xe0\x3f", "\xfc\x3f", 0, 0},
		{"shift_jis", "\xfd\x40", "\xff\x7e", 0, 0},
		{"euc-jp", "\x80\xa1", "\x8d\xfe", 0, 0},
		{"euc-jp", "\x8e\xa0", "\x8f\xa0", 0, 0},
		{"euc-jp", "\x8e\xa1", "\x8e\xfe", 2, unusual},
		{"euc-jp", "\x8f\xa1", "\x8f\xfe", 3, unusual},
		{"euc-jp", "\x90\xa1", "\xa0\xfe", 0, 0},
		{"euc-jp", "\xa1\xa0", "\xfe\xa0", 0, 0},
		{"euc-jp", "\xa1\xff", "\xfe\xff", 0, 0},
		{"euc-jp", "\xa1\xa1", "\xa1\xfe", 2, 1},
		{"euc-jp", "\xa2\xa1", "\xa3\xfe", 2, unusual},
		{"euc-jp", "\xa4\xa1", "\xa5\xfe", 2, 1},
		{"euc-jp", "\xa6\xa1", "\xaf\xfe", 2, unusual},
		{"euc-jp", "\xb0\xa1", "\xcf\xfe", 2, 0.98},
		{"euc-jp", "\xd0\xa1", "\xfe\xfe", 2, unusual},
		{"euc-jp", "\xff\xa1", "\xff\xfe", 0, 0},
		{"euc-kr", "\x80\xa1", "\x80\xfe", 0, 0},
		{"euc-kr", "\x81\x40", "\xfe\x40", 0, 0},
		{"euc-kr", "\x81\xff", "\xfe\xff", 0, 0},
		{"euc-kr", "\x81\x41", "\xfe\xa0", 2, unusual},
		{"euc-kr", "\x81\xa1", "\xa0\xfe", 2, unusual},
		{"euc-kr", "\xa1\xa1", "\xa1\xfe", 2, 1},
		{"euc-kr", "\xa2\xa1", "\xa2\xfe", 2, unusual},
		{"euc-kr", "\xa3\xa1", "\xa3\xfe", 2, 1},
		{"euc-kr", "\xa4\xa1", "\xaf\xfe", 2, unusual},
		{"euc-kr", "\xb0\xa1", "\xc8\xfe", 2, 1},
		{"euc-kr", "\xc9\xa1", "\xfe\xfe", 2, unusual},
		{"euc-kr", "\xff\xa1", "\xff\xfe", 0, 0},
		{"gb18030", "\x80\xa1", "\x80\xfe", 0, 0},
		{"gb18030", "\x81\x2f", "\xfe\x2f", 0, 0},
		{"gb18030", "\x81\x30", "\xfe\x39", 4, unusual},
		{"gb18030", "\x81\x3a", "\xfe\x3f", 0, 0},
		{"gb18030", "\x81\x40", "\xfe\x7e", 2, unusual},
		{"gb18030", "\x81\x7f", "\xfe\x7f", 0, 0},
		{"gb18030", "\x81\x80", "\xfe\xa0", 2, unusual},
		{"gb18030", "\x81\xff", "\xfe\xff", 0, 0},
		{"gb18030", "\x81\xa1", "\xa0\xfe", 2, unusual},
		{"gb18030", "\xa1\xa1", "\xa1\xfe", 2, 0.97},
		{"gb18030", "\xa2\xa1", "\xa2\xfe", 2, unusual},
		{"gb18030", "\xa3\xa1", "\xa3\xfe", 2, 0.97},
		{"gb18030", "\xa4\xa1", "\xaf\xfe", 2, unusual},
		{"gb18030", "\xb0\xa1", "\xd7\xfe", 2, 0.97},
		{"gb18030", "\xd8\xa1", "\xfe\xfe", 2, unusual},
		{"gb18030", "\xff\xa1", "\xff\xfe", 0, 0},
		{"big5", "\x80\x40", "\x80\x7e", 0, 0},
		{"big5", "\x81\x3f", "\xfe\x3f", 0, 0},
		{"big5", "\x81\x7f", "\xfe\xa0", 0, 0},
		{"big5", "\x81\xff", "\xfe\xff", 0, 0},
		{"big5", "\x81\x40", "\xa0\x7e", 2, unusual},
		{"big5", "\xa1\x40", "\xc6\x7e", 2, 0.97},
		{"big5", "\xa1\xa1", "\xc6\xfe", 2, 0.97},
		{"big5", "\xc7\xa1", "\xfe\xfe", 2, unusual},
		{"big5", "\xff\x40", "\xff\x7e", 0, 0},
	} {
		i := slices.IndexFunc(pairEncodings, func(e pairEncoding) bool { return e.name == c.encoding })
		for lead := int(c.from[0]); lead <= int(c.to[0]); lead++ {
			for trail := int(c.from[1]); trail <= int(c.to[1]); trail++ {
				size, frequent := pairEncodings[i].char(byte(lead), byte(trail))
				if size != c.size || frequent != c.frequent {
					t.Fatalf("%s %x %x: %d bytes, %v", c.encoding, lead, trail, size, frequent)
				}
			}
		}
	}
}

func TestLanguageShare(t *testing.T) {
	latin, other := language{"éèà", western}, language{"абв", cyrillic}
	for _, c := range []struct {
		name, text string
		of         language
		want       float64
	}{
		{"nothing", "plain", latin, 0},
		{"the most frequent letter", "é", latin, 1},
		{"the rarest", "à", latin, 1 - rare*2/3},
		{"one of another language", "éñ", latin, 1. / 2},
		{"punctuation", "«", latin, punctuation},
		{"neither a letter nor punctuation", "é÷", latin, 1. / 2},
		{"upper case at the beginning of a word", "Éa É", latin, 1},
		{"upper case behind upper case", "AÉ", latin, capitals},
		{"lower case behind upper case", "Aé", latin, 1},
		{"upper case behind lower case", "aÉ", latin, 0},
		{"more than three beside each other", "éééé aé", latin, 4. / 5},
		{"too few letters that are not Latin", "ааа", other, 0},
		{"enough", "аа аа", other, 1},
		{"no letter of the language", "жжжж", other, 0},
		{"a Latin letter in front of them", "xаааа", other, 3. / 4},
		{"a Latin letter behind them", "ааааx", other, 3. / 4},
		{"a word of one letter", "é a", latin, alone},
		{"a word of one letter that is not Latin", "а ааа а", other, 1},
		{"a Latin word behind them", "аааа xyz", other, 1},
		{"a digit behind them", "аааа1", other, 1},
	} {
		encoding := "iso-8859-15"
		if c.of == other {
			encoding = "windows-1251"
		}
		require.InDelta(t, c.want, c.of.share([]byte(encoded(t, encoding, c.text)), encoding), 1e-9, c.name)
	}
}

// TestWithoutInner has random texts, which mean the same to each language with and without what is inside of ASCII.
func TestWithoutInner(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range testkit.Some(2000) {
		text := make([]byte, r.IntN(40))
		beyond := 1 + r.IntN(10) // of ten bytes, as many are not ASCII
		for i := range text {
			text[i] = "aZ 1\n.xy"[r.IntN(8)]
			if r.IntN(10) < beyond {
				text[i] = byte(0x80 + r.IntN(0x80))
			}
		}
		for _, l := range languages {
			for _, encoding := range strings.Fields(l.encodings) {
				require.Equal(t, l.share(text, encoding), l.share(withoutInner(text), encoding), "%q, %s %s", text, encoding, l.letters)
			}
		}
	}
	require.Equal(t, "\xe9ab\xe9a", string(withoutInner([]byte("\xe9a long word b\xe9a"))))
}

// TestPairShare has texts of EUC-JP with characters that are not valid, or too few.
func TestPairShare(t *testing.T) {
	i := slices.IndexFunc(pairEncodings, func(e pairEncoding) bool { return e.name == "euc-jp" })
	for _, c := range []struct {
		name, text string
		want       float64
	}{
		{"frequent ones, and ASCII", strings.Repeat("a\xa4\xa2", 4), 1},
		{"half of them frequent", strings.Repeat("\xa4\xa2\xa2\xa1", 2), (1 + unusual) / 2},
		{"too few", strings.Repeat("\xa4\xa2", 3), 0},
		{"two percent not valid", strings.Repeat("\xa4\xa2", 49) + "\x80", 49. / 50},
		{"more than that", strings.Repeat("\xa4\xa2", 48) + "\x80", 0},
		{"the last one cut", strings.Repeat("\xa4\xa2", 49) + "\xa4", 49. / 50},
	} {
		require.InDelta(t, c.want, pairEncodings[i].share([]byte(c.text)), 1e-9, c.name)
	}
}

func TestGuessUTF16(t *testing.T) {
	for _, text := range []string{"name,value\r\none,1\r\n", "größer ist besser\n", "Файл не может быть открыт\n", "no line break", "no\nspaces", "a b\n"} {
		require.Equal(t, UTF16LE, Sniff([]byte(encoded(t, "utf-16le", text))).Likely)
		require.Equal(t, UTF16BE, Sniff([]byte(encoded(t, "utf-16be", text))).Likely)
	}
	for _, data := range []string{"a\x00", "a\x00 \x00\n\x00", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "\x01\x00\x02\x00\x20\x00\x03\x00\x04\x00", "text\x00more text here\n"} {
		require.Empty(t, Sniff([]byte(data)).Likely, "%q", data)
	}
}

func FuzzGuess(f *testing.F) {
	f.Add([]byte("caf\xe9\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := Guess(data)
		if name == "" {
			return
		}
		canonical, ok := Canonical(name)
		require.True(t, ok)
		require.Equal(t, canonical, name)
		require.Contains(t, Encodings, name)
	})
}

// BenchmarkGuess has a text in Latin letters, and one that no encoding explains.
func BenchmarkGuess(b *testing.B) {
	for _, text := range []struct{ name, text string }{
		{"Latin", strings.Repeat("caf\xe9 au lait, cr\xe8me br\xfbl\xe9e\n", 1000)},
		{"nothing", strings.Repeat("\xff\xc3\xe6ok\xbc\xf0\x9f\x98 \n", 2000)},
	} {
		data := []byte(text.text)
		b.Run(text.name, func(b *testing.B) {
			for b.Loop() {
				Guess(data)
			}
		})
	}
}

func isASCII(text []byte) bool {
	return !slices.ContainsFunc(text, func(b byte) bool { return b >= 0x80 })
}
