package match

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
)

// FuzzPrints compares index with its definition, and with the literals themselves.
func FuzzPrints(f *testing.F) {
	f.Add([]byte("a needle in a haystack, and a second NEEDLE behind it"), []byte("needle|hay"), uint16(3), true)
	for n := range 150 { // every length of a block, and of what is behind the last
		f.Add(bytes.Repeat([]byte("x"), n), []byte("xyz|x"), uint16(0), false)
		f.Add(append(bytes.Repeat([]byte("x"), n), "ab"...), []byte("abc|b"), uint16(1), false)
		f.Add(append(bytes.Repeat([]byte("\xff"), n), "kK\x80"...), []byte("k"), uint16(0), true)
	}
	f.Fuzz(func(t *testing.T, b, text []byte, where uint16, fold bool) {
		var p prints
		var needles []needle
		for i, word := range bytes.Split(text, []byte("|")) {
			if len(word) == 0 || len(needles) == maxPrints {
				continue
			}
			x := literal{text: string(word), fold: fold}
			if fold {
				x.text = lowerASCII(x.text)
			}
			n := needle{text: x.text, fold: fold, anchor: int(where) % len(x.text), bucket: 1 << (i % buckets)}
			p.add(x, n.anchor, n.bucket)
			needles = append(needles, n)
		}
		want := -1
		for i := range b {
			if p.at(b[i:]) != 0 {
				want = i
				break
			}
		}
		assert.Equal(t, want, p.index(b))
		for i := range b {
			for k := range needles {
				if n := &needles[k]; n.at(b, i) {
					assert.NotZero(t, p.at(b[i:])&n.bucket, "%q at %d", n.text, i)
				}
			}
		}
	})
}
