package match

import (
	"bytes"
	"math"
)

// finder looks for the first of a set of literals in a buffer. It is immutable.
type finder struct {
	rare    int // a byte to look for with bytes.IndexByte, or -1: the fingerprints or pairs are looked for
	prints  *prints
	fold    uint64
	pairs   []pair
	needles []needle
	cost    float64 // estimated nanoseconds for a byte
	set     literals
	verify  bool
}

// needle is a literal and the place in it that is looked for first.
type needle struct {
	text   string
	fold   bool
	anchor int
	bucket uint8 // of its fingerprint, if that is looked for; else anyBucket
}

// at reports whether the needle is in b with its anchor at i.
func (n *needle) at(b []byte, i int) bool {
	i -= n.anchor
	if i < 0 || len(b)-i < len(n.text) {
		return false
	}
	if !n.fold {
		return string(b[i:i+len(n.text)]) == n.text
	}
	for k, c := range b[i : i+len(n.text)] {
		if want := n.text[k]; c != want && (c|0x20 != want || !isLetter(c)) {
			return false
		}
	}
	return true
}

// newFinder returns a finder for set, in which no literal should be redundant, or nil
// if the automaton would be faster. verify says that a line found must still be
// looked at; text is what the rates are taken from.
func newFinder(set literals, verify bool, text sample) *finder {
	if !set.usable() || len(set) == 0 {
		return nil
	}
	c := chooser{text: text}
	if verify {
		c.verify = costVerify
	}
	f := c.byPrints(set)
	if f == nil {
		f = c.byPairs(set)
	}
	if g := c.byByte(set); g != nil && (f == nil || g.cost < f.cost) {
		f = g
	}
	if f == nil || f.cost > costScan {
		return nil
	}
	f.set, f.verify = set, verify
	return f
}

// tuned returns the finder that suits text best: one for the same literals, or for
// one of those that every match contains as well. It is nil if the automaton is better.
func (f *finder) tuned(text []byte, also literals) *finder {
	if len(f.set) > maxTuned {
		return f
	}
	sample := newSample(text)
	best := newFinder(f.set, f.verify, sample)
	if !f.verify {
		return best
	}
	for _, x := range also {
		if g := newFinder(literals{x}, true, sample); g != nil && (best == nil || g.cost < best.cost) {
			best = g
		}
	}
	return best
}

// chooser chooses what to look for.
type chooser struct {
	text   sample
	verify float64 // what it costs to look at a line
}

// hit returns what it costs to come upon a part of x that turns up at that rate. A hit
// that proves a match costs nothing: the match has to be returned in any case.
func (c chooser) hit(rate float64, x literal) float64 {
	found := rate * scarcity(x.text)
	if c.text != nil && !x.fold {
		found = c.text.textRate(x.text)
	}
	if c.verify == 0 {
		return max(0, rate-found) * costHit
	}
	return rate*costHit + found*c.verify
}

// byByte looks for the rarest byte of a single literal.
func (c chooser) byByte(set literals) *finder {
	x := set[0]
	if len(set) > 1 {
		return nil
	}
	f := &finder{rare: -1, cost: math.Inf(1)}
	for i := range len(x.text) {
		if x.fold && isLetter(x.text[i]) {
			continue
		}
		if cost := costIndexByte + c.hit(c.text.byteRate(x.text[i], false), x); cost < f.cost {
			f.rare, f.cost, f.needles = int(x.text[i]), cost, []needle{{text: x.text, fold: x.fold, anchor: i, bucket: anyBucket}}
		}
	}
	if f.rare < 0 {
		return nil
	}
	return f
}

// byPairs chooses, greedily, a pair for each literal: the one that covers most of
// the rest for its price. "foo|bar|baz" needs "fo" and "ba" only.
func (c chooser) byPairs(set literals) *finder {
	f := &finder{rare: -1}
	for _, x := range set {
		if x.fold {
			f.fold = foldCase
		}
	}
	for rest := set; len(rest) > 0; {
		p, cost := c.bestPair(rest, f.fold)
		if len(f.pairs) == maxPairs || math.IsInf(cost, 1) {
			return nil
		}
		f.pairs = append(f.pairs, p)
		f.cost += cost
		var left literals
		for _, x := range rest {
			if i := p.index(x.text, f.fold); i >= 0 {
				f.needles = append(f.needles, needle{text: x.text, fold: x.fold, anchor: i, bucket: anyBucket})
			} else {
				left = append(left, x)
			}
		}
		rest = left
	}
	f.cost += costPairs[len(f.pairs)]
	return f
}

// bestPair returns the pair that costs least for each literal that contains it,
// and what its hits cost: infinitely much if there is no pair.
func (c chooser) bestPair(set literals, fold uint64) (best pair, cost float64) {
	const farthest = 32 // looking for pairs further on would only cost time
	cost = math.Inf(1)
	price := cost
	seen := make(map[pair]bool)
	for _, x := range set {
		for i := 1; i < min(len(x.text), farthest); i++ {
			p := newPair(x.text[i-1], x.text[i], fold)
			if seen[p] {
				continue
			}
			seen[p] = true
			covers := 0
			for _, y := range set {
				if p.index(y.text, fold) >= 0 {
					covers++
				}
			}
			hits := c.hit(c.text.pairRate(x.text[i-1], x.text[i], fold != 0), x)
			if each := (costPairs[1] + hits) / float64(covers); each < price {
				best, cost, price = p, hits, each
			}
		}
	}
	return best, cost
}

// A hit that is no literal costs what the automaton needs for falseHit bytes, and
// twice that at least where the next one follows soon: the branch is then
// mispredicted. After patience bytes wasted so, the automaton takes over.
const (
	falseHit = 30
	patience = 4096
)

// The windows that find takes a buffer in, for pairs. They grow while nothing is found, because
// what was read ahead of a match is read again after it.
const (
	smallWindow = 512
	largeWindow = 16 << 10
)

// find returns a position in the first literal of b at or after from, or -1. When
// false hits have made it slower than the automaton it gives up where it is, with
// ok false. debt carries the bytes wasted from call to call.
func (f *finder) find(b []byte, from int, debt *int) (at int, ok bool) {
	for window := smallWindow; from < len(b); window = min(2*window, largeWindow) {
		end := len(b)
		if f.pairs != nil {
			end = min(from+window, end)
			touch(b[from:end])
		}
		for {
			i := f.next(b[from:end])
			if i < 0 {
				*debt = max(0, *debt-(end-from))
				break
			}
			at := from + i
			in := f.buckets(b[at:])
			for k := range f.needles {
				if n := &f.needles[k]; n.bucket&in != 0 && n.at(b, at) {
					return at, true
				}
			}
			if *debt = max(0, *debt+falseHit-i); *debt > patience {
				return at, false
			}
			from = at + 1
		}
		if from = end; end < len(b) {
			from-- // a pair may begin at the window's last byte
		}
	}
	return -1, true
}

// buckets returns those of the needles that may be at the start of b.
func (f *finder) buckets(b []byte) uint8 {
	if f.prints == nil {
		return anyBucket
	}
	return f.prints.at(b)
}

// farthest returns how far before a hit a literal may begin.
func (f *finder) farthest() int {
	far := 0
	for i := range f.needles {
		far = max(far, f.needles[i].anchor)
	}
	return far
}

// next returns the first place where a needle may be, or -1.
func (f *finder) next(b []byte) int {
	if f.rare >= 0 {
		return bytes.IndexByte(b, byte(f.rare))
	}
	if f.prints != nil {
		return f.prints.index(b)
	}
	return indexPairs(b, f.fold, f.pairs)
}
