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

// differ returns the high bits of the bytes in which a and b differ, unless both are digits.
func differ(a, b uint64) uint64 {
	diff := a ^ b
	changed := ((diff &^ highBits) + 0x7f*eachByte | diff) & highBits
	return changed & (notDigits(a) | notDigits(b))
}

func notDigits(w uint64) uint64 {
	w ^= '0' * eachByte
	return ((w &^ highBits) + 0x76*eachByte | w) & highBits
}

// alike returns the length of the longest common prefix of a and b, in which digits may differ. The two may overlap.
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
	for whole := min(cap(a), cap(b)); n < len(a) && n+8 <= whole; n += 8 { // may compare bytes behind the end
		if d := differ(load(a[n:n+8]), load(b[n:n+8])); d != 0 {
			return min(n+bits.TrailingZeros64(d)/8, len(a))
		}
	}
	n = min(n, len(a))
	for n < len(a) && (a[n] == b[n] || isDigit(a[n]) && isDigit(b[n])) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c-'0' <= 9 }

func digitsAt(b []byte) (n int) {
	if len(b) >= 8 {
		if others := notDigits(load(b)); others != 0 {
			return bits.TrailingZeros64(others) / 8
		}
		n = 8
	}
	for n < len(b) && isDigit(b[n]) {
		n++
	}
	return n
}
