package textfile

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	unicodes "golang.org/x/text/encoding/unicode"
)

// GuessLen is the number of bytes of a file that Guess takes into account.
const GuessLen = 64 << 10

// guessText is how many bytes of non-ASCII lines decide.
const guessText = 8 << 10

// Guess returns the likely encoding of a part of a text file that begins with a line. It returns "" if the part is
// mostly UTF-8 or not text, or if no encoding explains enough of the characters.
func Guess(sample []byte) string {
	var e evidence
	if !e.add(sample[:min(len(sample), GuessLen)]) || e.invalid <= e.valid {
		return ""
	}
	return likeliest(candidates(e.lines)).name
}

// GuessFile is Guess for a part of a file. The beginning of the file decides too.
func GuessFile(f io.ReaderAt, part []byte) string {
	head := make([]byte, GuessLen)
	n, _ := f.ReadAt(head, 0) // an unreadable beginning does not count
	return Guess(append(part, head[:n]...))
}

// enough is the share of the characters beyond ASCII that an encoding must explain.
const enough = 0.65

// candidate is a possible encoding of a text. A single-byte encoding explains punctuation and the letters of one
// language, the more frequent the better, unless an upper-case letter follows a lower-case one or a word has letters
// of two scripts. An East Asian encoding explains the characters of its most frequent rows.
type candidate struct {
	name  string
	share float64 // of the characters beyond ASCII that it explains
}

// likeliest returns the first candidate with the highest share, if that is enough.
func likeliest(list []candidate) (best candidate) {
	best.share = enough
	for _, c := range list {
		if c.share > best.share {
			best = c
		}
	}
	return best
}

// bare is the number of non-ASCII characters from which a text needs no other sign of being text. Of 16 random bytes
// over 127, some encoding explains enough in 6 samples of 100; of four, in half of them.
const bare = 16

// worded reports whether bytes look like text rather than anything else: they have a space, the end of a line, or as
// many ASCII letters as other characters, or are long enough.
func worded(text []byte) bool {
	beyond, letters := 0, 0
	for _, b := range text {
		switch {
		case b == ' ' || b == '\n':
			return true
		case b >= utf8.RuneSelf:
			beyond++
		case unicode.IsLetter(rune(b)):
			letters++
		}
	}
	return letters >= beyond || beyond >= bare
}

// candidates returns what each encoding explains, once for each language that is written in it. There are none if the
// sample may not be text.
func candidates(text []byte) (list []candidate) {
	if !worded(text) {
		return nil
	}
	for _, e := range pairEncodings {
		list = append(list, candidate{e.name, e.share(text)})
	}
	text = withoutInner(text)
	for _, l := range languages {
		for _, encoding := range strings.Fields(l.encodings) {
			share := l.share(text, encoding)
			switch {
			case encoding == "macintosh":
				share *= macintosh
			case l.encodings != western:
				share *= regional
			}
			list = append(list, candidate{encoding, share})
		}
	}
	return list
}

// withoutInner returns a text with only the first and the last byte of each run of ASCII: those inside decide nothing
// for a language, and each of the languages would pass over them in each of its encodings.
func withoutInner(text []byte) []byte {
	ends := make([]byte, 0, len(text))
	for i, b := range text {
		if b >= utf8.RuneSelf || i == 0 || i+1 == len(text) || text[i-1] >= utf8.RuneSelf || text[i+1] >= utf8.RuneSelf {
			ends = append(ends, b)
		}
	}
	return ends
}

type language struct {
	letters   string // the non-ASCII lower-case letters, the most frequent first
	encodings string // the most frequent first
}

const (
	western  = "windows-1252 macintosh iso-8859-15"
	central  = "windows-1250 iso-8859-2"
	cyrillic = "windows-1251 koi8-r ibm866 iso-8859-5 x-mac-cyrillic"
)

