package match

import (
	"bytes"
	"slices"
	"strings"
)

// prefilter looks for a set of literals by their fingerprints: the first three bytes of each. It has two tables for
// each byte of a fingerprint, one for its low half and one for its high half. Each bit stands for the literals of a
// bucket, and is set in all six tables where one of them may begin. A vector instruction looks up 32 positions at
// once, so several literals, in both cases, take no longer than one. The algorithm is known as Teddy, from Hyperscan.
// prefilter is immutable.
type prefilter struct {
	literals literals
	buckets  []uint8 // the bit of each literal
	masks    [2 * fingerprintBytes][16]byte
	text     []byte // the literal, if it is the only one and case-sensitive
}

const (
	fingerprintBytes = 3
	bucketCount      = 8
	// maxPrefilter bounds the literals: the automaton is as fast as examining the candidates of more.
	maxPrefilter = 32
)

// newPrefilter returns a prefilter for set, in which no literal should be redundant, or nil if the set excludes
// nothing or is too large.
func newPrefilter(set literals) *prefilter {
	if !set.usable() || len(set) == 0 || len(set) > maxPrefilter {
		return nil
	}
	// Similar fingerprints share a bucket, because together they let little else through.
	p := &prefilter{literals: slices.Clone(set)}
	slices.SortStableFunc(p.literals, func(a, b literal) int { return strings.Compare(a.text, b.text) })
	if len(set) == 1 && !set[0].fold {
		p.text = []byte(set[0].text)
	}
	for i, x := range p.literals {
		bucket := uint8(1) << (i * bucketCount / max(bucketCount, len(set)))
		p.buckets = append(p.buckets, bucket)
		p.add(x, bucket)
	}
	return p
}

// add adds the fingerprint of x. Any byte may follow the end of a short literal.
func (p *prefilter) add(x literal, bucket uint8) {
	set := func(k int, c byte) {
		p.masks[2*k][c&15] |= bucket
		p.masks[2*k+1][c>>4] |= bucket
	}
	for k := range fingerprintBytes {
		if k >= len(x.text) {
			for c := range 16 {
				set(k, byte(c|c<<4))
			}
			continue
		}
		c := x.text[k]
		if set(k, c); x.fold && isLetter(c) {
			set(k, c&^0x20)
		}
	}
}

// next returns the first position in b, at or after from, where a literal may begin, or -1.
func (p *prefilter) next(b []byte, from int) int {
	i := from
	switch {
	case vector:
		i += indexFingerprint(b[from:], &p.masks)
	case p.text != nil:
		if i = bytes.Index(b[from:], p.text); i >= 0 {
			i += from
		}
		return i
	}
	for ; i < len(b); i++ {
		if p.candidates(b[i:]) != 0 {
			return i
		}
	}
	return -1
}

func (p *prefilter) candidates(b []byte) uint8 {
	all := ^uint8(0)
	for k, c := range b[:min(len(b), fingerprintBytes)] {
		all &= p.masks[2*k][c&15] & p.masks[2*k+1][c>>4]
	}
	return all
}

func (p *prefilter) begins(b []byte) bool {
	buckets := p.candidates(b)
	for i, x := range p.literals {
		if p.buckets[i]&buckets != 0 && x.begins(b) {
			return true
		}
	}
	return false
}

// find returns the first position of a literal in b at or after from, or -1.
func (p *prefilter) find(b []byte, from int) int {
	at := p.next(b, from)
	for at >= 0 && !p.begins(b[at:]) {
		at = p.next(b, at+1)
	}
	return at
}
