package shapes

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// parts are what lines consist of, as far as the lexer tells it apart.
var parts = []string{
	" ", " ", " ", "  ", "\t", "=", ":", ": ", ",", ", ", "(", ")", "[", "]", "{", "}", ";", "*", "==", "===", "<", "\u2713", "\u00d7",
	".", "..", "...", "-", "--", "---", "/", "//", "\\", "\\\\", "\\n", "\\t", "\\\"", "_", "@", "+", "~", "%", "$", "#",
	`"`, `"`, "'", "'", "`", `":`, `="`, `: "`, "'s ", `"x"`, `"a b"`, `"k1":`, `'a " b'`, `"it's"`, `"ab\"c d"`,
	"a", "in", "GET", "info", "error", "request", "ok ", "not ok ", " ... ok", " - ", "ReadError", "an_error", "IOException", "readIndex", "TestX",
	"0", "7", "12", "404", "3f9a", "c0ffee12", "deadbeef", "12deadbeef", "9a-4f0b-11", "2026-11-26T10:11:12.123Z", "1.5s", "34us", "v1.2.3", "x1y2",
	"/usr/lib/a.so", "a/b.go", "path=/x/1", "averyveryverylongwordwithoutanydigits", "aGVsbG8+d29y/bGQ", "\u00e9\u00fc", "\u6f22\u5b57", "\xff", "\x00",
}

// similar returns a line that is like another one, or a new one.
func similar(r *rand.Rand, line []string) []string {
	line = slices.Clone(line)
	if len(line) == 0 || r.IntN(40) == 0 {
		line = line[:0]
		for range 1 + r.IntN(14) {
			line = append(line, parts[r.IntN(len(parts))])
		}
	}
	for range r.IntN(3) {
		at, part := r.IntN(len(line)), parts[r.IntN(len(parts))]
		switch r.IntN(4) {
		case 0:
			line = slices.Insert(line, at, part)
		case 1:
			if len(line) > 1 {
				line = slices.Delete(line, at, at+1)
			}
		default:
			line[at] = part
		}
	}
	return line
}

// A line that has a layout has the tokens of the line that the layout was made of.
func TestLayouts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var l layouts
	var buffer [maxTokens]token
	shapes := map[uint64]int{}
	var line []string
	known := 0
	rounds := testkit.Some(300_000)
	for range rounds {
		line = similar(r, line)
		text := []byte(strings.Join(line, ""))
		text = text[:min(len(text), maxLine)]
		shape := l.find(text)
		var like []byte // the line of the layout
		for _, y := range l.list {
			if y.shape == shape {
				like = y.text
			}
		}
		if isBlank(text) {
			require.Equal(t, -1, shape, "%q like %q", text, like)
			continue
		}
		hash := sum(tokenize(text, &buffer))
		want, is := shapes[hash]
		switch {
		case !is:
			want = len(shapes)
			shapes[hash] = want
			require.Equal(t, -1, shape, "%q like %q", text, like)
		case shape >= 0:
			require.Equal(t, want, shape, "%q like %q", text, like)
			known++
		}
		if shape < 0 {
			l.add(text, want, &buffer)
		}
	}
	require.Greater(t, known, rounds/6)
}

func FuzzLayouts(f *testing.F) {
	f.Add("a=3f9a b", "a=c0ffee12 b", "a=12 \"b c\"")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		var l layouts
		var buffer [maxTokens]token
		var hashes []uint64
		for i, text := range [][]byte{[]byte(a), []byte(b), []byte(c), []byte(a + c), []byte(b + c)} {
			text = text[:min(len(text), maxLine)]
			shape := l.find(text)
			if isBlank(text) {
				require.Equal(t, -1, shape)
			}
			hashes = append(hashes, sum(tokenize(text, &buffer)))
			if shape >= 0 {
				require.Equal(t, hashes[shape], hashes[i])
			} else if !isBlank(text) {
				l.add(text, i, &buffer)
			}
		}
	})
}
