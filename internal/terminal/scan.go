package terminal

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// cleanLength returns the length of p's longest prefix that passes unchanged: printable characters, newlines and tabs
// in valid UTF-8. It stops at control characters (C0 except newline and tab, DEL, C1), at invalid UTF-8 and at a
// character that p's end cuts off.
func cleanLength(p []byte) int {
	i := cleanASCII(p)
	for i < len(p) && p[i] >= utf8.RuneSelf {
		n := cleanMultibyte(p[i:])
		if n == 0 {
			break
		}
		i += n
		i += cleanASCII(p[i:])
	}
	return i
}

// cleanASCII returns the length of p's longest prefix of ASCII characters that
// pass unchanged. It tests 32 bytes at a time, as four words: measured, that
// is 1.7 times as fast as one word at a time (9.4 to 5.4 GB/s).
func cleanASCII(p []byte) int {
	i := 0
	if len(p) >= 8 {
		// Among characters of more bytes, ASCII comes in short runs.
		if m := uncleanBytes(binary.LittleEndian.Uint64(p)); m != 0 {
			return bits.TrailingZeros64(m) / 8
		}
		i = 8
	}
	for len(p)-i >= 32 {
		q := p[i : i+32 : i+32]
		a := uncleanBytes(binary.LittleEndian.Uint64(q))
		b := uncleanBytes(binary.LittleEndian.Uint64(q[8:]))
		c := uncleanBytes(binary.LittleEndian.Uint64(q[16:]))
		d := uncleanBytes(binary.LittleEndian.Uint64(q[24:]))
		if a|b|c|d != 0 {
			break
		}
		i += 32
	}
	for len(p)-i >= 8 {
		if m := uncleanBytes(binary.LittleEndian.Uint64(p[i:])); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
		i += 8
	}
	for i < len(p) && (p[i] >= 0x20 && p[i] < deleteByte || p[i] == '\n' || p[i] == '\t') {
		i++
	}
	return i
}

// uncleanBytes returns a word whose lowest set bit is the high bit of the first (lowest) byte of x that is not clean
// ASCII; 0 if all are clean. Bits above it mean nothing, because a byte from 0x80 on carries into the next.
func uncleanBytes(x uint64) uint64 {
	const ones = 0x0101010101010101
	// Each sum has a byte's high bit set if the byte is at least that.
	printable := x + ones*(0x80-0x20)
	tab := x + ones*(0x80-'\t')
	afterNewline := x + ones*(0x80-'\n'-1)
	del := x + ones*(0x80-deleteByte)
	return (x | del | ^printable&(^tab|afterNewline)) & (ones * 0x80)
}

// cleanMultibyte returns the length of p's longest prefix of characters of two
// or more bytes that pass unchanged.
//
// A character is tested as one word of four bytes. utf8.Valid would not do: it
// does not tell where it stops, nor does it know C1.
func cleanMultibyte(p []byte) int {
	i := 0
	for len(p)-i >= 4 {
		v := binary.LittleEndian.Uint32(p[i:])
		switch {
		case v&0x00c0c0f0 == 0x008080e0:
			// With the lead byte E0 the second one must be from A0 on (else
			// it is overlong), with ED below (else it is a surrogate).
			if k := v & 0x200f; k == 0 || k == 0x200d {
				return i
			}
			i += 3
		case v&0xc0e0 == 0x80c0:
			// C0 and C1 are overlong; C2 80 to C2 9F is C1.
			if v&0x1e == 0 || v&0x20ff == 0xc2 {
				return i
			}
			i += 2
		case v&0xc0c0c0f8 == 0x808080f0:
			// The code point's upper bits reveal overlong encodings and code points that are too large.
			if plane := v&7<<2 | v>>12&3; plane == 0 || plane > 16 {
				return i
			}
			i += 4
		default:
			return i
		}
	}
	for i < len(p) && p[i] >= utf8.RuneSelf {
		r, size := utf8.DecodeRune(p[i:])
		if size == 1 || r < 0xa0 {
			break
		}
		i += size
	}
	return i
}
