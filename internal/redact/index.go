package redact

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// needle is one form of a value.
type needle struct {
	text   string // at most maxNeedle bytes
	rest   string // what follows text in the whole form: masked as far as it is there
	kind   string
	layout layout
}

const (
	minNeedle = 8
	// maxNeedle is the number of bytes that are compared before something is masked. It bounds the work at a place.
	maxNeedle = 256
	// maxSpan bounds how far values that overlap each other are masked as one.
	maxSpan = 8 << 10

	gram   = 4                    // bytes
	stride = minNeedle - gram + 1 // a needle has a gram at every place modulo stride
)

// index finds needles. It looks at every stride-th place of a text, where a needle must have one of its first grams: a
// table of bits says which grams there are. That needs no vector instructions to be as fast as reading the text.
type index struct {
	needles []needle // sorted by text, a longer one before its prefix
	bits    []uint64 // by hash
	shift   int      // of a hash
	grams   map[uint32][]place
	first   [256][]int32 // the needles that begin with a byte
}

// place is where a gram stands in a needle.
type place struct {
	needle int32
	offset int8
}

const hashFactor = 0x9E3779B1

// newIndex returns an index of needles, each of at least minNeedle bytes, or nil if there are none.
func newIndex(list []needle) *index {
	if len(list) == 0 {
		return nil
	}
	// The longest of those that begin at a place comes first.
	slices.SortFunc(list, func(a, b needle) int { return len(b.text) + len(b.rest) - len(a.text) - len(a.rest) })
	x := &index{needles: list, grams: map[uint32][]place{}}
	size := max(12, min(18, bits.Len(uint(len(list)*stride*16))))
	x.shift = 32 - size
	x.bits = make([]uint64, 1<<(size-6))
	for i, n := range list {
		x.first[n.text[0]] = append(x.first[n.text[0]], int32(i))
		for k := range stride {
			g := binary.LittleEndian.Uint32([]byte(n.text[k : k+gram]))
			x.grams[g] = append(x.grams[g], place{int32(i), int8(k)})
			h := g * hashFactor >> x.shift
			x.bits[h>>6] |= 1 << (h & 63)
		}
	}
	return x
}

// sample returns the first place at or after from, in steps of stride, where a gram of a needle may stand, or a place
// near the end of text before which there is none.
func (x *index) sample(text []byte, from int) int {
	table, shift := x.bits, uint(x.shift)&31
	i := from
	for ; i+3*stride+gram <= len(text); i += 4 * stride {
		four := text[i : i+3*stride+gram : i+3*stride+gram]
		a, b := load(four, 0)*hashFactor>>shift, load(four, stride)*hashFactor>>shift
		c, d := load(four, 2*stride)*hashFactor>>shift, load(four, 3*stride)*hashFactor>>shift
		if (table[a>>6]>>(a&63)|table[b>>6]>>(b&63)|table[c>>6]>>(c&63)|table[d>>6]>>(d&63))&1 != 0 {
			break
		}
	}
	for ; i+gram <= len(text); i += stride {
		h := load(text, i) * hashFactor >> shift
		if table[h>>6]>>(h&63)&1 != 0 {
			return i
		}
	}
	return i
}

func (x *index) find(v *view, from int) (m match, ok bool, resume, hold int) {
	for i := from + stride - 1; ; i += stride {
		if i = x.sample(v.text, i); i+gram > len(v.text) {
			break
		}
		start, end, n, known := x.around(v, from, i)
		if !known {
			return match{}, false, start, start
		}
		if n != nil {
			m, known = x.match(v, start, end, n)
			if !known {
				return match{}, false, start, start
			}
			return m, true, 0, 0
		}
	}
	// The last bytes are too few for a sample.
	for i := max(from, len(v.text)-minNeedle-stride); i < len(v.text); i++ {
		end, n, known := x.longest(v, i)
		if !known {
			return match{}, false, i, i
		}
		if n != nil {
			if m, known = x.match(v, i, end, n); !known {
				return match{}, false, i, i
			}
			return m, true, 0, 0
		}
	}
	return match{}, false, len(v.text), len(v.text)
}

// around returns the first needle that has a gram at i, and does not begin before from.
func (x *index) around(v *view, from, i int) (start, end int, n *needle, known bool) {
	places := x.grams[binary.LittleEndian.Uint32(v.text[i:])]
	if len(places) == 0 {
		return 0, 0, nil, true
	}
	for start = max(from, i-stride+1); start <= i; start++ {
		if !slices.ContainsFunc(places, func(p place) bool { return int(p.offset) == i-start }) {
			continue
		}
		if end, n, known = x.longest(v, start); n != nil || !known {
			return start, end, n, known
		}
	}
	return 0, 0, nil, true
}

// longest returns the longest needle that begins at start, and where it ends.
func (x *index) longest(v *view, start int) (end int, n *needle, known bool) {
	rest := v.text[start:]
	for _, i := range x.first[rest[0]] {
		n := &x.needles[i]
		k := min(len(n.text), len(rest))
		v.work += k
		if string(rest[:k]) != n.text[:k] {
			continue
		}
		switch {
		case k == len(n.text):
			return start + k, n, true
		case !v.end:
			return 0, nil, false
		}
	}
	return 0, nil, true
}

// match returns the secret that begins with n, together with others that overlap its end.
func (x *index) match(v *view, start, end int, n *needle) (m match, known bool) {
	s := &v.span
	if s.start != start || s.last == nil {
		*s = span{start: start, at: start + 1, end: end, last: n}
	}
	for ; s.at < s.end && s.end-start < maxSpan; s.at++ {
		if len(x.first[v.text[s.at]]) == 0 {
			continue
		}
		end, n, known := x.longest(v, s.at)
		if !known {
			return match{}, false
		}
		if n != nil && end > s.end && (n.layout.wide > 0) == (s.last.layout.wide > 0) {
			s.end, s.last = end, n
		}
	}
	m = match{start: start, end: s.end, kind: n.kind, layout: n.layout}
	if s.last.rest != "" {
		m.tail = along(s.last.rest)
	}
	s.last = nil
	return m, true
}

// span is how far match has come. It goes on from there when there is more text.
type span struct {
	start, at, end int
	last           *needle // the one that ends at end; nil if there is no span
}

// along is the tail of a long needle.
type along string

func (a along) next(v *view, at int) (end int, rest tail) {
	text := v.text[at:]
	n := 0
	for n < len(text) && n < len(a) && text[n] == a[n] {
		n++
	}
	v.work += n
	if n < len(text) || n == len(a) || v.end {
		return at + n, nil
	}
	return at + n, a[n:]
}
