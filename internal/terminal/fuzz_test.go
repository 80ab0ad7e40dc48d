package terminal

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func FuzzFilter(f *testing.F) {
	for _, test := range filterTests {
		f.Add([]byte(test.in), uint64(len(test.in)), uint16(0))
		f.Add([]byte(test.in), uint64(len(test.in)), uint16(5))
	}
	f.Fuzz(func(t *testing.T, in []byte, seed uint64, limit uint16) {
		bound := int(limit)
		if bound == 0 {
			bound = maxLine
		}
		out := clean(t, bound, in)
		assert.True(t, utf8.Valid(out), "output %q is not UTF-8", out)
		for _, r := range string(out) {
			if r < 0x20 && r != '\n' && r != '\t' || 0x7f <= r && r < 0xa0 {
				t.Errorf("control character %q in output %q", r, out)
			}
		}
		assert.Equal(t, bytes.Count(in, []byte("\n")), bytes.Count(out, []byte("\n")))
		assert.Equal(t, len(out), cleanLength(out))
		if again := clean(t, bound, out); !bytes.Equal(again, out) {
			t.Errorf("filtered again\n got %q\nwant %q", again, out)
		}
		chunks := randomChunks(rand.New(rand.NewPCG(seed, 0)), in)
		if got := clean(t, bound, chunks...); !bytes.Equal(got, out) {
			t.Errorf("chunks %q\n  got %q\nwhole %q", chunks, got, out)
		}
		if bound == maxLine && len(in) < maxLine {
			assert.Equal(t, model(in), string(out), in)
		}
	})
}

// FuzzCleanLength compares the scan by words with one by runes, at each offset
// up to a word, since the loops' borders depend on it.
func FuzzCleanLength(f *testing.F) {
	for _, test := range filterTests {
		f.Add([]byte(test.in))
	}
	f.Add([]byte("0123456789abcdef0123456789abcdef\x7f"))
	f.Add([]byte("0123456789abcdef\x9f0123456789abcdef\n\t\v"))
	f.Fuzz(func(t *testing.T, in []byte) {
		for offset := 0; offset < 8 && offset <= len(in); offset++ {
			assert.Equal(t, cleanLengthByRunes(in[offset:]), cleanLength(in[offset:]), in[offset:])
		}
	})
}

func cleanLengthByRunes(p []byte) int {
	for i := 0; i < len(p); {
		r, size := utf8.DecodeRune(p[i:])
		switch {
		case r == utf8.RuneError && size == 1,
			r < 0x20 && r != '\n' && r != '\t',
			0x7f <= r && r < 0xa0:
			return i
		}
		i += size
	}
	return len(p)
}

// TestCleanLength puts each byte, and each pair and triple that may look like a
// character, at each place of a word.
func TestCleanLength(t *testing.T) {
	check := func(p []byte) {
		require.Equal(t, cleanLengthByRunes(p), cleanLength(p), p)
	}
	for at := range 48 {
		for c := range 256 {
			p := bytes.Repeat([]byte("x"), 80)
			p[at] = byte(c)
			check(p)
		}
	}
	edges := []byte{0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff}
	for lead := 0x80; lead < 0x100; lead++ {
		for _, a := range edges {
			for _, b := range edges {
				for _, c := range edges {
					check([]byte{byte(lead), a, b, c, 'x', 'y', 'z'})
					check([]byte{byte(lead), a, b, c})
					check([]byte{byte(lead), a, b})
					check([]byte{byte(lead), a})
				}
			}
		}
	}
}
