package textfile

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	unicodes "golang.org/x/text/encoding/unicode"
)

// GuessLen is the number of bytes of a file that a guess at its encoding looks at, at most.
const GuessLen = 64 << 10

// guessText is the number of bytes of lines with anything but ASCII that it judges by.
const guessText = 8 << 10

// Guess returns the name of the encoding that a part of a text file, which begins with a
// line, is likely to be in. It is "" for UTF-8, for what is mostly UTF-8, for what is not
// like text, and where no encoding explains enough of the characters: see [explained].
func Guess(sample []byte) string {
	sample = sample[:min(len(sample), GuessLen)]
	var lines []byte
	var valid, invalid int
	for line := range bytes.Lines(sample) {
		for i := 0; i < len(line); {
			switch r, size := utf8.DecodeRune(line[i:]); {
			case r < ' ' && !unicode.IsSpace(r) && r != '\x1b', r == 0x7f:
				return ""
			case r == utf8.RuneError && size == 1:
				invalid++
				i++
			default:
				valid += min(size-1, 1)
				i += size
			}
		}
		if !isASCII(line) && len(lines) < guessText {
			lines = append(lines, line[:min(len(line), guessText)]...)
		}
	}
	if invalid <= valid {
		return ""
	}
	return explained(lines)
}

func isASCII(text []byte) bool {
	return !slices.ContainsFunc(text, func(b byte) bool { return b >= utf8.RuneSelf })
}

// enough is the share of the characters outside of ASCII that an encoding must explain.
const enough = 0.65

// explained returns the encoding that explains the most of the characters outside of ASCII,
// if that is enough. In an encoding with a byte for each, those are the letters of one
// language, the more frequent the better, in upper case not behind lower case, and
// punctuation, with no other script in the same word; in one of East Asia, the characters of its most frequent rows.
func explained(text []byte) string {
	best, name := enough, ""
	for _, e := range pairEncodings {
		if share := e.share(text); share > best {
			best, name = share, e.name
		}
	}
	for _, l := range languages {
		for _, encoding := range strings.Fields(l.encodings) {
			share := l.share(text, encoding)
			if encoding == "macintosh" {
				share *= old
			}
			if share > best {
				best, name = share, encoding
			}
		}
	}
	return name
}

// language is a language that is written in encodings with a byte for each character.
type language struct {
	letters   string // those outside of ASCII in lower case, the most frequent first
	encodings string // the most frequent first
}

const (
	western  = "windows-1252 macintosh iso-8859-15"
	central  = "windows-1250 iso-8859-2"
	cyrillic = "windows-1251 koi8-r ibm866 iso-8859-5 x-mac-cyrillic"
)

var languages = []language{
	{"éèàêçôâùîûëïœüæñ", western},                   // French
	{"äüößéà", western},                             // German
	{"óíáéñúü¿¡ºª", western},                        // Spanish
	{"ãçáéíóêõâúàôüºª", western},                    // Portuguese
	{"àèùòéìîº", western},                           // Italian
	{"åäöøæéüôòóàáëïèêç", western},                  // Danish, Dutch, Finnish, Norwegian, Swedish
	{"íáðöóéæþúý", western},                         // Icelandic
	{"ąłęóżśćńź", central},                          // Polish
	{"áíěéščřžýůúďťňó", central},                    // Czech
	{"áíéčšžýúľťôňäďóĺŕ", central},                  // Slovak
	{"áéöóőüíúű", central},                          // Hungarian
	{"čšžćđ", central},                              // Croatian, Slovenian
	{"ăîţşâ", central},                              // Romanian
	{"ıişüğçöâîûé", "windows-1254"},                 // Turkish
	{"ėšųžūčįęą", "windows-1257 iso-8859-13"},       // Lithuanian
	{"āīēšūņļģķžč", "windows-1257 iso-8859-13"},     // Latvian
	{"оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", cyrillic}, // Russian
	{"оаинтівеуркдслмпязьйбгчхцюжєшїщфґ", "windows-1251 koi8-u iso-8859-5 x-mac-cyrillic"},       // Ukrainian
	{"аоеинтрвсдлкпзмъугяжчщшцйбхюьф", cyrillic},                                                 // Bulgarian
	{"аоиенрстјувдклмпзгбчшцњћхжљђфџ", "windows-1251 iso-8859-5"},                                // Serbian
	{"αοιετσνηυρπκμλςωίόάέγδύήθχώφβξζψϊϋΐΰ", "windows-1253 iso-8859-7"},                          // Greek
	{"יוהלארתבמשנעםדקחפטכגןסצזךץףְֱֲֳִֵֶַָֹֻּׁׂ", "windows-1255 iso-8859-8"},                     // Hebrew
	{"اليمونرتبةعدسفهكقأحجشطصىخذءئضغثإزظؤآًٌٍَُِّْ،؟؛", "windows-1256 iso-8859-6"},               // Arabic
	{"านรอกเงมยลวดทสตะปบคหแจพชขใไโผซธณศฐฎฉภฒฝถ่้ี์ัิ็ืุูึำ๊๋ๆฯ", "windows-874"},                  // Thai
	{"áàâảạãăắằặẳẵấầậẩẫđêéèẹẻẽếềệểễôóòọỏõốồộổỗơớờợởỡíìịỉĩưúùụủũứừựửữýỳỵỷỵ̃̀́̉̃", "windows-1258"}, // Vietnamese
}

