package edit

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/textfile"
)

// Text is the content of a file to edit. Places and lines are those of its body, which is in UTF-8, without a byte
// order mark. Invalid bytes and halves of surrogate pairs are kept in the body; if the encoding is not one of
// Unicode's, they are U+FFFD in the body, and stay in the file unless replaced.
type Text struct {
	info       textfile.Info
	raw        []byte
	bom        int              // bytes of raw before the body
	order      binary.ByteOrder // of UTF-16; nil in other encodings
	body       []byte
	plain      []byte   // the body before Mask
	masked     []Span   // the parts of the body that Mask has replaced
	within     []Part   // the parts open to edits; nil means all
	made       []splice // of the last successful Apply, sorted
	end        byte     // what ends a line: '\n', or '\r' in a text without '\n'
	ascii      bool
	singleByte bool // the encoding is unknown, and seems to have one byte a character
}

// New returns the text in a file's content, which info describes. It keeps content and does not change it.
func New(content []byte, info textfile.Info) *Text { return NewDecoded(content, info, nil) }

// NewDecoded is New for a content that may be decoded already: body is used only if the encoding is not one of
// Unicode's; nil decodes it here.
func NewDecoded(content []byte, info textfile.Info, body []byte) *Text {
	mark, _ := info.Encode(nil)
	t := &Text{info: info, raw: content, bom: len(mark), end: '\n'}
	t.body = content[t.bom:]
	switch legacy := info.Legacy() != nil; {
	case info.Encoding == textfile.UTF16LE:
		t.order, t.body = binary.LittleEndian, fromUTF16(t.body, binary.LittleEndian)
	case info.Encoding == textfile.UTF16BE:
		t.order, t.body = binary.BigEndian, fromUTF16(t.body, binary.BigEndian)
	case legacy && body == nil:
		t.body, _ = info.Text(content, math.MaxInt64)
	case legacy:
		t.body = body
	}
	t.plain = t.body
	if bytes.IndexByte(t.body, '\n') < 0 && bytes.IndexByte(t.body, '\r') >= 0 {
		t.end = '\r'
	}
	t.ascii = isASCII(t.body)
	t.singleByte = !t.ascii && t.order == nil && singleByte(t.body)
	return t
}

// Mask makes edits see another body of the same length, in which parts are replaced. An edit of such a part is
// refused. The content keeps these parts.
func (t *Text) Mask(body []byte, masked []Span) { t.body, t.masked = body, masked }

// Plain returns the text in UTF-8, with what Mask has replaced. It must not be changed.
func (t *Text) Plain() []byte { return t.plain }

// Part is a part of a body that is open to edits.
type Part struct {
	Span
	Added bool // the line ending at its end is not in the file
}

// Restrict limits edits to places within one of the parts, which must be in order.
func (t *Text) Restrict(parts []Part) { t.within = parts }

// part returns the part that contains a place, if any.
func (t *Text) part(at Span) (part Part, ok bool) {
	if t.within == nil {
		return Part{Span: Span{0, len(t.body)}}, true
	}
	i, _ := slices.BinarySearchFunc(t.within, at.End, func(p Part, end int) int { return p.End - end })
	if i == len(t.within) || t.within[i].Start > at.Start {
		return Part{}, false
	}
	return t.within[i], true
}

// Body returns the text in UTF-8, as edits see it. It must not be changed.
func (t *Text) Body() []byte { return t.body }

// Line returns the number of the line, from 1, that a place is in.
func (t *Text) Line(at int) int { return bytes.Count(t.body[:at], []byte{t.end}) + 1 }

// fromUTF16 decodes UTF-16. Half of a surrogate pair becomes the three bytes that UTF-8 would have for it, so that
// different contents have different bodies.
func fromUTF16(data []byte, order binary.ByteOrder) []byte {
	body := make([]byte, 0, len(data))
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

// rawSizes returns a function that returns the size in the file of the next part of the body.
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
				break // the part ends inside a code for several characters
			}
			raw, n, left = raw[used:], n+used, left-decoded
		}
		return n
	}
}

// rawSize returns the size in the file of a part of the body, for Unicode's encodings.
func (t *Text) rawSize(part []byte) int {
	if t.order == nil {
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

// singleByte reports whether a text seems to have one byte a character: it has more bytes that are not valid UTF-8
// than characters of several bytes.
func singleByte(text []byte) bool {
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
