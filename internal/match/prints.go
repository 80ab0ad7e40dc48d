package match

import "slices"

// prints looks for fingerprints: three bytes of each of a set of literals. It has two
// tables for each byte of a fingerprint, by the byte's low and by its high half: a bit
// stands for the literals of a bucket, and is set in all six tables where one of them may
// be. A vector instruction looks 32 positions up in a table, so that several literals,
// in both cases, take no longer than one: 12 GB/s of processor time on a 2.6 GHz Xeon
// where the automaton reads 2, and the kernels for pairs 3.5 to 8.
type prints [2 * printBytes][16]byte

const (
	printBytes = 3
	buckets    = 8
	anyBucket  = 1<<buckets - 1
	maxPrints  = 32 // literals; the automaton is as fast as looking at the hits of more
)

// add adds the fingerprint of x that begins at anchor. Where x ends before it does, any
// byte may follow.
func (p *prints) add(x literal, anchor int, bucket uint8) {
	set := func(k int, c byte) {
		p[2*k][c&15] |= bucket
		p[2*k+1][c>>4] |= bucket
	}
	for k := range printBytes {
		if anchor+k >= len(x.text) {
			for c := range 16 {
				set(k, byte(c|c<<4))
			}
			continue
		}
		c := x.text[anchor+k]
		if set(k, c); x.fold && isLetter(c) {
			set(k, c&^0x20)
		}
	}
}

// at returns the buckets of which a fingerprint may begin at the start of b.
func (p *prints) at(b []byte) uint8 {
	all := ^uint8(0)
	for k, c := range b[:min(len(b), printBytes)] {
		all &= p[2*k][c&15] & p[2*k+1][c>>4]
	}
	return all
}

// index returns the first position of a fingerprint, or -1.
func (p *prints) index(b []byte) int {
	i := 0
	if vector {
		i = skipPrints(b, (*[2 * printBytes][16]byte)(p))
	}
	for ; i < len(b); i++ {
		if p.at(b[i:]) != 0 {
			return i
		}
	}
	return -1
}

// byPrints looks for a fingerprint of each literal, its rarest three bytes.
func (c chooser) byPrints(set literals) *finder {
	if !vector || len(set) > maxPrints {
		return nil
	}
	f := &finder{rare: -1, prints: new(prints), cost: costPrints}
	for _, x := range set {
		anchor, rate := c.anchor(x)
		f.needles = append(f.needles, needle{text: x.text, fold: x.fold, anchor: anchor})
		f.cost += c.hit(rate, x)
	}
	// Alike fingerprints in one bucket: together they find little else.
	slices.SortStableFunc(f.needles, func(a, b needle) int {
		return slices.Compare([]byte(a.text[a.anchor:]), []byte(b.text[b.anchor:]))
	})
	for i := range f.needles {
		n := &f.needles[i]
		n.bucket = 1 << (i * buckets / max(buckets, len(f.needles)))
		f.prints.add(literal{text: n.text, fold: n.fold}, n.anchor, n.bucket)
	}
	return f
}

// anchor returns where in x its rarest fingerprint begins, and how often that turns up.
func (c chooser) anchor(x literal) (at int, rate float64) {
	const farthest = 32
	text := x.text[:min(len(x.text), farthest)]
	rates := make([]float64, len(text))
	for i := range rates {
		rates[i] = min(1, 3*c.text.byteRate(text[i], x.fold))
	}
	rate = 2
	for i := range max(1, len(text)-printBytes+1) {
		r := 1.0
		for _, each := range rates[i:min(len(rates), i+printBytes)] {
			r *= each
		}
		if r < rate {
			at, rate = i, r
		}
	}
	return at, rate
}