// punctuation is what texts in any language have.
const punctuation = "\u00a0«»‘’‚“”„–—…•·°§€£©®™"

// fewest is the number of characters outside of ASCII below which a text is taken for
// nothing but a Latin one.
const fewest = 4

// old is what an old Macintosh's text counts: its letters are the quotation marks of
// Windows, which are in far more files.
const old = 0.75

// quotes is what punctuation counts: somewhat less than the rarest letter.
const quotes = 0.69

// capitals is what a letter in upper case behind another one counts.
const capitals = 0.8

// rare is what the rarest letter counts for less than the most frequent one.
const rare = 0.3

// char is what a byte stands for in a language and an encoding.
type char struct {
	known                             bool    // the rest is filled in
	weight                            float64 // what a letter of the language counts, 0 for any other
	punctuation, letter, upper, lower bool
}

// char returns what r is in the language.
func (l language) char(r rune) char {
	c := char{known: true, letter: unicode.IsLetter(r), upper: unicode.IsUpper(r), lower: unicode.IsLower(r)}
	letters := []rune(l.letters)
	if i := slices.Index(letters, unicode.ToLower(r)); i >= 0 {
		c.weight = 1 - rare*float64(i)/float64(len(letters))
	} else {
		c.punctuation = strings.ContainsRune(punctuation, r)
	}
	return c
}

// share returns how much of the characters outside of ASCII the language explains, if the
// text is in an encoding. It looks up each byte once and not each character, of which a
// text has many more.
func (l language) share(text []byte, encoding string) float64 {
	e, _ := htmlindex.Get(encoding)
	decoder := e.(*charmap.Charmap)
	first, _ := utf8.DecodeRuneInString(l.letters)
	latin := unicode.Is(unicode.Latin, first)
	known := latin && l.encodings == western // letters of the language are met, or none is needed
	var all, sum, last float64
	var chars [256]char
	before := new(char) // the character before
	run := 0            // how many letters outside of ASCII there are before
	for _, b := range text {
		c := &chars[b]
		if !c.known {
			*c = l.char(decoder.DecodeByte(b))
		}
		if b < utf8.RuneSelf {
			if run > 0 && !latin && c.letter {
				sum -= last // no word has letters of two scripts
			}
			before, run = c, 0
			continue
		}
		all++
		last = 0
		switch {
		case c.punctuation:
			sum += quotes
			before, run = c, 0
			continue
		case c.weight == 0, c.upper && before.lower:
		case !latin && run == 0 && before.letter, latin && run > 2:
		default:
			last = c.weight
			if c.upper && before.upper {
				last *= capitals
			}
			sum += last
			known = true
		}
		before = c
		run++
	}
	if !known || all == 0 || all < fewest && !latin {
		return 0
	}
	return sum / all
}

// pairEncoding is an encoding of East Asia.
type pairEncoding struct {
	name string
	// char is the size of the character that begins with two bytes, 0 if none does, and
	// how frequent it is in ordinary text, from 0 to 1.
	char func(lead, trail byte) (size int, frequent float64)
}

// mostBad is the share of characters that are not valid with which a text is not in an
// encoding.
const mostBad = 0.02

