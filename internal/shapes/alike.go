package shapes

import (
	"encoding/binary"
	"math/bits"
)

const (
	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
)

func load(p []byte) uint64 { return binary.LittleEndian.Uint64(p) }

// differ returns the high bits of the bytes in which a and b differ and are not both digits.
func differ(a, b uint64) uint64 {
	diff := a ^ b
	changed := ((diff &^ highBits) + 0x7f*eachByte | diff) & highBits
	return changed & (notDigits(a) | notDigits(b))
}

// notDigits returns the high bits of the bytes that are not digits.
func notDigits(w uint64) uint64 {
	w ^= '0' * eachByte
	return ((w &^ highBits) + 0x76*eachByte | w) & highBits
}

// alike returns the length of the longest beginning of a that equals that of b but for digits. The two may overlap.
func alike(a, b []byte) (n int) {
	b = b[:min(len(a), len(b))]
	a = a[:len(b)]
	for len(a)-n >= 16 {
		x, y := a[n:n+16:n+16], b[n:n+16:n+16]
		x1, y1, x2, y2 := load(x), load(y), load(x[8:]), load(y[8:])
		if x1 != y1 && differ(x1, y1) != 0 || x2 != y2 && differ(x2, y2) != 0 {
			break
		}
		n += 16
	}
	for len(a)-n >= 8 {
		if d := differ(load(a[n:]), load(b[n:])); d != 0 {
			return n + bits.TrailingZeros64(d)/8
		}
		n += 8
	}
	for n < len(a) && (a[n] == b[n] || isDigit(a[n]) && isDigit(b[n])) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// examples are lines that were looked at, two for each slot.
type examples struct {
	lines [1 << slotBits][2]example
	other [1 << slotBits]uint8 // which of the two was not used last
}

// slotBits is the binary logarithm of the number of slots.
const slotBits = 6

// find returns the example that a line differs from in digits alone, or the one that gives way to it.
func (e *examples) find(text []byte) (like *example, is bool) {
	at := slot(text)
	for i := range e.lines[at] {
		if like = &e.lines[at][i]; like.is(text) {
			e.other[at] = uint8(1 - i)
			return like, true
		}
	}
	i := e.other[at]
	e.other[at] = 1 - i
	return &e.lines[at][i], false
}

// example is a line that was looked at.
type example struct {
	shape int
	size  int // of text; 0: there is none
	text  [maxLine]byte
}

// slot returns the slot of a line. Lines that differ in digits alone have the same.
func slot(text []byte) int {
	const first, last, length = 0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9
	if len(text) < 8 {
		return len(text)
	}
	a, b := withoutDigits(load(text)), withoutDigits(load(text[len(text)-8:]))
	return int((a*first ^ bits.RotateLeft64(b*last, 29) ^ uint64(len(text))*length) >> (64 - slotBits))
}

// withoutDigits returns w with the same byte for each digit.
func withoutDigits(w uint64) uint64 {
	digits := ^notDigits(w) & highBits
	return w &^ (digits >> 7 * 0x0f)
}

// is reports whether a line differs from the example in digits alone.
func (e *example) is(text []byte) bool {
	return e.size == len(text) && e.size > 0 && alike(text, e.text[:e.size]) == e.size
}

func (e *example) set(text []byte, shape int) {
	e.shape, e.size = shape, copy(e.text[:], text)
}
