package match

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzPrefilter compares next and find with their definitions, with vector instructions and without.
func FuzzPrefilter(f *testing.F) {
	f.Add([]byte("a needle in a haystack, and a second NEEDLE behind it"), []byte("needle|hay"), true)
	for n := range 150 { // every length of a block, and of what is behind the last
		f.Add(bytes.Repeat([]byte("x"), n), []byte("xyz|x"), false)
		f.Add(append(bytes.Repeat([]byte("x"), n), "ab"...), []byte("abc|b"), false)
		f.Add(append(bytes.Repeat([]byte("x"), n), "abc"...), []byte("abc"), false)
		f.Add(append(bytes.Repeat([]byte("\xff"), n), "kK\x80"...), []byte("k"), true)
	}
	f.Fuzz(func(t *testing.T, b, text []byte, fold bool) {
		var set literals
		for word := range bytes.SplitSeq(text, []byte("|")) {
			x := literal{text: string(word), fold: fold}
			if fold {
				x.text = lowerASCII(x.text)
			}
			set = append(set, x)
		}
		p := newPrefilter(set)
		if p == nil {
			return
		}
		candidate, found := -1, -1
		for i := len(b) - 1; i >= 0; i-- {
			if p.candidates(b[i:]) != 0 {
				candidate = i
			}
			for _, x := range set {
				if i+len(x.text) <= len(b) && (string(b[i:i+len(x.text)]) == x.text || fold && lowerASCII(string(b[i:i+len(x.text)])) == x.text) {
					found = i
				}
			}
		}
		defer func(old bool) { vector = old }(vector)
		for _, vector = range []bool{false, vector} {
			if at := p.next(b, 0); vector || p.text == nil {
				require.Equal(t, candidate, at)
			} else {
				require.Equal(t, found, at)
			}
			assert.Equal(t, found, p.find(b, 0))
		}
	})
}

// TestFast says where literals are looked for without vector instructions.
func TestFast(t *testing.T) {
	defer func(old bool) { vector = old }(vector)
	vector = false
	for pattern, fast := range map[string]bool{"needle": true, `needle\d`: true, "(?i)reader": false, "needle|hay": false} {
		m, err := Compile(pattern, Options{})
		require.NoError(t, err)
		assert.Equal(t, fast, m.NewSearcher().prefilter != nil, pattern)
		check(t, pattern, Options{}, []byte("a needle\nneedle1\nREADER\nhay\n"), 50)
	}
}

// TestMaxPrefilter says how many literals are looked for.
func TestMaxPrefilter(t *testing.T) {
	var set literals
	for i := range maxPrefilter + 1 {
		assert.Equal(t, i > 0, newPrefilter(set) != nil)
		set = append(set, literal{text: "ab" + string(rune('0'+i))})
	}
	assert.Nil(t, newPrefilter(set))
}
