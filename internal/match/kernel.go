package match

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Where there is no vector code (see prints), the kernels look for two adjacent bytes, eight positions in each 64-bit word: a
// byte of (word^pattern) is zero where the byte is the one looked for, and
// (a-ones)&^a&tops has its lowest bit in the first zero byte of a. (Bits above that
// one may be wrong; nobody looks at them.) Two bytes hit so much less often than
// one that this beats bytes.IndexByte, with its 32 bytes at a step, for all but
// the rarest bytes, and unlike it folds case for two instructions more.

const (
	ones      = 0x0101010101010101
	tops      = 0x8080808080808080
	foldCase  = 0x2020202020202020
	blockSize = 32
)

// pair is two adjacent bytes to look for, each repeated in all bytes of a word,
// with the bits of the fold in force set.
type pair struct{ first, second uint64 }

func newPair(a, b byte, fold uint64) pair {
	return pair{ones*uint64(a) | fold, ones*uint64(b) | fold}
}

// matches reports whether a and b are the pair.
func (p pair) matches(a, b byte, fold uint64) bool {
	return a|byte(fold) == byte(p.first) && b|byte(fold) == byte(p.second)
}

// index returns the place of p in text, or -1.
func (p pair) index(text string, fold uint64) int {
	for i := 1; i < len(text); i++ {
		if p.matches(text[i-1], text[i], fold) {
			return i - 1
		}
	}
	return -1
}

// maxPairs is how many pairs there is a kernel for. Two rounds, for four or five
// pairs, were no faster than the automaton.
const maxPairs = 3

// indexPairs returns the first position of any of the pairs, or -1. fold is 0 or
// foldCase: bits that are set in every byte before the comparison.
func indexPairs(b []byte, fold uint64, ps []pair) int {
	i := 0
	switch len(ps) {
	case 1:
		i = skipPair(b, fold, ps[0])
	case 2:
		i = skipPairs2(b, fold, ps[0], ps[1])
	case 3:
		i = skipPairs3(b, fold, ps[0], ps[1], ps[2])
	}
	for ; i+1 < len(b); i++ {
		for _, p := range ps {
			if p.matches(b[i], b[i+1], fold) {
				return i
			}
		}
	}
	return -1
}

// touch reads a byte of every cache line, all at once: the kernels have too many
// instructions to a line for the processor to see the next lines coming. With 32 MB
// of text in memory two pairs are found at 5.7 instead of 2 GB/s where the hardware does not
// prefetch, and costs little where it does or where the text is in the cache.
//
//go:noinline
func touch(b []byte) (all byte) {
	for i := 0; i < len(b); i += 64 {
		all |= b[i]
	}
	return all
}

// skipPair returns the position of the first p in b, or a position near the end of
// b before which there is none.
func skipPair(b []byte, fold uint64, p pair) int {
	i := 0
	for ; len(b)-i > blockSize; i += blockSize {
		s := (*[blockSize + 1]byte)(addr(b, i))
		x0 := ((binary.LittleEndian.Uint64(s[0:]) | fold) ^ p.first) | ((binary.LittleEndian.Uint64(s[1:]) | fold) ^ p.second)
		x1 := ((binary.LittleEndian.Uint64(s[8:]) | fold) ^ p.first) | ((binary.LittleEndian.Uint64(s[9:]) | fold) ^ p.second)
		x2 := ((binary.LittleEndian.Uint64(s[16:]) | fold) ^ p.first) | ((binary.LittleEndian.Uint64(s[17:]) | fold) ^ p.second)
		x3 := ((binary.LittleEndian.Uint64(s[24:]) | fold) ^ p.first) | ((binary.LittleEndian.Uint64(s[25:]) | fold) ^ p.second)
		x0 = (x0 - ones) &^ x0
		x1 = (x1 - ones) &^ x1
		x2 = (x2 - ones) &^ x2
		x3 = (x3 - ones) &^ x3
		if (x0|x1|x2|x3)&tops != 0 {
			return i + firstHit(x0, x1, x2, x3)
		}
	}
	return i
}

// firstHit returns the position of the lowest top bit of four words. It gathers the bits
// instead of testing the words in turn: a hit is mispredicted once, not twice.
func firstHit(x0, x1, x2, x3 uint64) int {
	const gather = 0x0002040810204081 // moves the top bits of the bytes into the top byte
	low := (x0&tops)*gather>>56 | (x1&tops)*gather>>56<<8
	high := (x2&tops)*gather>>56 | (x3&tops)*gather>>56<<8
	return bits.TrailingZeros64(low | high<<16)
}

// addr returns &b[i], unchecked: the kernels check the length of their blocks themselves,
// and are a quarter faster for it.
func addr(b []byte, i int) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i) }

// skipPairs2 is skipPair for two pairs, 16 bytes at a step: 32 need more registers
// than there are.
func skipPairs2(b []byte, fold uint64, p, q pair) int {
	i := 0
	for ; len(b)-i > 16; i += 16 {
		s := (*[17]byte)(addr(b, i))
		u0, v0 := binary.LittleEndian.Uint64(s[0:])|fold, binary.LittleEndian.Uint64(s[1:])|fold
		u1, v1 := binary.LittleEndian.Uint64(s[8:])|fold, binary.LittleEndian.Uint64(s[9:])|fold
		x0, y0 := (u0^p.first)|(v0^p.second), (u0^q.first)|(v0^q.second)
		x1, y1 := (u1^p.first)|(v1^p.second), (u1^q.first)|(v1^q.second)
		z0 := (x0-ones)&^x0 | (y0-ones)&^y0
		z1 := (x1-ones)&^x1 | (y1-ones)&^y1
		if (z0|z1)&tops != 0 {
			return i + firstHit(z0, z1, 0, 0)
		}
	}
	return i
}

// skipPairs3 is skipPair for three pairs.
func skipPairs3(b []byte, fold uint64, p, q, r pair) int {
	i := 0
	for ; len(b)-i > 16; i += 16 {
		s := (*[17]byte)(addr(b, i))
		u0, v0 := binary.LittleEndian.Uint64(s[0:])|fold, binary.LittleEndian.Uint64(s[1:])|fold
		u1, v1 := binary.LittleEndian.Uint64(s[8:])|fold, binary.LittleEndian.Uint64(s[9:])|fold
		x0, y0, w0 := (u0^p.first)|(v0^p.second), (u0^q.first)|(v0^q.second), (u0^r.first)|(v0^r.second)
		x1, y1, w1 := (u1^p.first)|(v1^p.second), (u1^q.first)|(v1^q.second), (u1^r.first)|(v1^r.second)
		z0 := (x0-ones)&^x0 | (y0-ones)&^y0 | (w0-ones)&^w0
		z1 := (x1-ones)&^x1 | (y1-ones)&^y1 | (w1-ones)&^w1
		if (z0|z1)&tops != 0 {
			return i + firstHit(z0, z1, 0, 0)
		}
	}
	return i
}