// share returns how much of the characters outside of ASCII are frequent ones.
func (e pairEncoding) share(text []byte) float64 {
	var all, sum, bad float64
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		var trail byte
		if i+1 < len(text) {
			trail = text[i+1]
		}
		size, frequent := e.char(text[i], trail)
		if size == 0 {
			size = 1
			bad++
		}
		all++
		sum += frequent
		i += size
	}
	if all < fewest || bad > mostBad*all {
		return 0
	}
	return sum / all
}

func within(b, from, to byte) bool { return from <= b && b <= to }

// unusual is what a valid character counts that is in no frequent row.
const unusual = 0.2

// kanji is what a Chinese character counts that may as well be a letter of an old
// Macintosh and one of ASCII behind it. Japanese has about as many kana.
const kanji = 0.6

// pairEncodings are those in which characters have two bytes or more. Frequent are the
// kana, the first of two levels of Chinese characters, the Korean syllables, and the rows
// of punctuation. Chinese counts a little less: its first level includes the Korean
// syllables.
var pairEncodings = []pairEncoding{
	{"shift_jis", func(lead, trail byte) (int, float64) {
		switch {
		case within(lead, 0xa1, 0xdf):
			return 1, unusual // half a kana wide
		case !within(lead, 0x81, 0x9f) && !within(lead, 0xe0, 0xfc), !within(trail, 0x40, 0xfc), trail == 0x7f:
			return 0, 0
		case within(lead, 0x81, 0x83):
			return 2, 1
		case within(lead, 0x88, 0x97):
			return 2, kanji
		}
		return 2, unusual
	}},
	{"euc-jp", func(lead, trail byte) (int, float64) {
		switch {
		case lead == 0x8e && trail >= 0xa1:
			return 2, unusual
		case lead == 0x8f && trail >= 0xa1:
			return 3, unusual
		case lead < 0xa1 || lead == 0xff || trail < 0xa1 || trail == 0xff:
			return 0, 0
		case lead == 0xa1, lead == 0xa4, lead == 0xa5:
			return 2, 1
		case within(lead, 0xb0, 0xcf):
			return 2, 0.98 // Korean syllables are these, too
		}
		return 2, unusual
	}},
	{"euc-kr", func(lead, trail byte) (int, float64) {
		switch {
		case !within(lead, 0x81, 0xfe), trail < 0x41, trail == 0xff:
			return 0, 0
		case trail >= 0xa1 && (lead == 0xa1 || lead == 0xa3 || within(lead, 0xb0, 0xc8)):
			return 2, 1
		}
		return 2, unusual
	}},
	{"gb18030", func(lead, trail byte) (int, float64) {
		switch {
		case !within(lead, 0x81, 0xfe), trail == 0x7f, trail == 0xff:
			return 0, 0
		case within(trail, '0', '9'):
			return 4, unusual
		case trail < 0x40:
			return 0, 0
		case trail >= 0xa1 && (lead == 0xa1 || lead == 0xa3 || within(lead, 0xb0, 0xd7)):
			return 2, 0.97
		}
		return 2, unusual
	}},
	{"big5", func(lead, trail byte) (int, float64) {
		switch {
		case !within(lead, 0x81, 0xfe), !within(trail, 0x40, 0x7e) && !within(trail, 0xa1, 0xfe):
			return 0, 0
		case within(lead, 0xa1, 0xa3), within(lead, 0xa4, 0xc6):
			return 2, 0.97
		}
		return 2, unusual
	}},
}

// guessUTF16 returns the byte order of a text in UTF-16 without a byte order mark: one in which
// every unit is a printable character or white space, and some line break or space is.
func guessUTF16(sample []byte) string {
	sample = sample[:len(sample)&^1]
	for _, encoding := range []string{UTF16LE, UTF16BE} {
		order, _ := Info{Encoding: encoding}.utf16(unicodes.UseBOM)
		space, whole := false, len(sample) >= 8
		for i := 0; i < len(sample) && whole; i += 2 {
			r := rune(order.Uint16(sample[i:]))
			space = space || r == ' ' || r == '\n'
			whole = unicode.IsPrint(r) || unicode.IsSpace(r) || utf16.IsSurrogate(r)
		}
		if whole && space {
			return encoding
		}
	}
	return ""
}
