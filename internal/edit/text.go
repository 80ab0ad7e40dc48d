package edit

import (
	"bytes"
	"encoding/binary"
	"math"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/textfile"
)

// Text is the content of a file, to be edited. Its body is what places and lines are counted in: in UTF-8, without a byte
// order mark. Bytes that are not valid stay as they are, and so does half of a surrogate pair; in an encoding that is not
// one of Unicode's they are U+FFFD in the body, and stay as they are in what is not replaced.
type Text struct {
	info   textfile.Info
	raw    []byte
	bom    int // bytes of raw in front of the body
	body   []byte
	end    byte // of a line: '\n', or '\r' where no line ends in that
	ascii  bool
	narrow bool // in an encoding with one byte for a character, as it seems
}

// New returns the text in a file's content, which info describes. The text keeps content and does
// not change it.
func New(content []byte, info textfile.Info) *Text {
	if info.Legacy() != nil {
		body, _ := info.Text(content, math.MaxInt64)
		return NewDecoded(content, info, body)
	}
	return NewDecoded(content, info, nil)
}

// NewDecoded is New with the text in content, which is known already. Only an encoding that is not one of Unicode's
// needs it.
func NewDecoded(content []byte, info textfile.Info, body []byte) *Text {
	mark, _ := info.Encode(nil)
	t := &Text{info: info, raw: content, bom: len(mark), end: '\n'}
	t.body = content[t.bom:]
	if order := t.order(); order != nil {
		t.body = fromUTF16(t.body, order)
	} else if info.Legacy() != nil {
		t.body = body
	}
	if bytes.IndexByte(t.body, '\n') < 0 && bytes.IndexByte(t.body, '\r') >= 0 {
		t.end = '\r'
	}
	t.ascii = isASCII(t.body)
	t.narrow = !t.ascii && t.order() == nil && narrow(t.body)
	return t
}

// Body returns the text in UTF-8. It must not be changed.
func (t *Text) Body() []byte { return t.body }

// Line returns the number of the line, from 1, that a place is in.
func (t *Text) Line(at int) int { return bytes.Count(t.body[:at], []byte{t.end}) + 1 }

func (t *Text) order() binary.ByteOrder {
	switch t.info.Encoding {
	case textfile.UTF16LE:
		return binary.LittleEndian
	case textfile.UTF16BE:
		return binary.BigEndian
	}
	return nil
}

// fromUTF16 decodes UTF-16. Half of a surrogate pair becomes the three bytes that UTF-8 would
// have for it, so that no two contents have one body.
func fromUTF16(data []byte, order binary.ByteOrder) []byte {
	body := make([]byte, 0, len(data)/2+len(data)/8)
	for ; len(data) >= 2; data = data[2:] {
		r := rune(order.Uint16(data))
		if !utf16.IsSurrogate(r) {
			body = utf8.AppendRune(body, r)
			continue
		}
		pair := rune(utf8.RuneError)
		if len(data) >= 4 {
			pair = utf16.DecodeRune(r, rune(order.Uint16(data[2:])))
		}
		if pair == utf8.RuneError {
			body = append(body, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
			continue
		}
		body = utf8.AppendRune(body, pair)
		data = data[2:]
	}
	return body
}

// rawSizes returns a function that returns the number of bytes that the next part of the body has in the file.
func (t *Text) rawSizes() func(part []byte) int {
	decoder := t.info.Legacy()
	if decoder == nil {
		return t.rawSize
	}
	raw, buf := t.raw, make([]byte, 32<<10)
	return func(part []byte) (n int) {
		for left := len(part); left > 0; {
			decoded, used, _ := decoder.Transform(buf[:min(left, len(buf))], raw, true)
			if used == 0 {
				break // the part ends within what stands for several characters
			}
			raw, n, left = raw[used:], n+used, left-decoded
		}
		return n
	}
}

// rawSize returns the number of bytes that a part of the body has in a file in one of Unicode's encodings.
func (t *Text) rawSize(part []byte) int {
	if t.order() == nil {
		return len(part)
	}
	units := 0
	for _, b := range part {
		if b&0xc0 != 0x80 {
			units++
		}
		if b >= 0xf0 {
			units++
		}
	}
	return 2 * units
}

func isASCII(text []byte) bool {
	for _, b := range text {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// narrow reports whether a text seems to be in an encoding with one byte for a character: what is
// not valid in UTF-8 outnumbers the characters of several bytes.
func narrow(text []byte) bool {
	valid, invalid := 0, 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			invalid++
		} else {
			valid++
		}
		i += size
	}
	return invalid > valid
}