var languages = []language{
	{"éïñöçèêëüôâà", western},                       // English, in words of other languages
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

const marks = "\u00a0«»‘’‚“”„–—…•·°§€£©®™"

// fewest is the number of non-ASCII characters below which a text can only be Latin.
const fewest = 4

// Weights of what an encoding explains. The most frequent letter weighs 1.
const (
	macintosh   = 0.75 // factor of that encoding, whose letters include the more common quotation marks of Windows
	regional    = 0.96 // factor of encodings for fewer languages
	punctuation = 0.69 // slightly less than the rarest letter
	alone       = 0.68 // most weight of a word with one Latin letter, which may be a sign in another encoding
	capitals    = 0.8  // factor of an upper-case letter after another one
	rare        = 0.3  // how much less the rarest letter weighs than the most frequent one
)

// char is the meaning of a byte in a language and an encoding.
type char struct {
	known                      bool    // the other fields are set
	weight                     float64 // of a letter of the language, or 0
	mark, letter, upper, lower bool
}

func (l language) char(r rune) char {
	c := char{known: true, letter: unicode.IsLetter(r), upper: unicode.IsUpper(r), lower: unicode.IsLower(r)}
	letters := []rune(l.letters)
	if i := slices.Index(letters, unicode.ToLower(r)); i >= 0 {
		c.weight = 1 - rare*float64(i)/float64(len(letters))
	} else {
		c.mark = strings.ContainsRune(marks, r)
	}
	return c
}

// share returns the share of non-ASCII characters that the language explains if the text is in an encoding. It looks
// up each byte value once.
func (l language) share(text []byte, encoding string) float64 {
	e, _ := htmlindex.Get(encoding)
	decoder := e.(*charmap.Charmap)
	first, _ := utf8.DecodeRuneInString(l.letters)
	latin := unicode.Is(unicode.Latin, first)
	known := latin && l.encodings == western // a letter of the language was found, or none is needed
	var all, sum, last float64
	var chars [256]char
	before := new(char) // the previous character
	run := 0            // number of non-ASCII letters directly before
	lone := false       // no letter preceded the last of them
	for _, b := range text {
		c := &chars[b]
		if !c.known {
			*c = l.char(decoder.DecodeByte(b))
		}
		if b < utf8.RuneSelf {
			switch {
			case run > 0 && !latin && c.letter:
				sum -= last // no word has letters of two scripts
			case run == 1 && latin && lone && !c.letter:
				sum -= max(last-alone, 0)
			}
			before, run = c, 0
			continue
		}
		all++
		last, lone = 0, !before.letter
		switch {
		case c.mark:
			sum += punctuation
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

type pairEncoding struct {
	name string
	// char returns the size of the character that begins with two bytes, or 0 if they are invalid, and how frequent it
	// is in ordinary text, from 0 to 1.
	char func(lead, trail byte) (size int, frequent float64)
}

// maxInvalid is the share of invalid characters above which a text is not in an encoding.
const maxInvalid = 0.02

// share returns the share of non-ASCII characters that are frequent.
func (e pairEncoding) share(text []byte) float64 {
	var all, sum, invalid float64
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
			invalid++
		}
		all++
		sum += frequent
		i += size
	}
	if all < fewest || invalid > maxInvalid*all {
		return 0
	}
	return sum / all
}

func within(b, from, to byte) bool { return from <= b && b <= to }

// unusual is the frequency of a valid character that is in no frequent row.
const unusual = 0.2

// kanji is the frequency of a Chinese character in Shift_JIS. It is low because the bytes may also be a letter in the
// encoding of the Macintosh and one of ASCII. Japanese texts have about as many kana.
const kanji = 0.6

// pairEncodings are encodings with characters of two bytes or more. Frequent are the kana, the first of two levels of
// Chinese characters, the Korean syllables, and the rows of punctuation. Chinese counts a little less, because its
// first level includes the bytes of the Korean syllables.
var pairEncodings = []pairEncoding{
	{"shift_jis", func(lead, trail byte) (int, float64) {
		switch {
		case within(lead, 0xa1, 0xdf):
			return 1, unusual // half-width kana
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
			return 2, 0.98 // the bytes of Korean syllables, too
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
		case within(lead, 0xa1, 0xc6):
			return 2, 0.97
		}
		return 2, unusual
	}},
}

// UTF16 returns UTF16LE or UTF16BE for a stream that begins like text in it: with a byte order mark and printable
// text, or without one and mostly ASCII. It returns "" for any other.
func UTF16(head []byte) string {
	for _, b := range boms[1:] {
		if text, ok := bytes.CutPrefix(head, []byte(b.bom)); ok && len(text) > 1 && printable16(text, b.encoding) {
			return b.encoding
		}
	}
	if 3*bytes.Count(head, []byte{0}) < len(head) {
		return ""
	}
	return guessUTF16(head)
}

// printable16 reports whether all units of a sample in UTF-16 are printable characters, white space or escapes.
func printable16(sample []byte, encoding string) bool {
	order, _ := Info{Encoding: encoding}.utf16(unicodes.UseBOM)
	for ; len(sample) > 1; sample = sample[2:] {
		r := rune(order.Uint16(sample))
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) && !utf16.IsSurrogate(r) && r != '\x1b' {
			return false
		}
	}
	return true
}

// guessUTF16 returns UTF16LE or UTF16BE for a text without a byte order mark, or "". Each unit must be a printable
// character or white space, and one must be a space or a newline.
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
