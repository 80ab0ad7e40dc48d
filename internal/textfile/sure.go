package textfile

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// Sure returns the encoding of a text file without a byte order mark, if that is hardly in doubt and not UTF-8: every
// byte decodes, and no other encoding explains the non-ASCII characters nearly as well. It reads the whole file of
// size bytes; over most bytes, and for size 0, it returns "".
func Sure(f io.ReaderAt, size, most int64) string {
	if size <= 0 || size > most {
		return ""
	}
	var e evidence
	if !e.read(io.NewSectionReader(f, 0, size)) {
		return sure16(f, size)
	}
	name := e.encoding()
	if name != "" && !e.decodes(name) && !wholly(name, io.NewSectionReader(f, 0, size)) {
		return ""
	}
	return name
}

// sure16 returns UTF16LE or UTF16BE for a file in one of these without a byte order mark, or "". All characters must
// be printable or white space, and most must be ASCII: four letters and a NUL byte are also three Chinese characters.
func sure16(f io.ReaderAt, size int64) string {
	head := make([]byte, min(size, SniffLen))
	if _, err := f.ReadAt(head, 0); err != nil && err != io.EOF {
		return ""
	}
	name := Sniff(head).Likely
	if name == "" || size%2 != 0 || 3*bytes.Count(head, []byte{0}) < len(head) {
		return ""
	}
	in := bufio.NewReaderSize(io.NewSectionReader(f, 0, size), GuessLen)
	for {
		chunk, err := in.Peek(GuessLen)
		switch {
		case len(chunk) == 0 && err == io.EOF:
			return name
		case len(chunk) == 0 || !printable16(chunk[:len(chunk)&^1], name):
			return ""
		}
		in.Discard(len(chunk))
	}
}

// SureOf is Sure for a content in memory.
func SureOf(content []byte) string {
	if utf8.Valid(content) && bytes.IndexByte(content[:min(len(content), SniffLen)], 0) < 0 {
		return ""
	}
	return Sure(bytes.NewReader(content), int64(len(content)), int64(len(content)))
}

// evidence is what a file reveals about its encoding.
type evidence struct {
	valid   int // non-ASCII characters if it were UTF-8
	invalid int // invalid bytes if it were UTF-8
	used    [256]bool
	lines   []byte // the first lines that are not ASCII
}

func (e *evidence) read(r io.Reader) bool {
	in := bufio.NewReaderSize(r, GuessLen)
	for {
		chunk, err := in.Peek(GuessLen)
		if len(chunk) == 0 {
			return err == io.EOF
		}
		if err == nil { // there may be more
			if end := bytes.LastIndexByte(chunk, '\n') + 1; end > 0 {
				chunk = chunk[:end]
			} else {
				chunk = chunk[:len(chunk)-Unfinished(chunk)]
			}
		}
		if !e.add(chunk) {
			return false
		}
		in.Discard(len(chunk)) // which Peek has buffered
	}
}

// add adds lines. It reports whether they are text.
func (e *evidence) add(chunk []byte) bool {
	taken := 0 // the end of the last line of lines
	for i := 0; i < len(chunk); {
		b := chunk[i]
		if b < utf8.RuneSelf {
			if b < ' ' && !unicode.IsSpace(rune(b)) && b != '\x1b' || b == 0x7f {
				return false
			}
			i++
			continue
		}
		if i >= taken && len(e.lines) < guessText {
			start, end := bytes.LastIndexByte(chunk[:i], '\n')+1, len(chunk)
			if n := bytes.IndexByte(chunk[i:], '\n'); n >= 0 {
				end = i + n + 1
			}
			taken = end
			e.lines = append(e.lines, chunk[start:min(end, start+guessText)]...)
		}
		r, size := utf8.DecodeRune(chunk[i:])
		if r == utf8.RuneError && size == 1 {
			e.invalid++
		} else {
			e.valid++
		}
		for _, b := range chunk[i : i+size] {
			e.used[b] = true
		}
		i += size
	}
	return true
}

const (
	// commonest is the encoding of most files that are not UTF-8. The encodings it may be confused with differ from it
	// in a few letters only, so a wrong guess does little harm.
	commonest = "windows-1252"
	// many is the number of non-ASCII characters from which other encodings can be distinguished.
	many = 8
)

// lead returns by how much an encoding must explain more of that many characters than any other encoding that yields a
// different text.
func lead(name string, characters int) float64 {
	if name == commonest {
		return 0.02
	}
	return min(0.15, 0.5/math.Sqrt(float64(characters)))
}

// historic are encodings that files hardly have any more. They are never sure, and do not make another one less sure.
var historic = []string{"macintosh", "x-mac-cyrillic", "iso-8859-5", "iso-8859-6", "ibm866", "windows-1258"}

// encoding returns the encoding that is hardly in doubt, or "".
func (e *evidence) encoding() string {
	if e.invalid == 0 {
		return ""
	}
	list := slices.DeleteFunc(candidates(e.lines), func(c candidate) bool { return slices.Contains(historic, c.name) })
	best := likeliest(list)
	single := !slices.ContainsFunc(pairEncodings, func(p pairEncoding) bool { return p.name == best.name })
	switch {
	case best.name == "":
		return ""
	case single && (e.valid > 0 || !e.decodes(best.name)), !single && e.invalid <= e.valid:
		return ""
	case best.name == commonest && !amongASCII(e.lines), best.name != commonest && e.invalid < many:
		return ""
	}
	text := textAs(best.name, e.lines)
	for _, other := range list {
		if other.share > best.share-lead(best.name, e.invalid+e.valid) && textAs(other.name, e.lines) != text {
			return ""
		}
	}
	return best.name
}

// decodes reports whether each byte of the file stands for a character in a single-byte encoding.
func (e *evidence) decodes(name string) bool {
	found, _ := htmlindex.Get(name)
	table, ok := found.(*charmap.Charmap)
	if !ok {
		return false
	}
	for b, used := range e.used {
		if r := table.DecodeByte(byte(b)); used && (r == utf8.RuneError || unicode.IsControl(r)) {
			return false
		}
	}
	return true
}

// amongASCII reports whether a non-ASCII character is next to an ASCII letter, as in words with Latin letters, or is
// punctuation.
func amongASCII(lines []byte) bool {
	letter := func(i int) bool {
		return i >= 0 && i < len(lines) && lines[i] < utf8.RuneSelf && unicode.IsLetter(rune(lines[i]))
	}
	for i, b := range lines {
		if b >= utf8.RuneSelf &&
			(letter(i-1) || letter(i+1) || strings.ContainsRune(marks, charmap.Windows1252.DecodeByte(b))) {
			return true
		}
	}
	return false
}

func textAs(name string, text []byte) string {
	decoded, _ := io.ReadAll(Info{Encoding: name}.Reader(bytes.NewReader(text)))
	return string(decoded)
}

func wholly(name string, r io.Reader) bool {
	in := bufio.NewReaderSize(Info{Encoding: name}.Reader(r), GuessLen)
	for {
		c, _, err := in.ReadRune()
		if err != nil {
			return err == io.EOF
		}
		if c == utf8.RuneError || c >= utf8.RuneSelf && unicode.IsControl(c) {
			return false
		}
	}
}
