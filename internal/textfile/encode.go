package textfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// EncodeError is text that a file's encoding cannot hold: a byte that is not part of a
// character in UTF-8.
type EncodeError struct {
	Encoding string
	Byte     byte
	Offset   int // of the byte in the text, from 0
	Line     int // that it is in, from 1
	Column   int // the characters in front of it in that line, plus 1
}

func (e *EncodeError) Error() string {
	return fmt.Sprintf("line %d, character %d of the text is the byte 0x%02x, which is no character of UTF-8 and cannot be written in %s",
		e.Line, e.Column, e.Byte, e.Encoding)
}

// Encode turns text in UTF-8, without a byte order mark, into the bytes of a whole file. It
// is what [Info.Reader] undoes: either of the two gives back what the other was given,
// unless that is a file in UTF-16 that is not valid. In UTF-8 bytes that are not valid stay as they
// are; in UTF-16 they are an [EncodeError]. An Encoding of "" is UTF-8.
func (i Info) Encode(text []byte) ([]byte, error) {
	var bom string
	for _, b := range boms {
		if b.encoding == i.Encoding && !i.NoBOM {
			bom = b.bom
		}
	}
	return i.AppendEncoded([]byte(bom), text)
}

// AppendEncoded appends a part of a text to a file's bytes. It adds no byte order mark.
func (i Info) AppendEncoded(file, text []byte) ([]byte, error) {
	var order binary.AppendByteOrder
	switch i.Encoding {
	case UTF16LE:
		order = binary.LittleEndian
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

func (i Info) encodeError(text []byte, at int) error {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	return &EncodeError{i.Encoding, text[at], at, bytes.Count(text[:at], []byte("\n")) + 1, utf8.RuneCount(line) + 1}
}
