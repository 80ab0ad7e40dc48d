package terminal

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWorkIsBounded counts the cells that are touched for sequences of few bytes that
// touch many, on a line as long as one gets.
func TestWorkIsBounded(t *testing.T) {
	long := strings.Repeat("x", maxLine-2)
	for name, in := range map[string][2]string{
		"erase to the left":     {long + "\b\b", "\x1b[1K"},
		"erase and extend":      {long + "\b", "\x1b[1Kx\b"},
		"erase characters":      {long + "\r", "\x1b[9999X"},
		"erase to the right":    {long, "\x1b[Kx\x1b[G\x1b[K\x1b[99999C"},
		"erase the line":        {long + "\b", "\x1b[2Kx\b"},
		"erase the screen":      {long + "\b", "\x1b[Jx\b\b"},
		"jump":                  {"", "\x1b[99999Cx\x1b[1K\b"},
		"jump and return":       {"", "\x1b[99999Cx\r\x1b[K"},
		"overwrite":             {long + "\r", "y\r"},
		"backspaces":            {long, "\b\bz"},
		"accents on every cell": {strings.Repeat("e\u0301", maxLine/3), "\r\u0301\x1b[1K"},
	} {
		f := NewFilter(io.Discard, "")
		bytes, work, last := 0, 0, 0
		write := func(s string) {
			io.WriteString(f, s)
			bytes += len(s)
			if f.line.touched < last {
				last = 0
			}
			work += f.line.touched - last
			last = f.line.touched
		}
		write(in[0])
		for range 20_000 {
			write(in[1])
		}
		if most := workAhead + workEach*bytes; work > most {
			t.Errorf("%s: %d bytes touched %d cells, over %d", name, bytes, work, most)
		}
		assert.LessOrEqual(t, cap(f.line.cells)+cap(f.line.marks), 5*maxLine, name)
	}
}

// TestOverworkedLineEnds has what follows begin as after a line that is too long,
// however the chunks end.
func TestOverworkedLineEnds(t *testing.T) {
	in := strings.Repeat("x", maxLine-2) + "\b\b" + strings.Repeat("\x1b[1K", 2*workAhead/maxLine) + "\x1b[1Gab\ncd"
	whole := clean(t, maxLine, []byte(in))
	var chunks [][]byte
	for p := []byte(in); len(p) > 0; {
		n := min(7, len(p))
		chunks, p = append(chunks, p[:n]), p[n:]
	}
	if got := clean(t, maxLine, chunks...); !bytes.Equal(got, whole) {
		t.Errorf("%q in chunks, %q in one", got, whole)
	}
	require.Equal(t, strings.Repeat(" ", maxLine-3)+"xab\ncd", string(whole))
}
