package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// sample is a text with one secret, or with a look-alike.
type sample struct {
	kind    string // of the secret, or what the look-alike is
	carrier string // what the text is
	text    []byte
	secret  string // what must not be seen; "" in a look-alike
	value   string // what the secret is in plain, if that is something else
}

// part is one part of the corpus. The rules were written with the first one in view, and not changed for the second.
type part struct {
	name       string
	kinds      []kind
	carriers   []carrier
	lookalikes []lookalike
	seed       uint64
}

// kind makes secrets of a kind. They are random, and belong to nobody.
type kind struct {
	name string
	// make returns what stands in a text, and the part of it that must not be seen; "" is all of it.
	make func(g gen) (text, secret string)
	// whole says that the text of make is a whole text, and no value to be put into a carrier.
	whole bool
}

// carrier puts a value into a text.
type carrier struct {
	name string
	put  func(g gen, kind, value string) string
}

// lookalike makes texts without secrets.
type lookalike struct {
	name string
	make func(g gen) string
}

const (
	samples  = 150     // of secrets, and of look-alikes, in a part
	longLine = 5 << 20 // bytes
	longOnes = 4       // samples in such a line, in a part
)

// secrets returns the samples of a part that have one.
func (p part) secrets() []sample {
	var list []sample
	for i := range samples {
		g := gen{rand.New(rand.NewPCG(p.seed, uint64(i)))}
		k := p.kinds[i%len(p.kinds)]
		text, secret := k.make(g)
		if secret == "" {
			secret = text
		}
		s := sample{kind: k.name, carrier: "alone", secret: secret, text: []byte(text)}
		if !k.whole {
			c := p.carriers[(i+i/len(p.carriers))%len(p.carriers)]
			s.carrier, s.text = c.name, []byte(c.put(g, k.name, text))
		}
		if i%(samples/longOnes) == samples/longOnes-1 {
			s.carrier += ", 5 MB line"
			s.text = inLongLine(g, s.text)
		}
		list = append(list, s)
	}
	return list
}

// inLongLine returns text in the middle of a long line.
func inLongLine(g gen, text []byte) []byte {
	var b bytes.Buffer
	for b.Len() < longLine/2 {
		fmt.Fprintf(&b, "function %s(e,t){return e.%s?t(%d):n[%s]};", g.of("abcdefgh", 2), g.of("abcdefgh", 4), g.IntN(1000), g.of("xyz", 1))
	}
	half := bytes.Clone(b.Bytes())
	return bytes.Join([][]byte{half, text, half}, []byte(" "))
}

// plain returns the samples of a part that have no secret.
func (p part) plain() []sample {
	var list []sample
	for i := range samples {
		g := gen{rand.New(rand.NewPCG(p.seed+1, uint64(i)))}
		l := p.lookalikes[i%len(p.lookalikes)]
		list = append(list, sample{kind: l.name, text: []byte(l.make(g))})
	}
	return list
}

// gen makes random texts.
type gen struct{ *rand.Rand }

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digit  = "0123456789"
	hex    = "0123456789abcdef"
	base62 = upper + lower + digit
	std64  = base62 + "+/"
	url64  = base62 + "-_"
)

// of returns n characters of an alphabet.
func (g gen) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[g.IntN(len(alphabet))]
	}
	return string(b)
}

func (g gen) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g gen) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.Uint32())
	}
	return b
}

func (g gen) uuid() string {
	return strings.Join([]string{g.of(hex, 8), g.of(hex, 4), "4" + g.of(hex, 3), "a" + g.of(hex, 3), g.of(hex, 12)}, "-")
}
