package walk

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// CompareFold orders entries by their names without regard to case, and names that differ only in case by their bytes.
func CompareFold(a, b Dirent) int {
	if c := compareFold(a.Name, b.Name); c != 0 {
		return c
	}
	return strings.Compare(a.Name, b.Name)
}

func compareFold(a, b string) int {
	shorter := min(len(a), len(b))
	for i := alike(a, b); i < shorter; i++ {
		x, y := a[i], b[i]
		if x >= utf8.RuneSelf || y >= utf8.RuneSelf {
			return strings.Compare(strings.ToLower(a[i:]), strings.ToLower(b[i:]))
		}
		if 'A' <= x && x <= 'Z' {
			x += 'a' - 'A'
		}
		if 'A' <= y && y <= 'Z' {
			y += 'a' - 'A'
		}
		if x != y {
			return int(x) - int(y)
		}
	}
	return len(a) - len(b)
}

// alike returns the length of a common ASCII prefix of two names, or a multiple of eight below it. Names in one
// directory often begin alike.
func alike(a, b string) (n int) {
	const high = 0x8080808080808080
	for ; n+8 <= min(len(a), len(b)); n += 8 {
		// The compiler does not copy for these conversions, because the bytes are not changed.
		x, y := binary.LittleEndian.Uint64([]byte(a[n:])), binary.LittleEndian.Uint64([]byte(b[n:]))
		if (x|y)&high != 0 {
			break
		}
		if x != y {
			return n + bits.TrailingZeros64(x^y)/8
		}
	}
	return n
}
