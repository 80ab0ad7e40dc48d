package match

import (
	"bytes"
	"math"
)

// What a search costs, in nanoseconds, as measured on a 2.6 GHz Xeon; only the
// proportions matter.
const (
	costIndexByte = 0.05 // a byte in bytes.IndexByte
	costPrints    = 0.08 // a byte in skipPrints
	costHit       = 15   // stopping at a byte or a pair and comparing the literal there
	costVerify    = 150  // finding the ends of a line and running the automaton on it
	costScan      = 0.45 // a byte in the automaton
)

// costPairs is a byte in the kernel for that many pairs.
var costPairs = [maxPairs + 1]float64{0, 0.12, 0.19, 0.27}

// searchCost estimates, quickly and without having seen the text, what it costs to
// look for a set and to verify the lines found; it decides between sets.
func searchCost(set literals) float64 {
	c := chooser{verify: costVerify}
	cost := 0.0
	for _, x := range set {
		best := c.text.byteRate(x.text[0], x.fold)
		for i := 1; i < len(x.text); i++ {
			best = min(best, c.text.pairRate(x.text[i-1], x.text[i], x.fold))
		}
		cost += costPairs[1] + c.hit(best, x)
	}
	return cost
}

// scarcity estimates the share of the hits on a pair that are text.
func scarcity(text string) float64 { return math.Pow(0.4, float64(max(0, len(text)-2))) }

// sample is a part of a text, from which rates are counted. Nil stands for any
// text: the rates are then estimated from a table.
type sample []byte

const (
	sampleParts = 4
	samplePart  = 2 << 10
	maxTuned    = 16 // literals: counting the pairs of more takes too long
)

// newSample takes parts from all over text: its beginning is often a licence.
func newSample(text []byte) sample {
	if len(text) <= sampleParts*samplePart {
		return text
	}
	s := make(sample, 0, sampleParts*samplePart)
	for i := range sampleParts {
		at := (len(text) - samplePart) / (sampleParts - 1) * i
		s = append(s, text[at:at+samplePart]...)
	}
	return s
}

// byteRate returns how often c comes up, in either case if fold.
func (s sample) byteRate(c byte, fold bool) float64 {
	lower, upper := c, c
	if fold && isLetter(c) {
		lower, upper = c|0x20, c&^0x20
	}
	if s == nil {
		n := float64(frequencies[lower])
		if lower != upper {
			n += float64(frequencies[upper])
		}
		return (n + 0.5) / 65536
	}
	n := bytes.Count(s, []byte{lower})
	if lower != upper {
		n += bytes.Count(s, []byte{upper})
	}
	return (float64(n) + 0.5) / float64(len(s))
}

// textRate returns how often text itself was counted.
func (s sample) textRate(text string) float64 {
	return (float64(bytes.Count(s, []byte(text))) + 0.5) / float64(len(s))
}

// pairRate returns how often a is followed by b. The estimate is more than the product:
// text is not random.
func (s sample) pairRate(a, b byte, fold bool) float64 {
	if s == nil {
		return 3 * s.byteRate(a, fold) * s.byteRate(b, fold)
	}
	bits := uint64(0)
	if fold {
		bits = foldCase
	}
	ps := []pair{newPair(a, b, bits)}
	n := 0.5
	for rest := []byte(s); ; n++ {
		i := indexPairs(rest, bits, ps)
		if i < 0 {
			return n / float64(len(s))
		}
		rest = rest[i+1:]
	}
}
