package truncation

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
	"unsafe"
)

const (
	highBits = 0x8080808080808080 // the bits that ASCII leaves clear
	lowBits  = 0x0101010101010101
)

func bytesOf(s string) []byte   { return unsafe.Slice(unsafe.StringData(s), len(s)) }
func load(p []byte) uint64      { return binary.LittleEndian.Uint64(p) }
func isASCII8(s string) bool    { return load(bytesOf(s[:8]))&highBits == 0 }
func continuation(w uint64) int { return bits.OnesCount64(w >> 7 & ^(w >> 6) & lowBits) }

// countValid counts the characters of valid UTF-8: the bytes that do not continue one. Eight bytes at a time, it is as
// fast as memory.
func countValid(p []byte) int {
	n := len(p)
	for ; len(p) >= 32; p = p[32:] {
		a, b, c, d := load(p), load(p[8:]), load(p[16:]), load(p[24:])
		if (a|b|c|d)&highBits != 0 {
			n -= continuation(a) + continuation(b) + continuation(c) + continuation(d)
		}
	}
	for _, b := range p {
		if b&0xC0 == 0x80 {
			n--
		}
	}
	return n
}

// countChars counts the characters of any text like utf8.RuneCountInString: each invalid byte counts as one. invalid
// is the number of these bytes.
//
// It skips ASCII 32 bytes at a time, and runs of characters of three bytes, such as Chinese, Japanese and Korean, six
// bytes at a time.
func countChars(s string) (chars, invalid int) {
	p := bytesOf(s)
	chars = len(p)
	i := 0
	for i < len(p) {
		for len(p)-i >= 32 && (load(p[i:])|load(p[i+8:])|load(p[i+16:])|load(p[i+24:]))&highBits == 0 {
			i += 32
		}
		for len(p)-i >= 8 && twoOfThree(load(p[i:])) {
			i += 6
			chars -= 4
		}
		// In mixed text, read a stretch byte by byte before trying again.
		for end := min(i+32, len(p)); i < end; {
			switch c := p[i]; {
			case c < utf8.RuneSelf:
				i++
			case c >= 0xC2 && c < 0xE0 && i+1 < len(p) && p[i+1]&0xC0 == 0x80:
				i += 2
				chars--
			case c > 0xE0 && c < 0xF0 && c != 0xED && i+2 < len(p) && p[i+1]&0xC0 == 0x80 && p[i+2]&0xC0 == 0x80:
				i += 3
				chars -= 2
				if len(p)-i >= 8 && twoOfThree(load(p[i:])) {
					end = i
				}
			default:
				_, size := utf8.DecodeRune(p[i:])
				if size == 1 { // ASCII is handled above
					invalid++
				}
				chars -= size - 1
				i += size
			}
		}
	}
	return chars, invalid
}

// twoOfThree reports whether the first six bytes are two characters of three bytes each. It rejects sequences that
// begin with E0 or ED, because only some of them are valid.
func twoOfThree(w uint64) bool {
	const mask, pattern = 0x0000C0C0F0C0C0F0, 0x00008080E08080E0
	a, b := byte(w), byte(w>>24)
	return w&mask == pattern && a != 0xE0 && a != 0xED && b != 0xE0 && b != 0xED
}

// counts are the totals of everything that was written.
type counts struct {
	bytes    int
	chars    int
	newlines int
	first    int // bytes of the first line
	open     int // bytes of the unfinished last line
	closed   int // bytes of the last finished line
}

func (c counts) lines() int {
	if c.open > 0 {
		return c.newlines + 1
	}
	return c.newlines
}

// lastLine is the length of the last line, without its newline.
func (c counts) lastLine() int {
	if c.open > 0 {
		return c.open
	}
	return c.closed
}

// add counts p, which is valid UTF-8. It does not look at the lines one by one.
func (c *counts) add(p []byte) {
	c.bytes += len(p)
	c.chars += countValid(p)
	n := bytes.Count(p, newline)
	if n == 0 {
		c.open += len(p)
		if c.newlines == 0 {
			c.first = c.open
		}
		return
	}
	if c.newlines == 0 {
		c.first = c.open + bytes.IndexByte(p, '\n')
	}
	c.newlines += n
	last := bytes.LastIndexByte(p, '\n')
	if prev := bytes.LastIndexByte(p[:last], '\n'); prev >= 0 {
		c.closed = last - prev - 1
	} else {
		c.closed = c.open + last
	}
	c.open = len(p) - last - 1
}

var newline = []byte{'\n'}
