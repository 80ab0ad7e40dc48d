package textfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// EncodeError is the error for text that a file's encoding cannot hold: a character that is not in the encoding, or a
// byte that is not valid UTF-8.
type EncodeError struct {
	Encoding string
	Byte     byte
	Char     rune // 0 if it is a byte
	Offset   int  // in the text, from 0
	Line     int  // from 1
	Column   int  // in characters, from 1
}

func (e *EncodeError) Error() string {
	at := fmt.Sprintf("line %d, character %d of the text is", e.Line, e.Column)
	if e.Char != 0 {
		return fmt.Sprintf("%s %q (%U), which is not in %s", at, e.Char, e.Char, e.Encoding)
	}
	const invalid = "%s the byte 0x%02x, which is not valid UTF-8 and cannot be written in %s"
	return fmt.Sprintf(invalid, at, e.Byte, e.Encoding)
}

// Encode converts text in UTF-8, without a byte order mark, to the bytes of a whole file. It is the inverse of
// [Info.Reader], except for files that are not valid in an encoding other than UTF-8. Invalid UTF-8 in the text is an
// [EncodeError] if the file is not in UTF-8. An Encoding of "" is UTF-8.
func (i Info) Encode(text []byte) ([]byte, error) { return i.AppendEncoded([]byte(i.bom()), text) }

func (i Info) AppendEncoded(file, text []byte) ([]byte, error) {
	if e := i.legacy(); e != nil {
		return i.appendLegacy(file, text, e)
	}
	var order binary.AppendByteOrder = binary.LittleEndian
	switch i.Encoding {
	case UTF16LE:
	case UTF16BE:
		order = binary.BigEndian
	default:
		return append(file, text...), nil
	}
	units := 0
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return nil, i.encodeError(text, at)
		}
		units += utf16.RuneLen(r)
		at += size
	}
	file = slices.Grow(file, 2*units)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if first, second := utf16.EncodeRune(r); first != utf8.RuneError {
			file = order.AppendUint16(file, uint16(first))
			r = second
		}
		file = order.AppendUint16(file, uint16(r))
		text = text[size:]
	}
	return file, nil
}

// appendLegacy is AppendEncoded for an encoding that is not one of Unicode's. It verifies the result by decoding it,
// because encoders write some characters as others, such as ¥ as a backslash in Shift_JIS.
func (i Info) appendLegacy(file, text []byte, e encoding.Encoding) ([]byte, error) {
	begin, at, encoder := len(file), 0, e.NewEncoder()
	for {
		file = slices.Grow(file, len(text)-at+utf8.UTFMax)
		n, used, err := encoder.Transform(file[len(file):cap(file)], text[at:], true)
		file, at = file[:len(file)+n], at+used
		if err == nil {
			break
		}
		if err != transform.ErrShortDst {
			return nil, i.encodeError(text, at)
		}
	}
	written, decoder := file[begin:], e.NewDecoder()
	back := make([]byte, min(len(text)+utf8.UTFMax, 4096))
	for at = 0; len(written) > 0; {
		n, used, _ := decoder.Transform(back, written, true)
		for same := 0; same < n; same, at = same+1, at+1 {
			if at == len(text) || text[at] != back[same] {
				return nil, i.encodeError(text, min(at, len(text)-1))
			}
		}
		written = written[used:]
	}
	if at < len(text) {
		return nil, i.encodeError(text, at)
	}
	return file, nil
}

func (i Info) encodeError(text []byte, at int) error {
	for back := at; back > at-utf8.UTFMax && back >= 0; back-- {
		if _, size := utf8.DecodeRune(text[back:]); back+size > at && size > 1 {
			at = back
			break
		}
	}
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	e := &EncodeError{
		Encoding: i.Encoding, Offset: at, Line: bytes.Count(text[:at], lf) + 1, Column: utf8.RuneCount(line) + 1,
	}
	if r, size := utf8.DecodeRune(text[at:]); r != utf8.RuneError || size > 1 {
		e.Char = r
	} else {
		e.Byte = text[at]
	}
	return e
}
